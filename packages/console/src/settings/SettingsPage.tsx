import { Link, Navigate, useParams } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useConnection } from "../app/Connection.ts"
import type { Operation } from "../app/PermittedOperations.ts"
import { Empty } from "../component/Page.tsx"
import { Problem } from "../component/Problem.tsx"
import navigation from "../design/Navigation.module.css"
import { accountText } from "../text/Account.ts"
import { contentText } from "../text/Content.ts"
import { operatorText } from "../text/Operator.ts"
import { settingsText } from "../text/Settings.ts"
import { text } from "../text/Shared.ts"
import { apiKeyListing } from "./ApiKeyListing.ts"
import { auditListing } from "./AuditListing.ts"
import { BillingPage } from "./account/BillingPage.tsx"
import { EmailAccountPage } from "./account/EmailAccountPage.tsx"
import { TrackingPage } from "./account/TrackingPage.tsx"
import { FormPage } from "./account/FormPage.tsx"
import { cannedReplyListing } from "./content/CannedReplyListing.ts"
import { fieldListing } from "./content/FieldListing.ts"
import { macroListing } from "./content/MacroListing.tsx"
import { MacroPage } from "./content/MacroPage.tsx"
import { pipelineListing } from "./content/PipelineListing.ts"
import { deliveryListing } from "./DeliveryListing.ts"
import type { Listing } from "./Listing.ts"
import { ListingPage } from "./ListingPage.tsx"
import { deploymentAuditListing } from "./operator/DeploymentAuditListing.ts"
import { ProvidersPage } from "./operator/ProvidersPage.tsx"
import { QueuesPage } from "./operator/QueuesPage.tsx"
import { ServerPage } from "./operator/ServerPage.tsx"
import { phoneNumberListing } from "./operator/PhoneNumberListing.ts"
import { sourceListing } from "./operator/SourceListing.ts"
import { blockedNumberListing } from "./policy/BlockedNumberListing.ts"
import { guardrailListing } from "./policy/GuardrailListing.ts"
import { optOutListing } from "./policy/OptOutListing.tsx"
import { presetListing } from "./policy/PresetListing.ts"
import { sessionListing } from "./SessionListing.ts"
import styles from "./Settings.module.css"
import { teamListing } from "./TeamListing.ts"
import { tenantListing } from "./TenantListing.ts"
import { userListing } from "./UserListing.ts"
import { webhookListing } from "./WebhookListing.tsx"

/** A page of the settings. */
interface Section {
  readonly noun: string
  readonly title: string
  /** Without the permission, the section is hidden. */
  readonly operation: Operation
  readonly page: ReactNode
}

const sectionOf = <Row,>(noun: string, listing: Listing<Row>): Section => ({
  noun,
  title: listing.title,
  operation: listing.operation,
  page: <ListingPage key={noun} noun={noun} listing={listing} />
})

/** Sections with a common heading. */
interface Group {
  readonly title: string
  readonly sections: ReadonlyArray<Section>
}

const access: Group = {
  title: settingsText.groups.access,
  sections: [
    sectionOf("users", userListing),
    sectionOf("teams", teamListing),
    sectionOf("api-keys", apiKeyListing),
    sectionOf("sessions", sessionListing)
  ]
}

const channels: Group = {
  title: settingsText.groups.channels,
  sections: [
    {
      noun: "email-account",
      title: accountText.email.title,
      operation: "email.listGrants",
      page: <EmailAccountPage key="email-account" />
    },
    { noun: "form", title: accountText.form.title, operation: "config.get", page: <FormPage key="form" /> },
    sectionOf("blocked-numbers", blockedNumberListing),
    sectionOf("opt-outs", optOutListing),
    {
      noun: "link-tracking",
      title: accountText.tracking.title,
      operation: "config.get",
      page: <TrackingPage key="link-tracking" />
    }
  ]
}

const automation: Group = {
  title: settingsText.groups.automation,
  sections: [
    sectionOf("guardrails", guardrailListing),
    sectionOf("presets", presetListing),
    sectionOf("canned-replies", cannedReplyListing),
    sectionOf("macros", macroListing)
  ]
}

const records: Group = {
  title: settingsText.groups.records,
  sections: [sectionOf("custom-fields", fieldListing), sectionOf("pipelines", pipelineListing)]
}

const account: Group = {
  title: settingsText.groups.account,
  sections: [
    sectionOf("webhooks", webhookListing),
    {
      noun: "billing",
      title: accountText.billing.title,
      operation: "billing.status",
      page: <BillingPage key="billing" />
    },
    sectionOf("audit", auditListing)
  ]
}

const deployment: Group = {
  title: settingsText.groups.deployment,
  sections: [
    sectionOf("tenants", tenantListing),
    // The health is public, but it describes the deployment, which only the operator can repair.
    {
      noun: "server",
      title: operatorText.server.title,
      operation: "audit.listDeployment",
      page: <ServerPage key="server" />
    },
    {
      noun: "queues",
      title: operatorText.queues.title,
      operation: "deployment.queues",
      page: <QueuesPage key="queues" />
    },
    {
      noun: "providers",
      title: operatorText.providers.title,
      operation: "deployment.providers",
      page: <ProvidersPage key="providers" />
    },
    sectionOf("phone-numbers", phoneNumberListing),
    sectionOf("sources", sourceListing),
    sectionOf("deployment-audit", deploymentAuditListing)
  ]
}

const groups: ReadonlyArray<Group> = [access, channels, automation, records, account, deployment]
const sections = groups.flatMap((group) => group.sections)

/** The part of the address that selects a page. */
interface Chosen {
  readonly noun?: string | undefined
  readonly webhookId?: string | undefined
  readonly macroId?: string | undefined
}

const macroSection = (macroId: string): Section => ({
  noun: `macros/${macroId}`,
  title: contentText.macros.title,
  operation: "macros.get",
  page: <MacroPage key={macroId} macroId={macroId} />
})

/** Returns the section of the address: a page of the list, the deliveries of one webhook, or the steps of one macro. */
const chosenSection = ({ macroId, noun, webhookId }: Chosen): Section | undefined => {
  if (webhookId !== undefined) return sectionOf(`webhooks/${webhookId}`, deliveryListing(webhookId))
  return macroId === undefined ? sections.find((section) => section.noun === noun) : macroSection(macroId)
}

/** The links of a group. A group without a permitted section is hidden. */
const GroupLinks = ({ sections: shown, title }: Group) =>
  shown.length === 0 ? null : (
    <div className={styles.group} role="group" aria-label={title}>
      <span className={styles.heading}>{title}</span>
      {shown.map((section) => (
        <Link key={section.noun} to="/settings/$noun" params={{ noun: section.noun }} className={navigation.link}>
          {section.title}
        </Link>
      ))}
    </div>
  )

/** The settings of the tenant: a list of the permitted sections, and the chosen one. */
export const SettingsPage = () => {
  const { permitted } = useConnection()
  const address: Chosen = useParams({ strict: false })
  const isPermitted = ({ operation }: Section): boolean => permitted.has(operation)
  const chosen = chosenSection(address)
  const first = sections.find(isPermitted)
  if (first === undefined) return <Empty>{settingsText.none}</Empty>
  if (Object.values(address).every((part) => part === undefined))
    return <Navigate to="/settings/$noun" params={{ noun: first.noun }} replace />
  const problem = chosen === undefined ? text.problem.notFound : text.problem.forbidden
  return (
    <div className={`${navigation.frame} ${styles.settings}`}>
      <nav className={`${navigation.rail} ${styles.nav}`} aria-label={settingsText.title}>
        {groups.map((group) => (
          <GroupLinks key={group.title} title={group.title} sections={group.sections.filter(isPermitted)} />
        ))}
      </nav>
      <div className={styles.content}>
        {chosen !== undefined && permitted.has(chosen.operation) ? (
          chosen.page
        ) : (
          <Problem message={problem} onRetry={() => location.reload()} />
        )}
      </div>
    </div>
  )
}

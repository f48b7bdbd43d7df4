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

const sections: ReadonlyArray<Section> = [
  sectionOf("users", userListing),
  sectionOf("teams", teamListing),
  sectionOf("api-keys", apiKeyListing),
  sectionOf("sessions", sessionListing),
  sectionOf("webhooks", webhookListing),
  sectionOf("guardrails", guardrailListing),
  sectionOf("blocked-numbers", blockedNumberListing),
  sectionOf("opt-outs", optOutListing),
  sectionOf("presets", presetListing),
  sectionOf("canned-replies", cannedReplyListing),
  sectionOf("macros", macroListing),
  sectionOf("custom-fields", fieldListing),
  sectionOf("pipelines", pipelineListing),
  {
    noun: "email-account",
    title: accountText.email.title,
    operation: "email.listGrants",
    page: <EmailAccountPage key="email-account" />
  },
  { noun: "form", title: accountText.form.title, operation: "config.get", page: <FormPage key="form" /> },
  {
    noun: "link-tracking",
    title: accountText.tracking.title,
    operation: "config.get",
    page: <TrackingPage key="link-tracking" />
  },
  {
    noun: "billing",
    title: accountText.billing.title,
    operation: "billing.status",
    page: <BillingPage key="billing" />
  },
  sectionOf("audit", auditListing),
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

/** The settings of the tenant: a list of the permitted sections, and the chosen one. */
export const SettingsPage = () => {
  const { permitted } = useConnection()
  const address: Chosen = useParams({ strict: false })
  const offered = sections.filter(({ operation }) => permitted.has(operation))
  const chosen = chosenSection(address)
  const [first] = offered
  if (first === undefined) return <Empty>{settingsText.none}</Empty>
  if (Object.values(address).every((part) => part === undefined))
    return <Navigate to="/settings/$noun" params={{ noun: first.noun }} replace />
  const problem = chosen === undefined ? text.problem.notFound : text.problem.forbidden
  return (
    <div className={`${navigation.frame} ${styles.settings}`}>
      <nav className={`${navigation.rail} ${styles.nav}`} aria-label={settingsText.title}>
        {offered.map((section) => (
          <Link key={section.noun} to="/settings/$noun" params={{ noun: section.noun }} className={navigation.link}>
            {section.title}
          </Link>
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

/**
 * Suites: tests of ports and workflows as functions of a store layer. `packages/store/test` runs them on SQLite and
 * Postgres. Tests that need no store are in the package of the tested code.
 */
import { inMemoryHtmlRenderer } from "../memory/HtmlRenderer.ts"
import { inMemoryVoiceProvider } from "../memory/VoiceProvider.ts"
import { inMemorySmsProvider } from "../memory/SmsProvider.ts"
import { inMemoryMailParser } from "../memory/MailParser.ts"
import { inMemoryReplyTemplates } from "../memory/ReplyTemplates.ts"
import { inMemoryRandomness } from "../memory/Randomness.ts"
import { inMemoryObjectsLayer } from "../memory/Objects.ts"
import { inMemoryVault } from "../memory/Vault.ts"
import { inMemoryIds } from "../memory/Ids.ts"
import { Secrets } from "@leadloom/core/domain/access/Secrets"
import { sessionKey } from "@leadloom/core/domain/access/SessionToken"
import { CompiledConfigs } from "@leadloom/core/domain/tenant/CompiledConfigs"
import { CpuShares, makeCpuShares } from "@leadloom/core/workflow/budget/CpuShares"
import type { Activities, Contacts } from "@leadloom/core/port/repository/contact/Contacts"
import type { ApiKeys } from "@leadloom/core/port/repository/tenant/ApiKeys"
import type { Arrivals } from "@leadloom/core/port/repository/conversation/Arrivals"
import type { Assistants } from "@leadloom/core/port/repository/tenant/Assistants"
import type { AuditTrail } from "@leadloom/core/port/repository/tenant/AuditTrail"
import type { Backlogs } from "@leadloom/core/port/repository/pipeline/Backlogs"
import type { Batches } from "@leadloom/core/port/repository/pipeline/Batches"
import type { BillingAccounts, Credits } from "@leadloom/core/port/repository/tenant/BillingAccounts"
import type { Blocklist, OptOuts } from "@leadloom/core/port/repository/contact/OptOuts"
import type { Calls } from "@leadloom/core/port/repository/conversation/Calls"
import { Classifier } from "@leadloom/core/port/provider/Classifier"
import type { ConfigChanges, Tenants } from "@leadloom/core/port/repository/tenant/Tenants"
import type { ContactMerges } from "@leadloom/core/port/repository/contact/ContactMerges"
import type { ContactSummaries } from "@leadloom/core/port/repository/contact/ContactSummaries"
import type { Conversations } from "@leadloom/core/port/repository/conversation/Conversations"
import type { CrmCalls } from "@leadloom/core/port/repository/crm/CrmCalls"
import type { CrmFirstSyncs, CrmInstalls, CrmLocations } from "@leadloom/core/port/repository/crm/CrmLocations"
import { Crm } from "@leadloom/core/port/provider/Crm"
import type { CrmLinks } from "@leadloom/core/port/repository/crm/CrmLinks"
import type { Deliveries } from "@leadloom/core/port/repository/webhook/Deliveries"
import type { Drafts } from "@leadloom/core/port/repository/conversation/Drafts"
import type { Erasures } from "@leadloom/core/port/repository/contact/Erasures"
import type { Jobs } from "@leadloom/core/port/repository/webhook/Jobs"
import type { Events } from "@leadloom/core/port/repository/webhook/Events"
import type { Grants, SignIns } from "@leadloom/core/port/repository/conversation/Grants"
import { HostedMail } from "@leadloom/core/port/provider/HostedMail"
import type { GuardEvaluations } from "@leadloom/core/port/repository/pipeline/GuardEvaluations"
import type { PersonalData } from "@leadloom/core/port/repository/contact/PersonalData"
import type { IdempotencyRecords } from "@leadloom/core/port/repository/tenant/IdempotencyRecords"
import type { Leads, Scores } from "@leadloom/core/port/repository/lead/Leads"
import type { Messages } from "@leadloom/core/port/repository/conversation/Messages"
import type { ProviderEvents } from "@leadloom/core/port/repository/webhook/ProviderEvents"
import { Payments } from "@leadloom/core/port/provider/Payments"
import type { PhoneNumbers } from "@leadloom/core/port/repository/contact/PhoneNumbers"
import type { RateLimits } from "@leadloom/core/port/system/RateLimits"
import type { PastRuns, Runs } from "@leadloom/core/port/repository/pipeline/Runs"
import { ReplyWriter } from "@leadloom/core/port/provider/ReplyWriter"
import type { Search } from "@leadloom/core/port/repository/contact/Search"
import type { Sends } from "@leadloom/core/port/repository/conversation/Sends"
import type { Signals } from "@leadloom/core/port/repository/pipeline/Signals"
import type { Sources } from "@leadloom/core/port/repository/tenant/Sources"
import type { Subscriptions } from "@leadloom/core/port/repository/webhook/Subscriptions"
import type { Tasks } from "@leadloom/core/port/repository/lead/Tasks"
import type { Threads } from "@leadloom/core/port/repository/conversation/Threads"
import type { Transactions } from "@leadloom/core/port/system/Transactions"
import type { Usages } from "@leadloom/core/port/repository/tenant/Usages"
import { createTenant } from "@leadloom/core/workflow/tenant/Tenants"
import type { TenantConfig } from "@leadloom/core/domain/tenant/TenantConfig"
import { saveConfig } from "@leadloom/core/workflow/tenant/SaveConfig"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

/** All store ports. */
export type Store =
  | Activities
  | ApiKeys
  | Arrivals
  | Assistants
  | AuditTrail
  | Backlogs
  | Batches
  | BillingAccounts
  | Blocklist
  | Calls
  | ConfigChanges
  | ContactMerges
  | ContactSummaries
  | Contacts
  | Conversations
  | Credits
  | CrmCalls
  | CrmLocations
  | CrmFirstSyncs
  | CrmInstalls
  | CrmLinks
  | Deliveries
  | Drafts
  | Erasures
  | Jobs
  | Events
  | Grants
  | GuardEvaluations
  | PersonalData
  | IdempotencyRecords
  | Leads
  | Messages
  | ProviderEvents
  | OptOuts
  | PhoneNumbers
  | PastRuns
  | RateLimits
  | Runs
  | Scores
  | Search
  | Sends
  | Signals
  | SignIns
  | Sources
  | Subscriptions
  | Tasks
  | Tenants
  | Threads
  | Transactions
  | Usages

/** A store under test. */
export type StoreLayer = Layer.Layer<Store, unknown>

/** A Monday morning, the start time of most tests. */
export const start = Date.parse("2026-03-02T09:00:00.000Z")

/** All services that workflows need besides a store. Ids are deterministic. The mail parser and the template engine are simple doubles. */
export const around = Layer.mergeAll(
  inMemoryIds,
  inMemoryRandomness,
  inMemoryMailParser,
  inMemoryReplyTemplates,
  inMemoryHtmlRenderer,
  HostedMail.closed("a setting"),
  Payments.closed("a setting"),
  Crm.closed("a setting"),
  inMemoryObjectsLayer,
  inMemoryVault,
  inMemorySmsProvider([], undefined, { configured: false }),
  inMemoryVoiceProvider([]),
  CompiledConfigs.layer,
  Layer.sync(CpuShares, makeCpuShares),
  Classifier.layerNone,
  ReplyWriter.layerNone,
  Layer.succeed(Secrets, {
    adminKeys: ["operator"],
    sessionKeys: [sessionKey(new Uint8Array(32))],
    pepper: new Uint8Array(32)
  })
)

/** Returns the mail domain of a test tenant: acme.com for `acme`. */
export const domainOfTenant = (tenantId: string): string => (tenantId === "acme" ? "acme.com" : `${tenantId}.example`)

/** Creates the tenant `acme` with the domain acme.com at the time `start`. `config` changes its configuration. */
export const openTenant = Effect.fnUntraced(function* (tenantId = "acme", config: Partial<TenantConfig> = {}) {
  yield* TestClock.setTime(start)
  const domain = domainOfTenant(tenantId)
  const tenant = yield* createTenant({ tenantId, name: "Acme", domain, preset: null, hipaa: false })
  return yield* saveConfig(tenantId, { ...tenant.config, ...config })
})

/** The fields of a test mail. Missing fields have default values. */
export interface MailText {
  readonly id?: string | null
  readonly from?: string
  readonly to?: string
  readonly subject?: string
  readonly body?: string
  readonly date?: string
  readonly inReplyTo?: string
  readonly references?: string
  /** Further header lines, verbatim. */
  readonly more?: ReadonlyArray<string>
}

/** Returns a simple mail as bytes. */
export const rawMail = (mail: MailText): Uint8Array => {
  const lines = [
    `From: ${mail.from ?? "Jo Smith <jo@customer.example>"}`,
    `To: ${mail.to ?? "sales@acme.com"}`,
    `Subject: ${mail.subject ?? "A roof"}`,
    `Date: ${mail.date ?? "Mon, 02 Mar 2026 08:55:00 +0000"}`,
    ...(mail.id === null ? [] : [`Message-ID: <${mail.id ?? "first@customer.example"}>`]),
    ...(mail.inReplyTo === undefined ? [] : [`In-Reply-To: <${mail.inReplyTo}>`]),
    ...(mail.references === undefined ? [] : [`References: ${mail.references}`]),
    ...(mail.more ?? []),
    "",
    mail.body ?? "What would a new roof cost?"
  ]
  return new TextEncoder().encode(lines.join("\r\n"))
}

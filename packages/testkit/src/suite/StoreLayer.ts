import type { AgentDrafts } from "@leadloom/core/internal/port/repository/conversation/AgentDrafts"
import type { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import type { Sequences } from "@leadloom/core/internal/port/repository/sequence/Sequences"
import type { ScheduledSends } from "@leadloom/core/internal/port/repository/conversation/ScheduledSends"
import type { Uploads } from "@leadloom/core/internal/port/repository/conversation/Uploads"
import type { Activities, Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import type { ConsoleSessions } from "@leadloom/core/internal/port/repository/tenant/ConsoleSessions"
import type { StreamTickets } from "@leadloom/core/internal/port/repository/tenant/StreamTickets"
import type { Presences } from "@leadloom/core/internal/port/system/Presences"
import type { ApiKeys } from "@leadloom/core/internal/port/repository/tenant/ApiKeys"
import type { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import type { Assistants } from "@leadloom/core/internal/port/repository/tenant/Assistants"
import type { AuditTrail } from "@leadloom/core/internal/port/repository/tenant/AuditTrail"
import type { Backlogs } from "@leadloom/core/internal/port/repository/pipeline/Backlogs"
import type { Batches } from "@leadloom/core/internal/port/repository/pipeline/Batches"
import type { BillingAccounts, Credits } from "@leadloom/core/internal/port/repository/tenant/BillingAccounts"
import type { Blocklist, OptOuts } from "@leadloom/core/internal/port/repository/contact/OptOuts"
import type { Calls } from "@leadloom/core/internal/port/repository/conversation/Calls"
import type { ConfigChanges, Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import type { ContactMerges } from "@leadloom/core/internal/port/repository/contact/ContactMerges"
import type { ContactSummaries } from "@leadloom/core/internal/port/repository/contact/ContactSummaries"
import type { Views } from "@leadloom/core/internal/port/repository/conversation/Views"
import type { ReadMarks } from "@leadloom/core/internal/port/repository/conversation/ReadMarks"
import type { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import type { CrmCalls } from "@leadloom/core/internal/port/repository/crm/CrmCalls"
import type { CrmFirstSyncs, CrmInstalls, CrmLocations } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import type { CrmLinks } from "@leadloom/core/internal/port/repository/crm/CrmLinks"
import type { Deliveries } from "@leadloom/core/internal/port/repository/webhook/Deliveries"
import type { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import type { Erasures } from "@leadloom/core/internal/port/repository/contact/Erasures"
import type { WebhookCalls } from "@leadloom/core/internal/port/repository/webhook/WebhookCalls"
import type { Jobs } from "@leadloom/core/internal/port/repository/webhook/Jobs"
import type { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import type { Grants, SignIns } from "@leadloom/core/internal/port/repository/conversation/Grants"
import type { GuardEvaluations } from "@leadloom/core/internal/port/repository/pipeline/GuardEvaluations"
import type { PersonalData } from "@leadloom/core/internal/port/repository/contact/PersonalData"
import type { IdempotencyRecords } from "@leadloom/core/internal/port/repository/tenant/IdempotencyRecords"
import type { SalesPipelines } from "@leadloom/core/internal/port/repository/lead/SalesPipelines"
import type { Leads, Scores } from "@leadloom/core/internal/port/repository/lead/Leads"
import type { MailboxAccounts } from "@leadloom/core/internal/port/repository/conversation/MailboxAccounts"
import type { MailboxSyncs } from "@leadloom/core/internal/port/repository/conversation/MailboxSyncs"
import type { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import type { ProviderEvents } from "@leadloom/core/internal/port/repository/webhook/ProviderEvents"
import type { Companies } from "@leadloom/core/internal/port/repository/contact/Companies"
import type { Segments } from "@leadloom/core/internal/port/repository/contact/Segments"
import type { ContactImports } from "@leadloom/core/internal/port/repository/contact/ContactImports"
import type { CustomFields } from "@leadloom/core/internal/port/repository/contact/CustomFields"
import type { Identities } from "@leadloom/core/internal/port/repository/contact/Identities"
import type { CannedReplies } from "@leadloom/core/internal/port/repository/conversation/CannedReplies"
import type { Macros } from "@leadloom/core/internal/port/repository/conversation/Macros"
import type { RemoteImageSenders } from "@leadloom/core/internal/port/repository/conversation/RemoteImageSenders"
import type { Notes } from "@leadloom/core/internal/port/repository/conversation/Notes"
import type { PhoneNumbers } from "@leadloom/core/internal/port/repository/contact/PhoneNumbers"
import type { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import type { PastRuns, Runs } from "@leadloom/core/internal/port/repository/pipeline/Runs"
import type { Reports } from "@leadloom/core/internal/port/repository/tenant/Reports"
import type { Search } from "@leadloom/core/internal/port/repository/contact/Search"
import type { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import type { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import type { PastFacts } from "@leadloom/core/internal/port/repository/pipeline/PastFacts"
import type { TrackedLinks } from "@leadloom/core/internal/port/repository/sequence/TrackedLinks"
import type { TrackingConsents } from "@leadloom/core/internal/port/repository/contact/TrackingConsents"
import type { TriggerRuns } from "@leadloom/core/internal/port/repository/pipeline/TriggerRuns"
import type { Sources } from "@leadloom/core/internal/port/repository/tenant/Sources"
import type { Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import type { TaskComments } from "@leadloom/core/internal/port/repository/lead/TaskComments"
import type { Tasks } from "@leadloom/core/internal/port/repository/lead/Tasks"
import type { Teams } from "@leadloom/core/internal/port/repository/tenant/Teams"
import type { ThreadCorrections } from "@leadloom/core/internal/port/repository/conversation/ThreadCorrections"
import type { Threads } from "@leadloom/core/internal/port/repository/conversation/Threads"
import type { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import type { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import type { Users } from "@leadloom/core/internal/port/repository/tenant/Users"
import type { Layer } from "effect"

/** All store ports. */
export type Store =
  | Activities
  | AgentDrafts
  | ScheduledSends
  | Sequences
  | Enrolments
  | PastFacts
  | TrackedLinks
  | TrackingConsents
  | TriggerRuns
  | Uploads
  | ApiKeys
  | StreamTickets
  | ConsoleSessions
  | Presences
  | Arrivals
  | Assistants
  | AuditTrail
  | Backlogs
  | Batches
  | BillingAccounts
  | Blocklist
  | Calls
  | CannedReplies
  | ConfigChanges
  | ContactMerges
  | ContactSummaries
  | Contacts
  | Conversations
  | ReadMarks
  | Views
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
  | WebhookCalls
  | Events
  | Grants
  | GuardEvaluations
  | PersonalData
  | IdempotencyRecords
  | Leads
  | Macros
  | MailboxAccounts
  | MailboxSyncs
  | Messages
  | Notes
  | RemoteImageSenders
  | ProviderEvents
  | OptOuts
  | Companies
  | ContactImports
  | CustomFields
  | Segments
  | Identities
  | PhoneNumbers
  | PastRuns
  | RateLimits
  | Reports
  | SalesPipelines
  | Runs
  | Scores
  | Search
  | Sends
  | Signals
  | SignIns
  | Sources
  | Subscriptions
  | TaskComments
  | Tasks
  | Teams
  | Tenants
  | ThreadCorrections
  | Threads
  | Transactions
  | Usages
  | Users

/** A store under test. */
export type StoreLayer = Layer.Layer<Store, unknown>

// Generated from the contract by `npm run generate`. Do not edit.
import { type Call, type ConditionalOptions, type Follow, type IdempotentOptions, type RequestOptions, segment, type ServerEvent } from "./Request.ts"

/** The error code. A newer server may use codes that are not listed here. */
export type ErrorCode =
  | "ACTION_FAILED"
  | "AI_LIMIT_REACHED"
  | "BAD_REQUEST"
  | "CALL_NOT_ALLOWED"
  | "CONFLICT"
  | "CONNECTION_EXISTS"
  | "FORBIDDEN"
  | "GUARDRAIL_BLOCKED"
  | "HIPAA_RESTRICTED"
  | "IDEMPOTENCY_CONFLICT"
  | "IDEMPOTENCY_IN_PROGRESS"
  | "INTERNAL"
  | "KEY_LIMIT_REACHED"
  | "METHOD_NOT_ALLOWED"
  | "NETWORK_ERROR"
  | "NOT_FOUND"
  | "PAYLOAD_TOO_LARGE"
  | "PLAN_RESTRICTED"
  | "PRECONDITION_FAILED"
  | "PROVIDER_ERROR"
  | "RATE_LIMITED"
  | "SERVICE_UNAVAILABLE"
  | "TIMEOUT"
  | "UNAUTHORIZED"
  | "UNEXPECTED_RESPONSE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "USAGE_LIMIT_REACHED"
  | (string & {})

export type Action = {
  readonly type: "assign"
  readonly to: string
} | {
  readonly type: "tag"
  readonly tag: string
} | {
  readonly type: "create_task"
  readonly task_type: "reply_approval" | "callback" | "follow_up" | "review"
  readonly title?: string | undefined
  readonly due_in_minutes?: number | undefined
} | {
  readonly type: "transition"
  readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
} | {
  readonly type: "reply"
  readonly template?: string | undefined
  readonly mode?: "draft" | "auto" | undefined
} | {
  readonly type: "notify"
  readonly message: string
  readonly to?: string | undefined
} | CrmRuleAction | {
  readonly type: "suppress_reply"
} | {
  readonly type: "stop"
}

export interface ActivatePlan {
  readonly plan?: PaidPlan | undefined
}

export interface ActivatedPlan {
  readonly billing: BillingStatus
  /** It has to be paid first, here; null: the plan holds now */
  readonly checkout: Checkout | null
}

export interface Agency {
  readonly company_id: string
  /** signed_out: the CRM takes our tokens no longer, install the app again */
  readonly status: "installed" | "signed_out" | "uninstalled"
  /** Why it is signed out */
  readonly reason: string | null
  readonly scopes: ReadonlyArray<string>
  /** ISO 8601, UTC, milliseconds */
  readonly installed_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
}

export interface AgencyList {
  readonly agencies: ReadonlyArray<Agency>
}

export interface AgencyLocation {
  readonly location_id: string
  readonly name: string | null
  /** The app is installed there */
  readonly installed: boolean
  /** The tenant that it stands for: PUT /admin/locations */
  readonly tenant_id: string | null
}

export interface AgencyLocationList {
  readonly locations: ReadonlyArray<AgencyLocation>
  readonly next_cursor: string | null
}

export interface AliasesSet {
  readonly aliases: ReadonlyArray<string>
}

export interface AliasesToSet {
  readonly aliases: ReadonlyArray<string>
}

export interface ApiKey {
  readonly id: string
  readonly name: string
  /** The beginning of the key, to recognise it by */
  readonly prefix: string
  /** null: everything that a key may do */
  readonly scopes: ReadonlyArray<Scope> | null
  /** rotated: another key has its place, and it works until expires_at */
  readonly status: "active" | "rotated" | "expired" | "revoked"
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** When it stops working; null: it does not expire */
  readonly expires_at: string | null
  readonly last_used_at: string | null
}

export interface ApiKeyList {
  readonly api_keys: ReadonlyArray<ApiKey>
}

export interface AppendEntries {
  readonly entries: ReadonlyArray<LeadEntry>
  /** Whether what the contact wrote is classified, scored, routed and answered; default false */
  readonly run_pipeline?: boolean | undefined
}

export interface ArchivePart {
  /** Were not here, and are now */
  readonly imported: number
  /** Were here already, and stay as they are */
  readonly present: number
  /** Belong to a contact who was erased here, and do not come back */
  readonly erased: number
}

export interface ArchiveTaken {
  readonly kinds: Readonly<Record<string, ArchivePart>>
}

export interface AssignPhoneNumber {
  /** A phone number with its country code, or one of the tenant's country without it */
  readonly phone: string
  readonly tenant_id: string
  /** Send from it where nothing else decides. Without a default the oldest number is taken */
  readonly default?: boolean | undefined
}

export interface Assistant {
  /** How to write */
  readonly instructions: string
  /** What may be said */
  readonly knowledge: string
  /** Hosts that a generated reply may link to */
  readonly link_hosts: ReadonlyArray<string>
}

export interface AssistantSecret {
  /** The beginning of the secret, to recognise it by; null: none has been made */
  readonly prefix: string | null
  /** Whether a key of Retell's is set */
  readonly retell: boolean
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
  /** The whole secret, for X-Assistant-Secret. Shown once. */
  readonly secret: string
}

export interface Attachment {
  readonly filename: string | null
  readonly content_type: string
  readonly size: number
  /** Its place among the attachments of the message, from 0 */
  readonly index: number
  /** Path on this host that needs no credential, good for 15 minutes; null when the content is not kept */
  readonly download_url: string | null
}

export type Attributes = Readonly<Record<string, string | number | boolean | null>>

export interface AuditEntry {
  readonly id: string
  /** null: it concerned the deployment, not one tenant */
  readonly tenant_id: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly timestamp: string
  /** `admin`, `user:<subject>`, `session:<id>` or the id of an API key */
  readonly actor: string
  /** Name of the operation, for example `apiKeys.create` */
  readonly action: string
  /** What it was done to, by its ids */
  readonly target: Readonly<Record<string, string>>
  /** The network address that it came from */
  readonly address: string | null
  readonly request_id: string | null
  /** What was different afterwards; null where the name of the action says it all. Never holds a secret. */
  readonly change: {
    readonly before: unknown
    readonly after: unknown
  } | null
}

export interface AuditPage {
  readonly entries: ReadonlyArray<AuditEntry>
  readonly next_cursor: string | null
}

export interface BacktestExample {
  readonly signal_id: string
  readonly message_id: string
  readonly contact_id: string
  readonly excerpt: string
}

export interface BacktestMove {
  readonly before: string | null
  readonly after: string | null
  readonly count: number
  readonly examples: ReadonlyArray<BacktestExample>
}

export interface BacktestReport {
  /** The version the change was compared with: today's */
  readonly config_version: number
  readonly oldest: string | null
  readonly newest: string | null
  /** There are more messages in that time than the limit */
  readonly more: boolean
  readonly examined: number
  /** Messages of which anything would have come out differently */
  readonly changed: number
  readonly skipped: {
    /** Run by a version that did not keep what it looked at */
    readonly without_inputs: number
    /** A model would have to be asked what it was not asked then */
    readonly unasked: number
  }
  readonly intents: ReadonlyArray<BacktestMove>
  readonly tiers: ReadonlyArray<BacktestMove>
  readonly rules: ReadonlyArray<{
    readonly rule_id: string
    readonly name: string
    readonly before: number
    readonly after: number
    readonly gained: number
    readonly lost: number
    readonly examples: ReadonlyArray<BacktestExample>
  }>
  readonly actions: ReadonlyArray<{
    readonly type: string
    readonly before: number
    readonly after: number
    readonly gained: number
    readonly lost: number
    readonly examples: ReadonlyArray<BacktestExample>
    /** Messages that have it as often as before, and it says something else */
    readonly altered: number
  }>
  /** By what becomes of the reply: none, held (a person approves), released (may go by itself), blocked */
  readonly replies: ReadonlyArray<BacktestMove>
  /** Replies that meet the same fate with another text */
  readonly rewritten: {
    readonly count: number
    readonly examples: ReadonlyArray<BacktestExample>
  }
}

export interface BacktestRequest {
  readonly config?: TenantConfig | undefined
  readonly rules?: ReadonlyArray<Rule> | undefined
  readonly guardrails?: ReadonlyArray<Guardrail> | undefined
  readonly since?: string | undefined
  /** Most messages, the newest ones; 10000 by default */
  readonly limit?: number | undefined
  /** Examples of each difference; 3 by default */
  readonly examples?: number | undefined
}

export interface Batch {
  readonly batch_id: string
  /** accepting: not every request has been looked at; done: nothing more will happen */
  readonly status: "accepting" | "running" | "done"
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  readonly total: number
  readonly accepted: number
  readonly duplicates: number
  /** Requests that were not taken in */
  readonly failed: number
  /** How many requests stand where */
  readonly progress: {
    readonly queued: number
    readonly running: number
    readonly done: number
    readonly failed: number
  }
}

export interface BatchItem {
  /** Its place in the batch, from 0 */
  readonly index: number
  /** What became of it when it was taken in */
  readonly status: "accepted" | "duplicate" | "failed"
  readonly signal_id: string | null
  readonly error: BatchItemError | null
}

export interface BatchItemError {
  readonly code: "BAD_REQUEST" | "USAGE_LIMIT_REACHED" | "IDEMPOTENCY_CONFLICT" | "INTERNAL"
  readonly message: string
  readonly details: ReadonlyArray<FieldIssue>
}

export interface BatchItemResult {
  /** Its place in the batch, from 0 */
  readonly index: number
  /** What became of it when it was taken in */
  readonly status: "accepted" | "duplicate" | "failed"
  readonly signal_id: string | null
  readonly error: BatchItemError | null
  readonly state: "queued" | "running" | "done" | "failed"
  readonly result: PipelineResult | null
}

export interface BatchPage {
  readonly batches: ReadonlyArray<Batch>
  readonly next_cursor: string | null
}

export interface BatchProgress {
  readonly batch_id: string
  /** accepting: not every request has been looked at; done: nothing more will happen */
  readonly status: "accepting" | "running" | "done"
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  readonly total: number
  readonly accepted: number
  readonly duplicates: number
  /** Requests that were not taken in */
  readonly failed: number
  /** How many requests stand where */
  readonly progress: {
    readonly queued: number
    readonly running: number
    readonly done: number
    readonly failed: number
  }
  readonly items: ReadonlyArray<BatchItemResult>
  readonly next_cursor: string | null
}

export interface BatchRequest {
  /** 1 to 500 requests */
  readonly items: ReadonlyArray<BatchRequestItem>
}

export interface BatchRequestItem {
  readonly message: string
  readonly contact?: {
    readonly name?: string | null | undefined
    readonly first_name?: string | null | undefined
    readonly last_name?: string | null | undefined
    readonly email?: string | null | undefined
    readonly phone?: string | null | undefined
    readonly [key: string]: unknown
  } | null | undefined
  readonly channel?: Channel | undefined
  readonly source?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The same key answers with what the first request made, in whatever batch */
  readonly idempotency_key?: string | null | undefined
  readonly [key: string]: unknown
}

export interface BillingPortal {
  readonly url: string
}

export interface BillingStatus {
  readonly tenant_id: string
  readonly plan: Plan_2
  readonly status: "trialing" | "active" | "past_due" | "unpaid" | "paused" | "canceled" | "incomplete" | "incomplete_expired"
  /** Where plans are paid; local: nowhere */
  readonly provider: "stripe" | "local"
  /** The plan that is paid for; null: none is */
  readonly subscribed_plan: Plan_1 | null
  readonly trial_ends_at: string | null
  readonly current_period_start: string | null
  readonly current_period_end: string | null
  readonly cancel_at_period_end: boolean
  /** When the plan goes because of a missing payment */
  readonly grace_ends_at: string | null
  readonly credits: number
}

export interface BlockedNumber {
  /** E.164 */
  readonly phone: string
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
}

export interface Blocklist {
  readonly blocklist: ReadonlyArray<BlockedNumber>
  readonly next_cursor: string | null
}

export interface CallPage {
  readonly calls: ReadonlyArray<CallRecord>
  readonly next_cursor: string | null
}

export interface CallRecord {
  readonly call_session_id: string
  readonly contact_id: string
  readonly lead_id: string | null
  readonly direction: "inbound" | "outbound"
  /** in_progress: agent and contact speak with each other. unknown: nobody knows whether the provider placed it, and it is not dialled again by itself */
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "unknown"
  /** Why it came to nothing */
  readonly reason: string | null
  /** E.164; null: hidden */
  readonly from: string | null
  readonly to: string | null
  readonly agent_phone: string | null
  readonly transferred_to: string | null
  readonly provider: string
  /** ISO 8601, UTC, milliseconds */
  readonly started_at: string
  readonly answered_at: string | null
  readonly ended_at: string | null
  readonly duration_seconds: number | null
  /** wanted: the call is recorded, and the recording not there yet; gone: it was deleted */
  readonly recording: "none" | "wanted" | "ready" | "gone"
  readonly recording_seconds: number | null
  /** The message of the conversation, once it is over */
  readonly message_id: string | null
}

export interface CappedUsage {
  readonly used: number
  readonly cap: number
}

export type Channel = "email" | "sms" | "voice" | "chat" | "webhook"

/** Of the newest message */
export type Channel_1 = "email" | "sms" | "voice" | "chat" | "webhook"

export interface CheckLeakedKeys {
  /** Anything that may hold keys: a file, a log, a scanner's report */
  readonly text: string
  /** Ends those that still work: API keys are revoked, sources of source keys removed. Default: false */
  readonly revoke?: boolean | undefined
}

export interface Checkout {
  readonly checkout_id: string
  /** Where a person pays */
  readonly url: string
  /** ISO 8601, UTC, milliseconds */
  readonly expires_at: string
}

export interface Classification {
  readonly intent: string
  readonly urgency: string
  readonly sentiment: string
  readonly summary: string
  readonly confidence: number
}

export interface Comparison {
  readonly fact: string
  readonly op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "matches" | "has_word" | "gt" | "gte" | "lt" | "lte" | "between" | "includes" | "not_includes" | "includes_any" | "includes_all" | "exists"
  readonly value: string | number | boolean | ReadonlyArray<string | number | boolean>
}

export type Condition = {
  readonly all: ReadonlyArray<Condition>
} | {
  readonly any: ReadonlyArray<Condition>
} | {
  readonly not: Condition
} | Comparison

export interface ConfigAudit {
  readonly entries: ReadonlyArray<ConfigChange>
  readonly next_cursor: string | null
}

export interface ConfigChange {
  readonly version: number
  readonly from_version: number
  readonly action: "replace" | "patch" | "scaffold" | "guardrails"
  readonly preset: string | null
  readonly changed_by: string
  /** ISO 8601, UTC, milliseconds */
  readonly changed_at: string
  readonly changes: ReadonlyArray<ConfigDifference>
  /** Changes beyond those that are listed */
  readonly omitted: number
}

export interface ConfigDifference {
  /** Joined with dots; rules and guardrails go by their id */
  readonly path: string
  /** Absent: it was added. Long values are cut */
  readonly before?: unknown | undefined
  /** Absent: it was removed */
  readonly after?: unknown | undefined
  readonly summary: string
}

export type ConfigPatch = Readonly<Record<string, unknown>>

export interface ConfigVersion {
  readonly tenant_id: string
  readonly version: number
  readonly config: TenantConfig
  /** null: the tenant began with this version */
  readonly change: ConfigChange | null
}

export interface Contact {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly notes: string | null
  readonly tags: ReadonlyArray<string>
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>
  readonly archived: boolean
  /** The contact that has everything of this one now; null unless it was merged */
  readonly merged_into: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
}

export interface ContactCreatedEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "contact.created"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly contact_id: string
    readonly name: string | null
    readonly email: string | null
    readonly phone: string | null
    readonly company: string | null
    readonly tags: ReadonlyArray<string>
    readonly archived: boolean
    /** The contact that stands for this one since they were merged */
    readonly merged_into: string | null
  } | {
    readonly redacted: true
  }
}

export interface ContactDetail {
  readonly contact: Contact
  readonly identities: ReadonlyArray<ContactIdentity>
  /** Of the lead with the newest message among those scored */
  readonly scoring: ContactScoring | null
  /** How the contact came: its first message */
  readonly source: {
    readonly channel: Channel
    readonly source: string
    /** ISO 8601, UTC, milliseconds */
    readonly at: string
  } | null
  readonly counts: {
    /** 1000 means that many or more */
    readonly messages: number
    /** 100 means that many or more */
    readonly leads: number
    readonly open_leads: number
    /** 20 means that many or more */
    readonly open_tasks: number
  }
  readonly open_leads: ReadonlyArray<ContactLead>
  /** The latest 20, oldest first */
  readonly messages: ReadonlyArray<Message>
  readonly pending_draft: {
    readonly id: string
    readonly channel: Channel
    readonly text: string
    readonly head_message_id: string
    /** ISO 8601, UTC, milliseconds */
    readonly created_at: string
  } | null
  readonly open_tasks: ReadonlyArray<ContactTask>
  /** Merges into this contact that can be undone, the last first */
  readonly merges: ReadonlyArray<{
    readonly merge_id: string
    readonly duplicate_contact_id: string
    /** ISO 8601, UTC, milliseconds */
    readonly merged_at: string
  }>
}

export interface ContactHit {
  readonly contact: Contact
  /** The greater the better; only good for comparing within one answer */
  readonly score: number
  readonly highlights: ReadonlyArray<SearchHighlight>
}

export interface ContactIdentity {
  readonly kind: "email" | "phone" | "external"
  readonly value: string
  readonly source: string | null
  /** Why nothing may be sent there any more */
  readonly undeliverable: string | null
}

export interface ContactLead {
  readonly id: string
  readonly state: string
  readonly score: number | null
  readonly score_tier: string | null
  readonly channel: Channel
  readonly source: string
  readonly subject: string | null
  readonly assignee: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly last_message_at: string
}

export interface ContactMerge {
  readonly merge_id: string
  readonly primary_contact_id: string
  readonly duplicate_contact_id: string
  /** ISO 8601, UTC, milliseconds */
  readonly merged_at: string
  readonly undone_at: string | null
  readonly contact: Contact_1
  readonly duplicate: Contact
}

export interface ContactPage {
  readonly contacts: ReadonlyArray<Contact>
  readonly next_cursor: string | null
}

export interface ContactPair {
  /** The contact that stays and gets everything */
  readonly primary_contact_id: string
  /** The contact whose things go to the primary one */
  readonly duplicate_contact_id: string
}

export interface ContactScored {
  readonly success: true
  readonly data: {
    readonly lead_score: number
    readonly lead_tier: string
    readonly recommended_actions: ReadonlyArray<string>
    readonly factors: ReadonlyArray<{
      readonly name: string
      readonly points: number
    }>
  }
}

export interface ContactScoring {
  readonly lead_id: string
  readonly score: number | null
  readonly tier: string | null
  readonly factors: ReadonlyArray<{
    readonly name: string
    readonly points: number
  }>
  readonly classification: {
    readonly intent: string
    readonly urgency: string
    readonly sentiment: string
    readonly summary: string
    readonly confidence: number
  } | null
}

export interface ContactTask {
  readonly id: string
  readonly type: "reply_approval" | "callback" | "follow_up" | "review"
  readonly status: "open" | "snoozed" | "done"
  readonly title: string
  readonly lead_id: string | null
  readonly due_at: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
}

export interface ContactUpdatedEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "contact.updated"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly contact_id: string
    readonly name: string | null
    readonly email: string | null
    readonly phone: string | null
    readonly company: string | null
    readonly tags: ReadonlyArray<string>
    readonly archived: boolean
    /** The contact that stands for this one since they were merged */
    readonly merged_into: string | null
  } | {
    readonly redacted: true
  }
}

/** The primary contact as it is now */
export interface Contact_1 {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly notes: string | null
  readonly tags: ReadonlyArray<string>
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>
  readonly archived: boolean
  /** The contact that has everything of this one now; null unless it was merged */
  readonly merged_into: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
}

export interface Conversation {
  readonly contact_id: string
  readonly contact_name: string | null
  readonly contact_email: string | null
  readonly last_message: string
  readonly last_channel: Channel
  /** ISO 8601, UTC, milliseconds */
  readonly last_timestamp: string
  readonly lead_id: string | null
  readonly lead_state: string | null
  readonly score_tier: string | null
  readonly unread: number
}

export interface ConversationClassified {
  readonly success: true
  readonly data: Classification
}

export interface ConversationHit {
  readonly contact_id: string
  readonly contact_name: string | null
  readonly contact_email: string | null
  readonly lead_id: string | null
  readonly message_id: string
  readonly thread_id: string | null
  readonly channel: Channel
  readonly actor: "contact" | "agent" | "assistant" | "system"
  /** ISO 8601, UTC, milliseconds */
  readonly timestamp: string
  readonly subject: string | null
  /** The greater the better; only good for comparing within one answer */
  readonly score: number
  readonly highlights: ReadonlyArray<SearchHighlight>
}

export interface ConversationPage {
  readonly conversations: ReadonlyArray<Conversation>
  readonly next_cursor: string | null
}

export interface ConversationUpdatedEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "conversation.updated"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly contact_id: string
    readonly lead_id: string | null
    readonly channel: Channel
    readonly actor: "contact" | "agent" | "assistant" | "system"
    /** The message that it is about */
    readonly message_id: string
    /** The beginning of the message */
    readonly preview: string
    /** There when somebody has said whom the message is about; null: its sender */
    readonly subject_contact_id?: string | null | undefined
  } | {
    readonly redacted: true
  }
}

export interface CreateApiKey {
  readonly name: string
  /** Limits the key. read: what is there; messages: send and write messages, contacts, leads, tasks; pipeline: the pipeline and its actions. Without it the key may do all of these. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
  readonly expires_at?: string | undefined
}

export interface CreateContact {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly company?: string | null | undefined
  readonly notes?: string | null | undefined
  /** Replaces all tags */
  readonly tags?: ReadonlyArray<string> | undefined
  readonly attributes?: Attributes | undefined
}

export interface CreateLead {
  readonly contact_id?: string | undefined
  readonly contact?: LeadContact | undefined
  readonly subject?: string | null | undefined
  readonly channel?: Channel | undefined
  readonly source?: string | undefined
  readonly assignee?: string | null | undefined
  readonly message?: {
    readonly body: string
    readonly actor?: "contact" | "agent" | "assistant" | "system" | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly timestamp?: string | undefined
  } | undefined
  /** Whether what the contact wrote is classified, scored, routed and answered; default false */
  readonly run_pipeline?: boolean | undefined
}

export interface CreateSource {
  readonly source_id: string
}

export interface CreateTenant {
  /** Chosen by the operator: [a-z0-9][a-z0-9_-]{1,62} */
  readonly tenant_id: string
  readonly name: string
  /** Domain whose addresses are the tenant's own, for example example.com */
  readonly domain?: string | null | undefined
  /** Name of a configuration preset to start from */
  readonly preset?: string | undefined
  readonly hipaa?: boolean | undefined
  readonly plan?: Plan | undefined
}

export interface CreateWebhook {
  /** https, and a public address */
  readonly url: string
  readonly events?: ReadonlyArray<string> | undefined
  readonly description?: string | null | undefined
  /** 1 to 16 */
  readonly max_in_flight?: number | undefined
}

export interface CreatedApiKey {
  readonly id: string
  readonly name: string
  /** The beginning of the key, to recognise it by */
  readonly prefix: string
  /** null: everything that a key may do */
  readonly scopes: ReadonlyArray<Scope> | null
  /** rotated: another key has its place, and it works until expires_at */
  readonly status: "active" | "rotated" | "expired" | "revoked"
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** When it stops working; null: it does not expire */
  readonly expires_at: string | null
  readonly last_used_at: string | null
  /** The whole key. Shown once. */
  readonly key: string
}

export interface CreatedSource {
  readonly source_id: string
  /** Shown once. Send it as Bearer credential or in X-Source-Key. */
  readonly key: string
}

export interface CreditBalance {
  readonly tenant_id: string
  readonly balance: number
}

export interface CreditTransaction {
  readonly id: string
  readonly kind: "grant" | "purchase" | "use" | "refund" | "adjustment" | "expire"
  /** Credits that came, or went when below zero */
  readonly amount: number
  /** Credits after it */
  readonly balance: number
  /** What it is for; the same counts once */
  readonly reference: string
  readonly note: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
}

export interface CreditTransactionPage {
  readonly transactions: ReadonlyArray<CreditTransaction>
  readonly next_cursor: string | null
}

export interface CrmActionRequest {
  /** The fields of the action as the workflow filled them in */
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  readonly extras: {
    readonly locationId: string
    /** The CRM's own id of the contact */
    readonly contactId: string
    readonly workflowId?: string | null | undefined
    readonly [key: string]: unknown
  }
  readonly meta?: unknown | undefined
  readonly [key: string]: unknown
}

export type CrmActionResult = Readonly<Record<string, string | number | boolean | null>>

export interface CrmAuthUrl {
  readonly url: string
  /** ISO 8601, UTC, milliseconds */
  readonly expires_at: string
}

export interface CrmCallback {
  readonly code: string
  readonly state: string
}

export interface CrmFirstSync {
  readonly state: "running" | "done" | "stopped"
  /** Why it is stopped */
  readonly reason: string | null
  /** Whose contacts are gone through: the CRM's (from_crm), then this server's (to_crm); finishing: what was found is still being brought together */
  readonly step: "from_crm" | "to_crm" | "finishing"
  /** How many contacts the CRM says it has */
  readonly crm_total: number | null
  readonly crm_seen: number
  /** Contacts of this server that were looked at */
  readonly seen: number
  /** Contacts made here */
  readonly created: number
  /** Contacts of the CRM recognised here by email or phone */
  readonly matched: number
  /** Contacts of this server that the CRM had not heard of, or not lately */
  readonly sent: number
  /** Left alone: neither email nor phone, archived here, or deleted in the CRM */
  readonly skipped: number
  /** ISO 8601, UTC, milliseconds */
  readonly started_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
  readonly finished_at: string | null
}

export interface CrmInstall {
  readonly location_id: string
  readonly company_id: string | null
  /** signed_out: the CRM takes our tokens no longer, install the app again */
  readonly status: "installed" | "signed_out" | "uninstalled"
  /** Why it is signed out */
  readonly reason: string | null
  readonly sync: CrmSync
  /** How far all contacts have been brought together; null: sync has always been off */
  readonly first_sync: CrmFirstSync | null
  readonly scopes: ReadonlyArray<string>
  /** ISO 8601, UTC, milliseconds */
  readonly installed_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
}

export interface CrmInstallList {
  readonly installs: ReadonlyArray<CrmInstall>
}

export interface CrmInstallToSet {
  readonly sync: CrmSync
}

export type CrmRuleAction = {
  readonly type: "crm_action"
  readonly location_id?: string | undefined
  readonly action: "add_tag" | "remove_tag"
  readonly tag: string
} | {
  readonly type: "crm_action"
  readonly location_id?: string | undefined
  readonly action: "add_note"
  readonly body: string
} | {
  readonly type: "crm_action"
  readonly location_id?: string | undefined
  readonly action: "create_task"
  readonly title: string
  readonly body?: string | undefined
  readonly due_in_minutes?: number | undefined
} | {
  readonly type: "crm_action"
  readonly location_id?: string | undefined
  readonly action: "add_to_workflow"
  readonly workflow_id: string
} | {
  readonly type: "crm_action"
  readonly location_id?: string | undefined
  readonly action: "update_contact"
  readonly fields: readonly ["name" | "email" | "phone", ...ReadonlyArray<"name" | "email" | "phone">]
}

export interface CrmSignedOutEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "crm.signed_out"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly location_id: string
    readonly reason: string
  } | {
    readonly redacted: true
  }
}

/** Nothing (off), changes made here go to the CRM (to_crm), changes of either side go to the other (both) */
export type CrmSync = "off" | "to_crm" | "both"

export interface CustomEvent {
  readonly entity: {
    /** Stored as an external id of the contact */
    readonly id?: string | number | null | undefined
    readonly name?: string | null | undefined
    readonly email?: string | null | undefined
    readonly phone?: string | null | undefined
    readonly company?: string | null | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly [key: string]: unknown
  }
  readonly event_type?: string | null | undefined
  readonly content?: {
    readonly body?: string | null | undefined
    readonly subject?: string | null | undefined
    readonly channel?: Channel | undefined
    readonly direction?: "inbound" | "outbound" | undefined
    readonly type?: string | null | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly [key: string]: unknown
  } | undefined
  readonly context?: Readonly<Record<string, unknown>> | undefined
  readonly timestamp?: string | null | undefined
  readonly [key: string]: unknown
}

export interface DraftToApprove {
  /** Default: what is pending */
  readonly draft_id?: string | undefined
  /** Of the text that was seen */
  readonly content_hash?: string | undefined
  /** The newest message that was seen */
  readonly head_message_id?: string | undefined
  /** The text as the person has changed it */
  readonly body?: string | undefined
  /** Reasons to set aside for this message alone. Needs the role manager or higher, or the operator's admin key */
  readonly override?: ReadonlyArray<"undeliverable"> | undefined
}

export interface DraftToDismiss {
  /** Default: what is pending */
  readonly draft_id?: string | undefined
}

export interface EmailAccount {
  readonly provider: MailProvider
  readonly email: string
  readonly name?: string | undefined
  /** A permission that the owner has given to this deployment at the provider before; operator only */
  readonly provider_grant_id?: string | undefined
}

export interface EmailAliases {
  readonly grant_email: string
  readonly aliases: ReadonlyArray<string>
}

export interface EmailAuthCode {
  readonly code: string
  readonly state: string
}

export interface EmailAuthUrl {
  readonly url: string
  /** ISO 8601, UTC, milliseconds */
  readonly expires_at: string
}

export interface EmailGrant {
  readonly grant_id: string
  readonly provider: MailProvider
  readonly email: string
  readonly name: string | null
  readonly status: "active" | "expired"
  readonly aliases: ReadonlyArray<string>
  readonly signature: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
}

export interface EmailGrantList {
  readonly grants: ReadonlyArray<EmailGrant>
}

export interface EmailSent {
  readonly success: true
  readonly message_id: string
  readonly thread_id: string
  readonly receipt?: SendReceipt_1 | undefined
}

export interface EmailToSend {
  readonly to: ReadonlyArray<Recipient>
  readonly subject?: string | undefined
  /** Plain text or HTML */
  readonly body: string
  readonly cc?: ReadonlyArray<Recipient> | undefined
  readonly bcc?: ReadonlyArray<Recipient> | undefined
  readonly from?: Recipient_1 | undefined
  /** message_id of the email that this answers; keeps threading */
  readonly reply_to_message_id?: string | undefined
  /** Reasons to set aside for this message alone. Needs the role manager or higher, or the operator's admin key */
  readonly override?: ReadonlyArray<"undeliverable"> | undefined
}

export interface EnrichedContact {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly notes: string | null
  readonly tags: ReadonlyArray<string>
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>
  readonly archived: boolean
  /** The contact that has everything of this one now; null unless it was merged */
  readonly merged_into: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
  /** Of the newest message; without one, when it was created */
  readonly last_activity_at: string
  readonly last_channel: Channel | null
  readonly last_message: string | null
  readonly unread: number
  readonly lead_id: string | null
  readonly lead_state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived" | null
  readonly score: number | null
  readonly score_tier: "hot" | "warm" | "cold" | null
}

export interface EnrichedFilter {
  readonly tier?: "hot" | "warm" | "cold" | undefined
  /** Of the lead that the conversation shows */
  readonly state?: "open" | "engaged" | "qualified" | "won" | "lost" | "archived" | undefined
  readonly channel?: Channel_1 | undefined
  readonly tag?: string | undefined
  readonly last_activity_after?: string | undefined
  readonly last_activity_before?: string | undefined
  readonly has_email?: boolean | undefined
  readonly has_phone?: boolean | undefined
  /** Those in the archive instead */
  readonly archived?: boolean | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface EnrichedPage {
  readonly contacts: ReadonlyArray<EnrichedContact>
  /** A page of combined filters may be short and still have a next one: go on until null */
  readonly next_cursor: string | null
}

export interface EntriesStored {
  readonly lead_id: string
  readonly stored: number
  readonly duplicates: number
  /** In the order of the entries */
  readonly results: ReadonlyArray<{
    readonly outcome: "stored" | "duplicate"
    readonly message_id: string
    readonly signal_id: string | null
  }>
}

export interface EraseContact {
  /** The contact's id once more, against accidents */
  readonly confirm: string
}

export interface Erasure {
  readonly erasure_id: string
  /** Nothing is found under it any more */
  readonly contact_id: string
  readonly requested_by: string
  /** ISO 8601, UTC, milliseconds */
  readonly requested_at: string
  /** null: broken off; ask for it again */
  readonly completed_at: string | null
  /** How many rows of each kind went */
  readonly erased: Readonly<Record<string, number>>
  /** SHA-256 of the receipt, in hex */
  readonly receipt_hash: string | null
}

export interface ErasurePage {
  readonly erasures: ReadonlyArray<Erasure>
  readonly next_cursor: string | null
}

export interface EventAccepted {
  readonly event_id: string
  readonly status: "accepted"
}

export type EventEnvelope = LeadReceivedEvent | LeadScoredEvent | LeadTierChangedEvent | LeadStateChangedEvent | LeadContactRepliedEvent | ContactCreatedEvent | ContactUpdatedEvent | ConversationUpdatedEvent | RuleNotifiedEvent | GrantExpiredEvent | CrmSignedOutEvent

export interface EventPage {
  readonly events: ReadonlyArray<NumberedEvent>
  /** What to ask for next: the last number that was looked at */
  readonly next_after: number
  readonly has_more: boolean
  /** Of the oldest event that is kept: above `after` + 1 some have expired unseen */
  readonly oldest_sequence: number
}

export interface EventProcessed {
  readonly event_id: string
  readonly status: "processed"
  readonly classification: null
  readonly matched_rules: number
  readonly actions_triggered: ReadonlyArray<string>
}

export interface EventSkipped {
  readonly status: "skipped"
  readonly reason: "state_store_unavailable"
}

export type EventType = "lead.received" | "lead.scored" | "lead.tier_changed" | "lead.state_changed" | "lead.contact_replied" | "contact.created" | "contact.updated" | "conversation.updated" | "rule.notified" | "grant.expired" | "crm.signed_out"

export interface FieldIssue {
  readonly path: string
  readonly message: string
}

export interface FormChallenge {
  readonly verification: "none" | "proof_of_work" | "turnstile"
  /** null: nothing has to be solved */
  readonly challenge: string | null
  /** Zero bits that the SHA-256 of the challenge, a full stop and a number has to begin with */
  readonly difficulty: number | null
  readonly expires_at: string | null
}

export interface GrantCredits {
  /** Default: grant */
  readonly kind?: "grant" | "adjustment" | "expire" | undefined
  readonly amount: number
  /** Of the operator, for example a contract. The same counts once. */
  readonly reference: string
  readonly note?: string | null | undefined
}

export interface GrantExpiredEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "grant.expired"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly grant_id: string
    readonly provider: string
    readonly email: string
    readonly reason: string
  } | {
    readonly redacted: true
  }
}

export interface GuardAudit {
  readonly evaluations: ReadonlyArray<GuardEvaluation>
  readonly next_cursor: string | null
}

export interface GuardCounts {
  readonly allow: number
  readonly require_approval: number
  readonly block: number
}

export interface GuardEvaluation {
  readonly id: string
  readonly guardrail_id: string
  readonly kind: string
  readonly outcome: "allow" | "require_approval" | "block"
  readonly reason: string
  /** reply: as it was written; approval: as a person sends it */
  readonly stage: "reply" | "approval"
  readonly signal_id: string
  /** The message that the reply answers */
  readonly message_id: string
  readonly contact_id: string
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
}

export interface GuardStats {
  readonly from: string
  /** Today, UTC; included */
  readonly to: string
  readonly evaluations: number
  readonly outcomes: GuardCounts
  readonly guardrails: ReadonlyArray<{
    readonly guardrail_id: string
    readonly kind: string
    readonly outcomes: GuardCounts
  }>
}

export type Guardrail = {
  readonly id: string
  readonly enabled?: boolean | undefined
  readonly outcome?: "require_approval" | "block" | undefined
  readonly kind: "blocked_phrases"
  readonly phrases: readonly [string, ...ReadonlyArray<string>]
} | {
  readonly id: string
  readonly enabled?: boolean | undefined
  readonly outcome?: "require_approval" | "block" | undefined
  readonly kind: "quiet_hours"
  readonly from: string
  readonly to: string
  readonly days?: readonly ["mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun", ...ReadonlyArray<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">] | undefined
} | {
  readonly id: string
  readonly enabled?: boolean | undefined
  readonly outcome?: "require_approval" | "block" | undefined
  readonly kind: "max_replies_per_contact_per_day"
  readonly max: number
} | {
  readonly id: string
  readonly enabled?: boolean | undefined
  readonly outcome?: "require_approval" | "block" | undefined
  readonly kind: "min_confidence"
  readonly min: number
} | {
  readonly id: string
  readonly enabled?: boolean | undefined
  readonly kind: "require_approval_for_tiers"
  readonly tiers: readonly ["hot" | "warm" | "cold", ...ReadonlyArray<"hot" | "warm" | "cold">]
} | {
  readonly id: string
  readonly enabled?: boolean | undefined
  readonly outcome?: "require_approval" | "block" | undefined
  readonly kind: "blocked_intents"
  readonly intents: readonly [string, ...ReadonlyArray<string>]
} | {
  readonly id: string
  readonly enabled?: boolean | undefined
  readonly outcome?: "require_approval" | "block" | undefined
  readonly kind: "no_links"
} | {
  readonly id: string
  readonly enabled?: boolean | undefined
  readonly outcome?: "require_approval" | "block" | undefined
  readonly kind: "no_prices"
}

export interface GuardrailSet {
  readonly tenant_id: string
  /** Version of the configuration that they are part of */
  readonly version: number
  readonly guardrails: ReadonlyArray<Guardrail>
}

export interface GuardrailsPatch {
  /** The whole list, in place of what is there; nothing else beside it */
  readonly guardrails?: ReadonlyArray<Guardrail> | undefined
  /** Put in place of those with the same id, or added at the end */
  readonly upsert?: ReadonlyArray<Guardrail> | undefined
  /** Ids that go */
  readonly remove?: ReadonlyArray<string> | undefined
  /** Ids that are switched on */
  readonly enable?: ReadonlyArray<string> | undefined
  /** Ids that are switched off and stay in the list */
  readonly disable?: ReadonlyArray<string> | undefined
}

export interface Health {
  readonly status: "ok"
  readonly version: string
}

export interface ImportEntries {
  readonly entries: ReadonlyArray<ImportedEntry>
}

export interface ImportMail {
  /** How the caller knows this mail; comes back with its result */
  readonly name: string
  /** The whole mail (RFC 5322) in base64 */
  readonly raw: string
}

export interface ImportRequest {
  /** true: old mail, stored and threaded but never answered; false: as if it had just arrived */
  readonly historical: boolean
  readonly mails: ReadonlyArray<ImportMail>
}

export interface ImportResult {
  readonly name: string
  readonly outcome: "message" | "duplicate_of" | "auto" | "bounce" | "own" | "quarantined" | "failed"
  readonly message_id: string | null
  readonly contact_id: string | null
  readonly lead_id: string | null
  readonly thread_id: string | null
  readonly signal_id: string | null
  readonly detail: string | null
}

export interface ImportResults {
  readonly results: ReadonlyArray<ImportResult>
}

export interface ImportedEntry {
  readonly channel: Channel
  readonly body: string
  readonly actor: "contact" | "agent" | "assistant" | "system"
  readonly subject?: string | null | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** What the place it comes from calls it */
  readonly external_id?: string | undefined
  readonly timestamp: string
}

export interface Lead {
  readonly id: string
  readonly tenant_id: string
  readonly contact_id: string
  readonly thread_id: string | null
  readonly channel: Channel
  readonly source: string
  readonly subject: string | null
  readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
  readonly score: number | null
  readonly tier: "hot" | "warm" | "cold" | null
  readonly factors: ReadonlyArray<{
    readonly name: string
    readonly points: number
  }>
  readonly classification: Classification | null
  readonly assignee: string | null
  /** The lead that lives on in its place */
  readonly merged_into: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly last_message_at: string
}

export interface LeadContact {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly company?: string | null | undefined
}

export interface LeadContactRepliedEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "lead.contact_replied"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly lead_id: string
    readonly contact_id: string
    readonly thread_id: string | null
    readonly channel: Channel
    readonly source: string
    readonly subject: string | null
    readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
    readonly score: number | null
    readonly tier: "hot" | "warm" | "cold" | null
    /** The message that it is about */
    readonly message_id: string
    /** The beginning of the message */
    readonly preview: string
  } | {
    readonly redacted: true
  }
}

export interface LeadConversation {
  /** That of the lead which stays, where it was merged */
  readonly lead_id: string
  readonly messages: ReadonlyArray<Message>
  readonly next_cursor: string | null
}

export interface LeadEntry {
  readonly channel: Channel
  readonly body: string
  readonly actor: "contact" | "agent" | "assistant" | "system"
  readonly subject?: string | null | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** What the place it comes from calls it */
  readonly external_id?: string | undefined
  readonly timestamp?: string | undefined
}

export interface LeadPage {
  readonly leads: ReadonlyArray<Lead>
  readonly next_cursor: string | null
}

export interface LeadReceivedEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "lead.received"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly lead_id: string
    readonly contact_id: string
    readonly thread_id: string | null
    readonly channel: Channel
    readonly source: string
    readonly subject: string | null
    readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
    readonly score: number | null
    readonly tier: "hot" | "warm" | "cold" | null
    /** The message that it is about */
    readonly message_id?: string | undefined
    /** The beginning of the message */
    readonly preview?: string | undefined
  } | {
    readonly redacted: true
  }
}

export interface LeadScore {
  readonly id: string
  readonly lead_id: string
  readonly score: number
  readonly tier: "hot" | "warm" | "cold"
  readonly factors: ReadonlyArray<{
    readonly name: string
    readonly points: number
  }>
  readonly recommended_actions: ReadonlyArray<string>
  readonly classification: Classification | null
  /** The message that was scored */
  readonly message_id: string | null
  /** The pipeline run; null: somebody asked */
  readonly signal_id: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
}

export interface LeadScorePage {
  readonly scores: ReadonlyArray<LeadScore>
  readonly next_cursor: string | null
}

export interface LeadScoredEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "lead.scored"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly lead_id: string
    readonly contact_id: string
    readonly thread_id: string | null
    readonly channel: Channel
    readonly source: string
    readonly subject: string | null
    readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
    readonly score: number | null
    readonly tier: "hot" | "warm" | "cold" | null
    readonly factors: ReadonlyArray<{
      readonly name: string
      readonly points: number
    }>
    readonly recommended_actions: ReadonlyArray<string>
    readonly classification: Classification | null
  } | {
    readonly redacted: true
  }
}

export interface LeadStateChangedEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "lead.state_changed"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly lead_id: string
    readonly contact_id: string
    readonly thread_id: string | null
    readonly channel: Channel
    readonly source: string
    readonly subject: string | null
    readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
    readonly score: number | null
    readonly tier: "hot" | "warm" | "cold" | null
    readonly previous_state?: "open" | "engaged" | "qualified" | "won" | "lost" | "archived" | undefined
    readonly reason: string | null
  } | {
    readonly redacted: true
  }
}

export interface LeadTierChangedEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "lead.tier_changed"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly lead_id: string
    readonly contact_id: string
    readonly thread_id: string | null
    readonly channel: Channel
    readonly source: string
    readonly subject: string | null
    readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
    readonly score: number | null
    readonly tier: "hot" | "warm" | "cold" | null
    readonly previous_tier: "hot" | "warm" | "cold"
  } | {
    readonly redacted: true
  }
}

export interface LeadTransition {
  readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
  readonly reason?: string | null | undefined
}

export interface LeakedKey {
  readonly kind: "api_key" | "source_key"
  /** The beginning of the key, as lists show it */
  readonly prefix: string
  /** unknown: of the right form, and nobody here has it: removed, or of another deployment */
  readonly status: "active" | "rotated" | "expired" | "revoked" | "unknown"
  /** It opened something when it was looked up */
  readonly live: boolean
  /** null: unknown, or a source of all tenants */
  readonly tenant_id: string | null
  /** The API key's id, or the source's */
  readonly id: string | null
  /** This request has ended it */
  readonly revoked: boolean
}

export interface LeakedKeyList {
  readonly leaked_keys: ReadonlyArray<LeakedKey>
}

export interface Location {
  readonly location_id: string
  readonly tenant_id: string
  /** Who gets a session by the location's id: anybody (open), who brings the CRM's encrypted proof (sso), nobody (off) */
  readonly sessions: "open" | "sso" | "off"
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
}

export interface LocationList {
  readonly locations: ReadonlyArray<Location>
}

export type MailProvider = "smtp" | "google" | "microsoft"

export interface MergeSuggestion {
  readonly primary_contact_id: string
  readonly duplicate_contact_id: string
  readonly reason: string
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  readonly primary: Contact
  readonly duplicate: Contact
}

export interface MergeSuggestionPage {
  readonly suggestions: ReadonlyArray<MergeSuggestion>
  readonly next_cursor: string | null
}

export interface MergedContacts {
  readonly merge_id: string
  readonly primary_contact_id: string
  readonly duplicate_contact_id: string
  /** ISO 8601, UTC, milliseconds */
  readonly merged_at: string
  readonly undone_at: string | null
  readonly contact: Contact_1
  readonly duplicate: Contact
  readonly moved: MovedCounts
}

export interface Message {
  readonly id: string
  readonly channel: Channel
  readonly body: string
  readonly actor: "contact" | "agent" | "assistant" | "system"
  /** ISO 8601, UTC, milliseconds */
  readonly timestamp: string
  /** The contact that it concerns, where somebody has labelled it */
  readonly subject_contact_id: string | null
  readonly html_body?: string | null | undefined
  readonly quoted_text?: string | null | undefined
  readonly subject?: string | null | undefined
  readonly thread_id?: string | null | undefined
  /** Usable as reply_to_message_id */
  readonly message_id?: string | undefined
  readonly internet_message_id?: string | null | undefined
  readonly received_alias?: string | null | undefined
  readonly from?: string | null | undefined
  readonly to?: ReadonlyArray<string> | undefined
  readonly cc?: ReadonlyArray<string> | undefined
  /** Where its sender wants answers to go; empty: to the sender */
  readonly reply_to?: ReadonlyArray<string> | undefined
  /** null: a person wrote it */
  readonly auto: "auto_reply" | "bounce" | "list" | "own" | null
  /** Where a message of ours stands; null for what others sent */
  readonly delivery?: "queued" | "sent" | "delivered" | "failed" | "bounced" | "unknown" | null | undefined
  readonly flags?: ReadonlyArray<string> | undefined
  readonly receipt?: SendReceipt | undefined
  /** Its content could not be parsed: the body is a placeholder, the source is kept and can be parsed again */
  readonly unparsed?: true | undefined
  /** Why it is unparsed: it took too long, it took too much memory, or the parser failed */
  readonly unparsed_reason?: "deadline" | "memory" | "failed" | undefined
  readonly attachments?: ReadonlyArray<Attachment> | undefined
}

export interface MessagePage {
  readonly messages: ReadonlyArray<Message>
  /** Leads to older messages; null: these are all */
  readonly next_cursor: string | null
  readonly pending_draft: PendingDraft | null
}

export interface MessageSent {
  readonly message_id: string
  readonly receipt?: SendReceipt_1 | undefined
}

export interface MessageToSend {
  /** Plain text, or HTML in an email */
  readonly body: string
  /** email answers the newest email of the contact's most recent email lead */
  readonly channel: "email" | "sms"
  /** Of an email: also to everybody else who got the one that is answered; default false */
  readonly reply_all?: boolean | undefined
  /** Reasons to set aside for this message alone. Needs the role manager or higher, or the operator's admin key */
  readonly override?: ReadonlyArray<"undeliverable"> | undefined
}

export type MintSession = {
  readonly tenant_id: string
} | {
  /** A location of the CRM that stands for the tenant */
  readonly location_id: string
  /** What the CRM gives its embedded page about its user, encrypted; where the location asks for it */
  readonly proof?: string | undefined
}

export interface MovedCounts {
  readonly identities: number
  readonly messages: number
  readonly leads: number
  readonly tasks: number
  readonly drafts: number
}

export interface NumberedEvent {
  readonly sequence: number
  readonly event: EventEnvelope
}

/** Default: the plan that is there, from trial starter */
export type PaidPlan = "starter" | "growth" | "scale"

export type PaidPlan_1 = "starter" | "growth" | "scale"

export interface PendingDraft {
  readonly draft_id: string
  readonly channel: Channel
  readonly text: string
  /** SHA-256 of the text in UTF-8, hex */
  readonly content_hash: string
  /** The newest message when it was written */
  readonly head_message_id: string
  /** The message that it answers */
  readonly reply_to_message_id: string
  /** Addresses it would go to; empty for what is no email */
  readonly to: ReadonlyArray<string>
  readonly subject: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
}

export interface PhoneBody {
  /** A phone number with its country code, or one of the tenant's country without it */
  readonly phone: string
}

export interface PhoneNumber {
  /** E.164 */
  readonly phone: string
  readonly tenant_id: string
  /** What the tenant sends from where nothing else decides it */
  readonly default: boolean
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
}

export interface PhoneNumberList {
  readonly phone_numbers: ReadonlyArray<PhoneNumber>
  readonly next_cursor: string | null
}

export interface PipelineRequest {
  readonly message: string
  readonly contact?: {
    readonly name?: string | null | undefined
    readonly first_name?: string | null | undefined
    readonly last_name?: string | null | undefined
    readonly email?: string | null | undefined
    readonly phone?: string | null | undefined
    readonly [key: string]: unknown
  } | null | undefined
  readonly channel?: Channel | undefined
  readonly source?: string | undefined
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly [key: string]: unknown
}

export interface PipelineResult {
  readonly signal_id: string
  readonly classification: Classification | null
  readonly score: Score | null
  readonly matched_rules: number
  /** The types of the actions that have happened; what could not be done is in the run, with its reason */
  readonly actions_triggered: ReadonlyArray<string>
  readonly reply: Reply | null
}

export interface PipelineRun {
  readonly run_id: string
  readonly signal_id: string
  readonly message_id: string
  readonly contact_id: string
  readonly lead_id: string | null
  readonly config_version: number
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  readonly classification: Classification | null
  readonly score: Score | null
  readonly matched_rules: ReadonlyArray<{
    readonly rule_id: string
    readonly name: string
  }>
  readonly actions: ReadonlyArray<{
    readonly type: string
    readonly rule_id: string
    readonly outcome: "done" | "skipped"
    readonly reason: string
  }>
  readonly written: WrittenReply | null
  readonly reply: Reply | null
  readonly steps: ReadonlyArray<{
    readonly step: "classify" | "score" | "route" | "reply" | "guard" | "act"
    readonly outcome: "done" | "skipped" | "suppressed" | "failed"
    readonly reason: string
  }>
  readonly model: RunModel
}

export interface PipelineRunDetail {
  readonly run_id: string
  readonly signal_id: string
  readonly message_id: string
  readonly contact_id: string
  readonly lead_id: string | null
  readonly config_version: number
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  readonly classification: Classification | null
  readonly score: Score | null
  readonly matched_rules: ReadonlyArray<{
    readonly rule_id: string
    readonly name: string
  }>
  readonly actions: ReadonlyArray<{
    readonly type: string
    readonly rule_id: string
    readonly outcome: "done" | "skipped"
    readonly reason: string
  }>
  readonly written: WrittenReply | null
  readonly reply: Reply | null
  readonly steps: ReadonlyArray<{
    readonly step: "classify" | "score" | "route" | "reply" | "guard" | "act"
    readonly outcome: "done" | "skipped" | "suppressed" | "failed"
    readonly reason: string
  }>
  readonly model: RunModel
  readonly message: RunMessage | null
  /** Null: the run is older than the keeping of inputs */
  readonly inputs: RunInputs | null
  readonly facts: Readonly<Record<string, unknown>> | null
  /** Every rule of then, in running order */
  readonly rules: ReadonlyArray<RuleStory> | null
}

export interface PipelineRunPage {
  readonly runs: ReadonlyArray<PipelineRun>
  readonly next_cursor: string | null
}

export interface PlaceCall {
  readonly contact_id?: string | undefined
  /** In place of contact_id: the contact of this number, made where there is none */
  readonly phone?: string | undefined
  /** Who speaks, and whose phone rings first. Default: voice.forward_to of the configuration */
  readonly agent_phone?: string | undefined
  /** Default: voice.record of the configuration */
  readonly record?: boolean | undefined
}

/** Default: trial */
export type Plan = "trial" | "starter" | "growth" | "scale"

export type Plan_1 = "trial" | "starter" | "growth" | "scale"

/** The plan whose caps hold now */
export type Plan_2 = "trial" | "starter" | "growth" | "scale"

export interface Preset {
  readonly name: string
  readonly title: string
  readonly description: string
  /** What has to be known or done beside the configuration */
  readonly notes: ReadonlyArray<string>
  readonly config: TenantConfig
}

export interface PresetList {
  readonly presets: ReadonlyArray<Preset>
}

export interface PublicForm {
  /** false: POST /api/v1/public/leads/{tenant_id} answers 404 */
  readonly enabled: boolean
  /** Origins of the pages that may submit it, for example https://www.acme.com */
  readonly allowed_origins: ReadonlyArray<string>
  /** A field that people do not see: who fills it in is answered as everybody and forgotten */
  readonly honeypot?: string | undefined
  /** Where a browser goes that submits without a script; null: to a page that says thank you */
  readonly thank_you_url?: string | null | undefined
  /** Further fields that are kept as metadata; empty: all that come */
  readonly fields?: ReadonlyArray<string> | undefined
  /** How a form shows that a person has filled it in */
  readonly verification?: "none" | "proof_of_work" | "turnstile" | undefined
}

/** Fields that are not named here are kept as metadata */
export interface PublicLead {
  readonly name?: string | number | null | undefined
  readonly first_name?: string | number | null | undefined
  readonly last_name?: string | number | null | undefined
  /** An email address or a phone number is needed, here, in phone or in contact */
  readonly email?: string | number | null | undefined
  /** With a country code, or of the tenant's country */
  readonly phone?: string | number | null | undefined
  /** An email address or a phone number */
  readonly contact?: string | number | null | undefined
  readonly company?: string | number | null | undefined
  readonly subject?: string | number | null | undefined
  readonly message?: string | number | null | undefined
  readonly consent?: boolean | string | null | undefined
  /** What stood beside the box; kept with the time and a hash of the address */
  readonly consent_text?: string | number | null | undefined
  /** The same id with the same content is one submission */
  readonly submission_id?: string | number | null | undefined
  /** The challenge, a full stop and its solution; or the token of Turnstile */
  readonly proof?: string | number | null | undefined
  readonly [key: string]: unknown
}

export interface PublicLeadAccepted {
  readonly status: "accepted"
  readonly thank_you_url: string | null
}

export interface PutLocation {
  readonly location_id: string
  readonly tenant_id: string
  /** Who gets a session by the location's id: anybody (open), who brings the CRM's encrypted proof (sso), nobody (off) */
  readonly sessions: "open" | "sso" | "off"
}

export interface ReadMark {
  /** The newest message that was seen: what has come since stays unread. Default: everything is read */
  readonly message_id?: string | undefined
}

export interface Recipient {
  readonly email: string
  readonly name?: string | undefined
}

/** The connected account or one of its aliases */
export interface Recipient_1 {
  readonly email: string
  readonly name?: string | undefined
}

export interface RecoverWebhook {
  readonly since: string
}

export interface Removed {
  readonly status: "removed"
}

export interface Reply {
  readonly text: string
  readonly channel: string
  readonly requires_approval: boolean
}

export interface ReplyGenerated {
  readonly success: true
  readonly data: Reply
}

export interface ResolveContact {
  readonly email?: string | undefined
  /** In any spelling; a national one is of the tenant's country */
  readonly phone?: string | undefined
  readonly external_id?: string | undefined
  /** Who gave the external_id; needed with it */
  readonly source?: string | undefined
  /** Of the contact that is made */
  readonly name?: string | undefined
  /** Make a contact when nobody is known */
  readonly create?: boolean | undefined
}

export interface ResolvedContact {
  readonly contact: Contact
  readonly created: boolean
  /** Who else is known under one of these; the oldest is the contact */
  readonly other_contact_ids: ReadonlyArray<string>
}

export interface RotateApiKey {
  readonly key_id: string
}

export interface Rule {
  readonly id: string
  readonly name: string
  readonly priority: number
  readonly enabled?: boolean | undefined
  readonly when: Condition
  readonly actions: readonly [Action, ...ReadonlyArray<Action>]
}

export interface RuleNotifiedEvent {
  /** The same on every attempt: what came before is recognised by it */
  readonly event_id: string
  readonly event_type: "rule.notified"
  readonly tenant_id: string
  /** When it happened, Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly rule_id: string
    /** Whom it is for, as the rule says */
    readonly to: string | null
    /** What the rule says, its template filled in */
    readonly text: string
    readonly contact_id: string
    readonly lead_id: string | null
    readonly signal_id: string
    /** The message that it is about */
    readonly message_id: string
    /** The beginning of the message */
    readonly preview: string
  } | {
    readonly redacted: true
  }
}

export interface RuleStory {
  readonly rule_id: string
  readonly name: string
  readonly outcome: "matched" | "not_matched" | "disabled" | "not_asked"
  readonly reason: string
}

export interface RunDecided {
  readonly classification: Classification | null
  readonly score: Score | null
  readonly matched_rules: ReadonlyArray<{
    readonly rule_id: string
    readonly name: string
  }>
  readonly actions: ReadonlyArray<{
    readonly type: string
    readonly rule_id: string
  }>
  readonly written: WrittenReply | null
  readonly steps: ReadonlyArray<{
    readonly step: "classify" | "score" | "route" | "reply" | "guard" | "act"
    readonly outcome: "done" | "skipped" | "suppressed" | "failed"
    readonly reason: string
  }>
}

export interface RunInputs {
  readonly tenant_name: string
  readonly contact: {
    readonly name: string | null
    readonly email: string | null
    readonly phone: string | null
    readonly company: string | null
    readonly tags: ReadonlyArray<string>
  }
  readonly contact_is_new: boolean
  readonly lead: {
    readonly state: string
    readonly source: string
    readonly assignee: string | null
    /** ISO 8601, UTC, milliseconds */
    readonly created_at: string
  } | null
  readonly lead_is_new: boolean
  /** The contact had written again */
  readonly overtaken: boolean
  /** Messages of the assistant in the 24 hours before */
  readonly replies_today: number
  readonly last_by_person_at: string | null
  readonly model_configured: boolean
  /** ISO 8601, UTC, milliseconds */
  readonly now: string
}

export interface RunMessage {
  readonly subject: string | null
  readonly body: string
  readonly channel: string
  readonly source: string
  readonly from: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly timestamp: string
}

/** What a language model was asked, and what it said; null: nothing */
export interface RunModel {
  readonly classification: {
    readonly outcome: "answered" | "failed" | "skipped"
    readonly reason: string | null
    readonly model: string | null
    readonly calls: number
    readonly input_tokens: number
    readonly output_tokens: number
    readonly output: Classification | null
  } | null
  readonly reply: {
    readonly outcome: "answered" | "failed" | "skipped"
    readonly reason: string | null
    readonly model: string | null
    readonly calls: number
    readonly input_tokens: number
    readonly output_tokens: number
    readonly output: {
      readonly text: string
      readonly concerns: ReadonlyArray<string>
    } | null
  } | null
}

export interface RunReplay {
  readonly run_id: string
  readonly signal_id: string
  readonly config_version: number
  /** The same to the byte, as canonical JSON */
  readonly identical: boolean
  readonly differences: ReadonlyArray<{
    readonly part: "classification" | "score" | "matched_rules" | "actions" | "written" | "steps"
    /** Canonical JSON */
    readonly stored: string
    readonly replayed: string
  }>
  readonly result: RunDecided
}

export interface ScaffoldConfig {
  /** A name of GET /api/v1/config/presets */
  readonly preset: string
  /** Also when somebody has changed the configuration; it stays as a version. Default: false */
  readonly overwrite?: boolean | undefined
}

export type Scope = "read" | "messages" | "pipeline"

export interface Score {
  readonly score: number
  readonly tier: string
  readonly recommended_actions: ReadonlyArray<string>
  readonly factors: ReadonlyArray<{
    readonly name: string
    readonly points: number
  }>
}

export interface SearchHighlight {
  readonly field: "name" | "email" | "phone" | "company" | "notes" | "tags" | "subject" | "body" | "from" | "to"
  /** Plain text without markup: escape it before it is shown as HTML */
  readonly text: string
  /** What was found in text: from start to before end, in UTF-16 units */
  readonly ranges: ReadonlyArray<{
    readonly start: number
    readonly end: number
  }>
}

export interface SearchPage {
  readonly contacts: ReadonlyArray<ContactHit>
  readonly conversations: ReadonlyArray<ConversationHit>
  /** Messages from then on were searched; null: all of them */
  readonly since: string | null
  /** False while older messages are still being brought into the index, as after an import */
  readonly complete: boolean
  /** Leads to more; a page may be short, or empty, before the last one */
  readonly next_cursor: string | null
}

export interface SearchRequest {
  /** Words, the last of which may be unfinished, or part of a phone number or an email address. Accents and case do not count; there is no syntax. The first 1,000 characters are read. */
  readonly query: string
  /** All messages, and not only those of the last six months. Contacts are searched whatever their age. */
  readonly deep?: boolean | undefined
  /** What to search; default: both */
  readonly types?: ReadonlyArray<"contacts" | "conversations"> | undefined
  /** Hits of each type on a page; default 20 */
  readonly limit?: number | undefined
  /** The next_cursor of the page before, with the same query, types and deep */
  readonly cursor?: string | undefined
}

/** Of a message of ours that a person let out against a reason */
export interface SendReceipt {
  readonly verdict: "allow"
  readonly overridden: ReadonlyArray<"undeliverable">
  /** The caller who set them aside, for example user:<subject> */
  readonly by: string
}

export interface SendReceipt_1 {
  readonly verdict: "allow"
  readonly overridden: ReadonlyArray<"undeliverable">
  /** The caller who set them aside, for example user:<subject> */
  readonly by: string
}

export interface Session {
  readonly token: string
  readonly tenant_id: string
  /** Unix epoch milliseconds, one hour after minting */
  readonly expires_at: number
}

export interface SetCappedUsage {
  readonly used?: number | undefined
  /** null: the plan's cap holds again */
  readonly cap?: number | null | undefined
}

export interface SetRetellKey {
  /** The API key that has the webhook badge at Retell; kept sealed */
  readonly api_key: string
}

export interface SetUsage {
  readonly actions?: SetCappedUsage | undefined
  readonly ai_calls?: SetCappedUsage | undefined
  readonly ai_tokens?: {
    readonly input?: number | undefined
    readonly output?: number | undefined
  } | undefined
}

export interface SignatureSet {
  readonly success: true
}

export interface SignatureToSet {
  readonly signature: string
}

export interface Source {
  readonly source_id: string
  /** null: the key is good for every tenant */
  readonly tenant_id: string | null
  readonly prefix: string
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
}

export interface SourceList {
  readonly sources: ReadonlyArray<Source>
}

export interface StartCheckout {
  readonly plan?: PaidPlan_1 | undefined
  readonly credits?: number | undefined
}

export interface StoredConfig {
  readonly tenant_id: string
  readonly version: number
  readonly config: TenantConfig
}

export interface SubjectLabel {
  readonly message_id: string
  /** null takes the label away */
  readonly subject_contact_id: string | null
}

export interface Success {
  readonly success: true
}

export interface Success_1 {
  readonly success: true
}

export interface TakenBatch {
  readonly batch_id: string
  /** accepting: not every request has been looked at; done: nothing more will happen */
  readonly status: "accepting" | "running" | "done"
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  readonly total: number
  readonly accepted: number
  readonly duplicates: number
  /** Requests that were not taken in */
  readonly failed: number
  /** How many requests stand where */
  readonly progress: {
    readonly queued: number
    readonly running: number
    readonly done: number
    readonly failed: number
  }
  readonly items: ReadonlyArray<BatchItem>
}

export interface Task {
  readonly id: string
  readonly type: "reply_approval" | "callback" | "follow_up" | "review"
  readonly status: "open" | "snoozed" | "done"
  readonly title: string
  readonly contact_id: string
  readonly lead_id: string | null
  readonly signal_id: string | null
  readonly due_at: string | null
  /** When a snoozed task is open again by itself */
  readonly snooze_until: string | null
  readonly disposition: string | null
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
}

export interface TaskPage {
  readonly tasks: ReadonlyArray<Task>
  readonly next_cursor: string | null
}

export interface Tenant {
  readonly tenant_id: string
  readonly name: string
  readonly domain: string | null
  readonly hipaa: boolean
  readonly plan: Plan_1
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
}

export interface TenantConfig {
  /** IANA time zone, for example Europe/Berlin */
  readonly time_zone: string
  /** ISO 3166-1 country of phone numbers without a country code */
  readonly default_country: string
  readonly classifier: "off" | "keywords" | "model"
  readonly reply_mode: "off" | "draft" | "auto"
  readonly reply_wait_seconds?: number | undefined
  readonly takeover_hours?: number | undefined
  readonly assistant?: Assistant | undefined
  readonly public_form?: PublicForm | undefined
  readonly voice?: Voice | undefined
  readonly guardrails?: ReadonlyArray<Guardrail> | undefined
  readonly tiers: {
    readonly hot: number
    readonly warm: number
  }
  readonly score_weights: Readonly<Record<string, number>>
  readonly rules: ReadonlyArray<Rule>
}

export interface TenantList {
  readonly tenants: ReadonlyArray<Tenant>
}

export interface TestWebhook {
  readonly event_type?: string | undefined
}

export interface TimelineEntry {
  readonly id: string
  readonly type: "message" | "task" | "lead_scored" | "lead_state_changed" | "notes_changed" | "contact_archived" | "contact_restored" | "contact_merged" | "contact_unmerged" | "opted_out" | "opted_in"
  /** ISO 8601, UTC, milliseconds */
  readonly at: string
  readonly actor: "contact" | "agent" | "assistant" | "system"
  readonly lead_id: string | null
  readonly message?: Message | undefined
  readonly task?: ContactTask | undefined
  /** What there is to say of anything but a message or a task */
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

export interface TimelinePage {
  readonly entries: ReadonlyArray<TimelineEntry>
  readonly next_cursor: string | null
}

export interface TransferCall {
  readonly to: string
}

export interface UpdateContact {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly company?: string | null | undefined
  readonly notes?: string | null | undefined
  /** Replaces all tags */
  readonly tags?: ReadonlyArray<string> | undefined
  readonly attributes?: Attributes | undefined
}

export interface UpdateLead {
  readonly subject?: string | null | undefined
  readonly assignee?: string | null | undefined
}

export interface UpdateTask {
  readonly lead_id?: string | null | undefined
  readonly status?: "open" | "snoozed" | "done" | undefined
  /** What came of it */
  readonly disposition?: string | null | undefined
  /** In the future: snoozes the task until then; null wakes it */
  readonly snooze_until?: string | null | undefined
}

export interface UpdateTenant {
  readonly name?: string | undefined
  readonly plan?: Plan_1 | undefined
}

export interface UpdateWebhook {
  /** https, and a public address */
  readonly url?: string | undefined
  readonly events?: ReadonlyArray<string> | undefined
  readonly description?: string | null | undefined
  /** 1 to 16 */
  readonly max_in_flight?: number | undefined
  /** active: a paused one gets what it missed, a disabled one what happens from now on */
  readonly status?: "active" | "paused" | "disabled" | undefined
}

export interface Usage {
  readonly tenant_id: string
  readonly plan: Plan_1
  /** YYYY-MM, UTC */
  readonly month: string
  readonly actions: CappedUsage
  readonly ai_calls: CappedUsage
  readonly ai_tokens: {
    readonly input: number
    readonly output: number
  }
}

export interface Voice {
  /** Where calls to the tenant's numbers go, and who speaks in calls to contacts */
  readonly forward_to: string | null
  /** What callers hear first */
  readonly greeting: string
  readonly record: boolean
  /** A call that nobody took makes a task to call back */
  readonly missed_call_task: boolean
  /** When people call back, in the time zone of the business */
  readonly callback_hours: {
    readonly from: string
    readonly to: string
    readonly days: ReadonlyArray<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
  }
}

export interface VoiceAssistant {
  /** The beginning of the secret, to recognise it by; null: none has been made */
  readonly prefix: string | null
  /** Whether a key of Retell's is set */
  readonly retell: boolean
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
}

export interface Webhook {
  readonly id: string
  readonly url: string
  /** What it is told of; empty: everything */
  readonly events: ReadonlyArray<EventType>
  readonly description: string | null
  /** Requests on their way at once; 1: strictly in order */
  readonly max_in_flight: number
  readonly status: "active" | "paused" | "disabled"
  /** failures: ten in a row; gone: the receiver answered 410; person: somebody asked for it */
  readonly inactive_reason: "failures" | "gone" | "person" | null
  readonly consecutive_failures: number
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  /** When its receiver is tried next, where something failed; null: nothing keeps it */
  readonly next_attempt_at: string | null
  /** Events up to this sequence number were delivered, or are in the list of deliveries */
  readonly delivered_through: number
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
}

export interface WebhookAttempt {
  /** ISO 8601, UTC, milliseconds */
  readonly at: string
  /** null: there was no response */
  readonly status_code: number | null
  readonly duration_ms: number
  /** null: it succeeded */
  readonly error: string | null
  /** Of failures, the first 4 KB */
  readonly response_body: string | null
}

export interface WebhookDelivery {
  readonly id: string
  readonly event_id: string
  readonly event_type: EventType
  readonly sequence: number
  readonly status: "pending" | "delivered" | "failed"
  readonly next_attempt_at: string | null
  /** Oldest first; the newest 20 */
  readonly attempts: ReadonlyArray<WebhookAttempt>
}

export interface WebhookDeliveryPage {
  readonly deliveries: ReadonlyArray<WebhookDelivery>
  readonly next_cursor: string | null
}

export interface WebhookList {
  readonly webhooks: ReadonlyArray<Webhook>
}

export interface WebhookRecovered {
  readonly recovered: number
}

export interface WebhookTested {
  readonly success: boolean
  readonly event_id: string
  readonly event_type: EventType
  readonly attempt: WebhookAttempt
}

export interface WebhookWithSecret {
  readonly id: string
  readonly url: string
  /** What it is told of; empty: everything */
  readonly events: ReadonlyArray<EventType>
  readonly description: string | null
  /** Requests on their way at once; 1: strictly in order */
  readonly max_in_flight: number
  readonly status: "active" | "paused" | "disabled"
  /** failures: ten in a row; gone: the receiver answered 410; person: somebody asked for it */
  readonly inactive_reason: "failures" | "gone" | "person" | null
  readonly consecutive_failures: number
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  /** When its receiver is tried next, where something failed; null: nothing keeps it */
  readonly next_attempt_at: string | null
  /** Events up to this sequence number were delivered, or are in the list of deliveries */
  readonly delivered_through: number
  /** ISO 8601, UTC, milliseconds */
  readonly created_at: string
  /** ISO 8601, UTC, milliseconds */
  readonly updated_at: string
  /** What deliveries are signed with. Shown once. */
  readonly secret: string
}

/** What was written, also where nobody is shown it */
export interface WrittenReply {
  readonly text: string
  readonly channel: string
  readonly mode: "draft" | "auto"
  readonly outcome: "allow" | "require_approval" | "block"
  readonly guardrails: ReadonlyArray<{
    readonly guardrail_id: string
    readonly kind: string
    readonly outcome: "allow" | "require_approval" | "block"
    readonly reason: string
  }>
}

export interface ConfigAuditOptions extends RequestOptions {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface GuardrailsAuditOptions extends RequestOptions {
  readonly guardrailId?: string | undefined
  readonly outcome?: "allow" | "require_approval" | "block" | undefined
  readonly contactId?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface GuardrailsStatsOptions extends RequestOptions {
  readonly days?: number | undefined
}

export interface GuardrailsExportOptions extends RequestOptions {
  readonly guardrailId?: string | undefined
  readonly outcome?: "allow" | "require_approval" | "block" | undefined
  readonly contactId?: string | undefined
  /** Default: json */
  readonly format?: "json" | "csv" | undefined
}

export interface EventsSendOptions extends IdempotentOptions {
  readonly mode?: "sync" | undefined
}

export interface PipelineListRunsOptions extends RequestOptions {
  readonly contactId?: string | undefined
  /** The lead that the run found */
  readonly leadId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface BatchesListOptions extends RequestOptions {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface BatchesGetOptions extends RequestOptions {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface UsageGetOptions extends RequestOptions {
  /** YYYY-MM, UTC; default: this month */
  readonly month?: string | undefined
}

export interface UsageSetOptions extends RequestOptions {
  /** YYYY-MM, UTC; default: this month */
  readonly month?: string | undefined
}

export interface BillingStatusOptions extends RequestOptions {
  /** The tenant; may be left out by who reaches only one */
  readonly tenantId?: string | undefined
}

export interface BillingActivateOptions extends IdempotentOptions {
  /** The tenant; may be left out by who reaches only one */
  readonly tenantId?: string | undefined
}

export interface BillingCheckoutOptions extends IdempotentOptions {
  /** The tenant; may be left out by who reaches only one */
  readonly tenantId?: string | undefined
}

export interface BillingPortalOptions extends IdempotentOptions {
  /** The tenant; may be left out by who reaches only one */
  readonly tenantId?: string | undefined
}

export interface BillingBalanceOptions extends RequestOptions {
  /** The tenant; may be left out by who reaches only one */
  readonly tenantId?: string | undefined
}

export interface BillingTransactionsOptions extends RequestOptions {
  /** The tenant; may be left out by who reaches only one */
  readonly tenantId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface ContactsListOptions extends RequestOptions {
  readonly archived?: boolean | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface ContactViewsTimelineOptions extends RequestOptions {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface ContactMergesSuggestionsOptions extends RequestOptions {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface ConversationsListOptions extends RequestOptions {
  /** Only what arrived at this address */
  readonly alias?: string | undefined
  readonly cursor?: string | undefined
}

export interface ConversationsGetOptions extends RequestOptions {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface LeadsListOptions extends RequestOptions {
  readonly state?: "open" | "engaged" | "qualified" | "won" | "lost" | "archived" | undefined
  /** none: not scored yet */
  readonly tier?: "hot" | "warm" | "cold" | "none" | undefined
  readonly contactId?: string | undefined
  readonly assignee?: string | undefined
  readonly createdAfter?: string | undefined
  readonly createdBefore?: string | undefined
  readonly lastMessageAfter?: string | undefined
  readonly lastMessageBefore?: string | undefined
  /** A minus: newest first. Default: -created_at, by which paging shows every lead once; with a range of last messages -last_message_at. A range and the order are of the same time */
  readonly sort?: "-created_at" | "created_at" | "-last_message_at" | "last_message_at" | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface LeadsListScoresOptions extends RequestOptions {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface LeadsConversationOptions extends RequestOptions {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface TasksListOptions extends RequestOptions {
  /** Default: open */
  readonly status?: "open" | "snoozed" | "done" | undefined
  readonly type?: "reply_approval" | "callback" | "follow_up" | "review" | undefined
  readonly contactId?: string | undefined
  readonly leadId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface TasksCallbacksOptions extends RequestOptions {
  readonly tenantId?: string | undefined
  /** Default: open */
  readonly status?: "open" | "snoozed" | "done" | undefined
  readonly type?: "reply_approval" | "callback" | "follow_up" | "review" | undefined
  readonly contactId?: string | undefined
  readonly leadId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface EmailAuthUrlOptions extends RequestOptions {
  readonly provider?: "google" | "microsoft" | undefined
}

export interface DataRightsListErasuresOptions extends RequestOptions {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface WebhooksDeliveriesOptions extends RequestOptions {
  readonly status?: "pending" | "delivered" | "failed" | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface EventFeedListOptions extends RequestOptions {
  readonly after?: number | undefined
  readonly limit?: number | undefined
  /** Event types, separated by commas; default: all */
  readonly types?: string | undefined
}

export interface EventFeedStreamOptions extends RequestOptions {
  readonly after?: number | undefined
  readonly follow?: boolean | undefined
  /** Event types, separated by commas; default: all */
  readonly types?: string | undefined
}

export interface AuditListOptions extends RequestOptions {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface AuditListDeploymentOptions extends RequestOptions {
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface AgenciesLocationsOptions extends RequestOptions {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface SmsFiltersBlocklistOptions extends RequestOptions {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface PhoneNumbersListOptions extends RequestOptions {
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface CallsListOptions extends RequestOptions {
  readonly contactId?: string | undefined
  readonly status?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "unknown" | undefined
  readonly direction?: "inbound" | "outbound" | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** All operations of the API. */
export type Operations = ReturnType<typeof operations>

/** Creates the operations on top of functions that send requests. */
export const operations = (call: Call, follow: Follow) => ({
  /** The server itself */
  system: {
    /** Whether this server can do its work */
    health: (options: RequestOptions = {}): Promise<Health> =>
      call({ method: "GET", path: "/health" }, options)
  },
  /** The operator's view of tenants */
  tenants: {
    /** Create a tenant */
    create: (body: CreateTenant, options: IdempotentOptions = {}): Promise<Tenant> =>
      call({ method: "POST", path: "/api/v1/admin/tenants", body }, options),
    /** List the tenants */
    list: (options: RequestOptions = {}): Promise<TenantList> =>
      call({ method: "GET", path: "/api/v1/admin/tenants" }, options),
    /** Read a tenant */
    get: (tenantId: string, options: RequestOptions = {}): Promise<Tenant> =>
      call({ method: "GET", path: `/api/v1/admin/tenants/${segment(tenantId)}` }, options),
    /** Change a tenant's name or plan; what it has used this month stays used */
    update: (tenantId: string, body: UpdateTenant, options: RequestOptions = {}): Promise<Tenant> =>
      call({ method: "PATCH", path: `/api/v1/admin/tenants/${segment(tenantId)}`, body }, options),
    /** Archive a tenant: it is no longer served, its data stays */
    archive: (tenantId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/admin/tenants/${segment(tenantId)}` }, options)
  },
  /** Senders of custom events and their keys */
  sources: {
    /** List a tenant's event sources */
    list: (tenantId: string, options: RequestOptions = {}): Promise<SourceList> =>
      call({ method: "GET", path: `/api/v1/admin/tenants/${segment(tenantId)}/sources` }, options),
    /** Create an event source; its key is shown once */
    create: (tenantId: string, body: CreateSource, options: IdempotentOptions = {}): Promise<CreatedSource> =>
      call({ method: "POST", path: `/api/v1/admin/tenants/${segment(tenantId)}/sources`, body }, options),
    /** Remove an event source; its key stops working at once */
    remove: (tenantId: string, sourceId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/admin/tenants/${segment(tenantId)}/sources/${segment(sourceId)}` }, options),
    /** List the event sources that reach every tenant */
    listGlobal: (options: RequestOptions = {}): Promise<SourceList> =>
      call({ method: "GET", path: "/api/v1/admin/sources" }, options),
    /** Create an event source that reaches every tenant */
    createGlobal: (body: CreateSource, options: IdempotentOptions = {}): Promise<CreatedSource> =>
      call({ method: "POST", path: "/api/v1/admin/sources", body }, options),
    /** Remove an event source that reaches every tenant */
    removeGlobal: (sourceId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/admin/sources/${segment(sourceId)}` }, options)
  },
  /** Short-lived credentials for agents */
  sessions: {
    /** Mint a session token: agent rights on one tenant for one hour */
    mint: (body: MintSession, options: IdempotentOptions = {}): Promise<Session> =>
      call({ method: "POST", path: "/api/v1/sessions", body }, options)
  },
  /** Credentials of partner applications */
  apiKeys: {
    /** List API keys, by prefix only */
    list: (tenantId: string, options: RequestOptions = {}): Promise<ApiKeyList> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/api-keys` }, options),
    /** Create an API key; at most 3 are active */
    create: (tenantId: string, body: CreateApiKey, options: IdempotentOptions = {}): Promise<CreatedApiKey> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/api-keys`, body }, options),
    /** Revoke an API key at once */
    revoke: (tenantId: string, keyId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/api-keys/${segment(keyId)}` }, options),
    /** Replace an API key; the old one works for another 72 hours */
    rotate: (tenantId: string, body: RotateApiKey, options: IdempotentOptions = {}): Promise<CreatedApiKey> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/api-keys/rotate`, body }, options)
  },
  /** How a tenant's messages are handled */
  config: {
    /** List the presets, each with its whole configuration */
    presets: (options: RequestOptions = {}): Promise<PresetList> =>
      call({ method: "GET", path: "/api/v1/config/presets" }, options),
    /** Read the configuration; its ETag is its version */
    get: (tenantId: string, options: RequestOptions = {}): Promise<StoredConfig> =>
      call({ method: "GET", path: `/api/v1/config/${segment(tenantId)}` }, options),
    /** Replace the configuration; it is checked before it is saved */
    replace: (tenantId: string, body: TenantConfig, options: ConditionalOptions = {}): Promise<StoredConfig> =>
      call({ method: "PUT", path: `/api/v1/config/${segment(tenantId)}`, body }, options),
    /** Change parts of the configuration: a JSON merge patch (RFC 7396) */
    update: (tenantId: string, body: ConfigPatch, options: ConditionalOptions = {}): Promise<StoredConfig> =>
      call({ method: "PATCH", path: `/api/v1/config/${segment(tenantId)}`, body }, options),
    /** Who changed the configuration, when, and what: newest first */
    audit: (tenantId: string, options: ConfigAuditOptions = {}): Promise<ConfigAudit> =>
      call({ method: "GET", path: `/api/v1/config/${segment(tenantId)}/audit`, query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** Read an earlier version of the configuration */
    version: (tenantId: string, version: string, options: RequestOptions = {}): Promise<ConfigVersion> =>
      call({ method: "GET", path: `/api/v1/config/${segment(tenantId)}/versions/${segment(version)}` }, options),
    /** Put a preset in place of the configuration; time zone, country and form stay */
    scaffold: (tenantId: string, body: ScaffoldConfig, options: ConditionalOptions = {}): Promise<StoredConfig> =>
      call({ method: "POST", path: `/api/v1/config/${segment(tenantId)}/scaffold`, body }, options)
  },
  /** Limits on what the assistant writes, and what they said */
  guardrails: {
    /** The guardrails that are switched on, in the order they are asked */
    active: (tenantId: string, options: RequestOptions = {}): Promise<GuardrailSet> =>
      call({ method: "GET", path: `/api/v1/guardrails/${segment(tenantId)}/active` }, options),
    /** What guardrails said of replies, newest first */
    audit: (tenantId: string, options: GuardrailsAuditOptions = {}): Promise<GuardAudit> =>
      call({ method: "GET", path: `/api/v1/guardrails/${segment(tenantId)}/audit`, query: { "guardrail_id": options.guardrailId, "outcome": options.outcome, "contact_id": options.contactId, "cursor": options.cursor, "limit": options.limit } }, options),
    /** How often each guardrail held on to a reply */
    stats: (tenantId: string, options: GuardrailsStatsOptions = {}): Promise<GuardStats> =>
      call({ method: "GET", path: `/api/v1/guardrails/${segment(tenantId)}/stats`, query: { "days": options.days } }, options),
    /** The audit as a file: an array as JSON, or CSV that is safe to open */
    export: (tenantId: string, options: GuardrailsExportOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/guardrails/${segment(tenantId)}/export`, query: { "guardrail_id": options.guardrailId, "outcome": options.outcome, "contact_id": options.contactId, "format": options.format }, file: true }, options),
    /** Change the guardrails: a new version of the configuration */
    update: (tenantId: string, body: GuardrailsPatch, options: ConditionalOptions = {}): Promise<GuardrailSet> =>
      call({ method: "PATCH", path: `/api/v1/guardrails/${segment(tenantId)}`, body }, options)
  },
  /** Custom events from sources */
  events: {
    /** Send a custom event; mode=sync evaluates the routing rules only and stores nothing */
    send: (tenantId: string, sourceId: string, body: CustomEvent, options: EventsSendOptions = {}): Promise<EventAccepted | EventSkipped | EventProcessed> =>
      call({ method: "POST", path: `/api/v1/events/${segment(tenantId)}/${segment(sourceId)}`, query: { "mode": options.mode }, body }, options)
  },
  /** Classify, score, route, act, reply */
  pipeline: {
    /** Take a message in and run the whole pipeline on it */
    run: (tenantId: string, body: PipelineRequest, options: IdempotentOptions = {}): Promise<PipelineResult> =>
      call({ method: "POST", path: `/api/v1/webhook/automation/${segment(tenantId)}`, body }, options),
    /** Dry run: classify, score, route and reply; nothing is stored or sent */
    dryRun: (tenantId: string, body: PipelineRequest, options: IdempotentOptions = {}): Promise<PipelineResult> =>
      call({ method: "POST", path: `/api/v1/test/${segment(tenantId)}`, body }, options),
    /** List runs, those of the newest messages first */
    listRuns: (tenantId: string, options: PipelineListRunsOptions = {}): Promise<PipelineRunPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/runs`, query: { "contact_id": options.contactId, "lead_id": options.leadId, "limit": options.limit, "cursor": options.cursor } }, options),
    /** What became of a signal, step by step, what it was made from, and why each rule matched */
    getRun: (tenantId: string, signalId: string, options: RequestOptions = {}): Promise<PipelineRunDetail> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/runs/${segment(signalId)}` }, options),
    /** Decide a run again from what was kept of it; nobody is asked and nothing is written */
    replayRun: (tenantId: string, signalId: string, options: IdempotentOptions = {}): Promise<RunReplay> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/runs/${segment(signalId)}/replay` }, options)
  },
  /** Many messages for the pipeline at once */
  batches: {
    /** Take many messages in at once; workers run the pipeline on them */
    create: (tenantId: string, body: BatchRequest, options: IdempotentOptions = {}): Promise<TakenBatch> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/batch`, body }, options),
    /** List batches, newest first */
    list: (tenantId: string, options: BatchesListOptions = {}): Promise<BatchPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/batches`, query: { "limit": options.limit, "cursor": options.cursor } }, options),
    /** How far a batch has come, and what became of its requests */
    get: (tenantId: string, batchId: string, options: BatchesGetOptions = {}): Promise<BatchProgress> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/batch/${segment(batchId)}`, query: { "limit": options.limit, "cursor": options.cursor } }, options)
  },
  /** Single steps of the pipeline, on their own */
  actions: {
    /** Score a message and its contact */
    scoreContact: (tenantId: string, body: PipelineRequest, options: IdempotentOptions = {}): Promise<ContactScored> =>
      call({ method: "POST", path: `/api/v1/actions/automation/${segment(tenantId)}/score-contact`, body }, options),
    /** Classify a message with the configured model */
    classifyConversation: (tenantId: string, body: PipelineRequest, options: IdempotentOptions = {}): Promise<ConversationClassified> =>
      call({ method: "POST", path: `/api/v1/actions/automation/${segment(tenantId)}/classify-conversation`, body }, options),
    /** Write a reply with the configured model */
    generateReply: (tenantId: string, body: PipelineRequest, options: IdempotentOptions = {}): Promise<ReplyGenerated> =>
      call({ method: "POST", path: `/api/v1/actions/automation/${segment(tenantId)}/generate-reply`, body }, options)
  },
  /** What plans allow and what is used of them */
  usage: {
    /** What a tenant has used of its plan in a month */
    get: (tenantId: string, options: UsageGetOptions = {}): Promise<Usage> =>
      call({ method: "GET", path: `/api/v1/usage/${segment(tenantId)}`, query: { "month": options.month } }, options),
    /** Set what a tenant has used in a month, and caps in place of its plan's */
    set: (tenantId: string, body: SetUsage, options: UsageSetOptions = {}): Promise<Usage> =>
      call({ method: "PUT", path: `/api/v1/usage/${segment(tenantId)}`, query: { "month": options.month }, body }, options)
  },
  /** What tenants pay, and their credits */
  billing: {
    /** How a tenant pays, and the plan that holds */
    status: (options: BillingStatusOptions = {}): Promise<BillingStatus> =>
      call({ method: "GET", path: "/api/v1/billing/status", query: { "tenant_id": options.tenantId } }, options),
    /** Take a plan: end the trial, change the plan, take a cancelling back */
    activate: (body: ActivatePlan, options: BillingActivateOptions = {}): Promise<ActivatedPlan> =>
      call({ method: "POST", path: "/api/v1/billing/activate", query: { "tenant_id": options.tenantId }, body }, options),
    /** Make a page on which a plan or credits are paid */
    checkout: (body: StartCheckout, options: BillingCheckoutOptions = {}): Promise<Checkout> =>
      call({ method: "POST", path: "/api/v1/billing/checkout", query: { "tenant_id": options.tenantId }, body }, options),
    /** Where a person sees invoices, changes the card and cancels; good for minutes */
    portal: (options: BillingPortalOptions = {}): Promise<BillingPortal> =>
      call({ method: "POST", path: "/api/v1/billing/portal", query: { "tenant_id": options.tenantId } }, options),
    /** How many credits a tenant has */
    balance: (options: BillingBalanceOptions = {}): Promise<CreditBalance> =>
      call({ method: "GET", path: "/api/v1/billing/credits/balance", query: { "tenant_id": options.tenantId } }, options),
    /** What came and went of a tenant's credits, newest first */
    transactions: (options: BillingTransactionsOptions = {}): Promise<CreditTransactionPage> =>
      call({ method: "GET", path: "/api/v1/billing/credits/transactions", query: { "tenant_id": options.tenantId, "limit": options.limit, "cursor": options.cursor } }, options),
    /** Give a tenant credits or take some; the same reference counts once */
    grant: (tenantId: string, body: GrantCredits, options: IdempotentOptions = {}): Promise<CreditTransaction> =>
      call({ method: "POST", path: `/api/v1/admin/tenants/${segment(tenantId)}/credits`, body }, options)
  },
  /** People and businesses that write */
  contacts: {
    /** List contacts that are not archived, or those that are, newest first */
    list: (tenantId: string, options: ContactsListOptions = {}): Promise<ContactPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts`, query: { "archived": options.archived, "cursor": options.cursor, "limit": options.limit } }, options),
    /** Create a contact */
    create: (tenantId: string, body: CreateContact, options: IdempotentOptions = {}): Promise<Contact> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts`, body }, options),
    /** Read a contact */
    get: (tenantId: string, contactId: string, options: RequestOptions = {}): Promise<Contact> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}` }, options),
    /** Change a contact: fields that are given; tags and attributes as a whole */
    update: (tenantId: string, contactId: string, body: UpdateContact, options: RequestOptions = {}): Promise<Contact> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}`, body }, options),
    /** Archive a contact: a soft delete */
    archive: (tenantId: string, contactId: string, options: RequestOptions = {}): Promise<Contact> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}` }, options),
    /** Take a contact out of the archive */
    restore: (tenantId: string, contactId: string, options: IdempotentOptions = {}): Promise<Contact> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}/restore` }, options),
    /** Find the contact of an email, a phone or an external id; 404 when nobody is known */
    resolve: (tenantId: string, body: ResolveContact, options: IdempotentOptions = {}): Promise<ResolvedContact> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/resolve`, body }, options)
  },
  /** What an agent sees of a contact */
  contactViews: {
    /** A contact with its score, source, identities, open work and latest messages */
    detail: (tenantId: string, contactId: string, options: RequestOptions = {}): Promise<ContactDetail> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}/detail` }, options),
    /** Everything that happened with a contact in one order, newest first */
    timeline: (tenantId: string, contactId: string, options: ContactViewsTimelineOptions = {}): Promise<TimelinePage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}/timeline`, query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** List contacts with how things stand with them, the latest activity first */
    enriched: (tenantId: string, body: EnrichedFilter, options: IdempotentOptions = {}): Promise<EnrichedPage> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/enriched`, body }, options)
  },
  /** Two contacts that are one person */
  contactMerges: {
    /** Move everything of the duplicate contact to the primary one */
    merge: (tenantId: string, body: ContactPair, options: IdempotentOptions = {}): Promise<MergedContacts> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/merge`, body }, options),
    /** Take a merge back; the last one into a contact first */
    undo: (tenantId: string, mergeId: string, options: IdempotentOptions = {}): Promise<ContactMerge> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/merges/${segment(mergeId)}/undo` }, options),
    /** List pairs of contacts that look like one person, newest first */
    suggestions: (tenantId: string, options: ContactMergesSuggestionsOptions = {}): Promise<MergeSuggestionPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts/merge-suggestions`, query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** Note that two contacts are two persons: they are suggested no more */
    dismiss: (tenantId: string, body: ContactPair, options: IdempotentOptions = {}): Promise<Success> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/merge-suggestions/dismiss`, body }, options)
  },
  /** Every channel of a contact in one line */
  conversations: {
    /** List conversations, one a contact, newest first, 50 a page */
    list: (tenantId: string, options: ConversationsListOptions = {}): Promise<ConversationPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/conversations`, query: { "alias": options.alias, "cursor": options.cursor } }, options),
    /** The history of a contact, all channels, oldest first: whole (10,000 messages or 64 MiB), or in pages */
    get: (tenantId: string, contactId: string, options: ConversationsGetOptions = {}): Promise<MessagePage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}`, query: { "limit": options.limit, "cursor": options.cursor } }, options),
    /** Write to a contact; email counts towards the tenant's 50 an hour */
    send: (tenantId: string, contactId: string, body: MessageToSend, options: IdempotentOptions = {}): Promise<MessageSent> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/messages`, body }, options),
    /** Mark all messages of a contact read */
    markRead: (tenantId: string, contactId: string, body: ReadMark = {}, options: IdempotentOptions = {}): Promise<Success_1> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/read`, body }, options),
    /** Send the pending draft, once; 409 when it is not what was seen */
    approveDraft: (tenantId: string, contactId: string, body: DraftToApprove = {}, options: IdempotentOptions = {}): Promise<MessageSent> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/approve-draft`, body }, options),
    /** Throw the pending draft away, nothing is sent */
    dismissDraft: (tenantId: string, contactId: string, body: DraftToDismiss = {}, options: IdempotentOptions = {}): Promise<Success_1> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/dismiss-draft`, body }, options),
    /** Label which contact a message concerns */
    labelSubject: (tenantId: string, contactId: string, body: SubjectLabel, options: IdempotentOptions = {}): Promise<SubjectLabel> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/messages/subject`, body }, options)
  },
  /** What messages were made from */
  messages: {
    /** The source of an email as it came; of hosted accounts what the provider delivered, as JSON */
    raw: (tenantId: string, messageId: string, options: RequestOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/messages/${segment(messageId)}/raw`, file: true }, options),
    /** Parse the source of an email again and replace its content; for messages that are `unparsed`, or after an upgrade */
    parse: (tenantId: string, messageId: string, options: IdempotentOptions = {}): Promise<Message> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/messages/${segment(messageId)}/parse` }, options)
  },
  /** Files that came with emails */
  attachments: {
    /** The content of an attachment, by the `download_url` of a conversation; no credential */
    download: (token: string, options: RequestOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/public/attachments/${segment(token)}`, file: true }, options)
  },
  /** What a change would have changed */
  backtest: {
    /** Try a change of rules, guardrails or configuration on the history of messages */
    run: (tenantId: string, body: BacktestRequest, options: IdempotentOptions = {}): Promise<BacktestReport> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/backtest`, body }, options)
  },
  /** Matters that contacts came with */
  leads: {
    /** List leads by state, tier, contact, assignee and date; merged ones are left out */
    list: (tenantId: string, options: LeadsListOptions = {}): Promise<LeadPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/leads`, query: { "state": options.state, "tier": options.tier, "contact_id": options.contactId, "assignee": options.assignee, "created_after": options.createdAfter, "created_before": options.createdBefore, "last_message_after": options.lastMessageAfter, "last_message_before": options.lastMessageBefore, "sort": options.sort, "limit": options.limit, "cursor": options.cursor } }, options),
    /** Create a lead of a known or a new contact, with a first message if there is one */
    create: (tenantId: string, body: CreateLead, options: IdempotentOptions = {}): Promise<Lead> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/leads`, body }, options),
    /** Read a lead */
    get: (tenantId: string, leadId: string, options: RequestOptions = {}): Promise<Lead> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}` }, options),
    /** Change a lead's subject or assignee */
    update: (tenantId: string, leadId: string, body: UpdateLead, options: RequestOptions = {}): Promise<Lead> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}`, body }, options),
    /** Append what was said elsewhere just now, up to 100 entries, all or none */
    append: (tenantId: string, leadId: string, body: AppendEntries, options: IdempotentOptions = {}): Promise<EntriesStored> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}/conversation`, body }, options),
    /** Bring in history, up to 1,000 entries, all or none; repeating it changes nothing */
    import: (tenantId: string, leadId: string, body: ImportEntries, options: RequestOptions = {}): Promise<EntriesStored> =>
      call({ method: "PUT", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}/conversation/import`, body }, options),
    /** Score a lead now, by its contact's newest message */
    score: (tenantId: string, leadId: string, options: IdempotentOptions = {}): Promise<LeadScore> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}/score` }, options),
    /** Every score that a lead was given, newest first */
    listScores: (tenantId: string, leadId: string, options: LeadsListScoresOptions = {}): Promise<LeadScorePage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}/scores`, query: { "limit": options.limit, "cursor": options.cursor } }, options),
    /** Move a lead to another state; 409 names those it may go to */
    transition: (tenantId: string, leadId: string, body: LeadTransition, options: IdempotentOptions = {}): Promise<Lead> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}/transition`, body }, options),
    /** Read a lead by its id alone, in the tenants that the credential reaches */
    find: (leadId: string, options: RequestOptions = {}): Promise<Lead> =>
      call({ method: "GET", path: `/api/v1/leads/${segment(leadId)}` }, options),
    /** The messages of a lead, oldest first, 100 a page unless the limit says otherwise */
    conversation: (leadId: string, options: LeadsConversationOptions = {}): Promise<LeadConversation> =>
      call({ method: "GET", path: `/api/v1/leads/${segment(leadId)}/conversation`, query: { "limit": options.limit, "cursor": options.cursor } }, options)
  },
  /** What people have to do */
  tasks: {
    /** List tasks by when they are due, then oldest first; open ones unless asked otherwise */
    list: (tenantId: string, options: TasksListOptions = {}): Promise<TaskPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/tasks`, query: { "status": options.status, "type": options.type, "contact_id": options.contactId, "lead_id": options.leadId, "limit": options.limit, "cursor": options.cursor } }, options),
    /** Change a task's lead, status or disposition, or snooze it */
    update: (tenantId: string, taskId: string, body: UpdateTask, options: RequestOptions = {}): Promise<Task> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/tasks/${segment(taskId)}`, body }, options),
    /** The list of tasks under its former address */
    callbacks: (options: TasksCallbacksOptions = {}): Promise<TaskPage> =>
      call({ method: "GET", path: "/api/v1/callbacks", query: { "tenant_id": options.tenantId, "status": options.status, "type": options.type, "contact_id": options.contactId, "lead_id": options.leadId, "limit": options.limit, "cursor": options.cursor } }, options)
  },
  /** Contacts and messages by words and fragments */
  search: {
    /** Search contacts and conversations */
    search: (tenantId: string, body: SearchRequest, options: IdempotentOptions = {}): Promise<SearchPage> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/search`, body }, options)
  },
  /** The connected account and what it sends */
  email: {
    /** Send an email through the connected account; 50 an hour for each tenant */
    send: (tenantId: string, body: EmailToSend, options: IdempotentOptions = {}): Promise<EmailSent> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/email/send`, body }, options),
    /** The connected address and its aliases */
    getAliases: (tenantId: string, options: RequestOptions = {}): Promise<EmailAliases> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/email/aliases` }, options),
    /** Replace the aliases, at most 20, on the tenant's domain */
    updateAliases: (tenantId: string, body: AliasesToSet, options: RequestOptions = {}): Promise<AliasesSet> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/email/aliases`, body }, options),
    /** Replace the signature, plain or HTML; an empty one takes it away */
    updateSignature: (tenantId: string, body: SignatureToSet, options: RequestOptions = {}): Promise<SignatureSet> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/email/signature`, body }, options),
    /** Connect the email account of a tenant; it has one at most */
    connect: (tenantId: string, body: EmailAccount, options: IdempotentOptions = {}): Promise<EmailGrant> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/email/connect`, body }, options),
    /** List connected accounts */
    listGrants: (tenantId: string, options: RequestOptions = {}): Promise<EmailGrantList> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/email/grants` }, options),
    /** Status of a connected account */
    getGrant: (tenantId: string, grantId: string, options: RequestOptions = {}): Promise<EmailGrant> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/email/grants/${segment(grantId)}` }, options),
    /** Disconnect an account; what it has not sent yet is not sent */
    disconnect: (tenantId: string, grantId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/email/grants/${segment(grantId)}` }, options),
    /** Where the owner of a hosted account lets this server in; good once, for ten minutes */
    authUrl: (tenantId: string, options: EmailAuthUrlOptions = {}): Promise<EmailAuthUrl> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/email/auth-url`, query: { "provider": options.provider } }, options),
    /** Exchange the code that the owner came back with for a connected account */
    callback: (tenantId: string, body: EmailAuthCode, options: IdempotentOptions = {}): Promise<EmailGrant> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/email/callback`, body }, options)
  },
  /** Bringing in mail from elsewhere */
  import: {
    /** Take in raw mails, up to 100 at a time; copies are recognised */
    email: (tenantId: string, body: ImportRequest, options: IdempotentOptions = {}): Promise<ImportResults> =>
      call({ method: "POST", path: `/api/v1/import/${segment(tenantId)}/email`, body }, options)
  },
  /** Taking out, moving and erasing what is kept of people */
  dataRights: {
    /** Everything kept of a contact, as a tar of JSON Lines and mails */
    exportContact: (tenantId: string, contactId: string, options: RequestOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}/export`, file: true }, options),
    /** Erase a contact and everything kept of it for good; asking again goes on with it */
    erase: (tenantId: string, contactId: string, body: EraseContact, options: IdempotentOptions = {}): Promise<Erasure> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}/erase`, body }, options),
    /** Receipts of erased contacts, newest first */
    listErasures: (tenantId: string, options: DataRightsListErasuresOptions = {}): Promise<ErasurePage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/erasures`, query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** Everything kept of everybody, as a tar of JSON Lines and mails */
    exportTenant: (tenantId: string, options: RequestOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/export`, file: true }, options),
    /** Take an export in: same ids, same content; as history, so nothing is answered */
    importArchive: (tenantId: string, body: Uint8Array<ArrayBuffer>, options: IdempotentOptions = {}): Promise<ArchiveTaken> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/import`, body, upload: "application/x-tar" }, options)
  },
  /** Receivers that are told of outbound events. The bodies are under `webhooks` in this document. */
  webhooks: {
    /** List subscriptions to outbound events */
    list: (tenantId: string, options: RequestOptions = {}): Promise<WebhookList> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/webhooks` }, options),
    /** Subscribe a receiver to outbound events; at most 50 a tenant */
    create: (tenantId: string, body: CreateWebhook, options: IdempotentOptions = {}): Promise<WebhookWithSecret> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/webhooks`, body }, options),
    /** Read a subscription */
    get: (tenantId: string, webhookId: string, options: RequestOptions = {}): Promise<Webhook> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}` }, options),
    /** Change a subscription, pause it or set it active again */
    update: (tenantId: string, webhookId: string, body: UpdateWebhook, options: RequestOptions = {}): Promise<Webhook> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}`, body }, options),
    /** Delete a subscription and the list of its deliveries */
    delete: (tenantId: string, webhookId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}` }, options),
    /** Send a signed test event; no failure is counted */
    test: (tenantId: string, webhookId: string, body: TestWebhook = {}, options: IdempotentOptions = {}): Promise<WebhookTested> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}/test`, body }, options),
    /** Replace the secret; the old one signs beside it for another 24 hours */
    rotateSecret: (tenantId: string, webhookId: string, options: IdempotentOptions = {}): Promise<WebhookWithSecret> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}/rotate-secret` }, options),
    /** List deliveries with their attempts, the newest event first */
    deliveries: (tenantId: string, webhookId: string, options: WebhooksDeliveriesOptions = {}): Promise<WebhookDeliveryPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}/deliveries`, query: { "status": options.status, "limit": options.limit, "cursor": options.cursor } }, options),
    /** Deliver an event once more, now */
    redeliver: (tenantId: string, webhookId: string, deliveryId: string, options: IdempotentOptions = {}): Promise<WebhookDelivery> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}/deliveries/${segment(deliveryId)}/redeliver` }, options),
    /** Try every failed delivery since a time again */
    recover: (tenantId: string, webhookId: string, body: RecoverWebhook, options: IdempotentOptions = {}): Promise<WebhookRecovered> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}/recover`, body }, options)
  },
  /** Outbound events for who asks for them */
  eventFeed: {
    /** Read outbound events in order, without gaps, as receivers of webhooks get them */
    list: (tenantId: string, options: EventFeedListOptions = {}): Promise<EventPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/events`, query: { "after": options.after, "limit": options.limit, "types": options.types } }, options),
    /** Follow outbound events as they happen, as server-sent events */
    stream: (tenantId: string, options: EventFeedStreamOptions = {}): AsyncGenerator<ServerEvent, void, undefined> =>
      follow({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/events/stream`, query: { "after": options.after, "follow": options.follow, "types": options.types }, events: true }, options)
  },
  /** Every privileged action: who, what, when and from where */
  audit: {
    /** Who did what in this tenant with privileges, newest first */
    list: (tenantId: string, options: AuditListOptions = {}): Promise<AuditPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/audit`, query: { "actor": options.actor, "action": options.action, "cursor": options.cursor, "limit": options.limit } }, options),
    /** Who did what to this deployment as a whole, newest first */
    listDeployment: (options: AuditListDeploymentOptions = {}): Promise<AuditPage> =>
      call({ method: "GET", path: "/api/v1/admin/audit", query: { "actor": options.actor, "action": options.action, "cursor": options.cursor, "limit": options.limit } }, options)
  },
  /** Keys that stand where they should not */
  leakedKeys: {
    /** Find our keys in a text, say whether they still work, and revoke them on request */
    check: (body: CheckLeakedKeys, options: IdempotentOptions = {}): Promise<LeakedKeyList> =>
      call({ method: "POST", path: "/api/v1/admin/leaked-keys", body }, options)
  },
  /** Forms on the websites of tenants */
  publicLeads: {
    /** Submit the form of a tenant; also as a browser does by itself, then answered with 303 */
    submit: (tenantId: string, body: PublicLead, options: IdempotentOptions = {}): Promise<PublicLeadAccepted> =>
      call({ method: "POST", path: `/api/v1/public/leads/${segment(tenantId)}`, body }, options),
    /** Read what a form has to bring along to be taken */
    challenge: (tenantId: string, options: RequestOptions = {}): Promise<FormChallenge> =>
      call({ method: "GET", path: `/api/v1/public/leads/${segment(tenantId)}/challenge` }, options)
  },
  /** Accounts of a CRM and their tenants */
  locations: {
    /** List the locations of the CRM and their tenants */
    list: (options: RequestOptions = {}): Promise<LocationList> =>
      call({ method: "GET", path: "/api/v1/admin/locations" }, options),
    /** Say which tenant a location stands for, and who gets sessions by it */
    put: (body: PutLocation, options: RequestOptions = {}): Promise<Location> =>
      call({ method: "PUT", path: "/api/v1/admin/locations", body }, options),
    /** Forget a location: it mints no sessions and runs no actions */
    remove: (locationId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/admin/locations/${segment(locationId)}` }, options)
  },
  /** The CRM that contacts are brought together with */
  crm: {
    /** Where the owner of a location lets this server in; good once, for ten minutes */
    authUrl: (tenantId: string, options: RequestOptions = {}): Promise<CrmAuthUrl> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/crm/auth-url` }, options),
    /** Finish an install with what came back; the location becomes the tenant's */
    callback: (tenantId: string, body: CrmCallback, options: IdempotentOptions = {}): Promise<CrmInstall> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/crm/callback`, body }, options),
    /** List the locations that the CRM lets this tenant into, oldest first */
    listInstalls: (tenantId: string, options: RequestOptions = {}): Promise<CrmInstallList> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/crm/installs` }, options),
    /** Say what happens to contacts of a location */
    updateInstall: (tenantId: string, locationId: string, body: CrmInstallToSet, options: RequestOptions = {}): Promise<CrmInstall> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/crm/installs/${segment(locationId)}`, body }, options),
    /** Forget the tokens of a location: nothing is asked or told there any more */
    removeInstall: (tenantId: string, locationId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/crm/installs/${segment(locationId)}` }, options),
    /** Bring all contacts of a location and of this server together once more */
    syncInstall: (tenantId: string, locationId: string, options: IdempotentOptions = {}): Promise<CrmInstall> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/crm/installs/${segment(locationId)}/sync` }, options)
  },
  /** Agencies of the CRM, and their locations */
  agencies: {
    /** Where an agency lets this server into its locations; good once, for ten minutes */
    authUrl: (options: RequestOptions = {}): Promise<CrmAuthUrl> =>
      call({ method: "GET", path: "/api/v1/admin/crm/auth-url" }, options),
    /** Finish an agency's install; its locations that stand for tenants are opened */
    callback: (body: CrmCallback, options: IdempotentOptions = {}): Promise<Agency> =>
      call({ method: "POST", path: "/api/v1/admin/crm/callback", body }, options),
    /** List the agencies that let this server in, oldest first */
    list: (options: RequestOptions = {}): Promise<AgencyList> =>
      call({ method: "GET", path: "/api/v1/admin/crm/agencies" }, options),
    /** List the locations of an agency, by what the CRM says now, and their tenants */
    locations: (companyId: string, options: AgenciesLocationsOptions = {}): Promise<AgencyLocationList> =>
      call({ method: "GET", path: `/api/v1/admin/crm/agencies/${segment(companyId)}/locations`, query: { "limit": options.limit, "cursor": options.cursor } }, options),
    /** Forget the tokens of an agency, and soon those of its locations */
    remove: (companyId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/admin/crm/agencies/${segment(companyId)}` }, options)
  },
  /** Whom texts are not exchanged with */
  smsFilters: {
    /** List blocked phone numbers */
    blocklist: (tenantId: string, options: SmsFiltersBlocklistOptions = {}): Promise<Blocklist> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/sms-filters/blocklist`, query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** Block a phone number: it is not answered, and nothing goes to it */
    block: (tenantId: string, body: PhoneBody, options: IdempotentOptions = {}): Promise<BlockedNumber> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/sms-filters/blocklist`, body }, options),
    /** Take a phone number off the blocklist */
    unblock: (tenantId: string, body: PhoneBody, options: RequestOptions = {}): Promise<Removed> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/sms-filters/blocklist`, body }, options)
  },
  /** Numbers for texts and calls */
  phoneNumbers: {
    /** List the numbers of all tenants */
    list: (options: PhoneNumbersListOptions = {}): Promise<PhoneNumberList> =>
      call({ method: "GET", path: "/api/v1/admin/phone-numbers", query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** Lend a number of the provider's account to a tenant */
    assign: (body: AssignPhoneNumber, options: RequestOptions = {}): Promise<PhoneNumber> =>
      call({ method: "PUT", path: "/api/v1/admin/phone-numbers", body }, options),
    /** Take a number from its tenant */
    release: (body: PhoneBody, options: RequestOptions = {}): Promise<Removed> =>
      call({ method: "DELETE", path: "/api/v1/admin/phone-numbers", body }, options)
  },
  /** Who may call the assistant's tools */
  assistant: {
    /** By what the tenant's voice assistants prove themselves, without the secrets */
    get: (tenantId: string, options: RequestOptions = {}): Promise<VoiceAssistant> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/assistant` }, options),
    /** Close the tool to every voice assistant of the tenant */
    remove: (tenantId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/assistant` }, options),
    /** Make the secret with which voice assistants call /voice/assistant/{tenant_id}/tools; the one before it is over */
    makeSecret: (tenantId: string, options: RequestOptions = {}): Promise<AssistantSecret> =>
      call({ method: "PUT", path: `/api/v1/tenants/${segment(tenantId)}/assistant/secret` }, options),
    /** Set the key that Retell signs its requests with */
    setRetellKey: (tenantId: string, body: SetRetellKey, options: RequestOptions = {}): Promise<VoiceAssistant> =>
      call({ method: "PUT", path: `/api/v1/tenants/${segment(tenantId)}/assistant/retell-key`, body }, options)
  },
  /** Telephone calls with contacts */
  calls: {
    /** List calls, newest first */
    list: (tenantId: string, options: CallsListOptions = {}): Promise<CallPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/calls`, query: { "contact_id": options.contactId, "status": options.status, "direction": options.direction, "limit": options.limit, "cursor": options.cursor } }, options),
    /** The newest recording of a contact's calls, as sound */
    recording: (tenantId: string, contactId: string, options: RequestOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/calls/${segment(contactId)}/recording`, file: true }, options),
    /** Call a contact: the agent's phone rings first, then the contact's */
    outbound: (tenantId: string, body: PlaceCall, options: IdempotentOptions = {}): Promise<CallRecord> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/calls/outbound`, body }, options),
    /** Connect the contact of a call in progress with somebody else */
    transfer: (tenantId: string, callSessionId: string, body: TransferCall, options: IdempotentOptions = {}): Promise<CallRecord> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/calls/${segment(callSessionId)}/transfer`, body }, options)
  },
  /** What workflows of the CRM ask for */
  crmActions: {
    /** Do what a workflow of the CRM asks for, for its contact */
    run: (actionKey: string, body: CrmActionRequest, options: IdempotentOptions = {}): Promise<CrmActionResult> =>
      call({ method: "POST", path: `/api/v1/actions/crm/${segment(actionKey)}`, body }, options),
    /** The same under its former path */
    runAlias: (actionKey: string, body: CrmActionRequest, options: IdempotentOptions = {}): Promise<CrmActionResult> =>
      call({ method: "POST", path: `/api/v1/actions/${segment(actionKey)}`, body }, options)
  }
})

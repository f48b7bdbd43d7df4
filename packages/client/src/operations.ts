// Generated from the contract by `npm run generate`. Do not edit.
import { type Call, type ConditionalOptions, type Follow, type IdempotentOptions, type RequestOptions, segment, type ServerEvent, type StreamOptions } from "./Request.ts"

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
  /** The page on which the plan must be paid before it applies; null: the plan already applies */
  readonly checkout: Checkout | null
}

export interface Agency {
  readonly company_id: string
  /** signed_out: the CRM rejects the stored tokens, so the app must be installed again */
  readonly status: "installed" | "signed_out" | "uninstalled"
  /** Why the status is signed_out */
  readonly reason: string | null
  readonly scopes: ReadonlyArray<string>
  /** ISO 8601 in UTC with milliseconds */
  readonly installed_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
}

export interface AgencyList {
  readonly agencies: ReadonlyArray<Agency>
}

export interface AgencyLocation {
  readonly location_id: string
  readonly name: string | null
  /** Whether the app is installed in this location */
  readonly installed: boolean
  /** The tenant assigned to this location. To assign one: PUT /admin/locations */
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
  /** The first characters of the key, by which people recognise it */
  readonly prefix: string
  /** null: the key has no limit */
  readonly scopes: ReadonlyArray<Scope> | null
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** The time at which the key expires; null: it does not expire */
  readonly expires_at: string | null
  readonly last_used_at: string | null
  /** rotated: a new key has replaced this key; this key remains valid until expires_at */
  readonly status: "active" | "rotated" | "expired" | "revoked"
}

export interface ApiKeyList {
  readonly api_keys: ReadonlyArray<ApiKey>
}

export interface AppendEntries {
  readonly entries: ReadonlyArray<LeadEntry>
  /** Whether the pipeline classifies, scores, routes and answers the contact's messages; default: false */
  readonly run_pipeline?: boolean | undefined
}

export interface ArchivePart {
  /** Rows that were added */
  readonly imported: number
  /** Rows that already existed and stay unchanged */
  readonly present: number
  /** Rows of erased contacts, which are not restored */
  readonly erased: number
}

export interface ArchiveTaken {
  readonly kinds: Readonly<Record<string, ArchivePart>>
}

export interface AssignPhoneNumber {
  /** A phone number with its country code, or a national number of the tenant's country */
  readonly phone: string
  readonly tenant_id: string
  /** Use this number as the sender if no other setting selects one. If no number has this setting, the oldest number is the sender */
  readonly default?: boolean | undefined
}

export interface Assistant {
  /** Instructions on style and tone */
  readonly instructions: string
  /** The facts that replies may contain */
  readonly knowledge: string
  /** The hosts that a generated reply may link to */
  readonly link_hosts: ReadonlyArray<string>
}

export interface AssistantSecret {
  /** The first characters of the secret, by which people recognise it; null: there is no secret */
  readonly prefix: string | null
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
  /** Whether a Retell API key is stored */
  readonly retell: boolean
  /** The complete secret for X-Assistant-Secret. Shown only once. */
  readonly secret: string
}

export interface Attachment {
  readonly filename: string | null
  readonly content_type: string
  readonly size: number
  /** The position among the attachments of the message, from 0 */
  readonly index: number
  /** A path on this host, valid for 15 minutes without a credential; null when the content is not stored */
  readonly download_url: string | null
}

export type Attributes = Readonly<Record<string, string | number | boolean | null>>

export interface AuditEntry {
  readonly id: string
  /** ISO 8601 in UTC with milliseconds */
  readonly timestamp: string
  /** `admin`, `user:<subject>`, `session:<id>` or the id of an API key */
  readonly actor: string
  /** The name of the operation, for example `apiKeys.create` */
  readonly action: string
  /** The ids of the objects that the action affected */
  readonly target: Readonly<Record<string, string>>
  /** The network address of the caller */
  readonly address: string | null
  readonly request_id: string | null
  /** The changed values; null when the name of the action describes the change completely. Never contains a secret. */
  readonly change: {
    readonly before: unknown
    readonly after: unknown
  } | null
  /** null: the action concerns the deployment, not one tenant */
  readonly tenant_id: string | null
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
  /** The current version of the configuration, to which the change was compared */
  readonly config_version: number
  readonly oldest: string | null
  readonly newest: string | null
  /** Whether the period contains more messages than the limit */
  readonly more: boolean
  readonly examined: number
  /** The number of messages whose decision differs in any way */
  readonly changed: number
  readonly skipped: {
    /** Messages whose runs were made by an older server version, which did not store inputs */
    readonly without_inputs: number
    /** Messages for which the proposed configuration would need another request to the model */
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
    /** Messages for which both configurations cause the same number of these actions, but with different content */
    readonly altered: number
  }>
  /** The outcome of the reply: none, held (the reply waits for approval), released (the reply may be sent automatically), blocked */
  readonly replies: ReadonlyArray<BacktestMove>
  /** Replies that have the same outcome under both configurations, but a different text */
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
  /** The maximum number of messages, counted from the newest; default: 10000 */
  readonly limit?: number | undefined
  /** The number of examples per difference; default: 3 */
  readonly examples?: number | undefined
}

export interface Batch {
  readonly batch_id: string
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  readonly total: number
  /** accepting: the server has not examined all requests yet; done: processing has finished */
  readonly status: "accepting" | "running" | "done"
  readonly accepted: number
  readonly duplicates: number
  /** Requests that were not accepted */
  readonly failed: number
  /** The number of requests in each state */
  readonly progress: {
    readonly queued: number
    readonly running: number
    readonly done: number
    readonly failed: number
  }
}

export interface BatchItem {
  /** The position in the batch, from 0 */
  readonly index: number
  /** The result of accepting the request */
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
  /** The position in the batch, from 0 */
  readonly index: number
  /** The result of accepting the request */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  readonly total: number
  /** accepting: the server has not examined all requests yet; done: processing has finished */
  readonly status: "accepting" | "running" | "done"
  readonly accepted: number
  readonly duplicates: number
  /** Requests that were not accepted */
  readonly failed: number
  /** The number of requests in each state */
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
  /** A repeated key returns the result of the first request with this key, in any batch */
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
  /** The payment provider; local: no payments */
  readonly provider: "stripe" | "local"
  readonly trial_ends_at: string | null
  readonly current_period_start: string | null
  readonly current_period_end: string | null
  readonly cancel_at_period_end: boolean
  /** The paid plan; null: there is none */
  readonly subscribed_plan: Plan_1 | null
  /** The end of the grace period that follows a missed payment. The plan ends at this time */
  readonly grace_ends_at: string | null
  readonly credits: number
}

export interface BlockedNumber {
  /** E.164 */
  readonly phone: string
  /** ISO 8601 in UTC with milliseconds */
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
  readonly provider: string
  readonly direction: "inbound" | "outbound"
  /** E.164; null: hidden */
  readonly from: string | null
  readonly to: string | null
  readonly agent_phone: string | null
  readonly transferred_to: string | null
  /** in_progress: agent and contact are connected. unknown: it is uncertain whether the provider placed the call. The server does not dial again automatically */
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "unknown"
  /** Why the call failed */
  readonly reason: string | null
  /** ISO 8601 in UTC with milliseconds */
  readonly started_at: string
  readonly answered_at: string | null
  readonly ended_at: string | null
  readonly duration_seconds: number | null
  /** wanted: the call is recorded, but the recording is not available yet; gone: the recording was deleted */
  readonly recording: "none" | "wanted" | "ready" | "gone"
  readonly recording_seconds: number | null
  /** The message in the conversation, created when the call ends */
  readonly message_id: string | null
}

export interface CappedUsage {
  readonly used: number
  readonly cap: number
}

export type Channel = "email" | "sms" | "voice" | "chat" | "webhook"

/** The channel of the newest message */
export type Channel_1 = "email" | "sms" | "voice" | "chat" | "webhook"

export interface CheckLeakedKeys {
  /** Any text that may contain keys: a file, a log or the report of a scanner */
  readonly text: string
  /** Also revoke the keys that are still valid: API keys become invalid, and the source of a source key is removed. Default: false */
  readonly revoke?: boolean | undefined
}

export interface Checkout {
  readonly checkout_id: string
  /** The payment page */
  readonly url: string
  /** ISO 8601 in UTC with milliseconds */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly changed_at: string
  readonly changes: ReadonlyArray<ConfigDifference>
  /** The number of changes that are not listed */
  readonly omitted: number
}

export interface ConfigDifference {
  /** Joined with dots; rules and guardrails go by their id */
  readonly path: string
  /** Absent: the value was added. Long values are truncated */
  readonly before?: unknown | undefined
  /** Absent: the value was removed */
  readonly after?: unknown | undefined
  readonly summary: string
}

export type ConfigPatch = Readonly<Record<string, unknown>>

export interface ConfigVersion {
  readonly tenant_id: string
  readonly version: number
  readonly config: TenantConfig
  /** null: this is the tenant's first version */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
  /** The contact into which this one was merged; null: not merged */
  readonly merged_into: string | null
  readonly archived: boolean
}

export interface ContactCreatedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "contact.created"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly contact_id: string
    readonly name: string | null
    readonly email: string | null
    readonly phone: string | null
    readonly company: string | null
    readonly tags: ReadonlyArray<string>
    readonly archived: boolean
    /** The contact into which this one was merged */
    readonly merged_into: string | null
  } | {
    readonly redacted: true
  }
}

export interface ContactDetail {
  readonly contact: Contact
  readonly identities: ReadonlyArray<ContactIdentity>
  /** The newest score of any lead of the contact */
  readonly scoring: ContactScoring | null
  /** The origin of the contact: its first message */
  readonly source: {
    readonly channel: Channel
    readonly source: string
    /** ISO 8601 in UTC with milliseconds */
    readonly at: string
  } | null
  readonly counts: {
    /** The number of messages; 1000 stands for 1000 or more */
    readonly messages: number
    /** The number of leads; 100 stands for 100 or more */
    readonly leads: number
    readonly open_leads: number
    /** The number of open tasks; 20 stands for 20 or more */
    readonly open_tasks: number
  }
  readonly open_leads: ReadonlyArray<ContactLead>
  /** The latest 20 messages, oldest first */
  readonly messages: ReadonlyArray<Message>
  readonly pending_draft: {
    readonly id: string
    readonly channel: Channel
    readonly text: string
    /** The newest message of the conversation when the draft was written */
    readonly head_message_id: string
    /** ISO 8601 in UTC with milliseconds */
    readonly created_at: string
  } | null
  readonly open_tasks: ReadonlyArray<ContactTask>
  /** The merges into this contact that can be undone, latest first */
  readonly merges: ReadonlyArray<{
    readonly merge_id: string
    readonly duplicate_contact_id: string
    /** ISO 8601 in UTC with milliseconds */
    readonly merged_at: string
  }>
}

export interface ContactHit {
  readonly contact: Contact
  /** Higher is better; comparable only within one response */
  readonly score: number
  readonly highlights: ReadonlyArray<SearchHighlight>
}

export interface ContactIdentity {
  readonly kind: "email" | "phone" | "external"
  readonly value: string
  readonly source: string | null
  /** Why messages can no longer be sent to this identity */
  readonly undeliverable: string | null
}

export interface ContactLead {
  readonly id: string
  readonly channel: Channel
  readonly source: string
  readonly subject: string | null
  readonly state: string
  readonly score: number | null
  readonly score_tier: string | null
  readonly assignee: string | null
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly last_message_at: string
}

export interface ContactMerge {
  readonly merge_id: string
  readonly primary_contact_id: string
  readonly duplicate_contact_id: string
  /** ISO 8601 in UTC with milliseconds */
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
  /** The contact that remains and receives all data of the other contact */
  readonly primary_contact_id: string
  /** The contact whose data moves to the primary contact */
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
  readonly priority: "low" | "normal" | "high" | "urgent"
  readonly title: string
  readonly lead_id: string | null
  readonly due_at: string | null
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
}

export interface ContactUpdatedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "contact.updated"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly contact_id: string
    readonly name: string | null
    readonly email: string | null
    readonly phone: string | null
    readonly company: string | null
    readonly tags: ReadonlyArray<string>
    readonly archived: boolean
    /** The contact into which this one was merged */
    readonly merged_into: string | null
  } | {
    readonly redacted: true
  }
}

/** The current primary contact */
export interface Contact_1 {
  readonly id: string
  readonly name: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly company: string | null
  readonly notes: string | null
  readonly tags: ReadonlyArray<string>
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
  /** The contact into which this one was merged; null: not merged */
  readonly merged_into: string | null
  readonly archived: boolean
}

export interface Conversation {
  readonly contact_id: string
  readonly contact_name: string | null
  readonly contact_email: string | null
  readonly last_message: string
  readonly last_channel: Channel
  /** ISO 8601 in UTC with milliseconds */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly timestamp: string
  readonly subject: string | null
  /** Higher is better; comparable only within one response */
  readonly score: number
  readonly highlights: ReadonlyArray<SearchHighlight>
}

export interface ConversationPage {
  readonly conversations: ReadonlyArray<Conversation>
  readonly next_cursor: string | null
}

export interface ConversationUpdatedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "conversation.updated"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly contact_id: string
    readonly lead_id: string | null
    readonly channel: Channel
    readonly actor: "contact" | "agent" | "assistant" | "system"
    /** The message that caused the event */
    readonly message_id: string
    /** The first characters of the message */
    readonly preview: string
    /** Present if a person has labelled the contact that the message concerns. null: the person removed the label, so the message concerns its sender */
    readonly subject_contact_id?: string | null | undefined
  } | {
    readonly redacted: true
  }
}

export interface CreateApiKey {
  readonly name: string
  /** Limits the key to some operations. read: read data; messages: send messages, and write messages, contacts, leads and tasks; pipeline: run the pipeline and its actions. Default: no limit. */
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
  readonly assignee?: string | null | undefined
  readonly channel?: Channel | undefined
  readonly source?: string | undefined
  readonly message?: {
    readonly body: string
    readonly actor?: "contact" | "agent" | "assistant" | "system" | undefined
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly timestamp?: string | undefined
  } | undefined
  /** Whether the pipeline classifies, scores, routes and answers the contact's messages; default: false */
  readonly run_pipeline?: boolean | undefined
}

export interface CreateSource {
  readonly source_id: string
}

export interface CreateTenant {
  /** An id chosen by the operator: [a-z0-9][a-z0-9_-]{1,62} */
  readonly tenant_id: string
  readonly name: string
  /** The domain of the tenant's own addresses, for example example.com */
  readonly domain?: string | null | undefined
  /** The name of the configuration preset to start from */
  readonly preset?: string | undefined
  readonly hipaa?: boolean | undefined
  readonly plan?: Plan | undefined
}

export interface CreateWebhook {
  /** An https URL with a public address */
  readonly url: string
  readonly events?: ReadonlyArray<string> | undefined
  readonly description?: string | null | undefined
  /** 1 to 16 */
  readonly max_in_flight?: number | undefined
}

export interface CreatedApiKey {
  readonly id: string
  readonly name: string
  /** The first characters of the key, by which people recognise it */
  readonly prefix: string
  /** null: the key has no limit */
  readonly scopes: ReadonlyArray<Scope> | null
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** The time at which the key expires; null: it does not expire */
  readonly expires_at: string | null
  readonly last_used_at: string | null
  /** rotated: a new key has replaced this key; this key remains valid until expires_at */
  readonly status: "active" | "rotated" | "expired" | "revoked"
  /** The complete key. Shown only once. */
  readonly key: string
}

export interface CreatedSource {
  readonly source_id: string
  /** Shown only once. Send it as a Bearer credential or in X-Source-Key. */
  readonly key: string
}

export interface CreditBalance {
  readonly tenant_id: string
  readonly balance: number
}

export interface CreditTransaction {
  readonly kind: "grant" | "purchase" | "use" | "refund" | "adjustment" | "expire"
  /** The credits added; negative: the credits removed */
  readonly amount: number
  /** The purpose of the transaction; a repeated reference has no further effect */
  readonly reference: string
  readonly note: string | null
  readonly id: string
  /** The balance after the transaction */
  readonly balance: number
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
}

export interface CreditTransactionPage {
  readonly transactions: ReadonlyArray<CreditTransaction>
  readonly next_cursor: string | null
}

export interface CrmActionRequest {
  /** The fields of the action with the workflow's values */
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  readonly extras: {
    readonly locationId: string
    /** The CRM's id of the contact */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly expires_at: string
}

export interface CrmCallback {
  readonly code: string
  readonly state: string
}

export interface CrmFirstSync {
  readonly state: "running" | "done" | "stopped"
  /** Why the first sync stopped */
  readonly reason: string | null
  /** The number of contacts according to the CRM */
  readonly crm_total: number | null
  /** ISO 8601 in UTC with milliseconds */
  readonly started_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
  readonly finished_at: string | null
  /** The current step: from_crm (reads the contacts of the CRM), to_crm (reads the contacts of this server) or finishing (waits for the queued synchronisation of contacts) */
  readonly step: "from_crm" | "to_crm" | "finishing"
  readonly crm_seen: number
  /** Contacts of this server that were examined */
  readonly seen: number
  /** Contacts that were created on this server */
  readonly created: number
  /** Contacts of the CRM for which a contact with the same email address or phone number exists on this server */
  readonly matched: number
  /** Contacts of this server that are queued for synchronisation, because they are missing or outdated in the CRM */
  readonly sent: number
  /** Contacts that were skipped, because they have neither email address nor phone number, are archived on this server, or are deleted in the CRM */
  readonly skipped: number
}

export interface CrmInstall {
  readonly location_id: string
  readonly company_id: string | null
  /** signed_out: the CRM rejects the stored tokens, so the app must be installed again */
  readonly status: "installed" | "signed_out" | "uninstalled"
  /** Why the status is signed_out */
  readonly reason: string | null
  readonly sync: CrmSync
  readonly scopes: ReadonlyArray<string>
  /** ISO 8601 in UTC with milliseconds */
  readonly installed_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
  /** The progress of the first sync of all contacts; null: sync has always been off */
  readonly first_sync: CrmFirstSync | null
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
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "crm.signed_out"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly location_id: string
    readonly reason: string
  } | {
    readonly redacted: true
  }
}

/** off: no synchronisation; to_crm: changes on this server are copied to the CRM; both: changes on each side are copied to the other side */
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
  /** Default: the pending draft */
  readonly draft_id?: string | undefined
  /** The hash of the text that the person saw */
  readonly content_hash?: string | undefined
  /** The newest message that the person saw */
  readonly head_message_id?: string | undefined
  /** The text after changes by the person */
  readonly body?: string | undefined
  /** The reasons against sending that are overridden for this message only. Requires the role manager or higher, or the operator's admin key */
  readonly override?: ReadonlyArray<"undeliverable"> | undefined
}

export interface DraftToDismiss {
  /** Default: the pending draft */
  readonly draft_id?: string | undefined
}

export interface EmailAccount {
  readonly provider: MailProvider
  readonly email: string
  readonly name?: string | undefined
  /** The provider's id of a grant that the account's owner has already given to this deployment. Only the operator may use it */
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
  /** ISO 8601 in UTC with milliseconds */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
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
  /** The message_id of the email that this email answers. Both then belong to the same thread */
  readonly reply_to_message_id?: string | undefined
  /** The reasons against sending that are overridden for this message only. Requires the role manager or higher, or the operator's admin key */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
  /** The contact into which this one was merged; null: not merged */
  readonly merged_into: string | null
  readonly archived: boolean
  /** The time of the newest message; for a contact without messages, the time of its creation */
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
  /** The state of the lead to which the newest message with a lead belongs */
  readonly state?: "open" | "engaged" | "qualified" | "won" | "lost" | "archived" | undefined
  readonly channel?: Channel_1 | undefined
  readonly tag?: string | undefined
  readonly last_activity_after?: string | undefined
  readonly last_activity_before?: string | undefined
  readonly has_email?: boolean | undefined
  readonly has_phone?: boolean | undefined
  /** true: only archived contacts */
  readonly archived?: boolean | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

export interface EnrichedPage {
  readonly contacts: ReadonlyArray<EnrichedContact>
  /** With combined filters, a page may be short although more pages follow: continue until null */
  readonly next_cursor: string | null
}

export interface EntriesStored {
  readonly lead_id: string
  readonly stored: number
  readonly duplicates: number
  /** The results, in the order of the entries in the request */
  readonly results: ReadonlyArray<{
    readonly outcome: "stored" | "duplicate"
    readonly message_id: string
    readonly signal_id: string | null
  }>
}

export interface EraseContact {
  /** The id of the contact, repeated to prevent an erasure by accident */
  readonly confirm: string
}

export interface Erasure {
  readonly erasure_id: string
  /** The former id of the contact. Requests with this id receive 404 */
  readonly contact_id: string
  readonly requested_by: string
  /** ISO 8601 in UTC with milliseconds */
  readonly requested_at: string
  /** null: the erasure was interrupted; request it again */
  readonly completed_at: string | null
  /** The number of erased rows by kind */
  readonly erased: Readonly<Record<string, number>>
  /** SHA-256 of the receipt, in hexadecimal */
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
  /** The value of `after` for the next request: the sequence number of the last event that the server examined */
  readonly next_after: number
  readonly has_more: boolean
  /** The sequence number of the oldest stored event. If it is greater than `after` + 1, the events between them have expired, and the caller did not receive them */
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
  /** null: no proof of work is required */
  readonly challenge: string | null
  /** The required number of leading zero bits of SHA-256 over the challenge, a full stop and a number */
  readonly difficulty: number | null
  readonly expires_at: string | null
}

export interface GrantCredits {
  /** Default: grant */
  readonly kind?: "grant" | "adjustment" | "expire" | undefined
  readonly amount: number
  /** A reference of the operator, for example a contract number. A repeated reference has no further effect. */
  readonly reference: string
  readonly note?: string | null | undefined
}

export interface GrantExpiredEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "grant.expired"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
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
  readonly guardrail_id: string
  readonly kind: string
  readonly outcome: "allow" | "require_approval" | "block"
  readonly reason: string
  readonly id: string
  /** reply: the generated text; approval: the text that a person sends */
  readonly stage: "reply" | "approval"
  readonly signal_id: string
  /** The message that the reply answers */
  readonly message_id: string
  readonly contact_id: string
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
}

export interface GuardStats {
  readonly from: string
  /** The current day in UTC, inclusive */
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
  /** The version of the configuration that contains the guardrails */
  readonly version: number
  readonly guardrails: ReadonlyArray<Guardrail>
}

export interface GuardrailsPatch {
  /** The complete list, which replaces the current one; cannot be combined with other fields */
  readonly guardrails?: ReadonlyArray<Guardrail> | undefined
  /** Guardrails to add. A guardrail with an existing id replaces the existing guardrail */
  readonly upsert?: ReadonlyArray<Guardrail> | undefined
  /** The ids of guardrails to remove */
  readonly remove?: ReadonlyArray<string> | undefined
  /** The ids of guardrails to enable */
  readonly enable?: ReadonlyArray<string> | undefined
  /** The ids of guardrails to disable; they stay in the list */
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
  /** The caller's name for this email. The response uses it to name the result of this email */
  readonly name: string
  /** The complete email (RFC 5322), encoded in base64 */
  readonly raw: string
}

export interface ImportRequest {
  /** true: the email is history. It is stored and threaded, but never answered. false: the email is handled like new email */
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
  /** The id of the entry in its original system */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly last_message_at: string
  /** The lead into which this one was merged */
  readonly merged_into: string | null
}

export interface LeadContact {
  readonly name?: string | null | undefined
  readonly email?: string | null | undefined
  readonly phone?: string | null | undefined
  readonly company?: string | null | undefined
}

export interface LeadContactRepliedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "lead.contact_replied"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
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
    /** The message that caused the event */
    readonly message_id: string
    /** The first characters of the message */
    readonly preview: string
  } | {
    readonly redacted: true
  }
}

export interface LeadConversation {
  /** The id of the lead; for a merged lead, the id of its primary lead */
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
  /** The id of the entry in its original system */
  readonly external_id?: string | undefined
  readonly timestamp?: string | undefined
}

export interface LeadPage {
  readonly leads: ReadonlyArray<Lead>
  readonly next_cursor: string | null
}

export interface LeadReceivedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "lead.received"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
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
    /** The message that caused the event */
    readonly message_id?: string | undefined
    /** The first characters of the message */
    readonly preview?: string | undefined
  } | {
    readonly redacted: true
  }
}

export interface LeadScore {
  readonly score: number
  readonly tier: "hot" | "warm" | "cold"
  readonly factors: ReadonlyArray<{
    readonly name: string
    readonly points: number
  }>
  readonly recommended_actions: ReadonlyArray<string>
  readonly id: string
  readonly lead_id: string
  /** The message that was scored */
  readonly message_id: string | null
  /** The pipeline run; null: the score was requested directly */
  readonly signal_id: string | null
  readonly classification: Classification | null
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
}

export interface LeadScorePage {
  readonly scores: ReadonlyArray<LeadScore>
  readonly next_cursor: string | null
}

export interface LeadScoredEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "lead.scored"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
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
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "lead.state_changed"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
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
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "lead.tier_changed"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
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
  /** The first characters of the key, as in lists */
  readonly prefix: string
  /** unknown: the key has a valid format, but this deployment does not know it. The key was removed or belongs to another deployment */
  readonly status: "active" | "rotated" | "expired" | "revoked" | "unknown"
  /** Whether the key was valid when the request arrived */
  readonly live: boolean
  /** null: the key is unknown, or its source is valid for all tenants */
  readonly tenant_id: string | null
  /** The id of the API key or of the source */
  readonly id: string | null
  /** Whether this request revoked the key */
  readonly revoked: boolean
}

export interface LeakedKeyList {
  readonly leaked_keys: ReadonlyArray<LeakedKey>
}

export interface Location {
  readonly location_id: string
  readonly tenant_id: string
  /** The callers who receive a session for the location: every caller (open), callers with the CRM's encrypted proof (sso), or none (off) */
  readonly sessions: "open" | "sso" | "off"
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
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
  /** ISO 8601 in UTC with milliseconds */
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
  /** ISO 8601 in UTC with milliseconds */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly timestamp: string
  /** The contact that the message concerns, as labelled by a person */
  readonly subject_contact_id: string | null
  /** null: a person wrote the message */
  readonly auto: "auto_reply" | "bounce" | "list" | "own" | null
  readonly html_body?: string | null | undefined
  readonly quoted_text?: string | null | undefined
  readonly subject?: string | null | undefined
  readonly thread_id?: string | null | undefined
  readonly internet_message_id?: string | null | undefined
  readonly received_alias?: string | null | undefined
  readonly from?: string | null | undefined
  readonly to?: ReadonlyArray<string> | undefined
  readonly cc?: ReadonlyArray<string> | undefined
  /** The Reply-To addresses of the message. Empty: replies are sent to the sender */
  readonly reply_to?: ReadonlyArray<string> | undefined
  /** The delivery state of an outbound message; null for an inbound one */
  readonly delivery?: "queued" | "sent" | "delivered" | "failed" | "bounced" | "unknown" | null | undefined
  readonly flags?: ReadonlyArray<string> | undefined
  /** Can be used as reply_to_message_id */
  readonly message_id?: string | undefined
  readonly receipt?: SendReceipt | undefined
  /** The content was not parsed. The body is a placeholder, and the stored source can be parsed again */
  readonly unparsed?: true | undefined
  /** Why the content was not parsed: it exceeded the time or memory limit, or the parser failed */
  readonly unparsed_reason?: "deadline" | "memory" | "failed" | undefined
  readonly attachments?: ReadonlyArray<Attachment> | undefined
}

export interface MessagePage {
  readonly messages: ReadonlyArray<Message>
  /** The cursor of older messages; null: there are none */
  readonly next_cursor: string | null
  readonly pending_draft: PendingDraft | null
}

export interface MessageSent {
  readonly message_id: string
  readonly receipt?: SendReceipt_1 | undefined
}

export interface MessageToSend {
  /** Plain text, or HTML for email */
  readonly body: string
  /** email: the message replies to the newest email of the contact's most recent email lead */
  readonly channel: "email" | "sms"
  /** For email: also send to the other recipients of the answered email; default: false */
  readonly reply_all?: boolean | undefined
  /** The reasons against sending that are overridden for this message only. Requires the role manager or higher, or the operator's admin key */
  readonly override?: ReadonlyArray<"undeliverable"> | undefined
}

export type MintSession = {
  readonly tenant_id: string
} | {
  /** A CRM location assigned to the tenant */
  readonly location_id: string
  /** The encrypted user data that the CRM passes to its embedded page; required in session mode sso */
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

/** Default: the current plan; for a trial: starter */
export type PaidPlan = "starter" | "growth" | "scale"

export type PaidPlan_1 = "starter" | "growth" | "scale"

export interface PendingDraft {
  readonly draft_id: string
  readonly channel: Channel
  readonly text: string
  /** The newest message of the conversation when the draft was written */
  readonly head_message_id: string
  /** The message that the draft answers */
  readonly reply_to_message_id: string
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** SHA-256 of the UTF-8 text, in hexadecimal */
  readonly content_hash: string
  /** The addresses that will receive the email; empty for other channels */
  readonly to: ReadonlyArray<string>
  readonly subject: string | null
}

export interface PhoneBody {
  /** A phone number with its country code, or a national number of the tenant's country */
  readonly phone: string
}

export interface PhoneNumber {
  /** E.164 */
  readonly phone: string
  readonly tenant_id: string
  /** Whether messages are sent from this number when no other setting selects a number */
  readonly default: boolean
  /** ISO 8601 in UTC with milliseconds */
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
  /** The types of the completed actions. The run lists failed actions with their reasons */
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
  /** ISO 8601 in UTC with milliseconds */
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
  /** ISO 8601 in UTC with milliseconds */
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
  /** null: the run was made before inputs were stored */
  readonly inputs: RunInputs | null
  readonly facts: Readonly<Record<string, unknown>> | null
  /** Every rule of the configuration at the time of the run, in the order of evaluation */
  readonly rules: ReadonlyArray<RuleStory> | null
}

export interface PipelineRunPage {
  readonly runs: ReadonlyArray<PipelineRun>
  readonly next_cursor: string | null
}

export interface PlaceCall {
  readonly contact_id?: string | undefined
  /** Instead of contact_id: the phone number of the contact. A missing contact is created */
  readonly phone?: string | undefined
  /** The agent's phone, which rings first. Default: voice.forward_to of the configuration */
  readonly agent_phone?: string | undefined
  /** Default: voice.record of the configuration */
  readonly record?: boolean | undefined
}

/** Default: trial */
export type Plan = "trial" | "starter" | "growth" | "scale"

export type Plan_1 = "trial" | "starter" | "growth" | "scale"

/** The plan whose limits apply now */
export type Plan_2 = "trial" | "starter" | "growth" | "scale"

export interface Preset {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The steps that the tenant must take, and the facts that the tenant must add to the configuration, because no preset can contain them */
  readonly notes: ReadonlyArray<string>
  readonly config: TenantConfig
}

export interface PresetList {
  readonly presets: ReadonlyArray<Preset>
}

export interface PublicForm {
  /** false: POST /api/v1/public/leads/{tenant_id} answers 404 */
  readonly enabled: boolean
  /** The origins of the pages that may submit the form, for example https://www.acme.com */
  readonly allowed_origins: ReadonlyArray<string>
  /** A field that people cannot see. If a submission contains a value for it, the submission receives the usual response and is discarded */
  readonly honeypot?: string | undefined
  /** The redirect target of a browser without JavaScript; null: a default thank-you page */
  readonly thank_you_url?: string | null | undefined
  /** The names of further fields that are stored as metadata; empty: all fields are stored */
  readonly fields?: ReadonlyArray<string> | undefined
  /** The proof that a person has filled in the form */
  readonly verification?: "none" | "proof_of_work" | "turnstile" | undefined
}

/** Additional fields are stored as metadata */
export interface PublicLead {
  readonly name?: string | number | null | undefined
  readonly first_name?: string | number | null | undefined
  readonly last_name?: string | number | null | undefined
  /** An email address. At least one of email, phone and contact must contain an email address or a phone number */
  readonly email?: string | number | null | undefined
  /** A phone number with a country code, or a number without one in the tenant's country */
  readonly phone?: string | number | null | undefined
  /** An email address or a phone number */
  readonly contact?: string | number | null | undefined
  readonly company?: string | number | null | undefined
  readonly subject?: string | number | null | undefined
  readonly message?: string | number | null | undefined
  readonly consent?: boolean | string | null | undefined
  /** The text next to the consent box. It is stored with the time and a hash of the network address */
  readonly consent_text?: string | number | null | undefined
  /** The id of the submission; a repetition with the same content has no further effect */
  readonly submission_id?: string | number | null | undefined
  /** The challenge, a full stop and its solution; or the Turnstile token */
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
  /** The callers who receive a session for the location: every caller (open), callers with the CRM's encrypted proof (sso), or none (off) */
  readonly sessions: "open" | "sso" | "off"
}

export interface ReadMark {
  /** The newest message that the person saw; later messages stay unread. Default: all messages become read */
  readonly message_id?: string | undefined
}

export interface Recipient {
  readonly email: string
  readonly name?: string | undefined
}

/** The sender: the connected account or one of its aliases */
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
  /** In any notation. A number without a country code is read as a number of the tenant's country */
  readonly phone?: string | undefined
  readonly external_id?: string | undefined
  /** The system that assigned the external_id; required with external_id */
  readonly source?: string | undefined
  /** The name of a newly created contact */
  readonly name?: string | undefined
  /** Create a contact if none is found */
  readonly create?: boolean | undefined
}

export interface ResolvedContact {
  readonly contact: Contact
  readonly created: boolean
  /** Other contacts that have one of the given identities. `contact` is the oldest of all matches */
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
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  readonly event_type: "rule.notified"
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  readonly data: {
    readonly rule_id: string
    /** The recipient as written in the rule */
    readonly to: string | null
    /** The text that the template of the rule produced */
    readonly text: string
    readonly contact_id: string
    readonly lead_id: string | null
    readonly signal_id: string
    /** The message that caused the event */
    readonly message_id: string
    /** The first characters of the message */
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
  readonly lead_is_new: boolean
  /** Whether the contact had sent a newer message */
  readonly overtaken: boolean
  /** The assistant's messages in the preceding 24 hours */
  readonly replies_today: number
  readonly last_by_person_at: string | null
  readonly model_configured: boolean
  /** ISO 8601 in UTC with milliseconds */
  readonly now: string
  readonly lead: {
    readonly state: string
    readonly source: string
    readonly assignee: string | null
    /** ISO 8601 in UTC with milliseconds */
    readonly created_at: string
  } | null
}

export interface RunMessage {
  readonly subject: string | null
  readonly body: string
  readonly channel: string
  readonly source: string
  readonly from: string | null
  /** ISO 8601 in UTC with milliseconds */
  readonly timestamp: string
}

/** The requests to the language model and its responses; null: no request was sent */
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
  /** Whether both results are byte-identical as canonical JSON. Reasons are compared by code and parameters. A reason that an older release stored only as text is not compared */
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
  /** A name from GET /api/v1/config/presets */
  readonly preset: string
  /** Replace the configuration even if a person has changed it; the replaced version stays in the history. Default: false */
  readonly overwrite?: boolean | undefined
}

export type Scope = "read" | "messages" | "pipeline"

export interface Score {
  readonly score: number
  readonly tier: string
  readonly factors: ReadonlyArray<{
    readonly name: string
    readonly points: number
  }>
  readonly recommended_actions: ReadonlyArray<string>
}

export interface SearchHighlight {
  readonly field: "name" | "email" | "phone" | "company" | "notes" | "tags" | "subject" | "body" | "from" | "to"
  /** Plain text without markup; escape it before showing it as HTML */
  readonly text: string
  /** The matches in text, from start (inclusive) to end (exclusive), in UTF-16 code units */
  readonly ranges: ReadonlyArray<{
    readonly start: number
    readonly end: number
  }>
}

export interface SearchPage {
  readonly contacts: ReadonlyArray<ContactHit>
  readonly conversations: ReadonlyArray<ConversationHit>
  /** The time of the oldest message that was searched; null: all messages were searched */
  readonly since: string | null
  /** false: some older messages are not indexed yet, for example after an import */
  readonly complete: boolean
  /** The cursor of the next page. A page may have few or no results although more pages follow */
  readonly next_cursor: string | null
}

export interface SearchRequest {
  /** Words or parts of a phone number or an email address. The last word may be incomplete. Accents and case are ignored, and there is no query syntax. Only the first 1,000 characters are used. */
  readonly query: string
  /** true: search all messages. false: search only the messages of the last six months. Contacts are always searched completely. */
  readonly deep?: boolean | undefined
  /** The types to search; default: both */
  readonly types?: ReadonlyArray<"contacts" | "conversations"> | undefined
  /** Hits of each type per page; default: 20 */
  readonly limit?: number | undefined
  /** The next_cursor of the previous page. query, types and deep must be the same as in the request for that page */
  readonly cursor?: string | undefined
}

/** Present on an outbound message that a person sent despite reasons against sending it */
export interface SendReceipt {
  readonly verdict: "allow"
  readonly overridden: ReadonlyArray<"undeliverable">
  /** The caller who overrode the reasons, for example user:<subject> */
  readonly by: string
}

export interface SendReceipt_1 {
  readonly verdict: "allow"
  readonly overridden: ReadonlyArray<"undeliverable">
  /** The caller who overrode the reasons, for example user:<subject> */
  readonly by: string
}

export interface Session {
  readonly token: string
  readonly tenant_id: string
  /** In Unix epoch milliseconds; one hour after the session starts */
  readonly expires_at: number
}

export interface SetCappedUsage {
  readonly used?: number | undefined
  /** null removes the override, so that the limit of the plan applies again */
  readonly cap?: number | null | undefined
}

export interface SetRetellKey {
  /** The Retell API key that is marked with the webhook badge in Retell's dashboard; stored encrypted */
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
  /** null: the key is valid for every tenant */
  readonly tenant_id: string | null
  readonly prefix: string
  /** ISO 8601 in UTC with milliseconds */
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
  /** null: removes the label */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  readonly total: number
  /** accepting: the server has not examined all requests yet; done: processing has finished */
  readonly status: "accepting" | "running" | "done"
  readonly accepted: number
  readonly duplicates: number
  /** Requests that were not accepted */
  readonly failed: number
  /** The number of requests in each state */
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
  readonly priority: "low" | "normal" | "high" | "urgent"
  readonly title: string
  readonly contact_id: string
  readonly lead_id: string | null
  readonly signal_id: string | null
  readonly due_at: string | null
  /** The outcome of the task */
  readonly disposition: string | null
  /** The time at which a snoozed task opens again automatically */
  readonly snooze_until: string | null
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
}

export interface TenantConfig {
  /** IANA time zone, for example Europe/Berlin */
  readonly time_zone: string
  /** The ISO 3166-1 country of phone numbers without a country code */
  readonly default_country: string
  /** off: messages have no classification; keywords: the built-in deterministic classifier; model: the server's language model, and no classification on a server without one */
  readonly classifier: "off" | "keywords" | "model"
  /** off: no reply is written; draft: the reply waits for a person; auto: the reply is sent if a channel is connected, otherwise it waits for a person */
  readonly reply_mode: "off" | "draft" | "auto"
  /** The seconds that a message waits for more messages of the same contact, so that one reply answers all of them */
  readonly reply_wait_seconds?: number | undefined
  /** The hours in which automatic replies pause after a message from a person of the tenant; 0: no pause */
  readonly takeover_hours?: number | undefined
  readonly assistant?: Assistant | undefined
  readonly public_form?: PublicForm | undefined
  readonly voice?: Voice | undefined
  readonly guardrails?: ReadonlyArray<Guardrail> | undefined
  /** The minimum scores of the upper tiers */
  readonly tiers: {
    readonly hot: number
    readonly warm: number
  }
  /** Multipliers of the points of score factors, by name of the factor; default: 1 */
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
  /** ISO 8601 in UTC with milliseconds */
  readonly at: string
  readonly actor: "contact" | "agent" | "assistant" | "system"
  readonly lead_id: string | null
  readonly message?: Message | undefined
  readonly task?: ContactTask | undefined
  /** The details of an entry other than a message or task */
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
  readonly status?: "open" | "snoozed" | "done" | undefined
  readonly priority?: "low" | "normal" | "high" | "urgent" | undefined
  readonly lead_id?: string | null | undefined
  /** The outcome of the task */
  readonly disposition?: string | null | undefined
  /** A future time: the task is snoozed until this time; null: the task opens immediately */
  readonly snooze_until?: string | null | undefined
}

export interface UpdateTenant {
  readonly name?: string | undefined
  readonly plan?: Plan_1 | undefined
}

export interface UpdateWebhook {
  /** An https URL with a public address */
  readonly url?: string | undefined
  readonly events?: ReadonlyArray<string> | undefined
  readonly description?: string | null | undefined
  /** 1 to 16 */
  readonly max_in_flight?: number | undefined
  /** active: resumes the subscription. A paused subscription then receives the events of the pause; a disabled subscription receives only new events */
  readonly status?: "active" | "paused" | "disabled" | undefined
}

export interface Usage {
  readonly tenant_id: string
  readonly plan: Plan_1
  /** The month in UTC, as YYYY-MM */
  readonly month: string
  readonly actions: CappedUsage
  readonly ai_calls: CappedUsage
  readonly ai_tokens: {
    readonly input: number
    readonly output: number
  }
}

export interface Voice {
  /** The telephone that rings for calls to the tenant's numbers. It also rings for calls to contacts if the request has no agent_phone */
  readonly forward_to: string | null
  /** The text that callers hear first */
  readonly greeting: string
  /** Whether calls are recorded. The tenant must inform callers where the law requires it */
  readonly record: boolean
  /** Whether a missed call creates a task to call the contact */
  readonly missed_call_task: boolean
  /** The hours in which the business calls contacts back, in its time zone */
  readonly callback_hours: {
    readonly from: string
    readonly to: string
    readonly days: ReadonlyArray<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
  }
}

export interface VoiceAssistant {
  /** The first characters of the secret, by which people recognise it; null: there is no secret */
  readonly prefix: string | null
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
  /** Whether a Retell API key is stored */
  readonly retell: boolean
}

export interface Webhook {
  readonly id: string
  readonly url: string
  readonly description: string | null
  /** The event types of this subscription; empty: all types */
  readonly events: ReadonlyArray<EventType>
  /** The maximum number of concurrent requests; 1: events are delivered strictly in order */
  readonly max_in_flight: number
  readonly status: "active" | "paused" | "disabled"
  /** failures: ten consecutive failures; gone: the receiver answered 410; person: a request paused the subscription */
  readonly inactive_reason: "failures" | "gone" | "person" | null
  readonly consecutive_failures: number
  /** The last sequence number that has been processed. Every event up to it was delivered or is in the list of deliveries */
  readonly delivered_through: number
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
  /** The next attempt after a failure; null: no attempt is scheduled */
  readonly next_attempt_at: string | null
}

export interface WebhookAttempt {
  /** ISO 8601 in UTC with milliseconds */
  readonly at: string
  /** null: no response was received */
  readonly status_code: number | null
  /** null: the attempt succeeded */
  readonly error: string | null
  /** The first 4 KB of the response; stored only after a failure */
  readonly response_body: string | null
  readonly duration_ms: number
}

export interface WebhookDelivery {
  readonly id: string
  readonly sequence: number
  readonly event_id: string
  readonly event_type: EventType
  readonly status: "pending" | "delivered" | "failed"
  readonly next_attempt_at: string | null
  /** The newest 20 attempts, oldest first */
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
  readonly description: string | null
  /** The event types of this subscription; empty: all types */
  readonly events: ReadonlyArray<EventType>
  /** The maximum number of concurrent requests; 1: events are delivered strictly in order */
  readonly max_in_flight: number
  readonly status: "active" | "paused" | "disabled"
  /** failures: ten consecutive failures; gone: the receiver answered 410; person: a request paused the subscription */
  readonly inactive_reason: "failures" | "gone" | "person" | null
  readonly consecutive_failures: number
  /** The last sequence number that has been processed. Every event up to it was delivered or is in the list of deliveries */
  readonly delivered_through: number
  readonly last_success_at: string | null
  readonly last_failure_at: string | null
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  /** ISO 8601 in UTC with milliseconds */
  readonly updated_at: string
  /** The next attempt after a failure; null: no attempt is scheduled */
  readonly next_attempt_at: string | null
  /** The secret that signs deliveries. Shown only once. */
  readonly secret: string
}

/** The generated reply, which may not have been shown to anyone */
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
  /** The lead of the run */
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
  /** The month in UTC, as YYYY-MM; default: the current month */
  readonly month?: string | undefined
}

export interface UsageSetOptions extends RequestOptions {
  /** The month in UTC, as YYYY-MM; default: the current month */
  readonly month?: string | undefined
}

export interface BillingStatusOptions extends RequestOptions {
  /** The tenant; optional for a credential that reaches only one tenant */
  readonly tenantId?: string | undefined
}

export interface BillingActivateOptions extends IdempotentOptions {
  /** The tenant; optional for a credential that reaches only one tenant */
  readonly tenantId?: string | undefined
}

export interface BillingCheckoutOptions extends IdempotentOptions {
  /** The tenant; optional for a credential that reaches only one tenant */
  readonly tenantId?: string | undefined
}

export interface BillingPortalOptions extends IdempotentOptions {
  /** The tenant; optional for a credential that reaches only one tenant */
  readonly tenantId?: string | undefined
}

export interface BillingBalanceOptions extends RequestOptions {
  /** The tenant; optional for a credential that reaches only one tenant */
  readonly tenantId?: string | undefined
}

export interface BillingTransactionsOptions extends RequestOptions {
  /** The tenant; optional for a credential that reaches only one tenant */
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
  /** Only messages that arrived at this address */
  readonly alias?: string | undefined
  readonly cursor?: string | undefined
}

export interface ConversationsGetOptions extends RequestOptions {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

export interface LeadsListOptions extends RequestOptions {
  readonly state?: "open" | "engaged" | "qualified" | "won" | "lost" | "archived" | undefined
  /** none: leads without a score */
  readonly tier?: "hot" | "warm" | "cold" | "none" | undefined
  readonly contactId?: string | undefined
  readonly assignee?: string | undefined
  readonly createdAfter?: string | undefined
  readonly createdBefore?: string | undefined
  readonly lastMessageAfter?: string | undefined
  readonly lastMessageBefore?: string | undefined
  /** A leading minus sorts newest first. Default: -created_at; with a filter on last messages, -last_message_at. With -created_at, the pages together contain every lead exactly once. A time filter requires the sort order of the same field */
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
  readonly priority?: "low" | "normal" | "high" | "urgent" | undefined
  readonly contactId?: string | undefined
  readonly leadId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** due_at (default): by due time; tasks with the same due time by age, oldest first. -priority: most urgent first. priority: least urgent first. Tasks of the same priority are sorted by due time */
  readonly sort?: "due_at" | "-priority" | "priority" | undefined
}

export interface TasksCallbacksOptions extends RequestOptions {
  readonly tenantId?: string | undefined
  /** Default: open */
  readonly status?: "open" | "snoozed" | "done" | undefined
  readonly type?: "reply_approval" | "callback" | "follow_up" | "review" | undefined
  readonly priority?: "low" | "normal" | "high" | "urgent" | undefined
  readonly contactId?: string | undefined
  readonly leadId?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  /** due_at (default): by due time; tasks with the same due time by age, oldest first. -priority: most urgent first. priority: least urgent first. Tasks of the same priority are sorted by due time */
  readonly sort?: "due_at" | "-priority" | "priority" | undefined
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

export interface EventFeedStreamOptions extends StreamOptions {
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
  /** The health of this server */
  system: {
    /** Check whether this server is ready */
    health: (options: RequestOptions = {}): Promise<Health> =>
      call({ method: "GET", path: "/health" }, options)
  },
  /** Tenants of this deployment */
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
    /** Change a tenant's name or plan; the usage of the current month is kept */
    update: (tenantId: string, body: UpdateTenant, options: RequestOptions = {}): Promise<Tenant> =>
      call({ method: "PATCH", path: `/api/v1/admin/tenants/${segment(tenantId)}`, body }, options),
    /** Archive a tenant. Its requests are rejected, and its data is kept */
    archive: (tenantId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/admin/tenants/${segment(tenantId)}` }, options)
  },
  /** Sources of custom events and their keys */
  sources: {
    /** List a tenant's event sources */
    list: (tenantId: string, options: RequestOptions = {}): Promise<SourceList> =>
      call({ method: "GET", path: `/api/v1/admin/tenants/${segment(tenantId)}/sources` }, options),
    /** Create an event source; its key is shown once */
    create: (tenantId: string, body: CreateSource, options: IdempotentOptions = {}): Promise<CreatedSource> =>
      call({ method: "POST", path: `/api/v1/admin/tenants/${segment(tenantId)}/sources`, body }, options),
    /** Remove an event source; its key stops working immediately */
    remove: (tenantId: string, sourceId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/admin/tenants/${segment(tenantId)}/sources/${segment(sourceId)}` }, options),
    /** List the event sources that are valid for every tenant */
    listGlobal: (options: RequestOptions = {}): Promise<SourceList> =>
      call({ method: "GET", path: "/api/v1/admin/sources" }, options),
    /** Create an event source that reaches every tenant */
    createGlobal: (body: CreateSource, options: IdempotentOptions = {}): Promise<CreatedSource> =>
      call({ method: "POST", path: "/api/v1/admin/sources", body }, options),
    /** Remove an event source that is valid for every tenant */
    removeGlobal: (sourceId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/admin/sources/${segment(sourceId)}` }, options)
  },
  /** Short-lived credentials for agents */
  sessions: {
    /** Create a session token, which grants the rights of an agent of one tenant for one hour */
    mint: (body: MintSession, options: IdempotentOptions = {}): Promise<Session> =>
      call({ method: "POST", path: "/api/v1/sessions", body }, options)
  },
  /** Credentials of partner applications */
  apiKeys: {
    /** List API keys; only prefixes are shown */
    list: (tenantId: string, options: RequestOptions = {}): Promise<ApiKeyList> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/api-keys` }, options),
    /** Create an API key; at most 3 are active */
    create: (tenantId: string, body: CreateApiKey, options: IdempotentOptions = {}): Promise<CreatedApiKey> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/api-keys`, body }, options),
    /** Revoke an API key immediately */
    revoke: (tenantId: string, keyId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/api-keys/${segment(keyId)}` }, options),
    /** Replace an API key; the old key remains valid for another 72 hours */
    rotate: (tenantId: string, body: RotateApiKey, options: IdempotentOptions = {}): Promise<CreatedApiKey> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/api-keys/rotate`, body }, options)
  },
  /** Settings for the handling of a tenant's messages */
  config: {
    /** List the presets with their complete configurations */
    presets: (options: RequestOptions = {}): Promise<PresetList> =>
      call({ method: "GET", path: "/api/v1/config/presets" }, options),
    /** Read the configuration; its ETag is its version */
    get: (tenantId: string, options: RequestOptions = {}): Promise<StoredConfig> =>
      call({ method: "GET", path: `/api/v1/config/${segment(tenantId)}` }, options),
    /** Replace the configuration after validation */
    replace: (tenantId: string, body: TenantConfig, options: ConditionalOptions = {}): Promise<StoredConfig> =>
      call({ method: "PUT", path: `/api/v1/config/${segment(tenantId)}`, body }, options),
    /** Change parts of the configuration with a JSON merge patch (RFC 7396) */
    update: (tenantId: string, body: ConfigPatch, options: ConditionalOptions = {}): Promise<StoredConfig> =>
      call({ method: "PATCH", path: `/api/v1/config/${segment(tenantId)}`, body }, options),
    /** List the versions of the configuration with author, time and changes, newest first */
    audit: (tenantId: string, options: ConfigAuditOptions = {}): Promise<ConfigAudit> =>
      call({ method: "GET", path: `/api/v1/config/${segment(tenantId)}/audit`, query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** Read an earlier version of the configuration */
    version: (tenantId: string, version: string, options: RequestOptions = {}): Promise<ConfigVersion> =>
      call({ method: "GET", path: `/api/v1/config/${segment(tenantId)}/versions/${segment(version)}` }, options),
    /** Replace the configuration with a preset, except for time zone, country and form */
    scaffold: (tenantId: string, body: ScaffoldConfig, options: ConditionalOptions = {}): Promise<StoredConfig> =>
      call({ method: "POST", path: `/api/v1/config/${segment(tenantId)}/scaffold`, body }, options)
  },
  /** Limits on generated replies, and their results */
  guardrails: {
    /** List the enabled guardrails in the order of their evaluation */
    active: (tenantId: string, options: RequestOptions = {}): Promise<GuardrailSet> =>
      call({ method: "GET", path: `/api/v1/guardrails/${segment(tenantId)}/active` }, options),
    /** List the guardrail results of replies, newest first */
    audit: (tenantId: string, options: GuardrailsAuditOptions = {}): Promise<GuardAudit> =>
      call({ method: "GET", path: `/api/v1/guardrails/${segment(tenantId)}/audit`, query: { "guardrail_id": options.guardrailId, "outcome": options.outcome, "contact_id": options.contactId, "cursor": options.cursor, "limit": options.limit } }, options),
    /** Count the outcomes of each guardrail */
    stats: (tenantId: string, options: GuardrailsStatsOptions = {}): Promise<GuardStats> =>
      call({ method: "GET", path: `/api/v1/guardrails/${segment(tenantId)}/stats`, query: { "days": options.days } }, options),
    /** Export the audit as a JSON array or as CSV that is safe to open in a spreadsheet */
    export: (tenantId: string, options: GuardrailsExportOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/guardrails/${segment(tenantId)}/export`, query: { "guardrail_id": options.guardrailId, "outcome": options.outcome, "contact_id": options.contactId, "format": options.format }, file: true }, options),
    /** Change the guardrails, which creates a new version of the configuration */
    update: (tenantId: string, body: GuardrailsPatch, options: ConditionalOptions = {}): Promise<GuardrailSet> =>
      call({ method: "PATCH", path: `/api/v1/guardrails/${segment(tenantId)}`, body }, options)
  },
  /** Custom events from sources */
  events: {
    /** Send a custom event. With mode=sync, the server only evaluates the routing rules and stores nothing */
    send: (tenantId: string, sourceId: string, body: CustomEvent, options: EventsSendOptions = {}): Promise<EventAccepted | EventSkipped | EventProcessed> =>
      call({ method: "POST", path: `/api/v1/events/${segment(tenantId)}/${segment(sourceId)}`, query: { "mode": options.mode }, body }, options)
  },
  /** Runs that classify, score, route, act and reply */
  pipeline: {
    /** Store a message and run the whole pipeline on it */
    run: (tenantId: string, body: PipelineRequest, options: IdempotentOptions = {}): Promise<PipelineResult> =>
      call({ method: "POST", path: `/api/v1/webhook/automation/${segment(tenantId)}`, body }, options),
    /** Dry run: classify, score, route and reply; nothing is stored or sent */
    dryRun: (tenantId: string, body: PipelineRequest, options: IdempotentOptions = {}): Promise<PipelineResult> =>
      call({ method: "POST", path: `/api/v1/test/${segment(tenantId)}`, body }, options),
    /** List runs, newest message first */
    listRuns: (tenantId: string, options: PipelineListRunsOptions = {}): Promise<PipelineRunPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/runs`, query: { "contact_id": options.contactId, "lead_id": options.leadId, "limit": options.limit, "cursor": options.cursor } }, options),
    /** Show a run with its steps, its inputs and the reason why each rule matched or not */
    getRun: (tenantId: string, signalId: string, options: RequestOptions = {}): Promise<PipelineRunDetail> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/runs/${segment(signalId)}` }, options),
    /** Repeat the decisions of a run from its stored inputs, without model calls and without writes */
    replayRun: (tenantId: string, signalId: string, options: IdempotentOptions = {}): Promise<RunReplay> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/runs/${segment(signalId)}/replay` }, options)
  },
  /** Submission of many messages at once */
  batches: {
    /** Submit many messages at once; workers process them in the background */
    create: (tenantId: string, body: BatchRequest, options: IdempotentOptions = {}): Promise<TakenBatch> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/batch`, body }, options),
    /** List batches, newest first */
    list: (tenantId: string, options: BatchesListOptions = {}): Promise<BatchPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/batches`, query: { "limit": options.limit, "cursor": options.cursor } }, options),
    /** Show the progress of a batch and the results of its requests */
    get: (tenantId: string, batchId: string, options: BatchesGetOptions = {}): Promise<BatchProgress> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/batch/${segment(batchId)}`, query: { "limit": options.limit, "cursor": options.cursor } }, options)
  },
  /** Single steps of the pipeline */
  actions: {
    /** Score a message and its contact */
    scoreContact: (tenantId: string, body: PipelineRequest, options: IdempotentOptions = {}): Promise<ContactScored> =>
      call({ method: "POST", path: `/api/v1/actions/automation/${segment(tenantId)}/score-contact`, body }, options),
    /** Classify a message with the configured language model */
    classifyConversation: (tenantId: string, body: PipelineRequest, options: IdempotentOptions = {}): Promise<ConversationClassified> =>
      call({ method: "POST", path: `/api/v1/actions/automation/${segment(tenantId)}/classify-conversation`, body }, options),
    /** Generate a reply with the configured language model */
    generateReply: (tenantId: string, body: PipelineRequest, options: IdempotentOptions = {}): Promise<ReplyGenerated> =>
      call({ method: "POST", path: `/api/v1/actions/automation/${segment(tenantId)}/generate-reply`, body }, options)
  },
  /** Limits of plans and their usage */
  usage: {
    /** Show how much of its plan a tenant has used in a month */
    get: (tenantId: string, options: UsageGetOptions = {}): Promise<Usage> =>
      call({ method: "GET", path: `/api/v1/usage/${segment(tenantId)}`, query: { "month": options.month } }, options),
    /** Set what a tenant has used in a month, and caps in place of its plan's */
    set: (tenantId: string, body: SetUsage, options: UsageSetOptions = {}): Promise<Usage> =>
      call({ method: "PUT", path: `/api/v1/usage/${segment(tenantId)}`, query: { "month": options.month }, body }, options)
  },
  /** Plans, payments and credits of tenants */
  billing: {
    /** Show how a tenant pays and which plan applies */
    status: (options: BillingStatusOptions = {}): Promise<BillingStatus> =>
      call({ method: "GET", path: "/api/v1/billing/status", query: { "tenant_id": options.tenantId } }, options),
    /** Activate a plan: end the trial, change the plan or withdraw the cancellation */
    activate: (body: ActivatePlan, options: BillingActivateOptions = {}): Promise<ActivatedPlan> =>
      call({ method: "POST", path: "/api/v1/billing/activate", query: { "tenant_id": options.tenantId }, body }, options),
    /** Create a payment page for a plan or for credits */
    checkout: (body: StartCheckout, options: BillingCheckoutOptions = {}): Promise<Checkout> =>
      call({ method: "POST", path: "/api/v1/billing/checkout", query: { "tenant_id": options.tenantId }, body }, options),
    /** Get the URL of the page on which the tenant manages invoices, card and cancellation; the URL is valid for a few minutes */
    portal: (options: BillingPortalOptions = {}): Promise<BillingPortal> =>
      call({ method: "POST", path: "/api/v1/billing/portal", query: { "tenant_id": options.tenantId } }, options),
    /** Show the credit balance of a tenant */
    balance: (options: BillingBalanceOptions = {}): Promise<CreditBalance> =>
      call({ method: "GET", path: "/api/v1/billing/credits/balance", query: { "tenant_id": options.tenantId } }, options),
    /** List the credit transactions of a tenant, newest first */
    transactions: (options: BillingTransactionsOptions = {}): Promise<CreditTransactionPage> =>
      call({ method: "GET", path: "/api/v1/billing/credits/transactions", query: { "tenant_id": options.tenantId, "limit": options.limit, "cursor": options.cursor } }, options),
    /** Add or remove credits of a tenant; a repeated reference has no further effect */
    grant: (tenantId: string, body: GrantCredits, options: IdempotentOptions = {}): Promise<CreditTransaction> =>
      call({ method: "POST", path: `/api/v1/admin/tenants/${segment(tenantId)}/credits`, body }, options)
  },
  /** People and businesses that write to a tenant */
  contacts: {
    /** List active or archived contacts, newest first */
    list: (tenantId: string, options: ContactsListOptions = {}): Promise<ContactPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts`, query: { "archived": options.archived, "cursor": options.cursor, "limit": options.limit } }, options),
    /** Create a contact */
    create: (tenantId: string, body: CreateContact, options: IdempotentOptions = {}): Promise<Contact> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts`, body }, options),
    /** Read a contact */
    get: (tenantId: string, contactId: string, options: RequestOptions = {}): Promise<Contact> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}` }, options),
    /** Change the given fields of a contact; tags and attributes are replaced as a whole */
    update: (tenantId: string, contactId: string, body: UpdateContact, options: RequestOptions = {}): Promise<Contact> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}`, body }, options),
    /** Archive a contact (soft delete) */
    archive: (tenantId: string, contactId: string, options: RequestOptions = {}): Promise<Contact> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}` }, options),
    /** Restore a contact from the archive */
    restore: (tenantId: string, contactId: string, options: IdempotentOptions = {}): Promise<Contact> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}/restore` }, options),
    /** Find the contact with an email, a phone number or an external id; 404 if there is none */
    resolve: (tenantId: string, body: ResolveContact, options: IdempotentOptions = {}): Promise<ResolvedContact> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/resolve`, body }, options)
  },
  /** Contacts from an agent's perspective */
  contactViews: {
    /** Show a contact with its score, source, identities, open work and latest messages */
    detail: (tenantId: string, contactId: string, options: RequestOptions = {}): Promise<ContactDetail> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}/detail` }, options),
    /** List the messages, tasks and other events of a contact, newest first */
    timeline: (tenantId: string, contactId: string, options: ContactViewsTimelineOptions = {}): Promise<TimelinePage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}/timeline`, query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** List contacts with their current state, latest activity first */
    enriched: (tenantId: string, body: EnrichedFilter, options: IdempotentOptions = {}): Promise<EnrichedPage> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/enriched`, body }, options)
  },
  /** Merging of duplicate contacts */
  contactMerges: {
    /** Move all data of the duplicate contact to the primary contact */
    merge: (tenantId: string, body: ContactPair, options: IdempotentOptions = {}): Promise<MergedContacts> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/merge`, body }, options),
    /** Undo a merge. If several contacts were merged into one, the latest merge must be undone first */
    undo: (tenantId: string, mergeId: string, options: IdempotentOptions = {}): Promise<ContactMerge> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/merges/${segment(mergeId)}/undo` }, options),
    /** List pairs of contacts that are probably the same person, newest first */
    suggestions: (tenantId: string, options: ContactMergesSuggestionsOptions = {}): Promise<MergeSuggestionPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts/merge-suggestions`, query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** Dismiss a suggestion, because the two contacts are different people. The pair is not suggested again */
    dismiss: (tenantId: string, body: ContactPair, options: IdempotentOptions = {}): Promise<Success> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/merge-suggestions/dismiss`, body }, options)
  },
  /** All messages of a contact on all channels, in order of time */
  conversations: {
    /** List conversations, one per contact, newest first, 50 per page */
    list: (tenantId: string, options: ConversationsListOptions = {}): Promise<ConversationPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/conversations`, query: { "alias": options.alias, "cursor": options.cursor } }, options),
    /** List a contact's messages on all channels, oldest first: in pages, or all at once (up to 10,000 messages or 64 MiB) */
    get: (tenantId: string, contactId: string, options: ConversationsGetOptions = {}): Promise<MessagePage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}`, query: { "limit": options.limit, "cursor": options.cursor } }, options),
    /** Send a message to a contact; email counts towards the tenant's limit of 50 per hour */
    send: (tenantId: string, contactId: string, body: MessageToSend, options: IdempotentOptions = {}): Promise<MessageSent> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/messages`, body }, options),
    /** Mark the messages of a contact as read */
    markRead: (tenantId: string, contactId: string, body: ReadMark = {}, options: IdempotentOptions = {}): Promise<Success_1> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/read`, body }, options),
    /** Send the pending draft, at most once; 409 when the draft differs from the version that the person saw */
    approveDraft: (tenantId: string, contactId: string, body: DraftToApprove = {}, options: IdempotentOptions = {}): Promise<MessageSent> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/approve-draft`, body }, options),
    /** Discard the pending draft without sending it */
    dismissDraft: (tenantId: string, contactId: string, body: DraftToDismiss = {}, options: IdempotentOptions = {}): Promise<Success_1> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/dismiss-draft`, body }, options),
    /** Label the contact that a message concerns */
    labelSubject: (tenantId: string, contactId: string, body: SubjectLabel, options: IdempotentOptions = {}): Promise<SubjectLabel> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/messages/subject`, body }, options)
  },
  /** The stored sources of emails */
  messages: {
    /** Download the source of an email as it was received; for hosted accounts, the provider's JSON */
    raw: (tenantId: string, messageId: string, options: RequestOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/messages/${segment(messageId)}/raw`, file: true }, options),
    /** Parse the source of an email again and replace its content. Useful for `unparsed` messages and after an upgrade */
    parse: (tenantId: string, messageId: string, options: IdempotentOptions = {}): Promise<Message> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/messages/${segment(messageId)}/parse` }, options)
  },
  /** Attachments of emails */
  attachments: {
    /** Download an attachment by the `download_url` of a conversation; needs no credential */
    download: (token: string, options: RequestOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/public/attachments/${segment(token)}`, file: true }, options)
  },
  /** The effect of a change on past messages */
  backtest: {
    /** Test a change of rules, guardrails or configuration against past messages */
    run: (tenantId: string, body: BacktestRequest, options: IdempotentOptions = {}): Promise<BacktestReport> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/pipeline/backtest`, body }, options)
  },
  /** Enquiries of contacts */
  leads: {
    /** List leads by state, tier, contact, assignee and date, without merged leads */
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
    /** Append up to 100 recent entries from another system; the server stores all entries or none */
    append: (tenantId: string, leadId: string, body: AppendEntries, options: IdempotentOptions = {}): Promise<EntriesStored> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}/conversation`, body }, options),
    /** Import up to 1,000 old entries; the server stores all entries or none. A repeated request changes nothing */
    import: (tenantId: string, leadId: string, body: ImportEntries, options: RequestOptions = {}): Promise<EntriesStored> =>
      call({ method: "PUT", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}/conversation/import`, body }, options),
    /** Score a lead now, based on the newest message of its contact */
    score: (tenantId: string, leadId: string, options: IdempotentOptions = {}): Promise<LeadScore> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}/score` }, options),
    /** List every score of a lead, newest first */
    listScores: (tenantId: string, leadId: string, options: LeadsListScoresOptions = {}): Promise<LeadScorePage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}/scores`, query: { "limit": options.limit, "cursor": options.cursor } }, options),
    /** Move a lead to another state. If the change is not permitted, the error with status 409 lists the permitted states */
    transition: (tenantId: string, leadId: string, body: LeadTransition, options: IdempotentOptions = {}): Promise<Lead> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/leads/${segment(leadId)}/transition`, body }, options),
    /** Read a lead by its id, without its tenant; finds leads of all tenants that the credential may access */
    find: (leadId: string, options: RequestOptions = {}): Promise<Lead> =>
      call({ method: "GET", path: `/api/v1/leads/${segment(leadId)}` }, options),
    /** List the messages of a lead, oldest first; 100 per page by default */
    conversation: (leadId: string, options: LeadsConversationOptions = {}): Promise<LeadConversation> =>
      call({ method: "GET", path: `/api/v1/leads/${segment(leadId)}/conversation`, query: { "limit": options.limit, "cursor": options.cursor } }, options)
  },
  /** Work for people */
  tasks: {
    /** List tasks by due time or priority; only open tasks by default */
    list: (tenantId: string, options: TasksListOptions = {}): Promise<TaskPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/tasks`, query: { "status": options.status, "type": options.type, "priority": options.priority, "contact_id": options.contactId, "lead_id": options.leadId, "limit": options.limit, "cursor": options.cursor, "sort": options.sort } }, options),
    /** Change a task's lead, status, priority or disposition, or snooze it */
    update: (tenantId: string, taskId: string, body: UpdateTask, options: RequestOptions = {}): Promise<Task> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/tasks/${segment(taskId)}`, body }, options),
    /** List tasks; former path */
    callbacks: (options: TasksCallbacksOptions = {}): Promise<TaskPage> =>
      call({ method: "GET", path: "/api/v1/callbacks", query: { "tenant_id": options.tenantId, "status": options.status, "type": options.type, "priority": options.priority, "contact_id": options.contactId, "lead_id": options.leadId, "limit": options.limit, "cursor": options.cursor, "sort": options.sort } }, options)
  },
  /** Search in contacts and messages by words and parts of words */
  search: {
    /** Search contacts and conversations */
    search: (tenantId: string, body: SearchRequest, options: IdempotentOptions = {}): Promise<SearchPage> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/search`, body }, options)
  },
  /** The connected account and its outbound email */
  email: {
    /** Send an email through the connected account; 50 per hour and tenant */
    send: (tenantId: string, body: EmailToSend, options: IdempotentOptions = {}): Promise<EmailSent> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/email/send`, body }, options),
    /** Show the connected address and its aliases */
    getAliases: (tenantId: string, options: RequestOptions = {}): Promise<EmailAliases> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/email/aliases` }, options),
    /** Replace the aliases; at most 20, on the tenant's domain */
    updateAliases: (tenantId: string, body: AliasesToSet, options: RequestOptions = {}): Promise<AliasesSet> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/email/aliases`, body }, options),
    /** Replace the signature, as plain text or HTML; an empty signature removes it */
    updateSignature: (tenantId: string, body: SignatureToSet, options: RequestOptions = {}): Promise<SignatureSet> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/email/signature`, body }, options),
    /** Connect the email account of a tenant; a tenant has at most one */
    connect: (tenantId: string, body: EmailAccount, options: IdempotentOptions = {}): Promise<EmailGrant> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/email/connect`, body }, options),
    /** List connected accounts */
    listGrants: (tenantId: string, options: RequestOptions = {}): Promise<EmailGrantList> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/email/grants` }, options),
    /** Show the status of a connected account */
    getGrant: (tenantId: string, grantId: string, options: RequestOptions = {}): Promise<EmailGrant> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/email/grants/${segment(grantId)}` }, options),
    /** Disconnect an account; its queued emails are not sent */
    disconnect: (tenantId: string, grantId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/email/grants/${segment(grantId)}` }, options),
    /** Get the URL at which the account's owner grants access; the URL is valid once, for ten minutes */
    authUrl: (tenantId: string, options: EmailAuthUrlOptions = {}): Promise<EmailAuthUrl> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/email/auth-url`, query: { "provider": options.provider } }, options),
    /** Exchange the authorization code of the account's owner for a connected account */
    callback: (tenantId: string, body: EmailAuthCode, options: IdempotentOptions = {}): Promise<EmailGrant> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/email/callback`, body }, options)
  },
  /** Import of email from other systems */
  import: {
    /** Import up to 100 raw emails per request; duplicates are recognised */
    email: (tenantId: string, body: ImportRequest, options: IdempotentOptions = {}): Promise<ImportResults> =>
      call({ method: "POST", path: `/api/v1/import/${segment(tenantId)}/email`, body }, options)
  },
  /** Export, import and erasure of personal data */
  dataRights: {
    /** Export all data of a contact as a tar archive of JSON Lines files and emails */
    exportContact: (tenantId: string, contactId: string, options: RequestOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}/export`, file: true }, options),
    /** Erase a contact and all its data permanently; a repeated request continues an interrupted erasure */
    erase: (tenantId: string, contactId: string, body: EraseContact, options: IdempotentOptions = {}): Promise<Erasure> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/contacts/${segment(contactId)}/erase`, body }, options),
    /** List the receipts of erased contacts, newest first */
    listErasures: (tenantId: string, options: DataRightsListErasuresOptions = {}): Promise<ErasurePage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/erasures`, query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** Export all data of the tenant as a tar archive of JSON Lines files and emails */
    exportTenant: (tenantId: string, options: RequestOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/export`, file: true }, options),
    /** Import an export with the same ids and content; the messages are treated as history and receive no replies */
    importArchive: (tenantId: string, body: Uint8Array<ArrayBuffer>, options: IdempotentOptions = {}): Promise<ArchiveTaken> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/import`, body, upload: "application/x-tar" }, options)
  },
  /** Subscriptions to outbound events. The delivery bodies are listed under `webhooks` in this document. */
  webhooks: {
    /** List webhook subscriptions */
    list: (tenantId: string, options: RequestOptions = {}): Promise<WebhookList> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/webhooks` }, options),
    /** Create a webhook subscription; at most 50 per tenant */
    create: (tenantId: string, body: CreateWebhook, options: IdempotentOptions = {}): Promise<WebhookWithSecret> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/webhooks`, body }, options),
    /** Read a subscription */
    get: (tenantId: string, webhookId: string, options: RequestOptions = {}): Promise<Webhook> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}` }, options),
    /** Change, pause or reactivate a subscription */
    update: (tenantId: string, webhookId: string, body: UpdateWebhook, options: RequestOptions = {}): Promise<Webhook> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}`, body }, options),
    /** Delete a subscription and the list of its deliveries */
    delete: (tenantId: string, webhookId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}` }, options),
    /** Send a signed test event; a failure does not pause the subscription */
    test: (tenantId: string, webhookId: string, body: TestWebhook = {}, options: IdempotentOptions = {}): Promise<WebhookTested> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}/test`, body }, options),
    /** Replace the secret; for another 24 hours, deliveries are also signed with the old secret */
    rotateSecret: (tenantId: string, webhookId: string, options: IdempotentOptions = {}): Promise<WebhookWithSecret> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}/rotate-secret` }, options),
    /** List deliveries with their attempts, newest event first */
    deliveries: (tenantId: string, webhookId: string, options: WebhooksDeliveriesOptions = {}): Promise<WebhookDeliveryPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}/deliveries`, query: { "status": options.status, "limit": options.limit, "cursor": options.cursor } }, options),
    /** Deliver an event again immediately */
    redeliver: (tenantId: string, webhookId: string, deliveryId: string, options: IdempotentOptions = {}): Promise<WebhookDelivery> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}/deliveries/${segment(deliveryId)}/redeliver` }, options),
    /** Retry all failed deliveries of events since a given time */
    recover: (tenantId: string, webhookId: string, body: RecoverWebhook, options: IdempotentOptions = {}): Promise<WebhookRecovered> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/webhooks/${segment(webhookId)}/recover`, body }, options)
  },
  /** Outbound events for clients that poll or stream */
  eventFeed: {
    /** List outbound events in order and without gaps, in the format of webhook deliveries */
    list: (tenantId: string, options: EventFeedListOptions = {}): Promise<EventPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/events`, query: { "after": options.after, "limit": options.limit, "types": options.types } }, options),
    /** Stream outbound events as server-sent events */
    stream: (tenantId: string, options: EventFeedStreamOptions = {}): AsyncGenerator<ServerEvent, void, undefined> =>
      follow({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/events/stream`, query: { "after": options.after, "follow": options.follow, "types": options.types }, events: true }, options)
  },
  /** Every privileged action, with its actor, time and network address */
  audit: {
    /** List privileged actions in this tenant, newest first */
    list: (tenantId: string, options: AuditListOptions = {}): Promise<AuditPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/audit`, query: { "actor": options.actor, "action": options.action, "cursor": options.cursor, "limit": options.limit } }, options),
    /** List privileged actions on the deployment as a whole, newest first */
    listDeployment: (options: AuditListDeploymentOptions = {}): Promise<AuditPage> =>
      call({ method: "GET", path: "/api/v1/admin/audit", query: { "actor": options.actor, "action": options.action, "cursor": options.cursor, "limit": options.limit } }, options)
  },
  /** Detection and revocation of leaked keys */
  leakedKeys: {
    /** Find keys of this deployment in a text, report whether they are still valid, and revoke them on request */
    check: (body: CheckLeakedKeys, options: IdempotentOptions = {}): Promise<LeakedKeyList> =>
      call({ method: "POST", path: "/api/v1/admin/leaked-keys", body }, options)
  },
  /** Forms on the tenants' websites */
  publicLeads: {
    /** Submit the form of a tenant; a browser without JavaScript receives a redirect (303) */
    submit: (tenantId: string, body: PublicLead, options: IdempotentOptions = {}): Promise<PublicLeadAccepted> =>
      call({ method: "POST", path: `/api/v1/public/leads/${segment(tenantId)}`, body }, options),
    /** Read the requirements of a form, including its challenge */
    challenge: (tenantId: string, options: RequestOptions = {}): Promise<FormChallenge> =>
      call({ method: "GET", path: `/api/v1/public/leads/${segment(tenantId)}/challenge` }, options)
  },
  /** CRM accounts and their tenants */
  locations: {
    /** List CRM locations and their tenants */
    list: (options: RequestOptions = {}): Promise<LocationList> =>
      call({ method: "GET", path: "/api/v1/admin/locations" }, options),
    /** Assign a location to a tenant and set its session mode */
    put: (body: PutLocation, options: RequestOptions = {}): Promise<Location> =>
      call({ method: "PUT", path: "/api/v1/admin/locations", body }, options),
    /** Remove a location. The location then provides no sessions and runs no actions */
    remove: (locationId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/admin/locations/${segment(locationId)}` }, options)
  },
  /** The CRM with which contacts are synchronised */
  crm: {
    /** Get the URL at which the location's owner grants access; the URL is valid once, for ten minutes */
    authUrl: (tenantId: string, options: RequestOptions = {}): Promise<CrmAuthUrl> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/crm/auth-url` }, options),
    /** Finish an installation with the authorization code and assign the location to the tenant */
    callback: (tenantId: string, body: CrmCallback, options: IdempotentOptions = {}): Promise<CrmInstall> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/crm/callback`, body }, options),
    /** List the connected CRM locations of this tenant, oldest first */
    listInstalls: (tenantId: string, options: RequestOptions = {}): Promise<CrmInstallList> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/crm/installs` }, options),
    /** Set the sync mode of a location */
    updateInstall: (tenantId: string, locationId: string, body: CrmInstallToSet, options: RequestOptions = {}): Promise<CrmInstall> =>
      call({ method: "PATCH", path: `/api/v1/tenants/${segment(tenantId)}/crm/installs/${segment(locationId)}`, body }, options),
    /** Delete the tokens of a location; all requests to it stop */
    removeInstall: (tenantId: string, locationId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/crm/installs/${segment(locationId)}` }, options),
    /** Repeat the first sync of all contacts of a location */
    syncInstall: (tenantId: string, locationId: string, options: IdempotentOptions = {}): Promise<CrmInstall> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/crm/installs/${segment(locationId)}/sync` }, options)
  },
  /** CRM agencies and their locations */
  agencies: {
    /** Get the URL at which the agency's owner grants access; the URL is valid once, for ten minutes */
    authUrl: (options: RequestOptions = {}): Promise<CrmAuthUrl> =>
      call({ method: "GET", path: "/api/v1/admin/crm/auth-url" }, options),
    /** Finish the installation of an agency and open its locations that are assigned to tenants */
    callback: (body: CrmCallback, options: IdempotentOptions = {}): Promise<Agency> =>
      call({ method: "POST", path: "/api/v1/admin/crm/callback", body }, options),
    /** List connected agencies, oldest first */
    list: (options: RequestOptions = {}): Promise<AgencyList> =>
      call({ method: "GET", path: "/api/v1/admin/crm/agencies" }, options),
    /** List the current locations of an agency in the CRM, with their tenants */
    locations: (companyId: string, options: AgenciesLocationsOptions = {}): Promise<AgencyLocationList> =>
      call({ method: "GET", path: `/api/v1/admin/crm/agencies/${segment(companyId)}/locations`, query: { "limit": options.limit, "cursor": options.cursor } }, options),
    /** Delete the tokens of an agency and, shortly afterwards, those of its locations */
    remove: (companyId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/admin/crm/agencies/${segment(companyId)}` }, options)
  },
  /** Blocked phone numbers */
  smsFilters: {
    /** List blocked phone numbers */
    blocklist: (tenantId: string, options: SmsFiltersBlocklistOptions = {}): Promise<Blocklist> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/sms-filters/blocklist`, query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** Block a phone number: its messages receive no reply, and no message is sent to it */
    block: (tenantId: string, body: PhoneBody, options: IdempotentOptions = {}): Promise<BlockedNumber> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/sms-filters/blocklist`, body }, options),
    /** Remove a phone number from the blocklist */
    unblock: (tenantId: string, body: PhoneBody, options: RequestOptions = {}): Promise<Removed> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/sms-filters/blocklist`, body }, options)
  },
  /** Phone numbers for texts and calls */
  phoneNumbers: {
    /** List the phone numbers of all tenants */
    list: (options: PhoneNumbersListOptions = {}): Promise<PhoneNumberList> =>
      call({ method: "GET", path: "/api/v1/admin/phone-numbers", query: { "cursor": options.cursor, "limit": options.limit } }, options),
    /** Assign a number of the provider's account to a tenant */
    assign: (body: AssignPhoneNumber, options: RequestOptions = {}): Promise<PhoneNumber> =>
      call({ method: "PUT", path: "/api/v1/admin/phone-numbers", body }, options),
    /** Remove a number from its tenant */
    release: (body: PhoneBody, options: RequestOptions = {}): Promise<Removed> =>
      call({ method: "DELETE", path: "/api/v1/admin/phone-numbers", body }, options)
  },
  /** Credentials of voice assistants for the assistant tools */
  assistant: {
    /** Show the authentication methods of the tenant's voice assistants, without the secrets */
    get: (tenantId: string, options: RequestOptions = {}): Promise<VoiceAssistant> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/assistant` }, options),
    /** Revoke the access of all voice assistants of the tenant */
    remove: (tenantId: string, options: RequestOptions = {}): Promise<void> =>
      call({ method: "DELETE", path: `/api/v1/tenants/${segment(tenantId)}/assistant` }, options),
    /** Create the secret for /voice/assistant/{tenant_id}/tools; the previous secret stops working immediately */
    makeSecret: (tenantId: string, options: RequestOptions = {}): Promise<AssistantSecret> =>
      call({ method: "PUT", path: `/api/v1/tenants/${segment(tenantId)}/assistant/secret` }, options),
    /** Set the key that Retell signs its requests with */
    setRetellKey: (tenantId: string, body: SetRetellKey, options: RequestOptions = {}): Promise<VoiceAssistant> =>
      call({ method: "PUT", path: `/api/v1/tenants/${segment(tenantId)}/assistant/retell-key`, body }, options)
  },
  /** Phone calls with contacts */
  calls: {
    /** List calls, newest first */
    list: (tenantId: string, options: CallsListOptions = {}): Promise<CallPage> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/calls`, query: { "contact_id": options.contactId, "status": options.status, "direction": options.direction, "limit": options.limit, "cursor": options.cursor } }, options),
    /** Download the newest recording of a contact's calls as audio */
    recording: (tenantId: string, contactId: string, options: RequestOptions = {}): Promise<Uint8Array> =>
      call({ method: "GET", path: `/api/v1/tenants/${segment(tenantId)}/calls/${segment(contactId)}/recording`, file: true }, options),
    /** Call a contact: the agent's phone rings first, then the contact's */
    outbound: (tenantId: string, body: PlaceCall, options: IdempotentOptions = {}): Promise<CallRecord> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/calls/outbound`, body }, options),
    /** Transfer the contact of a call in progress to another person */
    transfer: (tenantId: string, callSessionId: string, body: TransferCall, options: IdempotentOptions = {}): Promise<CallRecord> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/calls/${segment(callSessionId)}/transfer`, body }, options)
  },
  /** Actions for workflows of the CRM */
  crmActions: {
    /** Run an action of a CRM workflow for its contact */
    run: (actionKey: string, body: CrmActionRequest, options: IdempotentOptions = {}): Promise<CrmActionResult> =>
      call({ method: "POST", path: `/api/v1/actions/crm/${segment(actionKey)}`, body }, options),
    /** Run an action of a CRM workflow; former path */
    runAlias: (actionKey: string, body: CrmActionRequest, options: IdempotentOptions = {}): Promise<CrmActionResult> =>
      call({ method: "POST", path: `/api/v1/actions/${segment(actionKey)}`, body }, options)
  }
})

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

/** An action of a matched rule. `type` selects its fields */
export type Action = {
  /** Assigns the lead to a person */
  readonly type: "assign"
  /** The person, as a name or an address */
  readonly to: string
} | {
  /** Adds a tag to the contact */
  readonly type: "tag"
  /** The tag; at most 64 characters */
  readonly tag: string
} | {
  /** Creates a task for a person */
  readonly type: "create_task"
  /** The type of the task */
  readonly task_type: "reply_approval" | "callback" | "follow_up" | "review"
  /** The title of the task. Default: the type of the task and the name of the contact */
  readonly title?: string | undefined
  /** The due time in minutes from now, at most a year. Default: no due time */
  readonly due_in_minutes?: number | undefined
} | {
  /** Changes the state of the lead if the transition is allowed */
  readonly type: "transition"
  /** The new state */
  readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
} | {
  /** Replies with the template; without one, with the tenant's default method */
  readonly type: "reply"
  /** A Liquid template with the facts of the message, for example `{{ contact.first_name }}` */
  readonly template?: string | undefined
  /** Replaces the tenant's reply mode for this reply */
  readonly mode?: "draft" | "auto" | undefined
} | {
  /** Notifies partner applications with the outbound event `rule.notified` */
  readonly type: "notify"
  /** A template of the message */
  readonly message: string
  /** The recipient, as the receiving application names it: a name, an address or a channel */
  readonly to?: string | undefined
} | CrmRuleAction | {
  /** Suppresses the reply to the message, even if other rules request one */
  readonly type: "suppress_reply"
} | {
  /** Prevents the evaluation of later rules */
  readonly type: "stop"
}

/** The plan to activate */
export interface ActivatePlan {
  /** Default: the current plan; for a trial: starter */
  readonly plan?: PaidPlan | undefined
}

/** The state after the activation */
export interface ActivatedPlan {
  /** The state of billing */
  readonly billing: BillingStatus
  /** The page on which the plan must be paid before it applies; null: the plan already applies */
  readonly checkout: Checkout | null
}

/** The app's installation in a CRM agency, which grants access to its locations */
export interface Agency {
  /** The CRM's id of the agency */
  readonly company_id: string
  /** signed_out: the CRM rejects the stored tokens, so the app must be installed again */
  readonly status: "installed" | "signed_out" | "uninstalled"
  /** Why the status is signed_out */
  readonly reason: string | null
  /** The permissions that the CRM granted */
  readonly scopes: ReadonlyArray<string>
  /** The time of the installation (ISO 8601 in UTC) */
  readonly installed_at: string
  /** The time of the last change (ISO 8601 in UTC) */
  readonly updated_at: string
}

/** The connected agencies */
export interface AgencyList {
  /** The agencies, oldest first */
  readonly agencies: ReadonlyArray<Agency>
}

/** A location of the agency as the CRM lists it, with its assignment on this server */
export interface AgencyLocation {
  /** The CRM's id of the location */
  readonly location_id: string
  /** The name of the location in the CRM; null: not given */
  readonly name: string | null
  /** Whether the app is installed in this location */
  readonly installed: boolean
  /** The tenant assigned to this location. To assign one: PUT /admin/locations */
  readonly tenant_id: string | null
}

/** A page of an agency's locations */
export interface AgencyLocationList {
  /** The locations in the order of the CRM */
  readonly locations: ReadonlyArray<AgencyLocation>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The changed aliases */
export interface AliasesSet {
  /** The aliases after the change */
  readonly aliases: ReadonlyArray<string>
}

/** The aliases to set */
export interface AliasesToSet {
  /** The complete list of at most 20 addresses on the tenant's domain. Addresses that are absent are removed */
  readonly aliases: ReadonlyArray<string>
}

/** An API key of the tenant, without the key itself */
export interface ApiKey {
  /** Id of the API key (`key_…`); not a secret */
  readonly id: string
  /** A name for people, for example of the application that uses the key */
  readonly name: string
  /** The first characters of the key, by which people recognise it */
  readonly prefix: string
  /** null: the key has no limit */
  readonly scopes: ReadonlyArray<Scope> | null
  /** The time at which the key was created (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time at which the key expires; null: it does not expire */
  readonly expires_at: string | null
  /** The time of the last use (ISO 8601 in UTC), with some delay; null: never used */
  readonly last_used_at: string | null
  /** rotated: a new key has replaced this key; this key remains valid until expires_at */
  readonly status: "active" | "rotated" | "expired" | "revoked"
}

/** The API keys of the tenant */
export interface ApiKeyList {
  /** The keys with their status */
  readonly api_keys: ReadonlyArray<ApiKey>
}

/** Recent messages to append to the conversation of a lead */
export interface AppendEntries {
  /** 1 to 100 messages */
  readonly entries: ReadonlyArray<LeadEntry>
  /** Whether the pipeline classifies, scores, routes and answers the contact's messages; default: false */
  readonly run_pipeline?: boolean | undefined
}

/** The result of an import for one kind of record */
export interface ArchivePart {
  /** Rows that were added */
  readonly imported: number
  /** Rows that already existed and stay unchanged */
  readonly present: number
  /** Rows of erased contacts, which are not restored */
  readonly erased: number
}

/** The result of an import */
export interface ArchiveTaken {
  /** The results by kind of record, for example `contacts` and `messages` */
  readonly kinds: Readonly<Record<string, ArchivePart>>
}

/** The assignment of a number to a tenant */
export interface AssignPhoneNumber {
  /** A phone number with its country code, or a national number of the tenant's country */
  readonly phone: string
  /** The tenant */
  readonly tenant_id: string
  /** Use this number as the sender if no other setting selects one. If no number has this setting, the oldest number is the sender */
  readonly default?: boolean | undefined
}

/** The information about the business that a language model receives */
export interface Assistant {
  /** Instructions on style and tone */
  readonly instructions: string
  /** The facts that replies may contain */
  readonly knowledge: string
  /** The hosts that a generated reply may link to */
  readonly link_hosts: ReadonlyArray<string>
}

/** A new secret for voice assistants, which is shown only once */
export interface AssistantSecret {
  /** The first characters of the secret, by which people recognise it; null: there is no secret */
  readonly prefix: string | null
  /** The time at which access was first set up (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the last change (ISO 8601 in UTC) */
  readonly updated_at: string
  /** Whether a Retell API key is stored */
  readonly retell: boolean
  /** The complete secret for X-Assistant-Secret. Shown only once. */
  readonly secret: string
}

/** A file attached to an email */
export interface Attachment {
  /** The name of the file; null: not given */
  readonly filename: string | null
  /** The media type that the sender stated */
  readonly content_type: string
  /** The size in bytes */
  readonly size: number
  /** The position among the attachments of the message, from 0 */
  readonly index: number
  /** A path on this host, valid for 15 minutes without a credential; null when the content is not stored */
  readonly download_url: string | null
}

/** A flat object of strings, numbers, booleans and nulls; at most 50 attributes */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>

/** A privileged action: who did it, when, from where and with which effect */
export interface AuditEntry {
  /** Id of the entry (`aud_…`) */
  readonly id: string
  /** The time of the action (ISO 8601 in UTC) */
  readonly timestamp: string
  /** `admin`, `user:<subject>`, `session:<id>` or the id of an API key */
  readonly actor: string
  /** The name of the operation, for example `apiKeys.create` */
  readonly action: string
  /** The ids of the objects that the action affected */
  readonly target: Readonly<Record<string, string>>
  /** The network address of the caller */
  readonly address: string | null
  /** The `X-Request-Id` of the request; null: not known */
  readonly request_id: string | null
  /** The changed values; null when the name of the action describes the change completely. Never contains a secret. */
  readonly change: {
    /** The values before the change */
    readonly before: unknown
    /** The values after the change */
    readonly after: unknown
  } | null
  /** null: the action concerns the deployment, not one tenant */
  readonly tenant_id: string | null
}

/** A page of the audit trail */
export interface AuditPage {
  /** The entries, newest first */
  readonly entries: ReadonlyArray<AuditEntry>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** A message that a difference affects */
export interface BacktestExample {
  /** Signal id (`sig_…`): one inbound message on its way through the pipeline */
  readonly signal_id: string
  /** Message id (`msg_…`) */
  readonly message_id: string
  /** Contact id (`con_…`) */
  readonly contact_id: string
  /** The start of the message */
  readonly excerpt: string
}

/** A change from one value to another, with the number of affected messages */
export interface BacktestMove {
  /** The value under the current configuration; null: none */
  readonly before: string | null
  /** The value under the proposed configuration; null: none */
  readonly after: string | null
  /** The number of affected messages */
  readonly count: number
  /** Some of the affected messages */
  readonly examples: ReadonlyArray<BacktestExample>
}

/** The differences that the proposed change would have caused, largest first in each list */
export interface BacktestReport {
  /** The current version of the configuration, to which the change was compared */
  readonly config_version: number
  /** The time of the oldest examined message; null: none was examined */
  readonly oldest: string | null
  /** The time of the newest examined message; null: none was examined */
  readonly newest: string | null
  /** Whether the period contains more messages than the limit */
  readonly more: boolean
  /** The number of examined messages */
  readonly examined: number
  /** The number of messages whose decision differs in any way */
  readonly changed: number
  /** Messages that were not examined, by reason */
  readonly skipped: {
    /** Messages whose runs were made by an older server version, which did not store inputs */
    readonly without_inputs: number
    /** Messages for which the proposed configuration would need another request to the model */
    readonly unasked: number
  }
  /** Changed intents */
  readonly intents: ReadonlyArray<BacktestMove>
  /** Changed tiers */
  readonly tiers: ReadonlyArray<BacktestMove>
  /** The rules that match other messages than before */
  readonly rules: ReadonlyArray<{
    /** The id of the rule */
    readonly rule_id: string
    /** The name of the rule */
    readonly name: string
    /** Messages under the current configuration */
    readonly before: number
    /** Messages under the proposed configuration */
    readonly after: number
    /** Messages that only the proposed configuration affects */
    readonly gained: number
    /** Messages that only the current configuration affects */
    readonly lost: number
    /** Some of the messages that were gained or lost */
    readonly examples: ReadonlyArray<BacktestExample>
  }>
  /** The actions that are requested for other messages than before */
  readonly actions: ReadonlyArray<{
    /** The type of the action, for example `create_task` */
    readonly type: string
    /** Messages under the current configuration */
    readonly before: number
    /** Messages under the proposed configuration */
    readonly after: number
    /** Messages that only the proposed configuration affects */
    readonly gained: number
    /** Messages that only the current configuration affects */
    readonly lost: number
    /** Some of the messages that were gained or lost */
    readonly examples: ReadonlyArray<BacktestExample>
    /** Messages for which both configurations cause the same number of these actions, but with different content */
    readonly altered: number
  }>
  /** The outcome of the reply: none, held (the reply waits for approval), released (the reply may be sent automatically), blocked */
  readonly replies: ReadonlyArray<BacktestMove>
  /** Replies that have the same outcome under both configurations, but a different text */
  readonly rewritten: {
    /** The number of affected messages */
    readonly count: number
    /** Some of the affected messages */
    readonly examples: ReadonlyArray<BacktestExample>
  }
}

/** A proposed change of the configuration and the messages to test it with. `rules` and `guardrails` replace those of `config`; without `config`, those of the current configuration */
export interface BacktestRequest {
  /** The complete proposed configuration. Default: the current one */
  readonly config?: TenantConfig | undefined
  /** The proposed rules, which replace all rules */
  readonly rules?: ReadonlyArray<Rule> | undefined
  /** The proposed guardrails, which replace all guardrails */
  readonly guardrails?: ReadonlyArray<Guardrail> | undefined
  /** Ignore older runs; default: 30 days ago */
  readonly since?: string | undefined
  /** The maximum number of messages, counted from the newest; default: 10000 */
  readonly limit?: number | undefined
  /** The number of examples per difference; default: 3 */
  readonly examples?: number | undefined
}

/** A batch and its progress */
export interface Batch {
  /** Batch id (`bat_…`) */
  readonly batch_id: string
  /** The time at which the server received the batch (ISO 8601 in UTC) */
  readonly created_at: string
  /** The number of requests in the batch */
  readonly total: number
  /** accepting: the server has not examined all requests yet; done: processing has finished */
  readonly status: "accepting" | "running" | "done"
  /** Requests that the server accepted */
  readonly accepted: number
  /** Requests that were accepted before under the same idempotency key */
  readonly duplicates: number
  /** Requests that were not accepted */
  readonly failed: number
  /** The number of requests in each state */
  readonly progress: {
    /** Requests that wait for a worker */
    readonly queued: number
    /** Requests in progress */
    readonly running: number
    /** Finished requests */
    readonly done: number
    /** Requests whose processing failed */
    readonly failed: number
  }
}

/** The result of accepting one request */
export interface BatchItem {
  /** The position in the batch, from 0 */
  readonly index: number
  /** The result of accepting the request */
  readonly status: "accepted" | "duplicate" | "failed"
  /** The signal that the pipeline processes; null: the request was not accepted */
  readonly signal_id: string | null
  /** Why the request was not accepted; null: it was accepted */
  readonly error: BatchItemError | null
}

/** The reason why a request was not accepted */
export interface BatchItemError {
  /** The error code of this request */
  readonly code: "BAD_REQUEST" | "USAGE_LIMIT_REACHED" | "IDEMPOTENCY_CONFLICT" | "INTERNAL"
  /** The reason for people */
  readonly message: string
  /** The invalid fields; empty for other errors */
  readonly details: ReadonlyArray<FieldIssue>
}

/** One request of a batch with its progress and result */
export interface BatchItemResult {
  /** The position in the batch, from 0 */
  readonly index: number
  /** The result of accepting the request */
  readonly status: "accepted" | "duplicate" | "failed"
  /** The signal that the pipeline processes; null: the request was not accepted */
  readonly signal_id: string | null
  /** Why the request was not accepted; null: it was accepted */
  readonly error: BatchItemError | null
  /** The progress of the request in the pipeline */
  readonly state: "queued" | "running" | "done" | "failed"
  /** The result of the pipeline; null: not finished yet */
  readonly result: PipelineResult | null
}

/** A page of batches */
export interface BatchPage {
  /** The batches, newest first */
  readonly batches: ReadonlyArray<Batch>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** A batch with a page of its requests */
export interface BatchProgress {
  /** Batch id (`bat_…`) */
  readonly batch_id: string
  /** The time at which the server received the batch (ISO 8601 in UTC) */
  readonly created_at: string
  /** The number of requests in the batch */
  readonly total: number
  /** accepting: the server has not examined all requests yet; done: processing has finished */
  readonly status: "accepting" | "running" | "done"
  /** Requests that the server accepted */
  readonly accepted: number
  /** Requests that were accepted before under the same idempotency key */
  readonly duplicates: number
  /** Requests that were not accepted */
  readonly failed: number
  /** The number of requests in each state */
  readonly progress: {
    /** Requests that wait for a worker */
    readonly queued: number
    /** Requests in progress */
    readonly running: number
    /** Finished requests */
    readonly done: number
    /** Requests whose processing failed */
    readonly failed: number
  }
  /** The requests of the batch with their results */
  readonly items: ReadonlyArray<BatchItemResult>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The messages of a batch */
export interface BatchRequest {
  /** 1 to 500 requests */
  readonly items: ReadonlyArray<BatchRequestItem>
}

/** A message for the pipeline, with its own idempotency key */
export interface BatchRequestItem {
  /** The text of the message; not empty */
  readonly message: string
  /** The sender; null: unknown */
  readonly contact?: {
    /** The full name; null: unknown */
    readonly name?: string | null | undefined
    /** The first name, used without `name`; null: unknown */
    readonly first_name?: string | null | undefined
    /** The last name, used without `name`; null: unknown */
    readonly last_name?: string | null | undefined
    /** The email address; null: unknown */
    readonly email?: string | null | undefined
    /** The phone number with its country code, or a national number of the tenant's country; null: unknown */
    readonly phone?: string | null | undefined
    readonly [key: string]: unknown
  } | null | undefined
  readonly channel?: Channel | undefined
  /** A label of the sending application. Default: `automation` */
  readonly source?: string | undefined
  /** Free-form values, at most 32 levels deep. Rules can read them as `metadata.<key>` */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** A repeated key returns the result of the first request with this key, in any batch */
  readonly idempotency_key?: string | null | undefined
  readonly [key: string]: unknown
}

/** The page on which the tenant manages its payments */
export interface BillingPortal {
  /** The URL of the page, valid for a few minutes */
  readonly url: string
}

/** How a tenant pays and which plan applies */
export interface BillingStatus {
  /** The tenant */
  readonly tenant_id: string
  /** The plan whose limits apply now */
  readonly plan: Plan
  /** The status of the subscription in Stripe's terms */
  readonly status: "trialing" | "active" | "past_due" | "unpaid" | "paused" | "canceled" | "incomplete" | "incomplete_expired"
  /** The payment provider; local: no payments */
  readonly provider: "stripe" | "local"
  /** The end of the trial (ISO 8601 in UTC); null: the plan is not in trial */
  readonly trial_ends_at: string | null
  /** The start of the paid period (ISO 8601 in UTC); null: nothing is paid */
  readonly current_period_start: string | null
  /** The end of the paid period (ISO 8601 in UTC); null: nothing is paid */
  readonly current_period_end: string | null
  /** Whether the plan ends with the current period */
  readonly cancel_at_period_end: boolean
  /** The paid plan; null: there is none */
  readonly subscribed_plan: Plan | null
  /** The end of the grace period that follows a missed payment. The plan ends at this time */
  readonly grace_ends_at: string | null
  /** The balance of credits. Uses beyond the plan's limits consume credits */
  readonly credits: number
}

/** A phone number that the tenant blocks in both directions */
export interface BlockedNumber {
  /** E.164 */
  readonly phone: string
  /** The time at which the number was blocked (ISO 8601 in UTC) */
  readonly created_at: string
}

/** A page of the blocklist */
export interface Blocklist {
  /** The blocked numbers */
  readonly blocklist: ReadonlyArray<BlockedNumber>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** A page of calls */
export interface CallPage {
  /** The calls, newest first */
  readonly calls: ReadonlyArray<CallRecord>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** A phone call with a contact */
export interface CallRecord {
  /** Call id (`call_…`) */
  readonly call_session_id: string
  /** The contact on the call */
  readonly contact_id: string
  /** The lead that the call belongs to; null: none yet */
  readonly lead_id: string | null
  /** The carrier of the call: `twilio`, `sandbox`, or the platform of a voice assistant */
  readonly provider: string
  /** The party that started the call: the contact (`inbound`) or the tenant (`outbound`) */
  readonly direction: "inbound" | "outbound"
  /** E.164; null: hidden */
  readonly from: string | null
  /** The called number in E.164; null if not reported */
  readonly to: string | null
  /** The number of the tenant's agent in E.164. Null if no person speaks for the tenant */
  readonly agent_phone: string | null
  /** The number of the last transfer in E.164; null: the call was not transferred */
  readonly transferred_to: string | null
  /** in_progress: agent and contact are connected. unknown: it is uncertain whether the provider placed the call. The server does not dial again automatically */
  readonly status: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "unknown"
  /** Why the call failed */
  readonly reason: string | null
  /** The time at which the call was placed or arrived (ISO 8601 in UTC) */
  readonly started_at: string
  /** The time at which the call was answered (ISO 8601 in UTC); null: not answered */
  readonly answered_at: string | null
  /** The time at which the call ended (ISO 8601 in UTC); null: it has not ended */
  readonly ended_at: string | null
  /** The duration in seconds as reported by the provider; null: not reported */
  readonly duration_seconds: number | null
  /** wanted: the call is recorded, but the recording is not available yet; gone: the recording was deleted */
  readonly recording: "none" | "wanted" | "ready" | "gone"
  /** The length of the recording in seconds; null: there is none */
  readonly recording_seconds: number | null
  /** The message in the conversation, created when the call ends */
  readonly message_id: string | null
}

/** A monthly usage with its limit */
export interface CappedUsage {
  /** The uses in the month */
  readonly used: number
  /** The limit per month: of the plan, or the override for this tenant */
  readonly cap: number
}

/** The channel of a message. `webhook`: forms, custom events and requests of partner applications */
export type Channel = "email" | "sms" | "voice" | "chat" | "webhook"

/** A text to search for keys of this deployment */
export interface CheckLeakedKeys {
  /** Any text that may contain keys: a file, a log or the report of a scanner */
  readonly text: string
  /** Also revoke the keys that are still valid: API keys become invalid, and the source of a source key is removed. Default: false */
  readonly revoke?: boolean | undefined
}

/** A page of the payment provider on which a person pays */
export interface Checkout {
  /** The payment provider's id of the page */
  readonly checkout_id: string
  /** The payment page */
  readonly url: string
  /** The time at which the page expires (ISO 8601 in UTC) */
  readonly expires_at: string
}

/** The meaning of a message, from the language model or the keyword classifier */
export interface Classification {
  /** The intent in lower case, for example `pricing`, `booking`, `support` or `spam` */
  readonly intent: string
  /** `low`, `medium` or `high` */
  readonly urgency: string
  /** `negative`, `neutral` or `positive` */
  readonly sentiment: string
  /** One or two sentences */
  readonly summary: string
  /** From 0 (guess) to 1 (certain) */
  readonly confidence: number
}

/** The comparison of one fact with a value. If the fact is missing, only `neq`, `not_contains`, `not_in`, `not_includes` and `exists` with false are true */
export interface Comparison {
  /** The name of a fact, for example `score.tier`, or `metadata.<key>` for a value that the sender set */
  readonly fact: string
  /** The operator. Texts: eq, neq, contains, starts_with, ends_with, in, matches (a pattern with `*` and `?`), has_word; numbers: eq, gt, gte, lt, lte, between; lists: includes…; all: exists */
  readonly op: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "in" | "not_in" | "matches" | "has_word" | "gt" | "gte" | "lt" | "lte" | "between" | "includes" | "not_includes" | "includes_any" | "includes_all" | "exists"
  /** The value to compare with. Lists: at most 200 values; texts: at most 500 characters; `exists` expects a boolean */
  readonly value: string | number | boolean | ReadonlyArray<string | number | boolean>
}

/** A tree of comparisons: exactly one of `all`, `any`, `not`, or a comparison */
export type Condition = {
  /** True if all conditions are true; an empty list is true */
  readonly all: ReadonlyArray<Condition>
} | {
  /** True if one of the conditions is true; an empty list is rejected */
  readonly any: ReadonlyArray<Condition>
} | {
  readonly not: Condition
} | Comparison

/** A page of the configuration's history */
export interface ConfigAudit {
  /** The changes, newest first */
  readonly entries: ReadonlyArray<ConfigChange>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** One change of the configuration: author, time and differences */
export interface ConfigChange {
  /** The version that the change created; versions count from 1 */
  readonly version: number
  /** The version on which the change was based */
  readonly from_version: number
  /** The kind of request: a full replacement, a merge patch, a preset (`scaffold`), or a change of guardrails */
  readonly action: "replace" | "patch" | "scaffold" | "guardrails"
  /** The preset from which the version was created; null if none was used */
  readonly preset: string | null
  /** The caller: `admin`, `user:<subject>` or the id of an API key */
  readonly changed_by: string
  /** The time of the change (ISO 8601 in UTC) */
  readonly changed_at: string
  /** The changed values; at most 200, `omitted` counts the rest */
  readonly changes: ReadonlyArray<ConfigDifference>
  /** The number of changes that are not listed */
  readonly omitted: number
}

/** One changed value of the configuration */
export interface ConfigDifference {
  /** Joined with dots; rules and guardrails go by their id */
  readonly path: string
  /** Absent: the value was added. Long values are truncated */
  readonly before?: unknown | undefined
  /** Absent: the value was removed */
  readonly after?: unknown | undefined
  /** The change as a sentence for people */
  readonly summary: string
}

/** A JSON merge patch (RFC 7396): a value replaces the current one, null removes it, and absent fields stay. Lists are replaced as a whole */
export type ConfigPatch = Readonly<Record<string, unknown>>

/** An earlier version of the configuration with the change that created it */
export interface ConfigVersion {
  /** The tenant */
  readonly tenant_id: string
  /** The number of the version; it increases by 1 with each saved change */
  readonly version: number
  /** The complete configuration */
  readonly config: TenantConfig
  /** null: this is the tenant's first version */
  readonly change: ConfigChange | null
}

/** A person or business that communicates with the tenant */
export interface Contact {
  /** Contact id (`con_…`). Ids sort by creation time */
  readonly id: string
  /** The name of the person or business; at most 320 characters; null: unknown */
  readonly name: string | null
  /** The address for messages, as first given; null: unknown */
  readonly email: string | null
  /** In E.164 if the number is valid, otherwise as given; null: unknown */
  readonly phone: string | null
  /** The employer or business of the contact; null: unknown */
  readonly company: string | null
  /** Free text for agents; at most 20,000 characters. The contact never sees it; null: none */
  readonly notes: string | null
  /** Labels set by people and by rules; at most 50 */
  readonly tags: ReadonlyArray<string>
  /** Free-form values of the tenant, by name */
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>
  /** The time at which the contact was created (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the last change of the contact (ISO 8601 in UTC) */
  readonly updated_at: string
  /** The contact into which this one was merged; null: not merged */
  readonly merged_into: string | null
  /** Whether the contact is archived (soft-deleted) */
  readonly archived: boolean
}

/** The event `contact.created` in the envelope of webhook deliveries */
export interface ContactCreatedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "contact.created"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** Contact id (`con_…`) */
    readonly contact_id: string
    /** The name of the contact; null: unknown */
    readonly name: string | null
    /** The email address of the contact; null: unknown */
    readonly email: string | null
    /** The phone number in E.164 if it is valid, otherwise as given; null: unknown */
    readonly phone: string | null
    /** The business of the contact; null: unknown */
    readonly company: string | null
    /** The tags of the contact */
    readonly tags: ReadonlyArray<string>
    /** Whether the contact is archived */
    readonly archived: boolean
    /** The contact into which this one was merged */
    readonly merged_into: string | null
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** A contact with its score, source, identities, open work and latest messages */
export interface ContactDetail {
  readonly contact: Contact
  /** All addresses, phone numbers and external ids of the contact */
  readonly identities: ReadonlyArray<ContactIdentity>
  /** The newest score of any lead of the contact */
  readonly scoring: ContactScoring | null
  /** The origin of the contact: its first message */
  readonly source: {
    readonly channel: Channel
    /** The integration or event source of the message, for example `email` or a source id */
    readonly source: string
    /** The time of writing if known, never in the future (ISO 8601 in UTC) */
    readonly at: string
  } | null
  /** The amounts of the contact's records */
  readonly counts: {
    /** The number of messages; 1000 stands for 1000 or more */
    readonly messages: number
    /** The number of leads; 100 stands for 100 or more */
    readonly leads: number
    /** The leads that are not won, lost or archived */
    readonly open_leads: number
    /** The number of open tasks; 20 stands for 20 or more */
    readonly open_tasks: number
  }
  /** The leads that are not won, lost or archived */
  readonly open_leads: ReadonlyArray<ContactLead>
  /** The latest 20 messages, oldest first */
  readonly messages: ReadonlyArray<Message>
  /** The reply that waits for approval; null: there is none */
  readonly pending_draft: {
    /** Draft id (`draft_…`) */
    readonly id: string
    readonly channel: Channel
    /** The text of the reply, as the pipeline wrote it */
    readonly text: string
    /** The newest message of the conversation when the draft was written */
    readonly head_message_id: string
    /** The time at which the draft was written (ISO 8601 in UTC) */
    readonly created_at: string
  } | null
  /** The open tasks of the contact */
  readonly open_tasks: ReadonlyArray<ContactTask>
  /** The merges into this contact that can be undone, latest first */
  readonly merges: ReadonlyArray<{
    /** Merge id, with which the merge can be undone */
    readonly merge_id: string
    /** The contact whose data moved to the primary contact */
    readonly duplicate_contact_id: string
    /** The time of the merge (ISO 8601 in UTC) */
    readonly merged_at: string
  }>
}

/** A contact that matches the query */
export interface ContactHit {
  readonly contact: Contact
  /** Higher is better; comparable only within one response */
  readonly score: number
  /** The fields that match */
  readonly highlights: ReadonlyArray<SearchHighlight>
}

/** An address, a phone number or an external id of a contact */
export interface ContactIdentity {
  /** The kind of the identity; `external`: an id of another system */
  readonly kind: "email" | "phone" | "external"
  /** The normalised address, the number in E.164, or the external id */
  readonly value: string
  /** The system that assigned an external id; null for email and phone */
  readonly source: string | null
  /** Why messages can no longer be sent to this identity */
  readonly undeliverable: string | null
}

/** A lead in the detail view of its contact */
export interface ContactLead {
  /** Lead id (`lead_…`). Ids sort by creation time */
  readonly id: string
  readonly channel: Channel
  /** The origin of the first message, for example `email`, a source id or the `source` of the request */
  readonly source: string
  /** The subject line or a short title; at most 998 characters; null: none */
  readonly subject: string | null
  /** The position in the sales process. Messages and rules move a lead from `open` towards `won` or `lost`; an archived lead needs no work */
  readonly state: string
  /** 0 to 100, from the latest scoring; null until the pipeline has scored the lead */
  readonly score: number | null
  /** The score compared with the tenant's thresholds: `hot` (default: from 70), `warm` (from 40) or `cold`; null without a score */
  readonly score_tier: string | null
  /** The person responsible for the lead, as a name or an address; null: nobody is assigned */
  readonly assignee: string | null
  /** The time at which the lead was opened (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the newest message of the lead (ISO 8601 in UTC) */
  readonly last_message_at: string
}

/** A merge and both contacts */
export interface ContactMerge {
  /** Merge id, with which the merge can be undone */
  readonly merge_id: string
  /** The contact that remains */
  readonly primary_contact_id: string
  /** The contact whose data moved to the primary contact */
  readonly duplicate_contact_id: string
  /** The time of the merge (ISO 8601 in UTC) */
  readonly merged_at: string
  /** The time at which the merge was undone (ISO 8601 in UTC); null: it applies */
  readonly undone_at: string | null
  /** The current primary contact */
  readonly contact: Contact
  readonly duplicate: Contact
}

/** A page of contacts */
export interface ContactPage {
  /** The contacts, newest first */
  readonly contacts: ReadonlyArray<Contact>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** Two contacts, and which of them remains */
export interface ContactPair {
  /** The contact that remains and receives all data of the other contact */
  readonly primary_contact_id: string
  /** The contact whose data moves to the primary contact */
  readonly duplicate_contact_id: string
}

/** The score of a message */
export interface ContactScored {
  /** Always true */
  readonly success: true
  /** The score */
  readonly data: {
    /** The score, 0 to 100 */
    readonly lead_score: number
    /** The score compared with the tenant's thresholds */
    readonly lead_tier: string
    /** Recommended next steps, most urgent first */
    readonly recommended_actions: ReadonlyArray<string>
    /** The components of the score */
    readonly factors: ReadonlyArray<{
      /** The cue in the message, for example `price_question` */
      readonly name: string
      /** The points of this factor, possibly negative */
      readonly points: number
    }>
  }
}

/** The score of a lead in the detail view of its contact */
export interface ContactScoring {
  /** Lead id (`lead_…`). Ids sort by creation time */
  readonly lead_id: string
  /** 0 to 100, from the latest scoring; null until the pipeline has scored the lead */
  readonly score: number | null
  /** The score compared with the tenant's thresholds: `hot` (default: from 70), `warm` (from 40) or `cold`; null without a score */
  readonly tier: string | null
  /** The components of the score. Their points add up to the score; empty without a score */
  readonly factors: ReadonlyArray<{
    /** The cue in the message, for example `price_question`; `auto_mail` and `limit` are corrections */
    readonly name: string
    /** The points of this factor, a whole number, possibly negative */
    readonly points: number
  }>
  /** The latest classification of a message of the lead; null: no message was classified */
  readonly classification: {
    /** The intent in lower case, for example `pricing`, `booking`, `support` or `spam` */
    readonly intent: string
    /** `low`, `medium` or `high` */
    readonly urgency: string
    /** `negative`, `neutral` or `positive` */
    readonly sentiment: string
    /** One or two sentences */
    readonly summary: string
    /** From 0 (guess) to 1 (certain) */
    readonly confidence: number
  } | null
}

/** A task in the timeline of its contact */
export interface ContactTask {
  /** Task id (`task_…`) */
  readonly id: string
  /** The kind of work: approve a reply, call back, follow up, or review something that the server could not decide */
  readonly type: "reply_approval" | "callback" | "follow_up" | "review"
  /** `snoozed` tasks open again at `snooze_until`; `done` tasks are finished */
  readonly status: "open" | "snoozed" | "done"
  /** The urgency; default: normal */
  readonly priority: "low" | "normal" | "high" | "urgent"
  /** A short instruction for the person */
  readonly title: string
  /** The lead that the task concerns; null: none */
  readonly lead_id: string | null
  /** The time by which the task should be done (ISO 8601 in UTC); null: no due date */
  readonly due_at: string | null
  /** The time at which the task was created (ISO 8601 in UTC) */
  readonly created_at: string
}

/** The event `contact.updated` in the envelope of webhook deliveries */
export interface ContactUpdatedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "contact.updated"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** Contact id (`con_…`) */
    readonly contact_id: string
    /** The name of the contact; null: unknown */
    readonly name: string | null
    /** The email address of the contact; null: unknown */
    readonly email: string | null
    /** The phone number in E.164 if it is valid, otherwise as given; null: unknown */
    readonly phone: string | null
    /** The business of the contact; null: unknown */
    readonly company: string | null
    /** The tags of the contact */
    readonly tags: ReadonlyArray<string>
    /** Whether the contact is archived */
    readonly archived: boolean
    /** The contact into which this one was merged */
    readonly merged_into: string | null
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** The newest state of a contact's conversation over all channels */
export interface Conversation {
  /** The contact of the conversation; each contact has exactly one */
  readonly contact_id: string
  /** The name of the contact; null: unknown */
  readonly contact_name: string | null
  /** The email address of the contact; null: unknown */
  readonly contact_email: string | null
  /** The start of the newest message, at most 140 characters */
  readonly last_message: string
  readonly last_channel: Channel
  /** The time of the newest message (ISO 8601 in UTC) */
  readonly last_timestamp: string
  /** The lead of the newest message with a lead; null: no message has a lead */
  readonly lead_id: string | null
  /** The state of that lead; null: no lead */
  readonly lead_state: string | null
  /** The tier of that lead; null: no lead or no score */
  readonly score_tier: string | null
  /** The number of unread messages from the contact */
  readonly unread: number
}

/** The classification of a message */
export interface ConversationClassified {
  /** Always true */
  readonly success: true
  readonly data: Classification
}

/** A message that matches the query */
export interface ConversationHit {
  /** Contact id (`con_…`) */
  readonly contact_id: string
  /** The name of the contact; null: unknown */
  readonly contact_name: string | null
  /** The email address of the contact; null: unknown */
  readonly contact_email: string | null
  /** The lead of the message; null: none */
  readonly lead_id: string | null
  /** Message id (`msg_…`) */
  readonly message_id: string
  /** The email thread of the message; null: none */
  readonly thread_id: string | null
  readonly channel: Channel
  /** The author of the message */
  readonly actor: "contact" | "agent" | "assistant" | "system"
  /** ISO 8601 in UTC with milliseconds */
  readonly timestamp: string
  /** The subject line; null: none */
  readonly subject: string | null
  /** Higher is better; comparable only within one response */
  readonly score: number
  /** The fields that match */
  readonly highlights: ReadonlyArray<SearchHighlight>
}

/** A page of conversations */
export interface ConversationPage {
  /** The conversations, newest first, at most 50 */
  readonly conversations: ReadonlyArray<Conversation>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The event `conversation.updated` in the envelope of webhook deliveries */
export interface ConversationUpdatedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "conversation.updated"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** Contact id (`con_…`) */
    readonly contact_id: string
    /** The lead of the message; null: none */
    readonly lead_id: string | null
    readonly channel: Channel
    /** The author of the message */
    readonly actor: "contact" | "agent" | "assistant" | "system"
    /** The message that caused the event */
    readonly message_id: string
    /** The first characters of the message */
    readonly preview: string
    /** Present if a person has labelled the contact that the message concerns. null: the person removed the label, so the message concerns its sender */
    readonly subject_contact_id?: string | null | undefined
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** The name, the scopes and the expiry of a new API key */
export interface CreateApiKey {
  /** A name for people, for example of the application that uses the key; 1 to 100 characters */
  readonly name: string
  /** Limits the key to some operations. read: read data; messages: send messages, and write messages, contacts, leads and tasks; pipeline: run the pipeline and its actions. Default: no limit. */
  readonly scopes?: ReadonlyArray<Scope> | undefined
  /** A time in the future. Default: the key does not expire. */
  readonly expires_at?: string | undefined
}

/** A new contact */
export interface CreateContact {
  /** The name of the person or business; at most 320 characters; null: unknown */
  readonly name?: string | null | undefined
  /** The address for messages, as first given; null: unknown */
  readonly email?: string | null | undefined
  /** In E.164 if the number is valid, otherwise as given; null: unknown */
  readonly phone?: string | null | undefined
  /** The employer or business of the contact; null: unknown */
  readonly company?: string | null | undefined
  /** Free text for agents; at most 20,000 characters. The contact never sees it; null: none */
  readonly notes?: string | null | undefined
  /** Replaces all tags */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Replaces all attributes */
  readonly attributes?: Attributes | undefined
}

/** A new lead */
export interface CreateLead {
  /** The contact of the lead. Exactly one of contact_id and contact is required */
  readonly contact_id?: string | undefined
  readonly contact?: LeadContact | undefined
  /** The subject line or a short title; at most 998 characters; null: none */
  readonly subject?: string | null | undefined
  /** The person responsible for the lead, as a name or an address; null: nobody is assigned */
  readonly assignee?: string | null | undefined
  readonly channel?: Channel | undefined
  /** The origin of the lead, 1 to 255 characters. Default: `api` */
  readonly source?: string | undefined
  /** The first message of the lead. Default: no message */
  readonly message?: {
    /** The text of the message, at most 100,000 characters */
    readonly body: string
    /** The author of the message */
    readonly actor?: "contact" | "agent" | "assistant" | "system" | undefined
    /** Free-form values of the sender, at most 32 levels deep. Rules can read them as `metadata.<key>` */
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    /** The time of the message (ISO 8601). Default: now */
    readonly timestamp?: string | undefined
  } | undefined
  /** Whether the pipeline classifies, scores, routes and answers the contact's messages; default: false */
  readonly run_pipeline?: boolean | undefined
}

/** A new event source */
export interface CreateSource {
  /** The id in the URL of the source's events; at most 64 characters */
  readonly source_id: string
}

/** A new tenant */
export interface CreateTenant {
  /** An id chosen by the operator: [a-z0-9][a-z0-9_-]{1,62} */
  readonly tenant_id: string
  /** The display name of the business; 1 to 200 characters */
  readonly name: string
  /** The domain of the tenant's own addresses, for example example.com */
  readonly domain?: string | null | undefined
  /** The name of the configuration preset to start from */
  readonly preset?: string | undefined
  /** true: the tenant cannot use email. Default: false */
  readonly hipaa?: boolean | undefined
  /** Default: trial */
  readonly plan?: Plan | undefined
}

/** A new subscription */
export interface CreateWebhook {
  /** An https URL with a public address */
  readonly url: string
  /** The event types to receive, at most 100 names. An empty list selects all types */
  readonly events?: ReadonlyArray<string> | undefined
  /** A note for people; null: none */
  readonly description?: string | null | undefined
  /** 1 to 16 */
  readonly max_in_flight?: number | undefined
}

/** A new API key with the key itself, which is shown only once */
export interface CreatedApiKey {
  /** Id of the API key (`key_…`); not a secret */
  readonly id: string
  /** A name for people, for example of the application that uses the key */
  readonly name: string
  /** The first characters of the key, by which people recognise it */
  readonly prefix: string
  /** null: the key has no limit */
  readonly scopes: ReadonlyArray<Scope> | null
  /** The time at which the key was created (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time at which the key expires; null: it does not expire */
  readonly expires_at: string | null
  /** The time of the last use (ISO 8601 in UTC), with some delay; null: never used */
  readonly last_used_at: string | null
  /** rotated: a new key has replaced this key; this key remains valid until expires_at */
  readonly status: "active" | "rotated" | "expired" | "revoked"
  /** The complete key. Shown only once. */
  readonly key: string
}

/** A new event source with its key, which is shown only once */
export interface CreatedSource {
  /** The id of the source */
  readonly source_id: string
  /** Shown only once. Send it as a Bearer credential or in X-Source-Key. */
  readonly key: string
}

/** The credits that a tenant has */
export interface CreditBalance {
  /** The tenant */
  readonly tenant_id: string
  /** The number of credits */
  readonly balance: number
}

/** One immutable entry of the credit ledger */
export interface CreditTransaction {
  /** The cause: `grant`, `adjustment` and `expire` by the operator, `purchase` and `refund` by a payment, `use` by an action or a model call beyond the plan */
  readonly kind: "grant" | "purchase" | "use" | "refund" | "adjustment" | "expire"
  /** The credits added; negative: the credits removed */
  readonly amount: number
  /** The purpose of the transaction; a repeated reference has no further effect */
  readonly reference: string
  /** A note for people; null if there is none */
  readonly note: string | null
  /** Id of the transaction */
  readonly id: string
  /** The balance after the transaction */
  readonly balance: number
  /** The time of the transaction (ISO 8601 in UTC) */
  readonly created_at: string
}

/** A page of the credit ledger */
export interface CreditTransactionPage {
  /** The transactions, newest first */
  readonly transactions: ReadonlyArray<CreditTransaction>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The request of a CRM workflow to a custom action. Additional fields are ignored */
export interface CrmActionRequest {
  /** The fields of the action with the workflow's values */
  readonly data?: Readonly<Record<string, unknown>> | null | undefined
  /** The location and the contact of the workflow */
  readonly extras: {
    /** The CRM's id of the location */
    readonly locationId: string
    /** The CRM's id of the contact */
    readonly contactId: string
    /** The CRM's id of the workflow; null: none */
    readonly workflowId?: string | null | undefined
    readonly [key: string]: unknown
  }
  /** Further data of the workflow; ignored */
  readonly meta?: unknown | undefined
  readonly [key: string]: unknown
}

/** The values that the action returns to the workflow. It has no nested objects, because each field becomes a variable of the workflow */
export type CrmActionResult = Readonly<Record<string, string | number | boolean | null>>

/** The page of the CRM on which the owner grants access */
export interface CrmAuthUrl {
  /** The URL to open in a browser; valid once */
  readonly url: string
  /** The time at which the URL expires (ISO 8601 in UTC) */
  readonly expires_at: string
}

/** The parameters with which the CRM redirected the owner's browser */
export interface CrmCallback {
  /** The authorization code */
  readonly code: string
  /** The state parameter of the URL that this server created */
  readonly state: string
}

/** The progress of the first synchronisation of all contacts of a location */
export interface CrmFirstSync {
  /** `stopped`: the synchronisation cannot continue, and `reason` states why. A restart begins with the first contact */
  readonly state: "running" | "done" | "stopped"
  /** Why the first sync stopped */
  readonly reason: string | null
  /** The number of contacts according to the CRM */
  readonly crm_total: number | null
  /** The time at which the synchronisation started (ISO 8601 in UTC) */
  readonly started_at: string
  /** The time of the last progress (ISO 8601 in UTC) */
  readonly updated_at: string
  /** The time at which the synchronisation ended (ISO 8601 in UTC); null: it is running */
  readonly finished_at: string | null
  /** The current step: from_crm (reads the contacts of the CRM), to_crm (reads the contacts of this server) or finishing (waits for the queued synchronisation of contacts) */
  readonly step: "from_crm" | "to_crm" | "finishing"
  /** Contacts of the CRM that were examined */
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

/** The app's installation in a CRM location of the tenant */
export interface CrmInstall {
  /** The CRM's id of the location */
  readonly location_id: string
  /** The CRM's id of the location's agency; null: not known */
  readonly company_id: string | null
  /** signed_out: the CRM rejects the stored tokens, so the app must be installed again */
  readonly status: "installed" | "signed_out" | "uninstalled"
  /** Why the status is signed_out */
  readonly reason: string | null
  readonly sync: CrmSync
  /** The permissions that the CRM granted */
  readonly scopes: ReadonlyArray<string>
  /** The time of the installation (ISO 8601 in UTC) */
  readonly installed_at: string
  /** The time of the last change (ISO 8601 in UTC) */
  readonly updated_at: string
  /** The progress of the first sync of all contacts; null: sync has always been off */
  readonly first_sync: CrmFirstSync | null
}

/** The CRM locations of the tenant */
export interface CrmInstallList {
  /** The installations, oldest first */
  readonly installs: ReadonlyArray<CrmInstall>
}

/** The setting of an installation to change */
export interface CrmInstallToSet {
  readonly sync: CrmSync
}

/** An operation on the contact's record in the tenant's CRM. `action` selects its fields */
export type CrmRuleAction = {
  /** Changes the CRM contact that is linked to the contact of the message. If none is linked, the CRM contact is created */
  readonly type: "crm_action"
  /** The location in which the operation is carried out. Default: the location in which the contact is already linked; without a link, the first location in which the app is installed */
  readonly location_id?: string | undefined
  /** Adds or removes a tag */
  readonly action: "add_tag" | "remove_tag"
  /** The tag; at most 64 characters */
  readonly tag: string
} | {
  /** Changes the CRM contact that is linked to the contact of the message. If none is linked, the CRM contact is created */
  readonly type: "crm_action"
  /** The location in which the operation is carried out. Default: the location in which the contact is already linked; without a link, the first location in which the app is installed */
  readonly location_id?: string | undefined
  /** Adds a note */
  readonly action: "add_note"
  /** A template of the note */
  readonly body: string
} | {
  /** Changes the CRM contact that is linked to the contact of the message. If none is linked, the CRM contact is created */
  readonly type: "crm_action"
  /** The location in which the operation is carried out. Default: the location in which the contact is already linked; without a link, the first location in which the app is installed */
  readonly location_id?: string | undefined
  /** Creates a task */
  readonly action: "create_task"
  /** The title of the task */
  readonly title: string
  /** A template of the body. Default: no body */
  readonly body?: string | undefined
  /** The due time in minutes from now, at most a year. Default: a day, because the CRM requires a due date */
  readonly due_in_minutes?: number | undefined
} | {
  /** Changes the CRM contact that is linked to the contact of the message. If none is linked, the CRM contact is created */
  readonly type: "crm_action"
  /** The location in which the operation is carried out. Default: the location in which the contact is already linked; without a link, the first location in which the app is installed */
  readonly location_id?: string | undefined
  /** Adds the contact to a workflow */
  readonly action: "add_to_workflow"
  /** The CRM's id of the workflow */
  readonly workflow_id: string
} | {
  /** Changes the CRM contact that is linked to the contact of the message. If none is linked, the CRM contact is created */
  readonly type: "crm_action"
  /** The location in which the operation is carried out. Default: the location in which the contact is already linked; without a link, the first location in which the app is installed */
  readonly location_id?: string | undefined
  /** Copies fields of the contact to the CRM. If a field of the contact is empty, the CRM's value stays */
  readonly action: "update_contact"
  /** The fields to copy */
  readonly fields: readonly ["name" | "email" | "phone", ...ReadonlyArray<"name" | "email" | "phone">]
}

/** The event `crm.signed_out` in the envelope of webhook deliveries */
export interface CrmSignedOutEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "crm.signed_out"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** The CRM's id of the location */
    readonly location_id: string
    /** Why the CRM rejected the stored tokens */
    readonly reason: string
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** off: no synchronisation; to_crm: changes on this server are copied to the CRM; both: changes on each side are copied to the other side */
export type CrmSync = "off" | "to_crm" | "both"

/** A custom event of a source. The source is in the URL. Additional fields are ignored */
export interface CustomEvent {
  /** The person or business that the event is about */
  readonly entity: {
    /** Stored as an external id of the contact */
    readonly id?: string | number | null | undefined
    /** The name; null: unknown */
    readonly name?: string | null | undefined
    /** The email address; null: unknown */
    readonly email?: string | null | undefined
    /** The phone number with its country code, or a national number of the tenant's country; null: unknown */
    readonly phone?: string | null | undefined
    /** The business; null: unknown */
    readonly company?: string | null | undefined
    /** Free-form values, at most 32 levels deep */
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly [key: string]: unknown
  }
  /** The kind of the event. It is the text of the message if `content.body` is absent; null: none */
  readonly event_type?: string | null | undefined
  /** The message of the event */
  readonly content?: {
    /** The text of the message; null: `event_type` is used */
    readonly body?: string | null | undefined
    /** The subject of the message; null: none */
    readonly subject?: string | null | undefined
    readonly channel?: Channel | undefined
    /** `inbound`: the contact wrote the message. Default: inbound */
    readonly direction?: "inbound" | "outbound" | undefined
    /** A further label of the sender; null: none */
    readonly type?: string | null | undefined
    /** Free-form values, at most 32 levels deep. `message_id` identifies the event if the request has no Idempotency-Key */
    readonly metadata?: Readonly<Record<string, unknown>> | undefined
    readonly [key: string]: unknown
  } | undefined
  /** Additional context, stored with the message */
  readonly context?: Readonly<Record<string, unknown>> | undefined
  /** The time of the event (ISO 8601). Default and null: now */
  readonly timestamp?: string | null | undefined
  readonly [key: string]: unknown
}

/** The draft as the person saw it, so that an outdated approval is rejected */
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

/** The draft to discard */
export interface DraftToDismiss {
  /** Default: the pending draft */
  readonly draft_id?: string | undefined
}

/** The account to connect */
export interface EmailAccount {
  readonly provider: MailProvider
  /** The address of the account */
  readonly email: string
  /** The default display name of the sender. Default: none */
  readonly name?: string | undefined
  /** The provider's id of a grant that the account's owner has already given to this deployment. Only the operator may use it */
  readonly provider_grant_id?: string | undefined
}

/** The connected address and its aliases */
export interface EmailAliases {
  /** The address of the connected account */
  readonly grant_email: string
  /** The other addresses from which the account may send */
  readonly aliases: ReadonlyArray<string>
}

/** The parameters with which the provider redirected the owner's browser */
export interface EmailAuthCode {
  /** The authorization code of the redirect */
  readonly code: string
  /** The state parameter of the redirect */
  readonly state: string
}

/** The page of the provider on which the owner grants access */
export interface EmailAuthUrl {
  /** The URL to open in the owner's browser; valid once */
  readonly url: string
  /** The time at which the URL expires (ISO 8601 in UTC) */
  readonly expires_at: string
}

/** The connected email account of a tenant */
export interface EmailGrant {
  /** Id of the connected account (`grant_…`) */
  readonly grant_id: string
  readonly provider: MailProvider
  /** The address of the connected account, in lower case */
  readonly email: string
  /** The default display name of the sender; null: none */
  readonly name: string | null
  /** `expired`: the owner must sign in at the provider again. Until then, no email can be sent */
  readonly status: "active" | "expired"
  /** The other addresses from which the account may send; at most 20 */
  readonly aliases: ReadonlyArray<string>
  /** Appended to every outgoing email. HTML is sanitised; null: none */
  readonly signature: string | null
  /** The time at which the account was connected (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the last change (ISO 8601 in UTC) */
  readonly updated_at: string
}

/** The connected accounts of the tenant */
export interface EmailGrantList {
  /** The connected accounts; a tenant has at most one */
  readonly grants: ReadonlyArray<EmailGrant>
}

/** The stored email. Its `delivery` in the conversation shows the result */
export interface EmailSent {
  /** Always true */
  readonly success: true
  /** Message id (`msg_…`) */
  readonly message_id: string
  /** The email thread (`thr_…`) */
  readonly thread_id: string
  readonly receipt?: SendReceipt | undefined
}

/** The email to send. The signature of the account is appended */
export interface EmailToSend {
  /** 1 to 100 recipients */
  readonly to: ReadonlyArray<Recipient>
  /** The subject line, at most 998 characters. Default: for a reply, the subject of the answered email */
  readonly subject?: string | undefined
  /** Plain text or HTML */
  readonly body: string
  /** The recipients in Cc. Default: none */
  readonly cc?: ReadonlyArray<Recipient> | undefined
  /** The recipients in Bcc. Default: none */
  readonly bcc?: ReadonlyArray<Recipient> | undefined
  /** The sender: the connected account or one of its aliases */
  readonly from?: Recipient | undefined
  /** The message_id of the email that this email answers. Both then belong to the same thread */
  readonly reply_to_message_id?: string | undefined
  /** The reasons against sending that are overridden for this message only. Requires the role manager or higher, or the operator's admin key */
  readonly override?: ReadonlyArray<"undeliverable"> | undefined
}

/** A contact with its current lead and newest message */
export interface EnrichedContact {
  /** Contact id (`con_…`). Ids sort by creation time */
  readonly id: string
  /** The name of the person or business; at most 320 characters; null: unknown */
  readonly name: string | null
  /** The address for messages, as first given; null: unknown */
  readonly email: string | null
  /** In E.164 if the number is valid, otherwise as given; null: unknown */
  readonly phone: string | null
  /** The employer or business of the contact; null: unknown */
  readonly company: string | null
  /** Free text for agents; at most 20,000 characters. The contact never sees it; null: none */
  readonly notes: string | null
  /** Labels set by people and by rules; at most 50 */
  readonly tags: ReadonlyArray<string>
  /** Free-form values of the tenant, by name */
  readonly attributes: Readonly<Record<string, string | number | boolean | null>>
  /** The time at which the contact was created (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the last change of the contact (ISO 8601 in UTC) */
  readonly updated_at: string
  /** The contact into which this one was merged; null: not merged */
  readonly merged_into: string | null
  /** Whether the contact is archived (soft-deleted) */
  readonly archived: boolean
  /** The time of the newest message; for a contact without messages, the time of its creation */
  readonly last_activity_at: string
  /** The channel of the newest message; null: no message */
  readonly last_channel: Channel | null
  /** The start of the newest message, at most 140 characters; null: no message */
  readonly last_message: string | null
  /** The number of unread messages from the contact */
  readonly unread: number
  /** The lead of the newest message with a lead; null: none */
  readonly lead_id: string | null
  /** The state of that lead; null: no lead */
  readonly lead_state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived" | null
  /** The score of that lead, 0 to 100; null: no lead or not scored */
  readonly score: number | null
  /** The tier of that lead; null: no lead or not scored */
  readonly score_tier: "hot" | "warm" | "cold" | null
}

/** The filters of the list. An absent filter selects all contacts */
export interface EnrichedFilter {
  /** Only contacts whose lead has this tier */
  readonly tier?: "hot" | "warm" | "cold" | undefined
  /** The state of the lead to which the newest message with a lead belongs */
  readonly state?: "open" | "engaged" | "qualified" | "won" | "lost" | "archived" | undefined
  /** The channel of the newest message */
  readonly channel?: Channel | undefined
  /** Only contacts with this tag */
  readonly tag?: string | undefined
  /** Only contacts with activity at or after this time (ISO 8601) */
  readonly last_activity_after?: string | undefined
  /** Only contacts with activity before this time (ISO 8601) */
  readonly last_activity_before?: string | undefined
  /** true: only contacts with an email address; false: only contacts without one */
  readonly has_email?: boolean | undefined
  /** true: only contacts with a phone number; false: only contacts without one */
  readonly has_phone?: boolean | undefined
  /** true: only archived contacts */
  readonly archived?: boolean | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
}

/** A page of contacts with their current state */
export interface EnrichedPage {
  /** The contacts, latest activity first */
  readonly contacts: ReadonlyArray<EnrichedContact>
  /** With combined filters, a page may be short although more pages follow: continue until null */
  readonly next_cursor: string | null
}

/** The result of storing messages */
export interface EntriesStored {
  /** Lead id (`lead_…`) */
  readonly lead_id: string
  /** The number of stored messages */
  readonly stored: number
  /** The number of messages that were stored before */
  readonly duplicates: number
  /** The results, in the order of the entries in the request */
  readonly results: ReadonlyArray<{
    /** `duplicate`: the message was stored before */
    readonly outcome: "stored" | "duplicate"
    /** Message id (`msg_…`) */
    readonly message_id: string
    /** The signal that the pipeline processes; null: the pipeline does not run */
    readonly signal_id: string | null
  }>
}

/** The confirmation of an erasure */
export interface EraseContact {
  /** The id of the contact, repeated to prevent an erasure by accident */
  readonly confirm: string
}

/** The receipt of an erasure. It contains no personal data */
export interface Erasure {
  /** Id of the erasure, for the tenant's records */
  readonly erasure_id: string
  /** The former id of the contact. Requests with this id receive 404 */
  readonly contact_id: string
  /** The caller: `admin`, `user:<subject>` or the id of an API key */
  readonly requested_by: string
  /** The time of the first request (ISO 8601 in UTC) */
  readonly requested_at: string
  /** null: the erasure was interrupted; request it again */
  readonly completed_at: string | null
  /** The number of erased rows by kind */
  readonly erased: Readonly<Record<string, number>>
  /** SHA-256 of the receipt, in hexadecimal */
  readonly receipt_hash: string | null
}

/** A page of erasure receipts */
export interface ErasurePage {
  /** The receipts, newest first */
  readonly erasures: ReadonlyArray<Erasure>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The response of the default mode */
export interface EventAccepted {
  /** The id of the event, also the `signal_id` of its pipeline run */
  readonly event_id: string
  /** The event is stored. Acceptance does not prove that the pipeline has finished */
  readonly status: "accepted"
}

/** An outbound event in the format of webhook deliveries */
export type EventEnvelope = LeadReceivedEvent | LeadScoredEvent | LeadTierChangedEvent | LeadStateChangedEvent | LeadContactRepliedEvent | ContactCreatedEvent | ContactUpdatedEvent | ConversationUpdatedEvent | RuleNotifiedEvent | GrantExpiredEvent | CrmSignedOutEvent

/** A page of the event feed */
export interface EventPage {
  /** The events in order of their sequence numbers */
  readonly events: ReadonlyArray<NumberedEvent>
  /** The value of `after` for the next request: the sequence number of the last event that the server examined */
  readonly next_after: number
  /** Whether more events follow */
  readonly has_more: boolean
  /** The sequence number of the oldest stored event. If it is greater than `after` + 1, the events between them have expired, and the caller did not receive them */
  readonly oldest_sequence: number
}

/** The response of mode=sync */
export interface EventProcessed {
  /** An id for this evaluation; nothing is stored under it */
  readonly event_id: string
  /** The rules were evaluated */
  readonly status: "processed"
  /** Always null, because this mode classifies nothing */
  readonly classification: null
  /** The number of matched rules */
  readonly matched_rules: number
  /** The types of the actions that the rules would request. They are not executed */
  readonly actions_triggered: ReadonlyArray<string>
}

/** The response while the database is unavailable */
export interface EventSkipped {
  /** The event is not stored */
  readonly status: "skipped"
  /** The database did not answer; send the event again */
  readonly reason: "state_store_unavailable"
}

/** The type of an outbound event */
export type EventType = "lead.received" | "lead.scored" | "lead.tier_changed" | "lead.state_changed" | "lead.contact_replied" | "contact.created" | "contact.updated" | "conversation.updated" | "rule.notified" | "grant.expired" | "crm.signed_out"

/** One invalid field of a request */
export interface FieldIssue {
  /** The path of the field, joined with dots; empty for the whole body */
  readonly path: string
  /** The expected value, for people */
  readonly message: string
}

/** The requirements of a form */
export interface FormChallenge {
  /** The proof that the form requires */
  readonly verification: "none" | "proof_of_work" | "turnstile"
  /** null: no proof of work is required */
  readonly challenge: string | null
  /** The required number of leading zero bits of SHA-256 over the challenge, a full stop and a number */
  readonly difficulty: number | null
  /** The time at which the challenge expires (ISO 8601 in UTC); null: there is no challenge */
  readonly expires_at: string | null
}

/** Credits to add to or remove from a tenant */
export interface GrantCredits {
  /** Default: grant */
  readonly kind?: "grant" | "adjustment" | "expire" | undefined
  /** The credits to add; negative: the credits to remove */
  readonly amount: number
  /** A reference of the operator, for example a contract number. A repeated reference has no further effect. */
  readonly reference: string
  /** A note for people, at most 500 characters; null: none */
  readonly note?: string | null | undefined
}

/** The event `grant.expired` in the envelope of webhook deliveries */
export interface GrantExpiredEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "grant.expired"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** Id of the connected account (`grant_…`) */
    readonly grant_id: string
    /** The provider of the account */
    readonly provider: string
    /** The address of the account */
    readonly email: string
    /** Why the access ended */
    readonly reason: string
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** A page of guardrail results */
export interface GuardAudit {
  /** The evaluations, newest first */
  readonly evaluations: ReadonlyArray<GuardEvaluation>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The evaluations by outcome */
export interface GuardCounts {
  /** Evaluations that allowed the reply */
  readonly allow: number
  /** Evaluations that required approval */
  readonly require_approval: number
  /** Evaluations that blocked the reply */
  readonly block: number
}

/** The result of one guardrail for one reply */
export interface GuardEvaluation {
  /** The id of the guardrail in the tenant's configuration */
  readonly guardrail_id: string
  /** The kind of the guardrail, for example `quiet_hours` */
  readonly kind: string
  /** The result: the reply may go out, needs approval, or is blocked */
  readonly outcome: "allow" | "require_approval" | "block"
  /** Why the guardrail decided so, as text for people */
  readonly reason: string
  /** Id of the evaluation (`gev_…`) */
  readonly id: string
  /** reply: the generated text; approval: the text that a person sends */
  readonly stage: "reply" | "approval"
  /** The signal of the message that the reply answers */
  readonly signal_id: string
  /** The message that the reply answers */
  readonly message_id: string
  /** The contact who would receive the reply */
  readonly contact_id: string
  /** The time of the evaluation (ISO 8601 in UTC) */
  readonly created_at: string
}

/** The outcomes of the guardrails in a period */
export interface GuardStats {
  /** The first day of the period in UTC, as YYYY-MM-DD */
  readonly from: string
  /** The current day in UTC, inclusive */
  readonly to: string
  /** The number of evaluations; a reply has one per enabled guardrail */
  readonly evaluations: number
  /** The evaluations of all guardrails */
  readonly outcomes: GuardCounts
  /** The evaluations by guardrail */
  readonly guardrails: ReadonlyArray<{
    /** The id of the guardrail */
    readonly guardrail_id: string
    /** The kind of the guardrail, for example `quiet_hours` */
    readonly kind: string
    /** The evaluations of this guardrail */
    readonly outcomes: GuardCounts
  }>
}

/** A limit on replies that the pipeline writes. `kind` selects its fields */
export type Guardrail = {
  /** A name that is unique within the tenant; at most 64 characters */
  readonly id: string
  /** Whether the guardrail is evaluated. Default: true */
  readonly enabled?: boolean | undefined
  /** The outcome when the guardrail does not allow a reply. `block`: not even a draft is stored. Default: require_approval */
  readonly outcome?: "require_approval" | "block" | undefined
  /** Holds a reply that contains one of the phrases */
  readonly kind: "blocked_phrases"
  /** 1 to 200 phrases. A phrase matches whole words in upper or lower case */
  readonly phrases: readonly [string, ...ReadonlyArray<string>]
} | {
  /** A name that is unique within the tenant; at most 64 characters */
  readonly id: string
  /** Whether the guardrail is evaluated. Default: true */
  readonly enabled?: boolean | undefined
  /** The outcome when the guardrail does not allow a reply. `block`: not even a draft is stored. Default: require_approval */
  readonly outcome?: "require_approval" | "block" | undefined
  /** Holds replies in a time window, in the tenant's time zone */
  readonly kind: "quiet_hours"
  /** The start of the window, `HH:MM` */
  readonly from: string
  /** The end of the window, `HH:MM`, exclusive. The window crosses midnight when `to` is earlier than `from` */
  readonly to: string
  /** The days on which the window starts. Default: every day */
  readonly days?: readonly ["mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun", ...ReadonlyArray<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">] | undefined
} | {
  /** A name that is unique within the tenant; at most 64 characters */
  readonly id: string
  /** Whether the guardrail is evaluated. Default: true */
  readonly enabled?: boolean | undefined
  /** The outcome when the guardrail does not allow a reply. `block`: not even a draft is stored. Default: require_approval */
  readonly outcome?: "require_approval" | "block" | undefined
  /** Holds a reply when the assistant has already sent `max` replies to the contact in the last 24 hours */
  readonly kind: "max_replies_per_contact_per_day"
  /** The permitted replies in 24 hours, 0 to 100 */
  readonly max: number
} | {
  /** A name that is unique within the tenant; at most 64 characters */
  readonly id: string
  /** Whether the guardrail is evaluated. Default: true */
  readonly enabled?: boolean | undefined
  /** The outcome when the guardrail does not allow a reply. `block`: not even a draft is stored. Default: require_approval */
  readonly outcome?: "require_approval" | "block" | undefined
  /** Holds a reply when the classification is missing or its confidence is below `min` */
  readonly kind: "min_confidence"
  /** The lowest sufficient confidence, 0 to 1 */
  readonly min: number
} | {
  /** A name that is unique within the tenant; at most 64 characters */
  readonly id: string
  /** Whether the guardrail is evaluated. Default: true */
  readonly enabled?: boolean | undefined
  /** Holds a reply when the lead has one of the tiers. The outcome is always `require_approval` */
  readonly kind: "require_approval_for_tiers"
  /** The tiers whose replies need approval */
  readonly tiers: readonly ["hot" | "warm" | "cold", ...ReadonlyArray<"hot" | "warm" | "cold">]
} | {
  /** A name that is unique within the tenant; at most 64 characters */
  readonly id: string
  /** Whether the guardrail is evaluated. Default: true */
  readonly enabled?: boolean | undefined
  /** The outcome when the guardrail does not allow a reply. `block`: not even a draft is stored. Default: require_approval */
  readonly outcome?: "require_approval" | "block" | undefined
  /** Holds a reply when the message has one of the intents */
  readonly kind: "blocked_intents"
  /** 1 to 100 intents, in lower case */
  readonly intents: readonly [string, ...ReadonlyArray<string>]
} | {
  /** A name that is unique within the tenant; at most 64 characters */
  readonly id: string
  /** Whether the guardrail is evaluated. Default: true */
  readonly enabled?: boolean | undefined
  /** The outcome when the guardrail does not allow a reply. `block`: not even a draft is stored. Default: require_approval */
  readonly outcome?: "require_approval" | "block" | undefined
  /** Holds a reply that contains a web address */
  readonly kind: "no_links"
} | {
  /** A name that is unique within the tenant; at most 64 characters */
  readonly id: string
  /** Whether the guardrail is evaluated. Default: true */
  readonly enabled?: boolean | undefined
  /** The outcome when the guardrail does not allow a reply. `block`: not even a draft is stored. Default: require_approval */
  readonly outcome?: "require_approval" | "block" | undefined
  /** Holds a reply that contains an amount of money */
  readonly kind: "no_prices"
}

/** The guardrails of the tenant */
export interface GuardrailSet {
  /** The tenant */
  readonly tenant_id: string
  /** The version of the configuration that contains the guardrails */
  readonly version: number
  /** The guardrails in the order of their evaluation */
  readonly guardrails: ReadonlyArray<Guardrail>
}

/** Changes of the list of guardrails */
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

/** The state of the server */
export interface Health {
  /** Always `ok`; a server that is not ready answers 503 */
  readonly status: "ok"
  /** The version of the server */
  readonly version: string
}

/** Old messages to import into the conversation of a lead */
export interface ImportEntries {
  /** 1 to 1,000 messages */
  readonly entries: ReadonlyArray<ImportedEntry>
}

/** One raw email to import */
export interface ImportMail {
  /** The caller's name for this email. The response uses it to name the result of this email */
  readonly name: string
  /** The complete email (RFC 5322), encoded in base64 */
  readonly raw: string
}

/** Emails to import */
export interface ImportRequest {
  /** true: the email is history. It is stored and threaded, but never answered. false: the email is handled like new email */
  readonly historical: boolean
  /** 1 to 100 emails */
  readonly mails: ReadonlyArray<ImportMail>
}

/** The result for one email */
export interface ImportResult {
  /** The caller's name for this email */
  readonly name: string
  /** message: stored as a message; duplicate_of: a copy of a stored message; auto: an automatic reply or list mail; bounce: a delivery failure; own: the tenant's own email; quarantined: kept apart, because it could not be assigned safely; failed: not stored */
  readonly outcome: "message" | "duplicate_of" | "auto" | "bounce" | "own" | "quarantined" | "failed"
  /** The stored message, or the message that this email is a copy of; null: no message */
  readonly message_id: string | null
  /** The contact of the message; null: none */
  readonly contact_id: string | null
  /** The lead of the message; null: none */
  readonly lead_id: string | null
  /** The email thread of the message; null: none */
  readonly thread_id: string | null
  /** The signal that the pipeline processes; null: the pipeline does not run */
  readonly signal_id: string | null
  /** Remarks on the email or the reason for a failure; null: none */
  readonly detail: string | null
}

/** The results of an import */
export interface ImportResults {
  /** One result per email, in the order of the request */
  readonly results: ReadonlyArray<ImportResult>
}

/** An old message from another system */
export interface ImportedEntry {
  readonly channel: Channel
  /** The text of the message, at most 100,000 characters */
  readonly body: string
  /** The author of the message */
  readonly actor: "contact" | "agent" | "assistant" | "system"
  /** The subject line, at most 998 characters; null: none */
  readonly subject?: string | null | undefined
  /** Free-form values of the sender, at most 32 levels deep. Rules can read them as `metadata.<key>` */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The id of the entry in its original system */
  readonly external_id?: string | undefined
  /** The time of the message (ISO 8601) */
  readonly timestamp: string
}

/** One enquiry of a contact, from `open` to `won` or `lost` */
export interface Lead {
  /** Lead id (`lead_…`). Ids sort by creation time */
  readonly id: string
  /** The tenant of the lead */
  readonly tenant_id: string
  /** The contact who made the enquiry */
  readonly contact_id: string
  /** The email thread of the lead. Null on other channels */
  readonly thread_id: string | null
  readonly channel: Channel
  /** The origin of the first message, for example `email`, a source id or the `source` of the request */
  readonly source: string
  /** The subject line or a short title; at most 998 characters; null: none */
  readonly subject: string | null
  /** The position in the sales process. Messages and rules move a lead from `open` towards `won` or `lost`; an archived lead needs no work */
  readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
  /** 0 to 100, from the latest scoring; null until the pipeline has scored the lead */
  readonly score: number | null
  /** The score compared with the tenant's thresholds: `hot` (default: from 70), `warm` (from 40) or `cold`; null without a score */
  readonly tier: "hot" | "warm" | "cold" | null
  /** The components of the score. Their points add up to the score; empty without a score */
  readonly factors: ReadonlyArray<{
    /** The cue in the message, for example `price_question`; `auto_mail` and `limit` are corrections */
    readonly name: string
    /** The points of this factor, a whole number, possibly negative */
    readonly points: number
  }>
  /** The latest classification of a message of the lead; null: no message was classified */
  readonly classification: Classification | null
  /** The person responsible for the lead, as a name or an address; null: nobody is assigned */
  readonly assignee: string | null
  /** The time at which the lead was opened (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the last change of the lead (ISO 8601 in UTC) */
  readonly updated_at: string
  /** The time of the newest message of the lead (ISO 8601 in UTC) */
  readonly last_message_at: string
  /** The lead into which this one was merged */
  readonly merged_into: string | null
}

/** The contact of the lead. A contact with the same email address or phone number is reused */
export interface LeadContact {
  /** The name of the person or business; at most 320 characters; null: unknown */
  readonly name?: string | null | undefined
  /** The address for messages, as first given; null: unknown */
  readonly email?: string | null | undefined
  /** In E.164 if the number is valid, otherwise as given; null: unknown */
  readonly phone?: string | null | undefined
  /** The employer or business of the contact; null: unknown */
  readonly company?: string | null | undefined
}

/** The event `lead.contact_replied` in the envelope of webhook deliveries */
export interface LeadContactRepliedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "lead.contact_replied"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** Lead id (`lead_…`) */
    readonly lead_id: string
    /** Contact id (`con_…`) */
    readonly contact_id: string
    /** The email thread of the lead; null: not an email lead */
    readonly thread_id: string | null
    readonly channel: Channel
    /** The origin of the lead, for example `email` or a source id */
    readonly source: string
    /** The subject of the lead; null: none */
    readonly subject: string | null
    /** The state of the lead after the event */
    readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
    /** The score of the lead, 0 to 100; null: not scored */
    readonly score: number | null
    /** The tier of the lead; null: not scored */
    readonly tier: "hot" | "warm" | "cold" | null
    /** The message that caused the event */
    readonly message_id: string
    /** The first characters of the message */
    readonly preview: string
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** A page of a lead's messages */
export interface LeadConversation {
  /** The id of the lead; for a merged lead, the id of its primary lead */
  readonly lead_id: string
  /** The messages of the lead, oldest first */
  readonly messages: ReadonlyArray<Message>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** A recent message from another system */
export interface LeadEntry {
  readonly channel: Channel
  /** The text of the message, at most 100,000 characters */
  readonly body: string
  /** The author of the message */
  readonly actor: "contact" | "agent" | "assistant" | "system"
  /** The subject line, at most 998 characters; null: none */
  readonly subject?: string | null | undefined
  /** Free-form values of the sender, at most 32 levels deep. Rules can read them as `metadata.<key>` */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  /** The id of the entry in its original system */
  readonly external_id?: string | undefined
  /** The time of the message (ISO 8601). Default: now */
  readonly timestamp?: string | undefined
}

/** A page of leads */
export interface LeadPage {
  /** The leads in the requested order */
  readonly leads: ReadonlyArray<Lead>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The event `lead.received` in the envelope of webhook deliveries */
export interface LeadReceivedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "lead.received"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** Lead id (`lead_…`) */
    readonly lead_id: string
    /** Contact id (`con_…`) */
    readonly contact_id: string
    /** The email thread of the lead; null: not an email lead */
    readonly thread_id: string | null
    readonly channel: Channel
    /** The origin of the lead, for example `email` or a source id */
    readonly source: string
    /** The subject of the lead; null: none */
    readonly subject: string | null
    /** The state of the lead after the event */
    readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
    /** The score of the lead, 0 to 100; null: not scored */
    readonly score: number | null
    /** The tier of the lead; null: not scored */
    readonly tier: "hot" | "warm" | "cold" | null
    /** The message that caused the event */
    readonly message_id?: string | undefined
    /** The first characters of the message */
    readonly preview?: string | undefined
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** One scoring of a lead. Later scores do not replace it */
export interface LeadScore {
  /** 0 to 100, the sum of the factors */
  readonly score: number
  /** The score compared with the tenant's thresholds */
  readonly tier: "hot" | "warm" | "cold"
  /** The components of the score. Their points add up to the score */
  readonly factors: ReadonlyArray<{
    /** The cue in the message, for example `price_question`; `auto_mail` and `limit` are corrections */
    readonly name: string
    /** The points of this factor, a whole number, possibly negative */
    readonly points: number
  }>
  /** Recommended next steps, most urgent first, for example `call_now` or `send_quote`. Nothing is executed */
  readonly recommended_actions: ReadonlyArray<string>
  /** Id of this scoring; earlier and later scores of the lead have their own ids */
  readonly id: string
  /** The scored lead */
  readonly lead_id: string
  /** The message that was scored */
  readonly message_id: string | null
  /** The pipeline run; null: the score was requested directly */
  readonly signal_id: string | null
  /** The classification that the score used; null: the tenant has no classifier */
  readonly classification: Classification | null
  /** The time of the scoring (ISO 8601 in UTC) */
  readonly created_at: string
}

/** A page of scores */
export interface LeadScorePage {
  /** The scores, newest first */
  readonly scores: ReadonlyArray<LeadScore>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The event `lead.scored` in the envelope of webhook deliveries */
export interface LeadScoredEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "lead.scored"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** Lead id (`lead_…`) */
    readonly lead_id: string
    /** Contact id (`con_…`) */
    readonly contact_id: string
    /** The email thread of the lead; null: not an email lead */
    readonly thread_id: string | null
    readonly channel: Channel
    /** The origin of the lead, for example `email` or a source id */
    readonly source: string
    /** The subject of the lead; null: none */
    readonly subject: string | null
    /** The state of the lead after the event */
    readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
    /** The score of the lead, 0 to 100; null: not scored */
    readonly score: number | null
    /** The tier of the lead; null: not scored */
    readonly tier: "hot" | "warm" | "cold" | null
    /** The components of the score */
    readonly factors: ReadonlyArray<{
      /** The cue in the message, for example `price_question` */
      readonly name: string
      /** The points of this factor, possibly negative */
      readonly points: number
    }>
    /** Recommended next steps, most urgent first */
    readonly recommended_actions: ReadonlyArray<string>
    /** The classification of the message; null: not classified */
    readonly classification: Classification | null
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** The event `lead.state_changed` in the envelope of webhook deliveries */
export interface LeadStateChangedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "lead.state_changed"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** Lead id (`lead_…`) */
    readonly lead_id: string
    /** Contact id (`con_…`) */
    readonly contact_id: string
    /** The email thread of the lead; null: not an email lead */
    readonly thread_id: string | null
    readonly channel: Channel
    /** The origin of the lead, for example `email` or a source id */
    readonly source: string
    /** The subject of the lead; null: none */
    readonly subject: string | null
    /** The state of the lead after the event */
    readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
    /** The score of the lead, 0 to 100; null: not scored */
    readonly score: number | null
    /** The tier of the lead; null: not scored */
    readonly tier: "hot" | "warm" | "cold" | null
    /** The state before the change */
    readonly previous_state?: "open" | "engaged" | "qualified" | "won" | "lost" | "archived" | undefined
    /** Why the state changed; null: not stated */
    readonly reason: string | null
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** The event `lead.tier_changed` in the envelope of webhook deliveries */
export interface LeadTierChangedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "lead.tier_changed"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** Lead id (`lead_…`) */
    readonly lead_id: string
    /** Contact id (`con_…`) */
    readonly contact_id: string
    /** The email thread of the lead; null: not an email lead */
    readonly thread_id: string | null
    readonly channel: Channel
    /** The origin of the lead, for example `email` or a source id */
    readonly source: string
    /** The subject of the lead; null: none */
    readonly subject: string | null
    /** The state of the lead after the event */
    readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
    /** The score of the lead, 0 to 100; null: not scored */
    readonly score: number | null
    /** The tier of the lead; null: not scored */
    readonly tier: "hot" | "warm" | "cold" | null
    /** The tier before the change */
    readonly previous_tier: "hot" | "warm" | "cold"
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** The change of a lead's state */
export interface LeadTransition {
  /** The new state */
  readonly state: "open" | "engaged" | "qualified" | "won" | "lost" | "archived"
  /** Why the state changes, at most 500 characters; null: no reason */
  readonly reason?: string | null | undefined
}

/** A key that the text contains */
export interface LeakedKey {
  /** The kind of the key: an API key of a tenant, or the key of an event source */
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

/** The keys that the text contains */
export interface LeakedKeyList {
  /** The found keys, each once; empty: the text contains none */
  readonly leaked_keys: ReadonlyArray<LeakedKey>
}

/** The assignment of a CRM location to a tenant */
export interface Location {
  /** The CRM's id of the location */
  readonly location_id: string
  /** The tenant to which the location belongs */
  readonly tenant_id: string
  /** The callers who receive a session for the location: every caller (open), callers with the CRM's encrypted proof (sso), or none (off) */
  readonly sessions: "open" | "sso" | "off"
  /** The time at which the location was assigned (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the last change (ISO 8601 in UTC) */
  readonly updated_at: string
}

/** All assigned locations */
export interface LocationList {
  /** The locations and their tenants */
  readonly locations: ReadonlyArray<Location>
}

/** The provider of an email account. `smtp`: the operator's own relay */
export type MailProvider = "smtp" | "google" | "microsoft"

/** Two contacts that are probably the same person. Nothing merges automatically */
export interface MergeSuggestion {
  /** The older contact, which would remain */
  readonly primary_contact_id: string
  /** The contact whose data would move */
  readonly duplicate_contact_id: string
  /** Why the two contacts are probably the same person */
  readonly reason: string
  /** ISO 8601 in UTC with milliseconds */
  readonly created_at: string
  readonly primary: Contact
  readonly duplicate: Contact
}

/** A page of suggestions */
export interface MergeSuggestionPage {
  /** The suggestions, newest first */
  readonly suggestions: ReadonlyArray<MergeSuggestion>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** A completed merge and both contacts */
export interface MergedContacts {
  /** Merge id, with which the merge can be undone */
  readonly merge_id: string
  /** The contact that remains */
  readonly primary_contact_id: string
  /** The contact whose data moved to the primary contact */
  readonly duplicate_contact_id: string
  /** The time of the merge (ISO 8601 in UTC) */
  readonly merged_at: string
  /** The time at which the merge was undone (ISO 8601 in UTC); null: it applies */
  readonly undone_at: string | null
  /** The current primary contact */
  readonly contact: Contact
  readonly duplicate: Contact
  /** The records that moved to the primary contact */
  readonly moved: MovedCounts
}

/** A message on any channel. Only emails and texts have the optional fields */
export interface Message {
  /** Message id (`msg_…`) */
  readonly id: string
  readonly channel: Channel
  /** The author's new text as plain text, without quoted history and signature */
  readonly body: string
  /** The author: the contact, a person of the tenant (`agent`), the pipeline (`assistant`) or the server (`system`) */
  readonly actor: "contact" | "agent" | "assistant" | "system"
  /** The time of writing if known, never in the future (ISO 8601 in UTC) */
  readonly timestamp: string
  /** The contact that the message concerns, as labelled by a person */
  readonly subject_contact_id: string | null
  /** null: a person wrote the message */
  readonly auto: "auto_reply" | "bounce" | "list" | "own" | null
  /** The sanitised HTML body; null: the email has none */
  readonly html_body?: string | null | undefined
  /** The quoted history and the signature that were removed from `body`; null: nothing was removed */
  readonly quoted_text?: string | null | undefined
  /** The subject line; null: none */
  readonly subject?: string | null | undefined
  /** The email thread of the message; null: not part of a thread */
  readonly thread_id?: string | null | undefined
  /** The RFC 5322 Message-ID without angle brackets, or an id derived from the content */
  readonly internet_message_id?: string | null | undefined
  /** The tenant's address that received the email; null: not known */
  readonly received_alias?: string | null | undefined
  /** The sender's address or phone number; null: not known */
  readonly from?: string | null | undefined
  /** The addresses or phone numbers of the recipients */
  readonly to?: ReadonlyArray<string> | undefined
  /** The addresses in Cc */
  readonly cc?: ReadonlyArray<string> | undefined
  /** The Reply-To addresses of the message. Empty: replies are sent to the sender */
  readonly reply_to?: ReadonlyArray<string> | undefined
  /** The delivery state of an outbound message; null for an inbound one */
  readonly delivery?: "queued" | "sent" | "delivered" | "failed" | "bounced" | "unknown" | null | undefined
  /** Warnings for readers, for example `sender_unverified` (a new sender in the thread), `reused_message_id` or `subject_changed` */
  readonly flags?: ReadonlyArray<string> | undefined
  /** Can be used as reply_to_message_id */
  readonly message_id?: string | undefined
  /** Present on an outbound message that a person sent despite reasons against sending it */
  readonly receipt?: SendReceipt | undefined
  /** The content was not parsed. The body is a placeholder, and the stored source can be parsed again */
  readonly unparsed?: true | undefined
  /** Why the content was not parsed: it exceeded the time or memory limit, or the parser failed */
  readonly unparsed_reason?: "deadline" | "memory" | "failed" | undefined
  /** The files attached to the email */
  readonly attachments?: ReadonlyArray<Attachment> | undefined
}

/** The messages of a contact with its pending draft */
export interface MessagePage {
  /** The messages, oldest first */
  readonly messages: ReadonlyArray<Message>
  /** The cursor of older messages; null: there are none */
  readonly next_cursor: string | null
  /** The reply that waits for approval; null: there is none */
  readonly pending_draft: PendingDraft | null
}

/** The stored message. Its `delivery` in the conversation shows the result */
export interface MessageSent {
  /** Message id (`msg_…`) */
  readonly message_id: string
  readonly receipt?: SendReceipt | undefined
}

/** The message to send */
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

/** Either a tenant (with a credential) or a CRM location (without one) */
export type MintSession = {
  /** The tenant of the session. Requires a credential for this tenant */
  readonly tenant_id: string
} | {
  /** A CRM location assigned to the tenant */
  readonly location_id: string
  /** The encrypted user data that the CRM passes to its embedded page; required in session mode sso */
  readonly proof?: string | undefined
}

/** The records that moved to the primary contact */
export interface MovedCounts {
  /** The number of addresses, phone numbers and external ids */
  readonly identities: number
  /** The number of messages */
  readonly messages: number
  /** The number of leads */
  readonly leads: number
  /** The number of tasks */
  readonly tasks: number
  /** The number of drafts */
  readonly drafts: number
}

/** An event with its position in the feed */
export interface NumberedEvent {
  /** The number of the event within its tenant, without gaps */
  readonly sequence: number
  readonly event: EventEnvelope
}

/** A plan that costs money */
export type PaidPlan = "starter" | "growth" | "scale"

/** A generated reply that waits for approval */
export interface PendingDraft {
  /** Draft id (`draft_…`) */
  readonly draft_id: string
  readonly channel: Channel
  /** The text of the reply, as the pipeline wrote it */
  readonly text: string
  /** The newest message of the conversation when the draft was written */
  readonly head_message_id: string
  /** The message that the draft answers */
  readonly reply_to_message_id: string
  /** The time at which the draft was written (ISO 8601 in UTC) */
  readonly created_at: string
  /** SHA-256 of the UTF-8 text, in hexadecimal */
  readonly content_hash: string
  /** The addresses that will receive the email; empty for other channels */
  readonly to: ReadonlyArray<string>
  /** The subject line of the reply; null on other channels than email */
  readonly subject: string | null
}

/** A phone number */
export interface PhoneBody {
  /** A phone number with its country code, or a national number of the tenant's country */
  readonly phone: string
}

/** A number of the provider's account and its tenant */
export interface PhoneNumber {
  /** E.164 */
  readonly phone: string
  /** The tenant that uses the number */
  readonly tenant_id: string
  /** Whether messages are sent from this number when no other setting selects a number */
  readonly default: boolean
  /** The time at which the number was assigned (ISO 8601 in UTC) */
  readonly created_at: string
}

/** A page of the assigned phone numbers */
export interface PhoneNumberList {
  /** The numbers of all tenants */
  readonly phone_numbers: ReadonlyArray<PhoneNumber>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** A message for the pipeline. Additional fields are ignored */
export interface PipelineRequest {
  /** The text of the message; not empty */
  readonly message: string
  /** The sender; null: unknown */
  readonly contact?: {
    /** The full name; null: unknown */
    readonly name?: string | null | undefined
    /** The first name, used without `name`; null: unknown */
    readonly first_name?: string | null | undefined
    /** The last name, used without `name`; null: unknown */
    readonly last_name?: string | null | undefined
    /** The email address; null: unknown */
    readonly email?: string | null | undefined
    /** The phone number with its country code, or a national number of the tenant's country; null: unknown */
    readonly phone?: string | null | undefined
    readonly [key: string]: unknown
  } | null | undefined
  readonly channel?: Channel | undefined
  /** A label of the sending application. Default: `automation` */
  readonly source?: string | undefined
  /** Free-form values, at most 32 levels deep. Rules can read them as `metadata.<key>` */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
  readonly [key: string]: unknown
}

/** The result of a run */
export interface PipelineResult {
  /** Signal id (`sig_…`): one inbound message on its way through the pipeline */
  readonly signal_id: string
  /** The classification; null: the step was skipped or failed */
  readonly classification: Classification | null
  /** The score; null: the step was skipped */
  readonly score: Score | null
  /** The number of matched rules */
  readonly matched_rules: number
  /** The types of the completed actions. The run lists failed actions with their reasons */
  readonly actions_triggered: ReadonlyArray<string>
  /** The generated reply; null: skipped or suppressed. It does not prove delivery */
  readonly reply: Reply | null
}

/** A stored run of the pipeline with the outcome and reason of every step */
export interface PipelineRun {
  /** Run id (`run_…`) */
  readonly run_id: string
  /** The signal of the message; each message has one run */
  readonly signal_id: string
  /** The message that the run processed */
  readonly message_id: string
  /** The contact who sent the message */
  readonly contact_id: string
  /** The lead of the message; null: none */
  readonly lead_id: string | null
  /** The version of the tenant's configuration that the run used */
  readonly config_version: number
  /** The time of the run (ISO 8601 in UTC) */
  readonly created_at: string
  /** The classification of the message; null: the step was skipped or failed */
  readonly classification: Classification | null
  /** The score of the message; null: the step was skipped */
  readonly score: Score | null
  /** The matched rules in the order of evaluation */
  readonly matched_rules: ReadonlyArray<{
    /** The id of the rule in the tenant's configuration */
    readonly rule_id: string
    /** The name of the rule when the run decided */
    readonly name: string
  }>
  /** The actions of the matched rules and their results */
  readonly actions: ReadonlyArray<{
    /** The type of the action, for example `tag` or `create_task` */
    readonly type: string
    /** The rule that requested the action */
    readonly rule_id: string
    /** `skipped`: the action was not carried out */
    readonly outcome: "done" | "skipped"
    /** The effect of the action, or the reason why it was skipped */
    readonly reason: string
  }>
  /** The reply that was written, even if it was held back; null: none was written */
  readonly written: WrittenReply | null
  /** The reply that was accepted for sending or approval; null: none */
  readonly reply: Reply | null
  /** The steps in the order of the run */
  readonly steps: ReadonlyArray<{
    /** The step of the run */
    readonly step: "classify" | "score" | "route" | "reply" | "guard" | "act"
    /** `skipped`: the step did not apply; `suppressed`: a rule or guardrail prevented it; `failed`: it could not be completed */
    readonly outcome: "done" | "skipped" | "suppressed" | "failed"
    /** Why the step ended so */
    readonly reason: string
  }>
  /** The requests to the language model */
  readonly model: RunModel
}

/** A pipeline run with all its inputs */
export interface PipelineRunDetail {
  /** Run id (`run_…`) */
  readonly run_id: string
  /** The signal of the message; each message has one run */
  readonly signal_id: string
  /** The message that the run processed */
  readonly message_id: string
  /** The contact who sent the message */
  readonly contact_id: string
  /** The lead of the message; null: none */
  readonly lead_id: string | null
  /** The version of the tenant's configuration that the run used */
  readonly config_version: number
  /** The time of the run (ISO 8601 in UTC) */
  readonly created_at: string
  /** The classification of the message; null: the step was skipped or failed */
  readonly classification: Classification | null
  /** The score of the message; null: the step was skipped */
  readonly score: Score | null
  /** The matched rules in the order of evaluation */
  readonly matched_rules: ReadonlyArray<{
    /** The id of the rule in the tenant's configuration */
    readonly rule_id: string
    /** The name of the rule when the run decided */
    readonly name: string
  }>
  /** The actions of the matched rules and their results */
  readonly actions: ReadonlyArray<{
    /** The type of the action, for example `tag` or `create_task` */
    readonly type: string
    /** The rule that requested the action */
    readonly rule_id: string
    /** `skipped`: the action was not carried out */
    readonly outcome: "done" | "skipped"
    /** The effect of the action, or the reason why it was skipped */
    readonly reason: string
  }>
  /** The reply that was written, even if it was held back; null: none was written */
  readonly written: WrittenReply | null
  /** The reply that was accepted for sending or approval; null: none */
  readonly reply: Reply | null
  /** The steps in the order of the run */
  readonly steps: ReadonlyArray<{
    /** The step of the run */
    readonly step: "classify" | "score" | "route" | "reply" | "guard" | "act"
    /** `skipped`: the step did not apply; `suppressed`: a rule or guardrail prevented it; `failed`: it could not be completed */
    readonly outcome: "done" | "skipped" | "suppressed" | "failed"
    /** Why the step ended so */
    readonly reason: string
  }>
  /** The requests to the language model */
  readonly model: RunModel
  /** The processed message; null: it was erased or not stored */
  readonly message: RunMessage | null
  /** null: the run was made before inputs were stored */
  readonly inputs: RunInputs | null
  /** The facts that the rules compared, by name; null: the run was made before inputs were stored */
  readonly facts: Readonly<Record<string, unknown>> | null
  /** Every rule of the configuration at the time of the run, in the order of evaluation */
  readonly rules: ReadonlyArray<RuleStory> | null
}

/** A page of runs */
export interface PipelineRunPage {
  /** The runs, newest message first */
  readonly runs: ReadonlyArray<PipelineRun>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The call to place */
export interface PlaceCall {
  /** The contact to call. Exactly one of contact_id and phone is required */
  readonly contact_id?: string | undefined
  /** Instead of contact_id: the phone number of the contact. A missing contact is created */
  readonly phone?: string | undefined
  /** The agent's phone, which rings first. Default: voice.forward_to of the configuration */
  readonly agent_phone?: string | undefined
  /** Default: voice.record of the configuration */
  readonly record?: boolean | undefined
}

/** A plan. It determines the monthly limits and the available operations */
export type Plan = "trial" | "starter" | "growth" | "scale"

/** A configuration for one industry, to start from */
export interface Preset {
  /** The name for `preset` in requests */
  readonly name: string
  /** The industry, for people */
  readonly title: string
  /** The situations for which the preset is made */
  readonly description: string
  /** The steps that the tenant must take, and the facts that the tenant must add to the configuration, because no preset can contain them */
  readonly notes: ReadonlyArray<string>
  /** The complete configuration */
  readonly config: TenantConfig
}

/** The presets of this server */
export interface PresetList {
  /** The presets, one per industry */
  readonly presets: ReadonlyArray<Preset>
}

/** The settings of the form on the tenant's website */
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
  /** The full name */
  readonly name?: string | number | null | undefined
  /** The first name, used without `name` */
  readonly first_name?: string | number | null | undefined
  /** The last name, used without `name` */
  readonly last_name?: string | number | null | undefined
  /** An email address. At least one of email, phone and contact must contain an email address or a phone number */
  readonly email?: string | number | null | undefined
  /** A phone number with a country code, or a number without one in the tenant's country */
  readonly phone?: string | number | null | undefined
  /** An email address or a phone number */
  readonly contact?: string | number | null | undefined
  /** The business of the visitor */
  readonly company?: string | number | null | undefined
  /** The subject of the enquiry */
  readonly subject?: string | number | null | undefined
  /** The text of the enquiry */
  readonly message?: string | number | null | undefined
  /** Whether the visitor ticked the consent box */
  readonly consent?: boolean | string | null | undefined
  /** The text next to the consent box. It is stored with the time and a hash of the network address */
  readonly consent_text?: string | number | null | undefined
  /** The id of the submission; a repetition with the same content has no further effect */
  readonly submission_id?: string | number | null | undefined
  /** The challenge, a full stop and its solution; or the Turnstile token */
  readonly proof?: string | number | null | undefined
  readonly [key: string]: unknown
}

/** The confirmation of a submission */
export interface PublicLeadAccepted {
  /** Always `accepted`, also for a submission that the honeypot discards */
  readonly status: "accepted"
  /** The page to show next; null: the tenant has set none */
  readonly thank_you_url: string | null
}

/** The assignment of a CRM location to a tenant */
export interface PutLocation {
  /** The CRM's id of the location; up to 128 letters, digits, dots, colons, dashes and underscores */
  readonly location_id: string
  /** The tenant that receives the location's actions and sessions */
  readonly tenant_id: string
  /** The callers who receive a session for the location: every caller (open), callers with the CRM's encrypted proof (sso), or none (off) */
  readonly sessions: "open" | "sso" | "off"
}

/** The messages to mark as read */
export interface ReadMark {
  /** The newest message that the person saw; later messages stay unread. Default: all messages become read */
  readonly message_id?: string | undefined
}

/** An email address with an optional display name */
export interface Recipient {
  /** An email address, at most 320 characters */
  readonly email: string
  /** The display name, at most 200 characters. Default: none */
  readonly name?: string | undefined
}

/** The period of the failed deliveries to retry */
export interface RecoverWebhook {
  /** The time of the oldest event to deliver; at most 14 days ago */
  readonly since: string
}

/** The confirmation of a removal */
export interface Removed {
  /** Always `removed` */
  readonly status: "removed"
}

/** The reply of a run. It may wait for approval */
export interface Reply {
  /** The text of the reply */
  readonly text: string
  /** The channel on which the reply is sent */
  readonly channel: string
  /** true: the reply waits as a draft until a person approves it. A generated reply does not prove delivery */
  readonly requires_approval: boolean
}

/** A generated reply, which is not sent */
export interface ReplyGenerated {
  /** Always true */
  readonly success: true
  readonly data: Reply
}

/** At least one identity to look for: email, phone, or external_id with source */
export interface ResolveContact {
  /** An email address; upper and lower case are equal */
  readonly email?: string | undefined
  /** In any notation. A number without a country code is read as a number of the tenant's country */
  readonly phone?: string | undefined
  /** The id of the contact in the system that `source` names */
  readonly external_id?: string | undefined
  /** The system that assigned the external_id; required with external_id */
  readonly source?: string | undefined
  /** The name of a newly created contact */
  readonly name?: string | undefined
  /** Create a contact if none is found */
  readonly create?: boolean | undefined
}

/** The contact with the given identity */
export interface ResolvedContact {
  readonly contact: Contact
  /** Whether the request created the contact */
  readonly created: boolean
  /** Other contacts that have one of the given identities. `contact` is the oldest of all matches */
  readonly other_contact_ids: ReadonlyArray<string>
}

/** The key to replace */
export interface RotateApiKey {
  /** The id of the active key that a new key replaces */
  readonly key_id: string
}

/** A condition on messages and the actions for those that meet it */
export interface Rule {
  /** A name that is unique within the tenant; at most 64 characters */
  readonly id: string
  /** A name for people, shown in runs and reports */
  readonly name: string
  /** Lower numbers run first. Rules with equal priority run in the order of the list */
  readonly priority: number
  /** Whether the rule is evaluated. Default: true */
  readonly enabled?: boolean | undefined
  /** The condition that a message must meet */
  readonly when: Condition
  /** 1 to 20 actions, carried out in this order */
  readonly actions: readonly [Action, ...ReadonlyArray<Action>]
}

/** The event `rule.notified` in the envelope of webhook deliveries */
export interface RuleNotifiedEvent {
  /** The same on every attempt, so that receivers can recognise duplicates */
  readonly event_id: string
  /** The type of the event; it determines `data` */
  readonly event_type: "rule.notified"
  /** The tenant */
  readonly tenant_id: string
  /** The time of the event, in Unix epoch milliseconds */
  readonly timestamp: number
  /** The content of the event; `redacted` after the erasure of its contact */
  readonly data: {
    /** The rule that requested the notification */
    readonly rule_id: string
    /** The recipient as written in the rule */
    readonly to: string | null
    /** The text that the template of the rule produced */
    readonly text: string
    /** Contact id (`con_…`) */
    readonly contact_id: string
    /** The lead of the message; null: none */
    readonly lead_id: string | null
    /** Signal id (`sig_…`): one inbound message on its way through the pipeline */
    readonly signal_id: string
    /** The message that caused the event */
    readonly message_id: string
    /** The first characters of the message */
    readonly preview: string
  } | {
    /** Always true */
    readonly redacted: true
  }
}

/** The result of one rule and its reason */
export interface RuleStory {
  /** The id of the rule */
  readonly rule_id: string
  /** The name of the rule */
  readonly name: string
  /** `not_asked`: an earlier rule stopped the others, or the budget for explanations is spent */
  readonly outcome: "matched" | "not_matched" | "disabled" | "not_asked"
  /** Why the rule matched or did not match */
  readonly reason: string
}

/** The decisions of a run, without their effects */
export interface RunDecided {
  /** The classification of the message; null: the step was skipped or failed */
  readonly classification: Classification | null
  /** The score of the message; null: the step was skipped */
  readonly score: Score | null
  /** The matched rules in the order of evaluation */
  readonly matched_rules: ReadonlyArray<{
    /** The id of the rule in the tenant's configuration */
    readonly rule_id: string
    /** The name of the rule when the run decided */
    readonly name: string
  }>
  /** The actions that the rules requested */
  readonly actions: ReadonlyArray<{
    /** The type of the action, for example `tag` or `create_task` */
    readonly type: string
    /** The rule that requested the action */
    readonly rule_id: string
  }>
  /** The reply that was written; null: none */
  readonly written: WrittenReply | null
  /** The steps in the order of the run */
  readonly steps: ReadonlyArray<{
    /** The step of the run */
    readonly step: "classify" | "score" | "route" | "reply" | "guard" | "act"
    /** `skipped`: the step did not apply; `suppressed`: a rule or guardrail prevented it; `failed`: it could not be completed */
    readonly outcome: "done" | "skipped" | "suppressed" | "failed"
    /** Why the step ended so */
    readonly reason: string
  }>
}

/** The state that the run decided on */
export interface RunInputs {
  /** The display name of the tenant */
  readonly tenant_name: string
  /** The sender at the time of the run */
  readonly contact: {
    /** The name of the person or business; at most 320 characters; null: unknown */
    readonly name: string | null
    /** The address for messages, as first given; null: unknown */
    readonly email: string | null
    /** In E.164 if the number is valid, otherwise as given; null: unknown */
    readonly phone: string | null
    /** The employer or business of the contact; null: unknown */
    readonly company: string | null
    /** Labels set by people and by rules; at most 50 */
    readonly tags: ReadonlyArray<string>
  }
  /** Whether the message was the contact's first one */
  readonly contact_is_new: boolean
  /** Whether the message opened the lead */
  readonly lead_is_new: boolean
  /** Whether the contact had sent a newer message */
  readonly overtaken: boolean
  /** The assistant's messages in the preceding 24 hours */
  readonly replies_today: number
  /** The time of the last message from a person of the tenant (ISO 8601 in UTC); null: there is none */
  readonly last_by_person_at: string | null
  /** Whether the server had a language model at that time */
  readonly model_configured: boolean
  /** The time at which the run decided (ISO 8601 in UTC) */
  readonly now: string
  /** The lead at the time of the run; null: none */
  readonly lead: {
    /** The position in the sales process. Messages and rules move a lead from `open` towards `won` or `lost`; an archived lead needs no work */
    readonly state: string
    /** The origin of the first message, for example `email`, a source id or the `source` of the request */
    readonly source: string
    /** The person responsible for the lead, as a name or an address; null: nobody is assigned */
    readonly assignee: string | null
    /** The time at which the lead was opened (ISO 8601 in UTC) */
    readonly created_at: string
  } | null
}

/** The message that the run processed */
export interface RunMessage {
  /** The subject line; null: none */
  readonly subject: string | null
  /** The author's new text as plain text, without quoted history and signature */
  readonly body: string
  /** The channel of the message */
  readonly channel: string
  /** The integration or event source of the message, for example `email` or a source id */
  readonly source: string
  /** The sender's address or phone number; null: not known */
  readonly from: string | null
  /** The time of writing if known, never in the future (ISO 8601 in UTC) */
  readonly timestamp: string
}

/** The requests to the language model and its responses; null: no request was sent */
export interface RunModel {
  /** The request for a classification; null: none was sent */
  readonly classification: {
    /** `answered`: the model responded; `skipped`: it was not asked */
    readonly outcome: "answered" | "failed" | "skipped"
    /** Why the model was not asked or failed; null: it answered */
    readonly reason: string | null
    /** The name of the model; null: not reported */
    readonly model: string | null
    /** The number of requests to the model */
    readonly calls: number
    /** Tokens that the model received */
    readonly input_tokens: number
    /** Tokens that the model generated */
    readonly output_tokens: number
    /** The classification; null: no usable response */
    readonly output: Classification | null
  } | null
  /** The request for a reply; null: none was sent */
  readonly reply: {
    /** `answered`: the model responded; `skipped`: it was not asked */
    readonly outcome: "answered" | "failed" | "skipped"
    /** Why the model was not asked or failed; null: it answered */
    readonly reason: string | null
    /** The name of the model; null: not reported */
    readonly model: string | null
    /** The number of requests to the model */
    readonly calls: number
    /** Tokens that the model received */
    readonly input_tokens: number
    /** Tokens that the model generated */
    readonly output_tokens: number
    /** The generated text; null: no usable response */
    readonly output: {
      /** The text of the reply */
      readonly text: string
      /** Doubts about the reply that the model stated */
      readonly concerns: ReadonlyArray<string>
    } | null
  } | null
}

/** The result of repeating a run from its stored inputs */
export interface RunReplay {
  /** Run id (`run_…`) */
  readonly run_id: string
  /** The signal of the message; each message has one run */
  readonly signal_id: string
  /** The version of the tenant's configuration that the run used */
  readonly config_version: number
  /** Whether both results are byte-identical as canonical JSON. Reasons are compared by code and parameters. A reason that an older release stored only as text is not compared */
  readonly identical: boolean
  /** The parts that differ; empty: the replay is identical */
  readonly differences: ReadonlyArray<{
    /** The part of the result */
    readonly part: "classification" | "score" | "matched_rules" | "actions" | "written" | "steps"
    /** Canonical JSON */
    readonly stored: string
    /** Canonical JSON of the repeated decision */
    readonly replayed: string
  }>
  /** The result of the repetition */
  readonly result: RunDecided
}

/** The preset to apply */
export interface ScaffoldConfig {
  /** A name from GET /api/v1/config/presets */
  readonly preset: string
  /** Replace the configuration even if a person has changed it; the replaced version stays in the history. Default: false */
  readonly overwrite?: boolean | undefined
}

/** A group of operations that an API key with scopes may use: `read` (reading data), `messages` (sending messages, and writing messages, contacts, leads and tasks), `pipeline` (running the pipeline and its actions) */
export type Scope = "read" | "messages" | "pipeline"

/** The score of a message with its reasons */
export interface Score {
  /** 0 to 100, the sum of the factors */
  readonly score: number
  /** The score compared with the tenant's thresholds */
  readonly tier: string
  /** The components of the score. Their points add up to the score */
  readonly factors: ReadonlyArray<{
    /** The cue in the message, for example `price_question`; `auto_mail` and `limit` are corrections */
    readonly name: string
    /** The points of this factor, a whole number, possibly negative */
    readonly points: number
  }>
  /** Recommended next steps, most urgent first, for example `call_now` or `send_quote`. Nothing is executed */
  readonly recommended_actions: ReadonlyArray<string>
}

/** An excerpt with the positions of the matches */
export interface SearchHighlight {
  /** The field with the match */
  readonly field: "name" | "email" | "phone" | "company" | "notes" | "tags" | "subject" | "body" | "from" | "to"
  /** Plain text without markup; escape it before showing it as HTML */
  readonly text: string
  /** The matches in text, from start (inclusive) to end (exclusive), in UTF-16 code units */
  readonly ranges: ReadonlyArray<{
    /** The first character of the match */
    readonly start: number
    /** The character after the match */
    readonly end: number
  }>
}

/** A page of hits */
export interface SearchPage {
  /** Matching contacts, best match first */
  readonly contacts: ReadonlyArray<ContactHit>
  /** Matching messages, best match first */
  readonly conversations: ReadonlyArray<ConversationHit>
  /** The time of the oldest message that was searched; null: all messages were searched */
  readonly since: string | null
  /** false: some older messages are not indexed yet, for example after an import */
  readonly complete: boolean
  /** The cursor of the next page. A page may have few or no results although more pages follow */
  readonly next_cursor: string | null
}

/** The query and its limits */
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

/** The record of a message that a person sent despite reasons against it */
export interface SendReceipt {
  /** Always `allow` */
  readonly verdict: "allow"
  /** The reasons against sending that were overridden */
  readonly overridden: ReadonlyArray<"undeliverable">
  /** The caller who overrode the reasons, for example user:<subject> */
  readonly by: string
}

/** A session with the rights of an agent of one tenant */
export interface Session {
  /** The session token: two base64url segments with a dot. It is opaque, is not a JWT, and cannot be revoked */
  readonly token: string
  /** The tenant */
  readonly tenant_id: string
  /** In Unix epoch milliseconds; one hour after the session starts */
  readonly expires_at: number
}

/** A usage or a limit to set */
export interface SetCappedUsage {
  /** The uses in the month */
  readonly used?: number | undefined
  /** null removes the override, so that the limit of the plan applies again */
  readonly cap?: number | null | undefined
}

/** The key with which Retell signs its requests */
export interface SetRetellKey {
  /** The Retell API key that is marked with the webhook badge in Retell's dashboard; stored encrypted */
  readonly api_key: string
}

/** The values to set; at least one. Absent values stay */
export interface SetUsage {
  /** Standalone and workflow actions */
  readonly actions?: SetCappedUsage | undefined
  /** Calls of the language model */
  readonly ai_calls?: SetCappedUsage | undefined
  /** The tokens of model calls */
  readonly ai_tokens?: {
    /** Tokens that the model received */
    readonly input?: number | undefined
    /** Tokens that the model generated */
    readonly output?: number | undefined
  } | undefined
}

/** The confirmation of a change */
export interface SignatureSet {
  /** Always true */
  readonly success: true
}

/** The signature to set */
export interface SignatureToSet {
  /** Plain text or HTML, at most 4,096 characters; empty: no signature */
  readonly signature: string
}

/** An event source, without its key */
export interface Source {
  /** The id of the source, part of the URL of its events */
  readonly source_id: string
  /** null: the key is valid for every tenant */
  readonly tenant_id: string | null
  /** The first characters of the key, by which people recognise it */
  readonly prefix: string
  /** The time at which the source was created (ISO 8601 in UTC) */
  readonly created_at: string
}

/** Event sources */
export interface SourceList {
  /** The sources and the first characters of their keys */
  readonly sources: ReadonlyArray<Source>
}

/** The object of the payment: either `plan` or `credits` */
export interface StartCheckout {
  readonly plan?: PaidPlan | undefined
  /** The number of credits to buy, 1 to 100,000 */
  readonly credits?: number | undefined
}

/** A saved version of the configuration */
export interface StoredConfig {
  /** The tenant */
  readonly tenant_id: string
  /** The number of the version; it increases by 1 with each saved change */
  readonly version: number
  /** The complete configuration */
  readonly config: TenantConfig
}

/** The contact that a message concerns, if it is not its sender */
export interface SubjectLabel {
  /** Message id (`msg_…`) */
  readonly message_id: string
  /** null: removes the label */
  readonly subject_contact_id: string | null
}

/** The confirmation of a change */
export interface Success {
  /** Always true */
  readonly success: true
}

/** A submitted batch */
export interface TakenBatch {
  /** Batch id (`bat_…`) */
  readonly batch_id: string
  /** The time at which the server received the batch (ISO 8601 in UTC) */
  readonly created_at: string
  /** The number of requests in the batch */
  readonly total: number
  /** accepting: the server has not examined all requests yet; done: processing has finished */
  readonly status: "accepting" | "running" | "done"
  /** Requests that the server accepted */
  readonly accepted: number
  /** Requests that were accepted before under the same idempotency key */
  readonly duplicates: number
  /** Requests that were not accepted */
  readonly failed: number
  /** The number of requests in each state */
  readonly progress: {
    /** Requests that wait for a worker */
    readonly queued: number
    /** Requests in progress */
    readonly running: number
    /** Finished requests */
    readonly done: number
    /** Requests whose processing failed */
    readonly failed: number
  }
  /** The results of accepting the requests, in the order of the batch */
  readonly items: ReadonlyArray<BatchItem>
}

/** Work for a person, created by a rule, by the pipeline or by the server */
export interface Task {
  /** Task id (`task_…`) */
  readonly id: string
  /** The kind of work: approve a reply, call back, follow up, or review something that the server could not decide */
  readonly type: "reply_approval" | "callback" | "follow_up" | "review"
  /** `snoozed` tasks open again at `snooze_until`; `done` tasks are finished */
  readonly status: "open" | "snoozed" | "done"
  /** The urgency; default: normal */
  readonly priority: "low" | "normal" | "high" | "urgent"
  /** A short instruction for the person */
  readonly title: string
  /** The contact that the task concerns */
  readonly contact_id: string
  /** The lead that the task concerns; null: none */
  readonly lead_id: string | null
  /** The message whose pipeline run created the task; null: another cause */
  readonly signal_id: string | null
  /** The time by which the task should be done (ISO 8601 in UTC); null: no due date */
  readonly due_at: string | null
  /** The outcome of the task */
  readonly disposition: string | null
  /** The time at which a snoozed task opens again automatically */
  readonly snooze_until: string | null
  /** The time at which the task was created (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the last change (ISO 8601 in UTC) */
  readonly updated_at: string
}

/** A page of tasks */
export interface TaskPage {
  /** The tasks in the requested order */
  readonly tasks: ReadonlyArray<Task>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** A tenant: one business with its own data, configuration and credentials */
export interface Tenant {
  /** The id of the tenant, chosen by the operator */
  readonly tenant_id: string
  /** The display name of the business; templates can use it as `tenant.name` */
  readonly name: string
  /** The tenant's own mail domain in lower case; null: none */
  readonly domain: string | null
  /** true: every email endpoint answers 403 `HIPAA_RESTRICTED` for this tenant */
  readonly hipaa: boolean
  readonly plan: Plan
  /** The time at which the tenant was created (ISO 8601 in UTC) */
  readonly created_at: string
}

/** The settings for the handling of a tenant's messages */
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
  /** The limits on generated replies, in the order of their evaluation; at most 100 */
  readonly guardrails?: ReadonlyArray<Guardrail> | undefined
  /** The minimum scores of the upper tiers */
  readonly tiers: {
    /** The lowest score of the tier `hot`; 0 to 100 */
    readonly hot: number
    /** The lowest score of the tier `warm`; 0 to 100. Lower scores are `cold` */
    readonly warm: number
  }
  /** Multipliers of the points of score factors, by name of the factor; default: 1 */
  readonly score_weights: Readonly<Record<string, number>>
  /** The rules of the tenant; at most 200. They run by priority, then in this order */
  readonly rules: ReadonlyArray<Rule>
}

/** All tenants of the deployment */
export interface TenantList {
  /** The tenants that are not archived */
  readonly tenants: ReadonlyArray<Tenant>
}

/** The event to send */
export interface TestWebhook {
  /** An event type; the test event has example data. Default: the first type of the subscription, or `contact.created` */
  readonly event_type?: string | undefined
}

/** A message, a task or another event of a contact */
export interface TimelineEntry {
  /** The id of the message, the task or the event */
  readonly id: string
  /** The kind of the entry; it determines whether `message`, `task` or `data` is present */
  readonly type: "message" | "task" | "lead_scored" | "lead_state_changed" | "notes_changed" | "contact_archived" | "contact_restored" | "contact_merged" | "contact_unmerged" | "opted_out" | "opted_in"
  /** The time of the entry (ISO 8601 in UTC) */
  readonly at: string
  /** Who caused the entry */
  readonly actor: "contact" | "agent" | "assistant" | "system"
  /** The lead of the entry; null: none */
  readonly lead_id: string | null
  readonly message?: Message | undefined
  readonly task?: ContactTask | undefined
  /** The details of an entry other than a message or task */
  readonly data?: Readonly<Record<string, unknown>> | undefined
}

/** A page of a contact's timeline */
export interface TimelinePage {
  /** The entries, newest first */
  readonly entries: ReadonlyArray<TimelineEntry>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The person who takes over the call */
export interface TransferCall {
  /** The phone number of the person who takes over; with its country code, or a national number of the tenant's country */
  readonly to: string
}

/** The fields to change. Absent fields stay; null removes a value */
export interface UpdateContact {
  /** The name of the person or business; at most 320 characters; null: unknown */
  readonly name?: string | null | undefined
  /** The address for messages, as first given; null: unknown */
  readonly email?: string | null | undefined
  /** In E.164 if the number is valid, otherwise as given; null: unknown */
  readonly phone?: string | null | undefined
  /** The employer or business of the contact; null: unknown */
  readonly company?: string | null | undefined
  /** Free text for agents; at most 20,000 characters. The contact never sees it; null: none */
  readonly notes?: string | null | undefined
  /** Replaces all tags */
  readonly tags?: ReadonlyArray<string> | undefined
  /** Replaces all attributes */
  readonly attributes?: Attributes | undefined
}

/** The fields to change. Absent fields stay; null removes a value */
export interface UpdateLead {
  /** The subject line or a short title; at most 998 characters; null: none */
  readonly subject?: string | null | undefined
  /** The person responsible for the lead, as a name or an address; null: nobody is assigned */
  readonly assignee?: string | null | undefined
}

/** The fields to change. Absent fields stay; null removes a value */
export interface UpdateTask {
  /** `snoozed` tasks open again at `snooze_until`; `done` tasks are finished */
  readonly status?: "open" | "snoozed" | "done" | undefined
  /** The urgency; default: normal */
  readonly priority?: "low" | "normal" | "high" | "urgent" | undefined
  /** The lead that the task concerns; null: none */
  readonly lead_id?: string | null | undefined
  /** The outcome of the task */
  readonly disposition?: string | null | undefined
  /** A future time: the task is snoozed until this time; null: the task opens immediately */
  readonly snooze_until?: string | null | undefined
}

/** The fields to change. Absent fields stay */
export interface UpdateTenant {
  /** The display name of the business; 1 to 200 characters */
  readonly name?: string | undefined
  /** The plan whose limits apply from now on */
  readonly plan?: Plan | undefined
}

/** The fields to change. Absent fields stay */
export interface UpdateWebhook {
  /** An https URL with a public address */
  readonly url?: string | undefined
  /** The event types to receive, at most 100 names. An empty list selects all types */
  readonly events?: ReadonlyArray<string> | undefined
  /** A note for people; null: none */
  readonly description?: string | null | undefined
  /** 1 to 16 */
  readonly max_in_flight?: number | undefined
  /** active: resumes the subscription. A paused subscription then receives the events of the pause; a disabled subscription receives only new events */
  readonly status?: "active" | "paused" | "disabled" | undefined
}

/** The usage of a tenant in one month */
export interface Usage {
  /** The tenant */
  readonly tenant_id: string
  readonly plan: Plan
  /** The month in UTC, as YYYY-MM */
  readonly month: string
  readonly actions: CappedUsage
  readonly ai_calls: CappedUsage
  /** The tokens of model calls; they have no limit */
  readonly ai_tokens: {
    /** Tokens that the model received */
    readonly input: number
    /** Tokens that the model generated */
    readonly output: number
  }
}

/** The settings for telephone calls */
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
    /** The start of the window, `HH:MM` */
    readonly from: string
    /** The end of the window, `HH:MM`, exclusive */
    readonly to: string
    /** The days of the week with callbacks */
    readonly days: ReadonlyArray<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun">
  }
}

/** The authentication methods of the tenant's voice assistants */
export interface VoiceAssistant {
  /** The first characters of the secret, by which people recognise it; null: there is no secret */
  readonly prefix: string | null
  /** The time at which access was first set up (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the last change (ISO 8601 in UTC) */
  readonly updated_at: string
  /** Whether a Retell API key is stored */
  readonly retell: boolean
}

/** A subscription to outbound events, without its secret */
export interface Webhook {
  /** Id of the subscription (`whk_…`) */
  readonly id: string
  /** The https URL that receives the events */
  readonly url: string
  /** A note for people; null: none */
  readonly description: string | null
  /** The event types of this subscription; empty: all types */
  readonly events: ReadonlyArray<EventType>
  /** The maximum number of concurrent requests; 1: events are delivered strictly in order */
  readonly max_in_flight: number
  /** `paused`: no deliveries until it is activated again; the events of the pause are then delivered. `disabled`: events are not kept for it */
  readonly status: "active" | "paused" | "disabled"
  /** failures: ten consecutive failures; gone: the receiver answered 410; person: a request paused the subscription */
  readonly inactive_reason: "failures" | "gone" | "person" | null
  /** The failed attempts since the last success. Ten of them pause the subscription */
  readonly consecutive_failures: number
  /** The last sequence number that has been processed. Every event up to it was delivered or is in the list of deliveries */
  readonly delivered_through: number
  /** The time of the last successful attempt (ISO 8601 in UTC); null: none yet */
  readonly last_success_at: string | null
  /** The time of the last failed attempt (ISO 8601 in UTC); null: none yet */
  readonly last_failure_at: string | null
  /** The time at which the subscription was created (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the last change (ISO 8601 in UTC) */
  readonly updated_at: string
  /** The next attempt after a failure; null: no attempt is scheduled */
  readonly next_attempt_at: string | null
}

/** One HTTP request to the receiver and its result */
export interface WebhookAttempt {
  /** The start of the request (ISO 8601 in UTC) */
  readonly at: string
  /** null: no response was received */
  readonly status_code: number | null
  /** null: the attempt succeeded */
  readonly error: string | null
  /** The first 4 KB of the response; stored only after a failure */
  readonly response_body: string | null
  /** The duration of the request in milliseconds */
  readonly duration_ms: number
}

/** The delivery of one event to one subscription */
export interface WebhookDelivery {
  /** Delivery id (`dlv_…`), equal to the header `X-Webhook-Delivery` */
  readonly id: string
  /** The sequence number of the event within its tenant; 0 for a test event */
  readonly sequence: number
  /** The id of the delivered event (`evt_…`) */
  readonly event_id: string
  readonly event_type: EventType
  /** `failed`: no automatic attempt follows */
  readonly status: "pending" | "delivered" | "failed"
  /** The time of the next automatic attempt (ISO 8601 in UTC); null: none follows */
  readonly next_attempt_at: string | null
  /** The newest 20 attempts, oldest first */
  readonly attempts: ReadonlyArray<WebhookAttempt>
}

/** A page of deliveries */
export interface WebhookDeliveryPage {
  /** The deliveries, newest event first */
  readonly deliveries: ReadonlyArray<WebhookDelivery>
  /** Send this value as `cursor` to read the next page; null: this is the last page */
  readonly next_cursor: string | null
}

/** The subscriptions of the tenant */
export interface WebhookList {
  /** The subscriptions, oldest first */
  readonly webhooks: ReadonlyArray<Webhook>
}

/** The result of a recovery */
export interface WebhookRecovered {
  /** The number of deliveries that are attempted again */
  readonly recovered: number
}

/** The result of a test */
export interface WebhookTested {
  /** Whether the receiver answered with a 2xx status */
  readonly success: boolean
  /** The id of the test event */
  readonly event_id: string
  readonly event_type: EventType
  readonly attempt: WebhookAttempt
}

/** A subscription with its secret, which is shown only once */
export interface WebhookWithSecret {
  /** Id of the subscription (`whk_…`) */
  readonly id: string
  /** The https URL that receives the events */
  readonly url: string
  /** A note for people; null: none */
  readonly description: string | null
  /** The event types of this subscription; empty: all types */
  readonly events: ReadonlyArray<EventType>
  /** The maximum number of concurrent requests; 1: events are delivered strictly in order */
  readonly max_in_flight: number
  /** `paused`: no deliveries until it is activated again; the events of the pause are then delivered. `disabled`: events are not kept for it */
  readonly status: "active" | "paused" | "disabled"
  /** failures: ten consecutive failures; gone: the receiver answered 410; person: a request paused the subscription */
  readonly inactive_reason: "failures" | "gone" | "person" | null
  /** The failed attempts since the last success. Ten of them pause the subscription */
  readonly consecutive_failures: number
  /** The last sequence number that has been processed. Every event up to it was delivered or is in the list of deliveries */
  readonly delivered_through: number
  /** The time of the last successful attempt (ISO 8601 in UTC); null: none yet */
  readonly last_success_at: string | null
  /** The time of the last failed attempt (ISO 8601 in UTC); null: none yet */
  readonly last_failure_at: string | null
  /** The time at which the subscription was created (ISO 8601 in UTC) */
  readonly created_at: string
  /** The time of the last change (ISO 8601 in UTC) */
  readonly updated_at: string
  /** The next attempt after a failure; null: no attempt is scheduled */
  readonly next_attempt_at: string | null
  /** The secret that signs deliveries. Shown only once. */
  readonly secret: string
}

/** The generated reply, which may not have been shown to anyone */
export interface WrittenReply {
  /** The text of the reply */
  readonly text: string
  /** The channel of the reply */
  readonly channel: string
  /** `auto`: the reply is sent unless a guardrail objects; `draft`: it waits for a person */
  readonly mode: "draft" | "auto"
  /** The strictest result of all guardrails */
  readonly outcome: "allow" | "require_approval" | "block"
  /** The results of the guardrails */
  readonly guardrails: ReadonlyArray<{
    /** The id of the guardrail */
    readonly guardrail_id: string
    /** The kind of the guardrail */
    readonly kind: string
    /** The result of the guardrail */
    readonly outcome: "allow" | "require_approval" | "block"
    /** Why the guardrail decided so */
    readonly reason: string
  }>
}

export interface ConfigAuditOptions extends RequestOptions {
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 100. Default: 20 */
  readonly limit?: number | undefined
}

export interface GuardrailsAuditOptions extends RequestOptions {
  /** Only evaluations of this guardrail */
  readonly guardrailId?: string | undefined
  /** Only evaluations with this outcome */
  readonly outcome?: "allow" | "require_approval" | "block" | undefined
  /** Only replies to this contact */
  readonly contactId?: string | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 250. Default: 50 */
  readonly limit?: number | undefined
}

export interface GuardrailsStatsOptions extends RequestOptions {
  /** The number of days up to the current day, in UTC. Default: 30 */
  readonly days?: number | undefined
}

export interface GuardrailsExportOptions extends RequestOptions {
  /** Only evaluations of this guardrail */
  readonly guardrailId?: string | undefined
  /** Only evaluations with this outcome */
  readonly outcome?: "allow" | "require_approval" | "block" | undefined
  /** Only replies to this contact */
  readonly contactId?: string | undefined
  /** Default: json */
  readonly format?: "json" | "csv" | undefined
}

export interface EventsSendOptions extends IdempotentOptions {
  /** `sync`: evaluate the routing rules and store nothing. Default: store the event and process it in the background */
  readonly mode?: "sync" | undefined
}

export interface PipelineListRunsOptions extends RequestOptions {
  /** Only runs for messages of this contact */
  readonly contactId?: string | undefined
  /** The lead of the run */
  readonly leadId?: string | undefined
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
}

export interface BatchesListOptions extends RequestOptions {
  /** The entries per page, 1 to 50. Default: 20 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
}

export interface BatchesGetOptions extends RequestOptions {
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
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
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
}

export interface ContactsListOptions extends RequestOptions {
  /** true: only archived contacts */
  readonly archived?: boolean | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 250. Default: 50 */
  readonly limit?: number | undefined
}

export interface ContactViewsTimelineOptions extends RequestOptions {
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
}

export interface ContactMergesSuggestionsOptions extends RequestOptions {
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
}

export interface ConversationsListOptions extends RequestOptions {
  /** Only messages that arrived at this address */
  readonly alias?: string | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
}

export interface ConversationsGetOptions extends RequestOptions {
  /** Messages per page. Without limit and cursor, the response contains all messages */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
}

export interface LeadsListOptions extends RequestOptions {
  /** Only leads in this state */
  readonly state?: "open" | "engaged" | "qualified" | "won" | "lost" | "archived" | undefined
  /** none: leads without a score */
  readonly tier?: "hot" | "warm" | "cold" | "none" | undefined
  /** Only leads of this contact */
  readonly contactId?: string | undefined
  /** Only leads of this person */
  readonly assignee?: string | undefined
  /** Created at or after this time */
  readonly createdAfter?: string | undefined
  /** Created before this time (exclusive) */
  readonly createdBefore?: string | undefined
  /** The newest message is at or after this time */
  readonly lastMessageAfter?: string | undefined
  /** The newest message is before this time */
  readonly lastMessageBefore?: string | undefined
  /** A leading minus sorts newest first. Default: -created_at; with a filter on last messages, -last_message_at. With -created_at, the pages together contain every lead exactly once. A time filter requires the sort order of the same field */
  readonly sort?: "-created_at" | "created_at" | "-last_message_at" | "last_message_at" | undefined
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
}

export interface LeadsListScoresOptions extends RequestOptions {
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
}

export interface LeadsConversationOptions extends RequestOptions {
  /** The entries per page, 1 to 250. Default: 100 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
}

export interface TasksListOptions extends RequestOptions {
  /** Default: open */
  readonly status?: "open" | "snoozed" | "done" | undefined
  /** Only tasks of this type */
  readonly type?: "reply_approval" | "callback" | "follow_up" | "review" | undefined
  /** Only tasks of this priority */
  readonly priority?: "low" | "normal" | "high" | "urgent" | undefined
  /** Only tasks of this contact */
  readonly contactId?: string | undefined
  /** Only tasks of this lead */
  readonly leadId?: string | undefined
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** due_at (default): by due time; tasks with the same due time by age, oldest first. -priority: most urgent first. priority: least urgent first. Tasks of the same priority are sorted by due time */
  readonly sort?: "due_at" | "-priority" | "priority" | undefined
}

export interface TasksCallbacksOptions extends RequestOptions {
  /** The tenant */
  readonly tenantId?: string | undefined
  /** Default: open */
  readonly status?: "open" | "snoozed" | "done" | undefined
  /** Only tasks of this type */
  readonly type?: "reply_approval" | "callback" | "follow_up" | "review" | undefined
  /** Only tasks of this priority */
  readonly priority?: "low" | "normal" | "high" | "urgent" | undefined
  /** Only tasks of this contact */
  readonly contactId?: string | undefined
  /** Only tasks of this lead */
  readonly leadId?: string | undefined
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** due_at (default): by due time; tasks with the same due time by age, oldest first. -priority: most urgent first. priority: least urgent first. Tasks of the same priority are sorted by due time */
  readonly sort?: "due_at" | "-priority" | "priority" | undefined
}

export interface EmailAuthUrlOptions extends RequestOptions {
  /** The family of the account. Default: the owner chooses at the provider */
  readonly provider?: "google" | "microsoft" | undefined
}

export interface DataRightsListErasuresOptions extends RequestOptions {
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 250. Default: 50 */
  readonly limit?: number | undefined
}

export interface WebhooksDeliveriesOptions extends RequestOptions {
  /** Only deliveries with this status */
  readonly status?: "pending" | "delivered" | "failed" | undefined
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
}

export interface EventFeedListOptions extends RequestOptions {
  /** The sequence number of the last event that the caller has processed; default: 0 */
  readonly after?: number | undefined
  /** The entries per page, 1 to 500. Default: 100 */
  readonly limit?: number | undefined
  /** Event types, separated by commas; default: all */
  readonly types?: string | undefined
}

export interface EventFeedStreamOptions extends StreamOptions {
  /** The sequence number of the last event that the caller has processed; default: only new events are sent */
  readonly after?: number | undefined
  /** false: the stream ends after all existing events are sent */
  readonly follow?: boolean | undefined
  /** Event types, separated by commas; default: all */
  readonly types?: string | undefined
}

export interface AuditListOptions extends RequestOptions {
  /** Only actions of this caller, for example `admin` or `user:<subject>`; the whole name */
  readonly actor?: string | undefined
  /** Only actions of this name, for example `apiKeys.create` */
  readonly action?: string | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 250. Default: 50 */
  readonly limit?: number | undefined
}

export interface AuditListDeploymentOptions extends RequestOptions {
  /** Only actions of this caller, for example `admin` or `user:<subject>`; the whole name */
  readonly actor?: string | undefined
  /** Only actions of this name, for example `apiKeys.create` */
  readonly action?: string | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 250. Default: 50 */
  readonly limit?: number | undefined
}

export interface AgenciesLocationsOptions extends RequestOptions {
  /** The locations per page, 1 to 100. Default: 20 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page */
  readonly cursor?: string | undefined
}

export interface SmsFiltersBlocklistOptions extends RequestOptions {
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 1000. Default: 250 */
  readonly limit?: number | undefined
}

export interface PhoneNumbersListOptions extends RequestOptions {
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
  readonly cursor?: string | undefined
  /** The entries per page, 1 to 1000. Default: 250 */
  readonly limit?: number | undefined
}

export interface CallsListOptions extends RequestOptions {
  /** Only calls with this contact */
  readonly contactId?: string | undefined
  /** Only calls with this status */
  readonly status?: "queued" | "ringing" | "in_progress" | "completed" | "busy" | "no_answer" | "canceled" | "failed" | "unknown" | undefined
  /** Only calls that the contact (`inbound`) or the tenant (`outbound`) started */
  readonly direction?: "inbound" | "outbound" | undefined
  /** The entries per page, 1 to 100. Default: 50 */
  readonly limit?: number | undefined
  /** The `next_cursor` of the previous page. Default: the first page. A malformed cursor is rejected with 400 */
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
    markRead: (tenantId: string, contactId: string, body: ReadMark = {}, options: IdempotentOptions = {}): Promise<Success> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/read`, body }, options),
    /** Send the pending draft, at most once; 409 when the draft differs from the version that the person saw */
    approveDraft: (tenantId: string, contactId: string, body: DraftToApprove = {}, options: IdempotentOptions = {}): Promise<MessageSent> =>
      call({ method: "POST", path: `/api/v1/tenants/${segment(tenantId)}/conversations/${segment(contactId)}/approve-draft`, body }, options),
    /** Discard the pending draft without sending it */
    dismissDraft: (tenantId: string, contactId: string, body: DraftToDismiss = {}, options: IdempotentOptions = {}): Promise<Success> =>
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

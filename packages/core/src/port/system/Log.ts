/**
 * The log. Every line has an event from a catalogue, a sentence and fields. Each package has its own catalogue
 * (`LogEvents.ts`), from which `docs/reference/logs.md` is generated. The format of lines belongs to
 * `packages/server/src/startup/Log.ts`. Tests: `packages/server/test/startup/LogEvents.test.ts`.
 */
import { type Cause, Effect } from "effect"

/**
 * The meaning of each field. No field contains a secret, or text that a contact wrote. `reason` may contain the
 * response of a provider.
 */
export const logFields = {
  action: "the privileged operation",
  address: "host and port of a listener",
  attempts: "the number of started attempts",
  batch: "the batch",
  blocked_ms: "the duration of a block in milliseconds",
  by: "the caller",
  bytes: "the size in bytes",
  call: "the call",
  channel: "`email`, `sms` or `voice`",
  client: "the address of the client",
  contact: "the contact; null: all contacts",
  customer: "the customer at the payment provider",
  data_dir: "the data directory",
  database: "the database, without its password",
  days: "the retention in days",
  defects: "the number of consecutive defects",
  dependency: "the unavailable part of the server",
  detail: "the message of the failure",
  duration_ms: "the duration in milliseconds",
  enrolment: "the enrolment of a contact in a sequence",
  event_type: "the type of the provider's event",
  file: "the name of the imported mail",
  flow: "the tenant whose mail is parsed",
  from: "the sender's address or number; for a plan, the former plan",
  index: "the position in its list, from 0",
  job: "the job",
  key: "the key of an object, or the id of an API key",
  keys: "the keys of objects",
  location: "the location of the CRM",
  message_id: "the message",
  method: "the HTTP method",
  operation: "the operation, as in the permission table",
  ours: "the supported API version",
  outcome: "the result of the attempt",
  path: "the path without the query",
  plan: "the new plan",
  platform: "the platform of a voice assistant",
  prefix: "the public prefix of a key",
  provider: "the provider",
  provider_event: "the id of the provider's event",
  provider_grant: "the provider's id of an email account",
  provider_message: "the provider's id of a message",
  queue: "the queue of work",
  reason: "the reason, for people",
  recipients: "the number of recipients",
  recording: "the recording",
  removed: "the number of deleted rows",
  request_id: "the request; also the header `X-Request-Id`",
  signal: "the signal: the id of its message with the prefix `sig_`",
  segments: "the number of text segments",
  starttls: "whether the listener offers STARTTLS",
  status: "the HTTP status, or the state of a subscription",
  tenant: "the tenant",
  to: "the tenant's number that received a text",
  trigger_run: "the run of a rule for its trigger",
  unfinished: "the number of attempts that did not end",
  url: "the URL",
  version: "the API version of the event",
  webhook: "the webhook subscription",
  waits_until: "the time of the next attempt (ISO 8601 in UTC)"
} as const

export type LogField = keyof typeof logFields

/** The levels, from least to most verbose. */
export const logLevels = ["error", "warn", "info", "debug"] as const

/** One kind of log line. */
export interface LogEvent {
  readonly level: (typeof logLevels)[number]
  /** The fact in the past tense: the `message` of the line. */
  readonly sentence: string
  readonly fields: ReadonlyArray<LogField>
  /** The situation, and the reaction of the operator if one is needed. */
  readonly when: string
}

/** A catalogue: the events of one package by name. Names are stable. */
export type LogEvents = Readonly<Record<string, LogEvent>>

const writers = {
  debug: Effect.logDebug,
  info: Effect.logInfo,
  warn: Effect.logWarning,
  error: Effect.logError
}

type FieldsOf<E extends LogEvent> = Readonly<Record<E["fields"][number], unknown>>

/** Returns a function that logs the events of a catalogue. `cause` is the cause of an unexpected failure. */
export const logger =
  <const T extends { readonly [Name in keyof T]: LogEvent }>(events: T) =>
  <Name extends keyof T & string>(
    name: Name,
    fields: FieldsOf<T[Name]>,
    cause?: Cause.Cause<unknown>
  ): Effect.Effect<void> => {
    const { level, sentence }: LogEvent = events[name]
    const line = cause === undefined ? writers[level](sentence) : writers[level](sentence, cause)
    return Effect.annotateLogs(line, { event: name, ...fields })
  }

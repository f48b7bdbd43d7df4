import type { ContractOperation, RawOperation } from "@leadloom/core/internal/domain/access/Operations"
import { perSmsOperation } from "@leadloom/core/internal/domain/provider/SmsProviders"
import { maxUploadBytes } from "@leadloom/core/internal/domain/upload/Upload"

/** The maximum size of a request body on one route. */
export interface BodyLimit {
  /** The maximum number of bytes on the wire; a larger body receives 413. */
  readonly bytes: number
  /**
   * The maximum number of values in a JSON body; a larger body receives 400. Every object, array, string, number,
   * boolean and null counts as one value. Decoding one value takes about a microsecond. `null` when the body is not
   * JSON, or when the code that reads the body enforces a separate limit.
   */
  readonly values: number | null
}

const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte

const limit = <const Values extends number | null>(bytes: number, values: Values) => ({ bytes, values })

/** For a record with a few short fields. */
const fields = limit(16 * kibibyte, 500)
/** For one record with notes, attributes and tags. */
const record = limit(512 * kibibyte, 2_000)
/** For a text that a person writes: an email or a chat message. */
const message = limit(mebibyte, 2_000)
/** For a message or an event with free-form metadata. */
const inbound = limit(mebibyte, 20_000)
/** For rules with their conditions. */
const rules = limit(mebibyte, 50_000)
/** For a provider event, which may contain a whole email or the transcript of a call. */
const notification = limit(4 * mebibyte, null)
/** For a form that a provider submits. */
const providerForm = limit(64 * kibibyte, null)

/** The maximum nesting depth of arrays and objects in a JSON body. Free-form metadata has a smaller limit. */
export const maxBodyDepth = 64

/** The limit for a path without a route. The server does not read such a body. */
export const unroutedLimit: BodyLimit = fields

/**
 * The limit of every operation that reads a body. The server does not start when a limit is missing. A single message
 * has at most 1 MiB. In a request with many messages (batch, import), the limit applies to all of them together.
 */
export const bodyLimits = {
  "tenants.create": fields,
  "tenants.update": fields,
  "sources.create": fields,
  "sources.createGlobal": fields,
  "sessions.mint": fields,
  "sessions.createTicket": fields,
  "users.create": record,
  "users.updateMe": record,
  "users.update": record,
  "teams.create": fields,
  "teams.update": fields,
  "inbox.reportPresence": fields,
  "apiKeys.create": fields,
  "apiKeys.rotate": fields,
  "config.replace": rules,
  "config.update": rules,
  "config.scaffold": fields,
  "rules.create": rules,
  "rules.update": rules,
  "rules.reorder": limit(128 * kibibyte, 500),
  "rules.test": rules,
  "guardrails.update": rules,
  "events.send": inbound,
  "pipeline.run": inbound,
  "pipeline.dryRun": inbound,
  "batches.create": limit(10 * mebibyte, 50_000),
  "actions.scoreContact": inbound,
  "actions.classifyConversation": inbound,
  "actions.generateReply": inbound,
  "usage.set": fields,
  "billing.activate": fields,
  "billing.checkout": fields,
  "billing.grant": fields,
  "contacts.create": record,
  "contacts.update": record,
  "contacts.resolve": fields,
  "contactViews.enriched": fields,
  "contactIdentities.add": fields,
  "contactIdentities.update": fields,
  "contactConsent.record": fields,
  "fields.create": fields,
  "fields.update": fields,
  "companies.create": record,
  "companies.update": record,
  "segments.create": fields,
  "segments.update": fields,
  // 20 MiB in base64, and the mapping.
  "contactImports.start": limit(28 * mebibyte, 500),
  "contactMerges.merge": fields,
  "threads.split": fields,
  "threads.move": fields,
  "threads.join": fields,
  "contactMerges.dismiss": fields,
  "conversations.send": message,
  "uploads.create": limit(maxUploadBytes, null),
  "scheduled.update": message,
  "drafts.create": message,
  "drafts.update": message,
  "drafts.send": fields,
  "conversations.markRead": fields,
  "conversations.approveDraft": message,
  "conversations.dismissDraft": fields,
  "conversations.labelSubject": fields,
  "inbox.update": fields,
  "notes.create": limit(64 * kibibyte, 500),
  "notes.update": limit(64 * kibibyte, 500),
  "cannedReplies.create": limit(64 * kibibyte, 500),
  "cannedReplies.update": limit(64 * kibibyte, 500),
  "cannedReplies.render": fields,
  "macros.create": limit(256 * kibibyte, 2_000),
  "macros.update": limit(256 * kibibyte, 2_000),
  "macros.run": fields,
  "pipeline.startRule": fields,
  "sequences.create": limit(mebibyte, 5_000),
  "sequences.update": limit(mebibyte, 5_000),
  "sequences.preview": fields,
  "sequences.enrol": fields,
  "inbox.bulk": record,
  "views.create": fields,
  "views.update": fields,
  "backtest.run": rules,
  "simulations.sequence": rules,
  "simulations.rule": rules,
  "leads.create": inbound,
  "leads.update": record,
  "leads.append": inbound,
  "leads.import": limit(50 * mebibyte, 50_000),
  "leads.transition": fields,
  "leads.move": fields,
  "pipelines.create": record,
  "pipelines.update": record,
  "tasks.create": limit(64 * kibibyte, 500),
  "tasks.comment": limit(64 * kibibyte, 500),
  "tasks.update": limit(64 * kibibyte, 500),
  "search.search": limit(128 * kibibyte, 500),
  "email.send": message,
  "email.updateAliases": limit(32 * kibibyte, 500),
  "email.updateSignature": limit(32 * kibibyte, 500),
  "email.setDefaultGrant": limit(32 * kibibyte, 500),
  "email.connect": fields,
  "email.callback": limit(32 * kibibyte, 500),
  "import.email": limit(50 * mebibyte, 2_000),
  "dataRights.erase": fields,
  // An archive may contain years of data. The server reads it as a stream, and limits the duration and the size of each
  // entry.
  "dataRights.importArchive": limit(1_024 * 1_024 * mebibyte, null),
  "webhooks.create": limit(64 * kibibyte, 500),
  "webhooks.update": limit(64 * kibibyte, 500),
  "webhooks.test": fields,
  "webhooks.recover": fields,
  "leakedKeys.check": limit(mebibyte, 500),
  "publicLeads.submit": limit(64 * kibibyte, 1_000),
  "locations.put": fields,
  "crm.callback": limit(32 * kibibyte, 500),
  "crm.updateInstall": fields,
  "agencies.callback": limit(32 * kibibyte, 500),
  "smsFilters.block": fields,
  "smsFilters.unblock": fields,
  "phoneNumbers.assign": fields,
  "phoneNumbers.release": fields,
  "assistant.setRetellKey": fields,
  "calls.outbound": fields,
  "calls.transfer": fields,
  "crmActions.run": limit(256 * kibibyte, 5_000),
  "crmActions.runAlias": limit(256 * kibibyte, 5_000),
  "unsubscribe.confirm": fields,
  "nylas.notice": notification,
  "stripe.notice": limit(mebibyte, null),
  "highLevel.notice": limit(mebibyte, null),
  ...perSmsOperation(() => providerForm),
  "twilio.call": providerForm,
  "twilio.callStatus": providerForm,
  "twilio.dialed": providerForm,
  "twilio.recording": providerForm,
  "assistantTools.call": notification,
  "mcp.call": message,
  "mcp.endSession": fields
} as const satisfies Readonly<Partial<Record<ContractOperation | RawOperation, BodyLimit>>>

const table: ReadonlyMap<string, BodyLimit> = new Map(Object.entries(bodyLimits))

/** Returns the body limit of an operation, or `null` for an operation that reads no body. */
export const bodyLimitOf = (operation: string): BodyLimit | null => table.get(operation) ?? null

/** Formats a number of bytes, for example `16 KiB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes % (1_024 * mebibyte) === 0) return `${bytes / (1_024 * mebibyte)} GiB`
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes / kibibyte} KiB`
}

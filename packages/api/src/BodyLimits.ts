import type { ContractOperation, RawOperation } from "@leadloom/core/domain/access/Operations"

/** The largest request body that a route reads. */
export interface BodyLimit {
  /** Bytes on the wire; one more is answered with 413. */
  readonly bytes: number
  /**
   * Values in a JSON body: every object, array, text, number, boolean and null counts as one; one more is answered with
   * 400. Decoding costs about a microsecond for each. Null: the body is no JSON, or its reader bounds it.
   */
  readonly values: number | null
}

const kibibyte = 1_024
const mebibyte = 1_024 * kibibyte

const limit = <const Values extends number | null>(bytes: number, values: Values) => ({ bytes, values })

/** A few short fields. */
const fields = limit(16 * kibibyte, 500)
/** One record with notes, attributes and tags. */
const record = limit(512 * kibibyte, 2_000)
/** A text that somebody reads: a mail, a chat message. */
const message = limit(mebibyte, 2_000)
/** A message or an event with metadata of its sender's own. */
const inbound = limit(mebibyte, 20_000)
/** Rules with their conditions. */
const rules = limit(mebibyte, 50_000)
/** A notification of a provider, up to a whole mail or the transcript of a call. */
const notification = limit(4 * mebibyte, null)
/** A form of a provider. */
const providerForm = limit(64 * kibibyte, null)

/** Depth to which arrays and objects of a JSON body may nest. Free-form metadata has a smaller limit of its own. */
export const maxBodyDepth = 64

/** What applies to a path that is no route: nothing reads its body. */
export const unroutedLimit: BodyLimit = fields

/**
 * The limit of every operation that reads a body. The server does not start when one is missing. Single messages stay
 * within 1 MiB; requests that carry many (batches, imports) have a limit for all of them together.
 */
export const bodyLimits = {
  "tenants.create": fields,
  "tenants.update": fields,
  "sources.create": fields,
  "sources.createGlobal": fields,
  "sessions.mint": fields,
  "apiKeys.create": fields,
  "apiKeys.rotate": fields,
  "config.replace": rules,
  "config.update": rules,
  "config.scaffold": fields,
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
  "contactMerges.merge": fields,
  "contactMerges.dismiss": fields,
  "conversations.send": message,
  "conversations.markRead": fields,
  "conversations.approveDraft": message,
  "conversations.dismissDraft": fields,
  "conversations.labelSubject": fields,
  "backtest.run": rules,
  "leads.create": inbound,
  "leads.update": record,
  "leads.append": inbound,
  "leads.import": limit(50 * mebibyte, 50_000),
  "leads.transition": fields,
  "tasks.update": fields,
  "search.search": limit(128 * kibibyte, 500),
  "email.send": message,
  "email.updateAliases": limit(32 * kibibyte, 500),
  "email.updateSignature": limit(32 * kibibyte, 500),
  "email.connect": fields,
  "email.callback": limit(32 * kibibyte, 500),
  "import.email": limit(50 * mebibyte, 2_000),
  "dataRights.erase": fields,
  // An archive of years is read as a stream and never held as a whole; its time is bounded, and its entries are.
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
  "nylas.notice": notification,
  "stripe.notice": limit(mebibyte, null),
  "highLevel.notice": limit(mebibyte, null),
  "twilio.text": providerForm,
  "twilio.textStatus": providerForm,
  "twilio.call": providerForm,
  "twilio.callStatus": providerForm,
  "twilio.dialed": providerForm,
  "twilio.recording": providerForm,
  "assistantTools.call": notification
} as const satisfies Readonly<Partial<Record<ContractOperation | RawOperation, BodyLimit>>>

const table: ReadonlyMap<string, BodyLimit> = new Map(Object.entries(bodyLimits))

/** The limit of an operation, by its name; null: it reads no body. */
export const bodyLimitOf = (operation: string): BodyLimit | null => table.get(operation) ?? null

/** A number of bytes in words, for example `16 KiB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes % (1_024 * mebibyte) === 0) return `${bytes / (1_024 * mebibyte)} GiB`
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes / kibibyte} KiB`
}

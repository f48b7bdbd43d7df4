import { Clock, Effect } from "effect"
import { buildMessage, type MessagePlacement } from "../intake/Inbound.ts"
import { conversationEvent } from "../../domain/conversation/ConversationEvent.ts"
import type { Message } from "../../domain/conversation/Message.ts"
import { Arrivals } from "../../port/repository/conversation/Arrivals.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type Lead, LeadRequestInvalid } from "../../domain/lead/Lead.ts"
import { contentKey, entryInbound, type EntryTarget, type EntryResult, idKey, type LeadEntry } from "./LeadEntry.ts"
import { requireWritableLead } from "./FindLead.ts"
import { withSpan } from "../WithSpan.ts"

/** The `source` of imported messages. */
const importSource = "import"

const issuesOf = (entries: ReadonlyArray<LeadEntry>, lead: Lead, now: number) => {
  const contents = new Map<string, string>()
  return entries.flatMap((entry, index) => {
    if (entry.timestamp === null || entry.timestamp > now) {
      return [{ path: `entries.${index}.timestamp`, message: "Expected a time in the past." }]
    }
    if (entry.externalId === null) return []
    const content = contentKey(lead.leadId, entry)
    const other = contents.get(entry.externalId)
    contents.set(entry.externalId, content)
    if (other === undefined || other === content) return []
    return [
      {
        path: `entries.${index}.external_id`,
        message: "Another entry of this import has the same external_id. Send each external_id once."
      }
    ]
  })
}

const insertEntry = Effect.fnUntraced(function* (place: EntryTarget, lead: Lead, entry: LeadEntry, now: number) {
  const { contact, leadId } = place
  const key = idKey(leadId, entry) ?? contentKey(leadId, entry)
  const inbound = entryInbound(place, entry, [key], "none", now)
  const found: MessagePlacement = {
    resolved: { contact, change: "none" },
    assigned: { lead, change: "none", moved: [], changes: [] },
    thread: null
  }
  const ids = yield* Ids
  const message = buildMessage(inbound, yield* ids.next("msg"), found, false, now)
  yield* (yield* Messages).insert(message, [key])
  yield* (yield* Arrivals).record({
    arrivalId: yield* ids.next("arr"),
    tenantId: message.tenantId,
    channel: message.channel,
    source: message.source,
    outcome: "message",
    messageId: message.messageId,
    detail: null,
    receivedAt: now
  })
  return message
})

/** Stores the entries that are not stored yet. */
const insertMissing = Effect.fnUntraced(function* (
  place: EntryTarget,
  lead: Lead,
  entries: ReadonlyArray<LeadEntry>,
  now: number
) {
  const keys = entries.map((entry) => idKey(lead.leadId, entry) ?? contentKey(lead.leadId, entry))
  const holders = yield* (yield* Messages).holders(lead.tenantId, keys)
  const known = new Map(holders.map(({ key, messageId }) => [key, messageId]))
  const results: Array<EntryResult> = []
  const stored: Array<Message> = []
  for (const [index, entry] of entries.entries()) {
    const key = keys[index] ?? ""
    const messageId = known.get(key)
    if (messageId !== undefined) {
      results.push({ outcome: "duplicate", messageId, signalId: null })
      continue
    }
    const message = yield* insertEntry(place, lead, entry, now)
    known.set(key, message.messageId)
    stored.push(message)
    results.push({ outcome: "stored", messageId: message.messageId, signalId: null })
  }
  return { results, stored }
})

const isNewer = (one: Message, other: Message): boolean =>
  one.timestamp === other.timestamp ? one.messageId > other.messageId : one.timestamp > other.timestamp

/**
 * Updates the conversation head with the newest stored entry. Imported messages do not count as unread, because they
 * are old.
 */
const showNewest = Effect.fnUntraced(function* (lead: Lead, stored: ReadonlyArray<Message>, now: number) {
  const [first, ...rest] = stored
  if (first === undefined) return
  const newest = rest.reduce((found, message) => (isNewer(message, found) ? message : found), first)
  const conversations = yield* Conversations
  yield* conversations.advance(newest, true)
  const lastMessageAt = Math.max(lead.lastMessageAt, newest.timestamp)
  yield* (yield* Leads).update({ ...lead, lastMessageAt, updatedAt: now }, lead)
  const conversation = yield* conversations
    .get(newest.tenantId, newest.contactId)
    .pipe(Effect.catchTag("ConversationNotFound", Effect.die))
  yield* recordEvents([conversationEvent(newest, conversation)], now)
})

/**
 * Imports past messages into the conversation of a lead: all entries or none. An import may be repeated, because
 * entries that are already stored are skipped. An entry is identified by its external id, or without one by its time
 * and content. Imported messages are not answered, not scored and not counted as unread, and the state of the lead does
 * not change. A single event reports the change of the conversation.
 */
export const importEntries = Effect.fnUntraced(function* (input: {
  readonly tenant: Tenant
  readonly leadId: string
  readonly entries: ReadonlyArray<LeadEntry>
}) {
  const { entries, tenant } = input
  const { tenantId } = tenant
  const now = yield* Clock.currentTimeMillis
  const contacts = yield* Contacts
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const lead = yield* requireWritableLead(tenantId, input.leadId)
      const issues = issuesOf(entries, lead, now)
      if (issues.length > 0) return yield* new LeadRequestInvalid({ issues })
      const contact = yield* contacts.get(tenantId, lead.contactId).pipe(Effect.catchTag("ContactNotFound", Effect.die))
      const place = { tenant, leadId: lead.leadId, contact, source: importSource }
      const { results, stored } = yield* insertMissing(place, lead, entries, now)
      yield* showNewest(lead, stored, now)
      return { leadId: lead.leadId, results }
    })
  )
}, withSpan("importEntries"))

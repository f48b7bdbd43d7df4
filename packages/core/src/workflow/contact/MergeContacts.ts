import { Clock, Effect } from "effect"
import { recordActivity } from "./RecordActivity.ts"
import { type ConversationHead, joinHeads } from "../../domain/conversation/ConversationHead.ts"
import { ContactMerges } from "../../port/repository/contact/ContactMerges.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { type ContactMerge, mergedContact, MergeWithItself } from "../../domain/contact/ContactMerge.ts"
import { requireUnmergedContact } from "./ResolveMergedContact.ts"
import { withSpan } from "../WithSpan.ts"

const joined = (one: ConversationHead | null, other: ConversationHead | null): ConversationHead | null =>
  one === null || other === null ? (one ?? other) : joinHeads(one, other)

/**
 * Builds the record of a merge, with the state of both contacts before it, and the combined conversation head. Writes
 * nothing.
 */
const prepare = Effect.fnUntraced(function* (primary: Contact, duplicate: Contact, now: number) {
  const conversations = yield* Conversations
  const merges = yield* ContactMerges
  const { tenantId } = primary
  const pair = [primary.contactId, duplicate.contactId] as const
  const latest = yield* merges.latestOf(tenantId, primary.contactId)
  const primaryHead = yield* conversations.head(tenantId, primary.contactId)
  const duplicateHead = yield* conversations.head(tenantId, duplicate.contactId)
  const head = joined(primaryHead, duplicateHead)
  const merge: ContactMerge = {
    mergeId: yield* (yield* Ids).next("mrg"),
    tenantId,
    primaryId: primary.contactId,
    duplicateId: duplicate.contactId,
    ordinal: (latest?.ordinal ?? 0) + 1,
    mergedAt: now,
    undoneAt: null,
    watermark: Math.max(now, yield* merges.youngest(tenantId, pair)),
    before: { primary, duplicate, primaryHead, duplicateHead },
    after: { primary: mergedContact(primary, duplicate, now), unread: head?.unread ?? 0 }
  }
  return { merge, head }
})

const report = Effect.fnUntraced(function* (merge: ContactMerge, contacts: ReadonlyArray<Contact>, now: number) {
  const { duplicateId, mergeId, primaryId, tenantId } = merge
  const data = { merge_id: mergeId, primary_contact_id: primaryId, duplicate_contact_id: duplicateId }
  for (const { contactId } of contacts) {
    yield* recordActivity({
      tenantId,
      contactId,
      leadId: null,
      type: "contact_merged",
      actor: "agent",
      at: now,
      data
    })
  }
  const events = contacts.map((contact) => contactEvent("contact.updated", contact))
  yield* recordEvents(events, now)
})

/**
 * Merges the contact `duplicateId` into the contact `primaryId`, in one unit of work. Identities, messages, leads,
 * tasks, drafts, timeline and conversation head move to the primary contact. The primary contact keeps its fields, and
 * takes missing ones from the duplicate. The duplicate stays readable and refers to the primary contact. `undoMerge`
 * reverses the merge.
 */
export const mergeContacts = Effect.fnUntraced(function* (tenantId: string, primaryId: string, duplicateId: string) {
  yield* (yield* Tenants).get(tenantId)
  if (primaryId === duplicateId) return yield* new MergeWithItself({ contactId: primaryId })
  const now = yield* Clock.currentTimeMillis
  const contacts = yield* Contacts
  const conversations = yield* Conversations
  const merges = yield* ContactMerges
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const primary = yield* requireUnmergedContact(tenantId, primaryId)
      const duplicate = yield* requireUnmergedContact(tenantId, duplicateId)
      const { head, merge } = yield* prepare(primary, duplicate, now)
      const gone: Contact = { ...duplicate, archivedAt: now, updatedAt: now, mergedInto: primary.contactId }
      const moved = yield* merges.move(merge)
      yield* merges.insert(merge)
      yield* contacts.update(merge.after.primary)
      yield* contacts.update(gone)
      yield* conversations.setHead(tenantId, duplicate.contactId, null)
      yield* conversations.setHead(tenantId, primary.contactId, head)
      yield* report(merge, [merge.after.primary, gone], now)
      return { merge, moved, primary: merge.after.primary, duplicate: gone }
    })
  )
}, withSpan("mergeContacts"))

import { Clock, Effect } from "effect"
import { recordActivity } from "./RecordActivity.ts"
import { type ConversationHead, headAfter } from "../../domain/conversation/ConversationHead.ts"
import { joinInboxStates, keepChanges } from "../../domain/conversation/InboxState.ts"
import { countsAsUnread } from "../../domain/conversation/Message.ts"
import type { ContactId } from "../../domain/Id.ts"
import { ContactMerges } from "../../port/repository/contact/ContactMerges.ts"
import { Contacts } from "../../port/repository/contact/Contacts.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Erasures } from "../../port/repository/contact/Erasures.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Contact } from "../../domain/contact/Contact.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import {
  type ContactMerge,
  MergeNotFound,
  MergeNotLatest,
  MergeUndone,
  splitUnread,
  unmergedContact
} from "../../domain/contact/ContactMerge.ts"
import { replaceLostPrimaries } from "./ChangeIdentities.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Returns a merge. If one of its contacts is erased or being erased, the merge counts as missing, because undoing it
 * would restore erased data.
 */
const known = Effect.fnUntraced(function* (tenantId: string, mergeId: string) {
  const merge = yield* (yield* ContactMerges).get(tenantId, mergeId)
  const gone = yield* (yield* Erasures).among(tenantId, [merge.primaryId, merge.duplicateId])
  return gone.size > 0 ? yield* new MergeNotFound({ mergeId }) : merge
})

/**
 * Returns a merge that can be undone at present. Later merges into the same contact must be undone first, and so must a
 * merge of that contact into another one.
 */
const undoable = Effect.fnUntraced(function* (tenantId: string, mergeId: string) {
  const merges = yield* ContactMerges
  const merge = yield* known(tenantId, mergeId)
  if (merge.undoneAt !== null) return yield* new MergeUndone({ mergeId: merge.mergeId })
  const primary = yield* (yield* Contacts)
    .get(tenantId, merge.primaryId)
    .pipe(Effect.catchTag("ContactNotFound", Effect.die))
  if (primary.mergedInto !== null) {
    const further = yield* merges.ofDuplicate(tenantId, primary.contactId)
    if (further !== null) return yield* new MergeNotLatest({ mergeId: merge.mergeId, undoFirst: further.mergeId })
  }
  const latest = yield* merges.latestOf(tenantId, merge.primaryId)
  if (latest !== null && latest.mergeId !== merge.mergeId) {
    return yield* new MergeNotLatest({ mergeId: merge.mergeId, undoFirst: latest.mergeId })
  }
  return { merge, primary }
})

/**
 * Computes the conversation head of one of the two contacts, from its head before the merge and its messages since the
 * merge. If the head's lead was merged, it is replaced by the lead into which it was merged.
 */
const headSince = Effect.fnUntraced(function* (
  { tenantId, watermark }: ContactMerge,
  contactId: ContactId,
  before: ConversationHead | null
) {
  const since = yield* (yield* Messages).since(tenantId, contactId, watermark)
  const lead =
    before === null || before.leadId === null
      ? null
      : yield* (yield* Leads)
          .get(tenantId, before.leadId)
          .pipe(Effect.catchTag("LeadNotFound", () => Effect.succeed(null)))
  const start = before === null ? null : { ...before, leadId: lead?.mergedInto ?? before.leadId }
  return {
    head: since.reduce<ConversationHead | null>((current, message) => headAfter(current, message), start),
    newFromContact: since.filter(countsAsUnread).length
  }
})

/** Returns the restored head of the primary contact with the changes of its inbox state since the merge. */
const withChanges = (
  { before: { duplicateHead, primaryHead } }: ContactMerge,
  restored: ConversationHead,
  current: ConversationHead | null
): ConversationHead =>
  current === null || primaryHead === null
    ? restored
    : {
        ...restored,
        ...keepChanges(
          restored,
          duplicateHead === null ? primaryHead : joinInboxStates(primaryHead, duplicateHead),
          current
        )
      }

const divideConversation = Effect.fnUntraced(function* (merge: ContactMerge, current: ConversationHead | null) {
  const conversations = yield* Conversations
  const { before, duplicateId, primaryId, tenantId } = merge
  const primary = yield* headSince(merge, primaryId, before.primaryHead)
  const duplicate = yield* headSince(merge, duplicateId, before.duplicateHead)
  const unread = splitUnread(merge, current?.unread ?? 0, duplicate.newFromContact)
  const { head: left } = primary
  const { head: right } = duplicate
  const kept = left === null ? null : { ...withChanges(merge, left, current), unread: unread.primary }
  yield* conversations.setHead(tenantId, primaryId, kept)
  yield* conversations.setHead(tenantId, duplicateId, right === null ? null : { ...right, unread: unread.duplicate })
})

const report = Effect.fnUntraced(function* (merge: ContactMerge, contacts: ReadonlyArray<Contact>, now: number) {
  const { duplicateId, mergeId, primaryId, tenantId } = merge
  const data = { merge_id: mergeId, primary_contact_id: primaryId, duplicate_contact_id: duplicateId }
  for (const contact of contacts) {
    const { contactId } = contact
    const type = "contact_unmerged"
    yield* recordActivity({ tenantId, contactId, leadId: null, type, actor: "agent", at: now, data })
  }
  const events = contacts.map((contact) => contactEvent("contact.updated", contact))
  yield* recordEvents(events, now)
})

/**
 * Undoes a merge in one unit of work. Both contacts get back their data from before the merge. Later data stays with
 * the primary contact, except for data of an address, number or lead that returns to the duplicate. Changes that people
 * have made since the merge stay.
 */
export const undoMerge = Effect.fnUntraced(function* (tenantId: string, mergeId: string) {
  const { config } = yield* (yield* Tenants).get(tenantId)
  const now = yield* Clock.currentTimeMillis
  const contacts = yield* Contacts
  const conversations = yield* Conversations
  const merges = yield* ContactMerges
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const { merge, primary: current } = yield* undoable(tenantId, mergeId)
      const head = yield* conversations.head(tenantId, merge.primaryId)
      const returned = yield* merges.moveBack(merge)
      const context = { defaultCountry: config.defaultCountry, now }
      const primary = yield* replaceLostPrimaries(
        unmergedContact(current, merge, returned, context),
        config.defaultCountry
      )
      const { duplicate } = merge.before
      yield* contacts.update(primary)
      yield* contacts.update(duplicate)
      yield* divideConversation(merge, head)
      yield* merges.restoreDrafts(merge)
      yield* merges.end(tenantId, merge.mergeId, now)
      yield* report(merge, [primary, duplicate], now)
      return { merge: { ...merge, undoneAt: now }, primary, duplicate }
    })
  )
}, withSpan("undoMerge"))

/**
 * Accepts messages on every channel. `IngestEmail` names the steps of a mail from its bytes to its acceptance. Each
 * other channel builds an `Inbound`. All channels end in `acceptMessage`. Classifying and answering do not belong here
 * (`workflow/pipeline`). Tests: `packages/testkit/src/suite/intake`, `packages/core/test/workflow/intake`,
 * `packages/core/test/domain/email`.
 */
import { Clock, Effect } from "effect"
import { signalIdOf, signalLeaseMillis } from "../../domain/classification/Signal.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import type { Conversation } from "../../domain/conversation/Conversation.ts"
import { conversationAfter } from "../../domain/conversation/ConversationHead.ts"
import { conversationAsOf } from "../../domain/conversation/InboxState.ts"
import { conversationEvent } from "../../domain/conversation/ConversationEvent.ts"
import { type Message, preview } from "../../domain/conversation/Message.ts"
import type { MessageId } from "../../domain/Id.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import { IdempotencyConflict } from "../../domain/sending/Reservation.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { Arrivals } from "../../port/repository/conversation/Arrivals.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { type DedupKey, Messages } from "../../port/repository/conversation/Messages.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { type ResolvedContact, resolveContact, resolveUnverified } from "../contact/ResolveContact.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { awaitAnswer } from "../cause/AwaitAnswer.ts"
import { isHistory } from "../../domain/run/Cause.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { assignLead, changeReasons } from "./AssignLead.ts"
import { type Accepted, buildMessage, type Inbound, isUnverifiedSender, type MessagePlacement } from "./Inbound.ts"
import { joinThread } from "./JoinThread.ts"
import { readsOf } from "./ReadsOf.ts"
import { claimMessage, type ClaimedMessage, copiedIdKey, type Earlier, presumeNew } from "./Recognise.ts"
import { ActingUser } from "../ActingUser.ts"
import { withSpan } from "../WithSpan.ts"

/**
 * Accepts one message of any channel. The surrounding unit of work commits all its writes together, or none: dedup
 * keys, contact, thread, lead, message, conversation head, signal, events and ledger line.
 */
export const acceptMessage = Effect.fnUntraced(function* (inbound: Inbound, now: number) {
  return yield* acceptClaimed(inbound, yield* claimMessage(inbound), placeMessage(inbound, now), now)
})

/**
 * Accepts a message from a request that may have an `Idempotency-Key`, in one unit of work. Fails with
 * `IdempotencyConflict`, and writes nothing, when a different request has used the same key.
 */
export const acceptRequest = Effect.fnUntraced(function* (inbound: Inbound) {
  const now = yield* Clock.currentTimeMillis
  const presumed = yield* presumeNew(inbound)
  const unit = Effect.gen(function* () {
    const claimed = yield* claimMessage(inbound, presumed)
    if (claimed._tag !== "New" && !claimed.sameRequest) return yield* new IdempotencyConflict()
    return yield* acceptClaimed(inbound, claimed, placeMessage(inbound, now), now)
  })
  return yield* (yield* Transactions).atomically(inbound.tenant.tenantId, unit, readsOf(inbound, presumed))
}, withSpan("acceptRequest"))

/**
 * Accepts a message after `claimMessage`, in the same unit of work. `findPlace` determines contact, thread and lead of
 * a new message. `placeMessage` is the usual choice.
 */
export const acceptClaimed = Effect.fnUntraced(function* <E, R>(
  inbound: Inbound,
  claimed: ClaimedMessage | Earlier,
  findPlace: Effect.Effect<MessagePlacement, E, R>,
  now: number
) {
  if (claimed._tag !== "New") return yield* recordArrival(inbound, yield* acceptCopy(inbound, claimed, now), now)
  const { auto, detail } = inbound
  const ids = yield* storeMessage(inbound, claimed, yield* findPlace, now)
  const outcome = auto === null ? "message" : auto === "own" || auto === "bounce" ? auto : "auto"
  return yield* recordArrival(inbound, { outcome, ...ids, detail }, now)
})

/** Finds or creates the contact, thread and lead of a new message. Runs inside a unit of work. */
export const placeMessage = Effect.fnUntraced(function* (inbound: Inbound, now: number) {
  const { contactId, identities, mail, profile, tenant, unproven } = inbound
  const resolve = unproven === true ? resolveUnverified : resolveContact
  const named = contactId === undefined ? null : yield* resolveMergedContact(tenant.tenantId, contactId)
  const resolved: ResolvedContact =
    named === null ? yield* resolve(tenant.tenantId, identities, profile, now) : { contact: named, change: "none" }
  const thread = mail === null ? null : yield* joinThread(inbound, mail, now)
  const assigned = yield* assignLead(inbound, resolved.contact, thread, now)
  const place: MessagePlacement = { resolved, thread, assigned }
  return place
})

/** The id and the dedup keys of a message that is about to be stored. */
export interface NewMessage {
  readonly messageId: MessageId
  /** True if the tenant already has a different mail with the same Message-ID. */
  readonly reusedId: boolean
  /** The dedup keys to store with the message. Absent when `claimMessage` has already stored them. */
  readonly keys?: ReadonlyArray<DedupKey>
}

/**
 * Stores a message with its conversation head, signal and events. A message that this server sends for a person names
 * the user who makes the request. Runs inside a unit of work.
 */
export const storeMessage = Effect.fnUntraced(function* (
  inbound: Inbound,
  { keys = [], messageId, reusedId }: NewMessage,
  place: MessagePlacement,
  now: number
) {
  const isOfPerson = inbound.actor === "agent" && inbound.delivery !== null
  const userId = isOfPerson ? ((yield* ActingUser)?.userId ?? null) : null
  const message = { ...buildMessage(inbound, messageId, place, reusedId, now), userId }
  yield* (yield* Messages).insert(message, keys)
  const conversation = yield* advanceConversation(place, message, now)
  // A mail that the server forwards to the contact answers no message of the contact.
  const answers = inbound.actor !== "system" && !isUnverifiedSender(inbound, place.resolved)
  if (answers) yield* supersedeDraft(inbound, message)
  const signalId = yield* enqueueSignal(inbound, message, now)
  yield* recordEvents(eventsOf(place, message, conversation), now)
  yield* awaitAnswer(inbound.tenant, message, now)
  const { contactId, leadId, threadId } = message
  return { messageId, contactId, leadId, threadId, signalId }
})

/** Updates the conversation for a message. Returns its row of the list, which the event carries. */
const advanceConversation = Effect.fnUntraced(function* (
  { assigned, resolved: { change, contact } }: MessagePlacement,
  message: Message,
  now: number
) {
  const { advance, among } = yield* Conversations
  const { contactId, tenantId } = message
  const [stored] = change === "created" ? [] : yield* among(tenantId, [contactId])
  yield* advance(message)
  const before = stored === undefined ? null : conversationAsOf(stored, now)
  return conversationAfter(before, message, { contact, lead: assigned?.lead ?? null })
})

/**
 * Supersedes the contact's pending draft. An old mail that is stored now does not supersede a draft that answers a
 * newer message.
 */
const supersedeDraft = Effect.fnUntraced(function* (
  inbound: Inbound,
  { auto, contactId, tenantId, timestamp }: Message
) {
  if (auto !== null && auto !== "own") return
  const drafts = yield* Drafts
  const isOld = inbound.pipeline === "none" && inbound.delivery === null
  if (isOld) yield* drafts.supersedeOlder(tenantId, contactId, timestamp)
  else yield* drafts.supersede(tenantId, contactId)
})

/**
 * Queues a message for the pipeline. If the caller runs the signal, the workers get it only after one lease. Otherwise
 * the signal waits for the tenant's wait window, so that one reply answers several messages of the contact.
 */
const enqueueSignal = Effect.fnUntraced(function* ({ auto, pipeline, tenant }: Inbound, message: Message, now: number) {
  if (pipeline === "none") return null
  const { contactId, leadId, messageId, tenantId } = message
  const signalId = signalIdOf(messageId)
  // If the caller runs the signal itself, this run counts as a started run.
  const unfinished = pipeline === "claimed" ? 1 : 0
  const wait = pipeline === "claimed" ? signalLeaseMillis : auto === null ? tenant.config.replyWaitSeconds * 1_000 : 0
  const signal = { signalId, tenantId, messageId, contactId, leadId, attempts: 0, unfinished, suspect: false }
  yield* (yield* Signals).enqueue(signal, now, now + wait)
  return signalId
})

/** Returns the outbound events about a new message. */
const eventsOf = (
  { assigned, resolved: { change, contact } }: MessagePlacement,
  message: Message,
  conversation: Conversation
): ReadonlyArray<NewEvent> => {
  const events: Array<NewEvent> = []
  if (change !== "none") events.push(contactEvent(`contact.${change}`, contact))
  if (assigned !== null) {
    const about = { message_id: message.messageId, preview: preview(message.body) }
    const byPerson = message.actor === "contact" && message.auto === null
    const { lead } = assigned
    const changes = isHistory(message) ? [] : assigned.changes
    if (assigned.change === "created") events.push({ ...leadEvent("lead.received", lead, about), changes })
    else if (byPerson) events.push(leadEvent("lead.contact_replied", lead, about))
    const { [assigned.change]: reason } = { created: null, ...changeReasons }
    if (reason !== null) events.push({ ...leadEvent("lead.state_changed", lead, { reason }), changes })
    events.push(...assigned.moved)
  }
  return [...events, conversationEvent(message, conversation)]
}

/** Adds the line of the inbound ledger for an arriving message. */
const recordArrival = Effect.fnUntraced(function* (inbound: Inbound, accepted: Accepted, now: number) {
  yield* (yield* Arrivals).record({
    arrivalId: yield* (yield* Ids).next("arr"),
    tenantId: inbound.tenant.tenantId,
    channel: inbound.channel,
    source: inbound.source,
    outcome: accepted.outcome,
    messageId: accepted.messageId,
    detail: accepted.detail,
    receivedAt: now
  })
  return accepted
})

/** The result for a copy of an erased message. Nothing is stored, and the result reveals nothing about the original. */
const erasedCopy: Accepted = {
  outcome: "duplicate_of",
  messageId: null,
  contactId: null,
  leadId: null,
  threadId: null,
  signalId: null,
  detail: "A copy of a message that was erased."
}

/** Accepts a copy of a message, and returns the ids of the original. Runs inside a unit of work. */
const acceptCopy = Effect.fnUntraced(function* (inbound: Inbound, earlier: Earlier, now: number) {
  if (earlier._tag === "Erased") return erasedCopy
  const { contactId, messageId } = earlier.of
  const { leadId, threadId } = yield* placeOfCopy(inbound, earlier.of, now)
  const accepted: Accepted = {
    ...erasedCopy,
    messageId,
    contactId,
    leadId,
    threadId,
    detail: `A copy of ${messageId}.`
  }
  return accepted
})

/**
 * Returns the lead and the thread of a copy. If the copy has another Message-ID than the original, its Message-ID is
 * registered too, so that an answer to the copy joins the thread.
 */
const placeOfCopy = Effect.fnUntraced(function* (inbound: Inbound, of: Message, now: number) {
  const { mail } = inbound
  if (mail === null || of.internetMessageId === null || mail.internetMessageId === of.internetMessageId) return of
  const references = [{ id: of.internetMessageId, weak: false }, ...mail.references]
  // The id follows the message when a person corrects its thread.
  const keys = [copiedIdKey + mail.internetMessageId]
  yield* (yield* Messages).claimKeys(inbound.tenant.tenantId, of.messageId, { keys, absent: [], fingerprint: null })
  return yield* joinThread(inbound, { ...mail, references }, now)
})

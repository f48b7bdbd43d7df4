import { Clock, Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { resolveUnverified, resolveContact, type ResolvedContact } from "../contact/ResolveContact.ts"
import { joinThread, type JoinedThread } from "./JoinThread.ts"
import { isReusedId } from "../../domain/email/Fingerprint.ts"
import { IdempotencyConflict } from "../../domain/sending/Reservation.ts"
import type { MessageId } from "../../domain/Id.ts"
import { assignLead, type AssignedLead } from "./AssignLead.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import { signalIdOf, signalLeaseMillis } from "../../domain/classification/Signal.ts"
import { resolveMergedContact } from "../contact/ResolveMergedContact.ts"
import { Arrivals } from "../../port/repository/conversation/Arrivals.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Ids } from "../../port/system/Ids.ts"
import { type DedupKeyHolder, Messages } from "../../port/repository/conversation/Messages.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { isTombstone, tombstone } from "../../domain/privacy/Erasure.ts"
import type { OutboundEvent } from "../../domain/webhook/Event.ts"
import type { ArrivalOutcome } from "../../domain/conversation/Arrival.ts"
import { conversationEvent } from "../../domain/conversation/ConversationEvent.ts"
import type { Accepted, Inbound } from "./Inbound.ts"
import { type Message, type MessageFlag, preview } from "../../domain/conversation/Message.ts"
import { supersedeDraft } from "./SupersedeDraft.ts"

/** Prefix of the dedup key that a Message-ID makes; the one key that two different mails may share. */
export const messageIdKey = "mid:"

const outcomeOf = (inbound: Inbound): ArrivalOutcome => {
  if (inbound.auto === "own" || inbound.auto === "bounce") return inbound.auto
  return inbound.auto === null ? "message" : "auto"
}

const record = Effect.fnUntraced(function* (inbound: Inbound, accepted: Accepted, now: number) {
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

/**
 * What an earlier arrival makes of this one. `sameRequest`: both came with the same request, as far as they came under an
 * `Idempotency-Key`.
 */
export type Recognised =
  | { readonly _tag: "New" }
  | { readonly _tag: "Copy"; readonly of: Message; readonly sameRequest: boolean }
  /** Another mail carries the same Message-ID. */
  | { readonly _tag: "ReusedId" }
  /** It was here, and was erased with its contact: it does not come back. */
  | { readonly _tag: "Erased"; readonly sameRequest: boolean }

const isReuse = (stored: Message, inbound: Inbound): boolean =>
  isReusedId(
    { from: stored.from ?? "", subject: stored.subject ?? "", dateSeconds: Math.floor(stored.timestamp / 1000) },
    {
      from: inbound.mail?.from ?? "",
      subject: inbound.subject ?? "",
      dateSeconds: Math.floor(inbound.timestamp / 1000)
    }
  )

/** Of an erased message the fingerprint stays as a tombstone, as its keys do. */
const isSameRequest = ({ fingerprint, key }: DedupKeyHolder, inbound: Inbound, pepper: Uint8Array): boolean => {
  if (fingerprint === null || inbound.fingerprint === undefined) return true
  return fingerprint === (isTombstone(key) ? tombstone(inbound.fingerprint, pepper) : inbound.fingerprint)
}

/** Looks for an earlier arrival of the same message. What once was a copy never becomes new again. */
export const recognise = Effect.fnUntraced(function* (inbound: Inbound) {
  const messages = yield* Messages
  const { pepper } = yield* Secrets
  const { tenantId } = inbound.tenant
  const marks = inbound.dedupKeys.map((key) => tombstone(key, pepper))
  const holders = yield* messages.holders(tenantId, [...inbound.dedupKeys, ...marks])
  const sameRequest = holders.every((holder) => isSameRequest(holder, inbound, pepper))
  if (holders.some(({ key }) => isTombstone(key))) return { _tag: "Erased", sameRequest } as Recognised
  const sure = holders.find((holder) => !holder.key.startsWith(messageIdKey))
  const holder = sure ?? holders[0]
  if (holder === undefined) return { _tag: "New" } as Recognised
  const stored = yield* messages.find(tenantId, holder.messageId)
  // A name that a provider reported while its message was being erased.
  if (stored === null) return { _tag: "Erased", sameRequest } as Recognised
  if (sure === undefined && isReuse(stored, inbound)) return { _tag: "ReusedId" } as Recognised
  return { _tag: "Copy", of: stored, sameRequest } as Recognised
})

/** Where a message has found its place. */
export interface MessagePlacement {
  readonly resolved: ResolvedContact
  readonly thread: JoinedThread | null
  readonly assigned: AssignedLead | null
}

/** The ids that a mail stands behind, root first: it names them newest first, and doubtful ones are nobody's. */
const ancestryOf = ({ mail }: Inbound): ReadonlyArray<string> =>
  (mail?.references ?? [])
    .filter(({ weak }) => !weak)
    .map(({ id }) => id)
    .toReversed()

/** Somebody who says to be a contact that was there before, and has shown nothing for it. */
const isStranger = ({ unproven }: Inbound, { change }: ResolvedContact): boolean =>
  unproven === true && change !== "created"

/** The message that an inbound one becomes in its place. `reusedId`: another mail carries the same Message-ID. */
export const buildMessage = (
  inbound: Inbound,
  messageId: MessageId,
  { assigned, resolved, thread }: MessagePlacement,
  reusedId: boolean,
  now: number
): Message => {
  const flags = new Set<MessageFlag>(inbound.flags)
  if (thread?.senderUnknown === true && inbound.actor === "contact") flags.add("sender_unverified")
  if (isStranger(inbound, resolved)) flags.add("sender_unverified")
  if (thread?.subjectChanged === true) flags.add("subject_changed")
  if (reusedId) flags.add("reused_message_id")
  return {
    messageId,
    tenantId: inbound.tenant.tenantId,
    contactId: resolved.contact.contactId,
    leadId: assigned?.lead.leadId ?? null,
    threadId: thread?.threadId ?? null,
    channel: inbound.channel,
    actor: inbound.actor,
    body: inbound.body,
    htmlBody: inbound.mail?.htmlBody ?? null,
    quotedText: inbound.quotedText,
    subject: inbound.subject,
    internetMessageId: inbound.mail?.internetMessageId ?? null,
    receivedAlias: inbound.mail?.receivedAlias ?? null,
    from: inbound.mail?.from ?? inbound.numbers?.from ?? null,
    to: inbound.mail?.to ?? (inbound.numbers === undefined ? [] : [inbound.numbers.to]),
    cc: inbound.mail?.cc ?? [],
    replyTo: inbound.mail?.replyTo ?? [],
    references: ancestryOf(inbound),
    providerMessageId: inbound.mail?.provider?.messageId ?? inbound.numbers?.providerMessageId ?? null,
    auto: inbound.auto,
    delivery: inbound.delivery,
    flags: [...flags],
    attachments: inbound.mail?.attachments ?? inbound.numbers?.attachments ?? [],
    raw: inbound.mail?.raw ?? null,
    source: inbound.source,
    metadata: inbound.metadata,
    subjectContactId: null,
    timestamp: inbound.timestamp,
    receivedAt: now
  }
}

const eventsOf = Effect.fnUntraced(function* (
  { assigned, resolved: { change, contact } }: MessagePlacement,
  message: Message,
  now: number
) {
  const ids = yield* Ids
  const events: Array<OutboundEvent> = []
  if (change !== "none") events.push(contactEvent(`contact.${change}`, contact, yield* ids.next("evt"), now))
  if (assigned !== null) {
    const about = { message_id: message.messageId, preview: preview(message.body) }
    const byPerson = message.actor === "contact" && message.auto === null
    const { lead } = assigned
    if (assigned.change === "created") {
      events.push(leadEvent("lead.received", lead, yield* ids.next("evt"), now, about))
    } else if (byPerson) {
      events.push(leadEvent("lead.contact_replied", lead, yield* ids.next("evt"), now, about))
    }
    if (assigned.change === "reopened") {
      const why = { reason: "the contact wrote again" }
      events.push(leadEvent("lead.state_changed", lead, yield* ids.next("evt"), now, why))
    }
  }
  events.push(conversationEvent(message, yield* ids.next("evt"), now))
  return events
})

/** The contact that is named, or whom it was merged into, as it stands, else the one that the identities lead to. */
const contactOf = Effect.fnUntraced(function* (inbound: Inbound, now: number) {
  const { contactId, identities, profile, tenant } = inbound
  const byIdentity = (inbound.unproven === true ? resolveUnverified : resolveContact)(
    tenant.tenantId,
    identities,
    profile,
    now
  )
  if (contactId === undefined) return yield* byIdentity
  const contact = yield* resolveMergedContact(tenant.tenantId, contactId)
  const resolved: ResolvedContact = contact === null ? yield* byIdentity : { contact, change: "none" }
  return resolved
})

/** Contact, thread and lead of a message that is new, found or made. */
const findPlace = Effect.fnUntraced(function* (inbound: Inbound, now: number) {
  const resolved = yield* contactOf(inbound, now)
  const thread = inbound.mail === null ? null : yield* joinThread(inbound, inbound.mail, now)
  const place: MessagePlacement = {
    resolved,
    thread,
    assigned: yield* assignLead(inbound, resolved.contact, thread, now)
  }
  return place
})

/**
 * When a signal becomes due. One that its caller works is held for a lease; one for the workers waits for more from the
 * same contact where the tenant wants that, so that one reply answers all of it.
 */
const dueAt = ({ auto, pipeline, tenant }: Inbound, now: number): number => {
  if (pipeline === "claimed") return now + signalLeaseMillis
  return auto === null ? now + tenant.config.replyWaitSeconds * 1_000 : now
}

/** Stores a message in its place: message, conversation, signal and events. */
const keepMessage = Effect.fnUntraced(function* (
  inbound: Inbound,
  place: MessagePlacement,
  reusedId: boolean,
  now: number
) {
  const ids = yield* Ids
  const { tenantId } = inbound.tenant
  const message = buildMessage(inbound, yield* ids.next("msg"), place, reusedId, now)
  const { contactId, leadId, messageId, threadId } = message
  yield* (yield* Messages).insert(message, inbound.dedupKeys, inbound.fingerprint)
  yield* (yield* Conversations).advance(message)
  if (!isStranger(inbound, place.resolved)) yield* supersedeDraft(inbound, message)
  const signalId = inbound.pipeline === "none" ? null : signalIdOf(messageId)
  if (signalId !== null) {
    // The caller's own run is a start, too.
    const unfinished = inbound.pipeline === "claimed" ? 1 : 0
    const signal = { signalId, tenantId, messageId, contactId, leadId, attempts: 0, unfinished, suspect: false }
    yield* (yield* Signals).enqueue(signal, now, dueAt(inbound, now))
  }
  yield* (yield* Events).append(tenantId, yield* eventsOf(place, message, now))
  const accepted: Accepted = {
    outcome: outcomeOf(inbound),
    messageId,
    contactId,
    leadId,
    threadId,
    signalId,
    detail: inbound.detail
  }
  return accepted
})

/**
 * Stores a message that is new: contact, thread, lead, message, conversation, signal and events. Runs inside a unit of
 * work; what comes in goes through `acceptMessage`, which recognises copies first.
 */
export const storeMessage = Effect.fnUntraced(function* (inbound: Inbound, reusedId: boolean, now: number) {
  return yield* keepMessage(inbound, yield* findPlace(inbound, now), reusedId, now)
})

/**
 * Answers with the message that this is a copy of. Of a copy under a Message-ID of its own that id is remembered, so
 * that an answer to the copy finds the thread.
 */
const asCopy = Effect.fnUntraced(function* (inbound: Inbound, of: Message, now: number) {
  const { contactId, messageId } = of
  const { mail } = inbound
  const copy = {
    outcome: "duplicate_of" as const,
    messageId,
    contactId,
    signalId: null,
    detail: `A copy of ${messageId}.`
  }
  if (mail === null || of.internetMessageId === null || mail.internetMessageId === of.internetMessageId) {
    const accepted: Accepted = { ...copy, leadId: of.leadId, threadId: of.threadId }
    return accepted
  }
  const references = [{ id: of.internetMessageId, weak: false }, ...mail.references]
  const { leadId, threadId } = yield* joinThread(inbound, { ...mail, references }, now)
  const accepted: Accepted = { ...copy, leadId, threadId }
  return accepted
})

/** A copy of something that was erased: nothing is stored, and nothing is said of what it was. */
const erasedCopy: Accepted = {
  outcome: "duplicate_of",
  messageId: null,
  contactId: null,
  leadId: null,
  threadId: null,
  signalId: null,
  detail: "A copy of a message that was erased."
}

/** Stores a message that was looked for before, in the same unit of work. */
const ingestRecognised = Effect.fnUntraced(function* <E, R>(
  inbound: Inbound,
  recognised: Recognised,
  find: Effect.Effect<MessagePlacement, E, R>,
  now: number
) {
  if (recognised._tag === "Erased") return yield* record(inbound, erasedCopy, now)
  if (recognised._tag === "Copy") return yield* record(inbound, yield* asCopy(inbound, recognised.of, now), now)
  return yield* record(inbound, yield* keepMessage(inbound, yield* find, recognised._tag === "ReusedId", now), now)
})

/**
 * Takes one message in, inside a unit of work; `find` finds or makes the place of one that is new. A copy changes nothing
 * but the ledger.
 */
export const ingestMessageAt = Effect.fnUntraced(function* <E, R>(
  inbound: Inbound,
  find: Effect.Effect<MessagePlacement, E, R>,
  now: number
) {
  return yield* ingestRecognised(inbound, yield* recognise(inbound), find, now)
})

/** The same, where its place is found by its identities and its thread. Runs inside a unit of work. */
export const ingestMessage = (inbound: Inbound, now: number) => ingestMessageAt(inbound, findPlace(inbound, now), now)

/**
 * Takes one message in, in one unit of work: dedup keys, contact, thread, lead, message, conversation, signal, events
 * and the line in the ledger are all there when this returns, or none of them.
 */
export const acceptMessage = Effect.fn("acceptMessage")(function* (inbound: Inbound) {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(inbound.tenant.tenantId, ingestMessage(inbound, now))
})

/**
 * The same for a message that a request brings, which may have come under an `Idempotency-Key`. Another request under the
 * same key fails with `IdempotencyConflict` and writes nothing.
 */
export const acceptRequest = Effect.fn("acceptRequest")(function* (inbound: Inbound) {
  const now = yield* Clock.currentTimeMillis
  const unit = Effect.gen(function* () {
    const recognised = yield* recognise(inbound)
    if ("sameRequest" in recognised && !recognised.sameRequest) return yield* new IdempotencyConflict()
    return yield* ingestRecognised(inbound, recognised, findPlace(inbound, now), now)
  })
  return yield* (yield* Transactions).atomically(inbound.tenant.tenantId, unit)
})

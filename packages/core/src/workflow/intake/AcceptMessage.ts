/**
 * Takes in messages of every channel: normalises them, recognises duplicates, and stores them with contact, thread and
 * lead. Classifying and answering do not belong here; see `workflow/pipeline`.
 *
 * Tests: `packages/testkit/src/suite/intake`, `packages/core/test/workflow/intake`, `packages/core/test/domain/email`.
 */
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
import { recordEvents } from "../webhook/Outbox.ts"
import { Ids } from "../../port/system/Ids.ts"
import { type DedupKeyHolder, Messages } from "../../port/repository/conversation/Messages.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { isTombstone, tombstone } from "../../domain/privacy/Erasure.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import type { ArrivalOutcome } from "../../domain/conversation/Arrival.ts"
import { conversationEvent } from "../../domain/conversation/ConversationEvent.ts"
import type { Accepted, Inbound } from "./Inbound.ts"
import { type Message, type MessageFlag, preview } from "../../domain/conversation/Message.ts"
import { supersedeDraft } from "./SupersedeDraft.ts"

/** The prefix of the dedup key from a Message-ID. Only this key can be shared by two different mails. */
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
 * The result of the search for an earlier arrival. `sameRequest` is true when both requests have the same fingerprint,
 * or one has none because it came without an `Idempotency-Key`.
 */
export type Recognised =
  | { readonly _tag: "New" }
  | { readonly _tag: "Copy"; readonly of: Message; readonly sameRequest: boolean }
  /** A different mail has the same Message-ID. */
  | { readonly _tag: "ReusedId" }
  /** The message was erased with its contact and must not be stored again. */
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

/** An erased message keeps its keys and its fingerprint as tombstones. */
const isSameRequest = ({ fingerprint, key }: DedupKeyHolder, inbound: Inbound, pepper: Uint8Array): boolean => {
  if (fingerprint === null || inbound.fingerprint === undefined) return true
  return fingerprint === (isTombstone(key) ? tombstone(inbound.fingerprint, pepper) : inbound.fingerprint)
}

/** Searches for an earlier arrival of the same message. A message that was once a duplicate stays one. */
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
  // The provider reported an id while its message was being erased.
  if (stored === null) return { _tag: "Erased", sameRequest } as Recognised
  if (sure === undefined && isReuse(stored, inbound)) return { _tag: "ReusedId" } as Recognised
  return { _tag: "Copy", of: stored, sameRequest } as Recognised
})

/** The contact, thread and lead of a message. */
export interface MessagePlacement {
  readonly resolved: ResolvedContact
  readonly thread: JoinedThread | null
  readonly assigned: AssignedLead | null
}

/** Returns the Message-IDs that a mail refers to, oldest first. Leaves out uncertain ones. */
const ancestryOf = ({ mail }: Inbound): ReadonlyArray<string> =>
  (mail?.references ?? [])
    .filter(({ weak }) => !weak)
    .map(({ id }) => id)
    .toReversed()

/** Returns whether the message claims the identity of an existing contact without proof. */
const isStranger = ({ unproven }: Inbound, { change }: ResolvedContact): boolean =>
  unproven === true && change !== "created"

/** Builds the stored form of an inbound message. `reusedId` marks that a different mail has the same Message-ID. */
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

/** Returns the events that report a new message to partners. */
const eventsOf = (
  { assigned, resolved: { change, contact } }: MessagePlacement,
  message: Message
): ReadonlyArray<NewEvent> => {
  const events: Array<NewEvent> = []
  if (change !== "none") events.push(contactEvent(`contact.${change}`, contact))
  if (assigned !== null) {
    const about = { message_id: message.messageId, preview: preview(message.body) }
    const byPerson = message.actor === "contact" && message.auto === null
    const { lead } = assigned
    if (assigned.change === "created") events.push(leadEvent("lead.received", lead, about))
    else if (byPerson) events.push(leadEvent("lead.contact_replied", lead, about))
    if (assigned.change === "reopened") {
      events.push(leadEvent("lead.state_changed", lead, { reason: "the contact wrote again" }))
    }
  }
  return [...events, conversationEvent(message)]
}

/** Returns the named contact, after merges, else the one that the identities resolve to. */
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

/** Finds or creates the contact, thread and lead of a new message. */
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
 * Returns the time at which a signal is due. A signal that its caller runs is held for one lease. A signal for the
 * workers waits for more messages of the contact if the tenant configured that, so that one reply answers all of them.
 */
const dueAt = ({ auto, pipeline, tenant }: Inbound, now: number): number => {
  if (pipeline === "claimed") return now + signalLeaseMillis
  return auto === null ? now + tenant.config.replyWaitSeconds * 1_000 : now
}

/** Stores a message with its conversation head, signal and events. */
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
    // The caller's own run counts as a started run.
    const unfinished = inbound.pipeline === "claimed" ? 1 : 0
    const signal = { signalId, tenantId, messageId, contactId, leadId, attempts: 0, unfinished, suspect: false }
    yield* (yield* Signals).enqueue(signal, now, dueAt(inbound, now))
  }
  yield* recordEvents(eventsOf(place, message), now)
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
 * Stores a new message: contact, thread, lead, message, conversation head, signal and events. Runs inside a unit of
 * work. Use `acceptMessage` for arriving messages, because it recognises duplicates first.
 */
export const storeMessage = Effect.fnUntraced(function* (inbound: Inbound, reusedId: boolean, now: number) {
  return yield* keepMessage(inbound, yield* findPlace(inbound, now), reusedId, now)
})

/**
 * Returns the result for a duplicate. When the duplicate has a Message-ID of its own, that id is registered, so that an
 * answer to it joins the thread.
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

/** The result for a duplicate of an erased message. It stores nothing and reveals nothing about the original. */
const erasedCopy: Accepted = {
  outcome: "duplicate_of",
  messageId: null,
  contactId: null,
  leadId: null,
  threadId: null,
  signalId: null,
  detail: "A copy of a message that was erased."
}

/** Stores a message after `recognise`, in the same unit of work. */
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
 * Ingests one message inside a unit of work; `find` supplies contact, thread and lead of a new one. A duplicate changes
 * only the ledger.
 */
export const ingestMessageAt = Effect.fnUntraced(function* <E, R>(
  inbound: Inbound,
  find: Effect.Effect<MessagePlacement, E, R>,
  now: number
) {
  return yield* ingestRecognised(inbound, yield* recognise(inbound), find, now)
})

/** Ingests one message whose identities and thread determine its contact and lead. Runs inside a unit of work. */
export const ingestMessage = (inbound: Inbound, now: number) => ingestMessageAt(inbound, findPlace(inbound, now), now)

/**
 * Ingests one message in one unit of work. It commits the dedup keys, contact, thread, lead, message, conversation
 * head, signal, events and ledger line together, or nothing.
 */
export const acceptMessage = Effect.fn("acceptMessage")(function* (inbound: Inbound) {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(inbound.tenant.tenantId, ingestMessage(inbound, now))
})

/**
 * Ingests a message from a request that may have an `Idempotency-Key`. Fails with `IdempotencyConflict` and writes
 * nothing when another request used the same key.
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

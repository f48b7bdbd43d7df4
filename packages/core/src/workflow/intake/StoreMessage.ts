import { Effect } from "effect"
import { signalIdOf, signalLeaseMillis } from "../../domain/classification/Signal.ts"
import { contactEvent } from "../../domain/contact/ContactEvent.ts"
import { conversationEvent } from "../../domain/conversation/ConversationEvent.ts"
import { type Message, type MessageFlag, preview } from "../../domain/conversation/Message.ts"
import type { MessageId } from "../../domain/Id.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { Conversations } from "../../port/repository/conversation/Conversations.ts"
import { Drafts } from "../../port/repository/conversation/Drafts.ts"
import { type DedupKey, Messages } from "../../port/repository/conversation/Messages.ts"
import { Signals } from "../../port/repository/pipeline/Signals.ts"
import type { ResolvedContact } from "../contact/ResolveContact.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import type { AssignedLead } from "./AssignLead.ts"
import type { Inbound } from "./Inbound.ts"
import type { JoinedThread } from "./JoinThread.ts"

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

/**
 * Returns the time at which a signal is due. A signal that its caller runs is held for one lease. A signal for the
 * workers waits for more messages of the contact if the tenant configured that, so that one reply answers all of them.
 */
const dueAt = ({ auto, pipeline, tenant }: Inbound, now: number): number => {
  if (pipeline === "claimed") return now + signalLeaseMillis
  return auto === null ? now + tenant.config.replyWaitSeconds * 1_000 : now
}

/**
 * Supersedes a pending draft of the contact. Old mail that is stored now does not supersede a draft that answers a newer
 * message.
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

/** Queues the pipeline for a message. Returns the id of the signal, or null when no run follows. */
const enqueueSignal = Effect.fnUntraced(function* (inbound: Inbound, message: Message, now: number) {
  if (inbound.pipeline === "none") return null
  const { contactId, leadId, messageId, tenantId } = message
  const signalId = signalIdOf(messageId)
  // The caller's own run counts as a started run.
  const unfinished = inbound.pipeline === "claimed" ? 1 : 0
  const signal = { signalId, tenantId, messageId, contactId, leadId, attempts: 0, unfinished, suspect: false }
  yield* (yield* Signals).enqueue(signal, now, dueAt(inbound, now))
  return signalId
})

/** The identity of a message that is about to be stored. */
export interface NewMessage {
  readonly messageId: MessageId
  /** A different mail has the same Message-ID. */
  readonly reusedId: boolean
  /** The dedup keys to store with the message; absent when `claimMessage` has stored them. */
  readonly keys?: ReadonlyArray<DedupKey>
}

/** Stores a message with its conversation head, signal and events. Runs inside a unit of work. */
export const storeMessage = Effect.fnUntraced(function* (
  inbound: Inbound,
  { keys = [], messageId, reusedId }: NewMessage,
  place: MessagePlacement,
  now: number
) {
  const message = buildMessage(inbound, messageId, place, reusedId, now)
  yield* (yield* Messages).insert(message, keys)
  yield* (yield* Conversations).advance(message)
  if (!isStranger(inbound, place.resolved)) yield* supersedeDraft(inbound, message)
  const signalId = yield* enqueueSignal(inbound, message, now)
  yield* recordEvents(eventsOf(place, message), now)
  const { contactId, leadId, threadId } = message
  return { messageId, contactId, leadId, threadId, signalId }
})

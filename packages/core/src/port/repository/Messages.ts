import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer } from "effect"
import type { TimelineKey } from "../../domain/contact/Activity.ts"
import type { KeptSource } from "../../domain/email/MailSource.ts"
import type { Delivery, Message, MessageOutline, ParsedContent, SentNames } from "../../domain/conversation/Message.ts"
import type { ContactId, LeadId, MessageId, ThreadId } from "../../domain/Id.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { addNew, by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

type Memory = Context.Service.Shape<typeof MemoryState>
type Port = Context.Service.Shape<typeof Messages>

/** One key that recognises a copy, for example `mid:<a@b>` or `hash:9f…`. */
export type DedupKey = string

/** Where a page of messages ends, by the time of writing. */
export type MessageKey = Pick<Message, "timestamp"> & { readonly messageId: string }

/** What the tenant's side has written to a contact. */
export interface OurSide {
  /** Messages of the assistant since the time that was asked for. */
  readonly repliesSince: number
  /** When a person last wrote, epoch milliseconds; null: nobody has. */
  readonly lastByPersonAt: number | null
}

const writing = by<MessageKey>(
  (message) => message.timestamp,
  (message) => message.messageId
)

const acceptance = by<Message>(
  (message) => message.receivedAt,
  (message) => message.messageId
)

/** A message of ours, further on its way. */
const setDelivery = ({ messages }: Memory, tenantId: string, messageId: MessageId, delivery: Delivery): void => {
  const key = keyOf(tenantId, messageId)
  const message = messages.get(key)
  if (message !== undefined) messages.set(key, { ...message, delivery })
}

const addKeys = (
  { dedupKeys }: Memory,
  { messageId, tenantId }: Pick<Message, "messageId" | "tenantId">,
  keys: ReadonlyArray<DedupKey>,
  fingerprint: string | null = null
): void => {
  for (const key of keys) {
    const place = keyOf(tenantId, key)
    if (!dedupKeys.has(place)) dedupKeys.set(place, { messageId, fingerprint })
  }
}

const nameSent = ({ messages }: Memory, tenantId: string, messageId: MessageId, names: SentNames): void => {
  const key = keyOf(tenantId, messageId)
  const message = messages.get(key)
  if (message !== undefined) messages.set(key, { ...message, ...names })
}

const idsOfThread = ({ messages }: Memory, tenantId: string, threadId: ThreadId): ReadonlyArray<string> =>
  ofTenant(messages, tenantId)
    .filter((message) => message.threadId === threadId)
    .toSorted(writing)
    .flatMap(({ internetMessageId }) => (internetMessageId === null ? [] : [internetMessageId]))

/** An email of a lead that a person wrote, on a list or not; what was only told of as one has no id to answer to. */
const isOfLead = ({ auto, channel, internetMessageId, leadId }: Message): boolean =>
  channel === "email" && leadId !== null && internetMessageId !== null && auto !== "auto_reply" && auto !== "bounce"

const pageOfLead = ({ messages }: Memory, tenantId: string, leadId: string, after: MessageKey | null) =>
  ofTenant(messages, tenantId)
    .filter((message) => message.leadId === leadId && (after === null || writing(message, after) > 0))
    .toSorted(writing)

const latestFromContact = (state: Memory, tenantId: string, leadId: string): Message | null =>
  pageOfLead(state, tenantId, leadId, null).findLast(({ actor, auto }) => actor === "contact" && auto === null) ?? null

/** Written by somebody, not by a machine, and not kept from leaving. */
const isOfPerson = ({ actor, auto, delivery }: Message): boolean =>
  (actor === "contact" || actor === "agent") && (auto === null || auto === "own") && delivery !== "failed"

const newestSince = (
  { messages }: Memory,
  tenantId: string,
  contactId: string,
  messageId: MessageId
): MessageId | null => {
  const given = messages.get(keyOf(tenantId, messageId))
  if (given === undefined) return null
  const since = ofTenant(messages, tenantId)
    .filter((message) => message.contactId === contactId && isOfPerson(message))
    .filter((message) => writing(message, given) > 0 && acceptance(message, given) > 0)
  return since.toSorted(writing).at(-1)?.messageId ?? null
}

const setSubject = (
  { messages }: Memory,
  tenantId: string,
  messageId: MessageId,
  subjectContactId: ContactId | null
): void => {
  const key = keyOf(tenantId, messageId)
  const message = messages.get(key)
  if (message !== undefined) messages.set(key, { ...message, subjectContactId })
}

/** Moves messages and heads of merged leads to the one that stays. */
const moveLead = ({ heads, messages }: Memory, tenantId: string, into: LeadId, from: ReadonlyArray<LeadId>): void => {
  const gone = new Set<string>(from)
  for (const [key, message] of messages) {
    if (message.tenantId !== tenantId || message.leadId === null || !gone.has(message.leadId)) continue
    messages.set(key, { ...message, leadId: into })
  }
  for (const [key, head] of heads) {
    if (head.tenantId !== tenantId || head.leadId === null || !gone.has(head.leadId)) continue
    heads.set(key, { ...head, leadId: into })
  }
}

const newestText = (messages: ReadonlyArray<Message>): Message | null =>
  messages
    .filter(({ actor, channel, from }) => channel === "sms" && actor === "contact" && from !== null)
    .toSorted(writing)
    .at(-1) ?? null

const bytesOf = (message: Message): number => {
  const { attachments, body, cc, htmlBody, metadata, quotedText, references, replyTo, to } = message
  const lists = [to, cc, replyTo, references, attachments, metadata].map((value) => JSON.stringify(value))
  return [body, htmlBody ?? "", quotedText ?? "", ...lists].reduce((sum, text) => sum + utf8ToBytes(text).length, 0)
}

const pageBefore = (all: ReadonlyArray<Message>, key: TimelineKey | null, limit: number): ReadonlyArray<Message> =>
  all
    .filter(
      ({ messageId, timestamp }) => key === null || timestamp < key.at || (timestamp === key.at && messageId < key.id)
    )
    .toSorted((one, other) => writing(other, one))
    .slice(0, limit)

type HistoryPart =
  | "newestEmail"
  | "newestText"
  | "ofContact"
  | "before"
  | "outline"
  | "since"
  | "extent"
  | "hasNewerFromContact"
  | "ourSide"

/** What is asked of the messages of one contact. */
const histories = ({ messages }: Memory): Pick<Port, HistoryPart> => {
  const ofContact = (tenantId: string, contactId: string): ReadonlyArray<Message> =>
    ofTenant(messages, tenantId).filter((message) => message.contactId === contactId)
  return {
    newestEmail: (tenantId, contactId) =>
      Effect.sync(() => ofContact(tenantId, contactId).filter(isOfLead).toSorted(writing).at(-1) ?? null),
    newestText: (tenantId, contactId) => Effect.sync(() => newestText(ofContact(tenantId, contactId))),
    ofContact: (tenantId, contactId) => Effect.sync(() => ofContact(tenantId, contactId).toSorted(writing)),
    before: (tenantId, contactId, key, limit) =>
      Effect.sync(() => pageBefore(ofContact(tenantId, contactId), key, limit)),
    outline: (tenantId, contactId, key, limit) =>
      Effect.sync(() =>
        pageBefore(ofContact(tenantId, contactId), key, limit).map((message) => {
          const { messageId, timestamp } = message
          return { timestamp, messageId, bytes: bytesOf(message) }
        })
      ),
    since: (tenantId, contactId, receivedAt) =>
      Effect.sync(() =>
        ofContact(tenantId, contactId)
          .filter((message) => message.receivedAt > receivedAt)
          .toSorted(acceptance)
      ),
    extent: (tenantId, contactId, atMost) =>
      Effect.sync(() => {
        const all = ofContact(tenantId, contactId).toSorted(writing)
        return { first: all[0] ?? null, count: Math.min(all.length, atMost) }
      }),
    ourSide: (tenantId, contactId, since) =>
      Effect.sync(() => {
        const all = ofContact(tenantId, contactId)
        const byPerson = all.flatMap(({ actor, timestamp }) => (actor === "agent" ? [timestamp] : []))
        return {
          repliesSince: all.filter(({ actor, timestamp }) => actor === "assistant" && timestamp >= since).length,
          lastByPersonAt: byPerson.length === 0 ? null : Math.max(...byPerson)
        }
      }),
    hasNewerFromContact: (tenantId, contactId, messageId) =>
      Effect.sync(() => {
        const given = messages.get(keyOf(tenantId, messageId))
        return (
          given !== undefined &&
          ofContact(tenantId, contactId).some(
            (message) => message.actor === "contact" && acceptance(message, given) > 0
          )
        )
      })
  }
}

/** Which stored message holds a key. */
export interface KeyHolder {
  readonly key: DedupKey
  readonly messageId: MessageId
  /** That of the request that brought the message under an `Idempotency-Key`; null: of another kind of key. */
  readonly fingerprint: string | null
}

/** Stored messages of all channels, and the keys that recognise copies of them. */
export class Messages extends Context.Service<
  Messages,
  {
    /**
     * Stores a message under its keys. A key that has a holder already stays with it. `fingerprint`: that of the request
     * whose `Idempotency-Key` the keys stand for.
     */
    readonly insert: (
      message: Message,
      keys: ReadonlyArray<DedupKey>,
      fingerprint?: string | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Which stored message holds which of these keys. */
    readonly holders: (
      tenantId: string,
      keys: ReadonlyArray<DedupKey>
    ) => Effect.Effect<ReadonlyArray<KeyHolder>, StoreUnavailable>
    readonly find: (tenantId: string, messageId: MessageId) => Effect.Effect<Message | null, StoreUnavailable>
    /** The newest email of a contact that belongs to a lead and that no machine wrote, ours included; or null. */
    readonly newestEmail: (tenantId: string, contactId: string) => Effect.Effect<Message | null, StoreUnavailable>
    /** The newest text message that a contact wrote and whose number is known; or null. */
    readonly newestText: (tenantId: string, contactId: string) => Effect.Effect<Message | null, StoreUnavailable>
    /** A contact's whole history, all channels, oldest first. */
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** Up to `limit` of a contact's messages before a key of its timeline, newest first; null: the newest. */
    readonly before: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /**
     * The same without what was written: the key and the size of each message. Whoever reads many messages learns first
     * how many of them one answer can hold.
     */
    readonly outline: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<MessageOutline>, StoreUnavailable>
    /** Those of these messages that are there, in any order. */
    readonly findAll: (
      tenantId: string,
      messageIds: ReadonlyArray<MessageId>
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** What was accepted of a contact after `receivedAt`, in order of acceptance. */
    readonly since: (
      tenantId: string,
      contactId: string,
      receivedAt: number
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** The oldest message of a contact and how many there are, counted up to `atMost`. */
    readonly extent: (
      tenantId: string,
      contactId: string,
      atMost: number
    ) => Effect.Effect<{ readonly first: Message | null; readonly count: number }, StoreUnavailable>
    /** Messages of a lead, oldest first, after `after`. */
    readonly ofLead: (
      tenantId: string,
      leadId: string,
      limit: number,
      after: MessageKey | null
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** The newest message of a lead that its contact wrote and no machine; null: there is none. */
    readonly latestFromContact: (tenantId: string, leadId: string) => Effect.Effect<Message | null, StoreUnavailable>
    /** Whether the contact has written again after this message, on any channel, in order of acceptance. */
    readonly hasNewerFromContact: (
      tenantId: string,
      contactId: string,
      messageId: MessageId
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * The newest message of a contact's conversation that was written and accepted after the one given, by the contact or
     * by a person of ours; what machines wrote and what could not be sent does not count. Null: there is none.
     */
    readonly newestSince: (
      tenantId: string,
      contactId: string,
      messageId: MessageId
    ) => Effect.Effect<MessageId | null, StoreUnavailable>
    /** What the tenant's side has written to a contact: by the assistant from a time on, and last by a person. */
    readonly ourSide: (tenantId: string, contactId: string, since: number) => Effect.Effect<OurSide, StoreUnavailable>
    /** Notes which contact a message concerns; null: nobody in particular. */
    readonly setSubject: (
      tenantId: string,
      messageId: MessageId,
      subject: ContactId | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Notes where a message of ours stands on its way out. */
    readonly setDelivery: (
      tenantId: string,
      messageId: MessageId,
      delivery: Delivery
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Notes what a provider calls a mail of ours that it took, under which keys it is a copy when it is reported back, and
     * the Message-ID it went out under when that is another than ours.
     */
    readonly nameSent: (
      tenantId: string,
      messageId: MessageId,
      names: SentNames,
      keys: ReadonlyArray<DedupKey>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Notes what of a message is kept beside it, once it has been fetched. False: there is no such message. */
    readonly setContent: (
      tenantId: string,
      messageId: MessageId,
      raw: KeptSource,
      attachments: Message["attachments"]
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Replaces what parsing a message has resulted in; searches find it by its new content. For a unit of work. */
    readonly setParsed: (
      tenantId: string,
      messageId: MessageId,
      content: ParsedContent
    ) => Effect.Effect<void, StoreUnavailable>
    /** The Message-IDs of the newest `limit` emails of a thread, oldest first. */
    readonly idsOfThread: (
      tenantId: string,
      threadId: ThreadId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Moves messages of merged leads to the one that stays. */
    readonly moveLead: (
      tenantId: string,
      into: LeadId,
      from: ReadonlyArray<LeadId>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/Messages") {
  static readonly layerMemory: Layer.Layer<Messages> = Layer.effect(
    Messages,
    Effect.map(MemoryState, (state) => {
      return Messages.of({
        insert: (message, keys, fingerprint) =>
          Effect.map(addNew(state.messages, keyOf(message.tenantId, message.messageId), message), () =>
            addKeys(state, message, keys, fingerprint)
          ),
        holders: (tenantId, keys) =>
          Effect.sync(() =>
            [...new Set(keys)].flatMap((key) => {
              const holder = state.dedupKeys.get(keyOf(tenantId, key))
              return holder === undefined ? [] : [{ key, ...holder }]
            })
          ),
        find: (tenantId, messageId) => Effect.sync(() => state.messages.get(keyOf(tenantId, messageId)) ?? null),
        findAll: (tenantId, messageIds) =>
          Effect.sync(() => messageIds.flatMap((messageId) => state.messages.get(keyOf(tenantId, messageId)) ?? [])),
        ...histories(state),
        ofLead: (tenantId, leadId, limit, after) =>
          Effect.sync(() => pageOfLead(state, tenantId, leadId, after).slice(0, limit)),
        latestFromContact: (tenantId, leadId) => Effect.sync(() => latestFromContact(state, tenantId, leadId)),
        newestSince: (tenantId, contactId, messageId) =>
          Effect.sync(() => newestSince(state, tenantId, contactId, messageId)),
        setSubject: (tenantId, messageId, subject) =>
          Effect.sync(() => setSubject(state, tenantId, messageId, subject)),
        setDelivery: (tenantId, messageId, delivery) =>
          Effect.sync(() => setDelivery(state, tenantId, messageId, delivery)),
        nameSent: (tenantId, messageId, names, keys) =>
          Effect.sync(() => {
            nameSent(state, tenantId, messageId, names)
            addKeys(state, { tenantId, messageId }, keys)
          }),
        setParsed: (tenantId, messageId, content) =>
          Effect.sync(() => {
            const key = keyOf(tenantId, messageId)
            const message = state.messages.get(key)
            if (message !== undefined) state.messages.set(key, { ...message, ...content })
          }),
        setContent: (tenantId, messageId, raw, attachments) =>
          Effect.sync(() => {
            const key = keyOf(tenantId, messageId)
            const message = state.messages.get(key)
            if (message !== undefined) state.messages.set(key, { ...message, raw, attachments })
            return message !== undefined
          }),
        idsOfThread: (tenantId, threadId, limit) =>
          Effect.sync(() => idsOfThread(state, tenantId, threadId).slice(-limit)),
        moveLead: (tenantId, into, from) => Effect.sync(() => moveLead(state, tenantId, into, from))
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}

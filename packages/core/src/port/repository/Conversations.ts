import { Context, Effect, Layer } from "effect"
import {
  type Conversation,
  type ConversationKey,
  ConversationNotFound
} from "../../domain/conversation/Conversation.ts"
import { type ConversationHead, headAfter } from "../../domain/conversation/ConversationHead.ts"
import { isToRead, type Message } from "../../domain/conversation/Message.ts"
import type { ContactId, MessageId } from "../../domain/Id.ts"
import type { StoreUnavailable } from "../system/StoreUnavailable.ts"
import { by, keyOf, MemoryState, ofTenant } from "../../memory/MemoryState.ts"

const acceptance = by<Message>(
  (message) => message.receivedAt,
  (message) => message.messageId
)

/** How much of what is to be read was accepted after a message. */
const countLater = (messages: ReadonlyArray<Message>, contactId: string, messageId: MessageId): number => {
  const given = messages.find((message) => message.messageId === messageId)
  if (given === undefined) return 0
  const later = messages.filter((message) => message.contactId === contactId && acceptance(message, given) > 0)
  return later.filter(isToRead).length
}

/** Marks a conversation read but for so many messages. */
const leaveUnread = (
  { heads }: Context.Service.Shape<typeof MemoryState>,
  tenantId: string,
  contactId: string,
  rest: () => number
): Effect.Effect<void, ConversationNotFound> =>
  Effect.suspend(() => {
    const key = keyOf(tenantId, contactId)
    const head = heads.get(key)
    if (head === undefined) return Effect.fail(new ConversationNotFound({ contactId }))
    heads.set(key, { ...head, unread: Math.min(head.unread, rest()) })
    return Effect.void
  })

/** Heads of conversations, one a contact, kept beside the messages so that a list reads nothing else. */
export class Conversations extends Context.Service<
  Conversations,
  {
    /**
     * Takes a new message into the head of its contact: the newest by `timestamp` shows, and the unread count goes up
     * when the contact wrote it, no machine, unless it `isRead` (history that is brought in). Contact and lead columns come
     * from their tables when read.
     */
    readonly advance: (message: Message, isRead?: boolean) => Effect.Effect<void, StoreUnavailable>
    /** Newest first, after `after`. `alias` keeps conversations with a message that arrived at that address. */
    readonly page: (
      tenantId: string,
      limit: number,
      after: ConversationKey | null,
      alias: string | null
    ) => Effect.Effect<ReadonlyArray<Conversation>, StoreUnavailable>
    readonly get: (
      tenantId: string,
      contactId: string
    ) => Effect.Effect<Conversation, ConversationNotFound | StoreUnavailable>
    /** The stored part of a conversation; null where there is none. */
    readonly head: (tenantId: string, contactId: string) => Effect.Effect<ConversationHead | null, StoreUnavailable>
    /** Replaces the head of a contact, whatever it was; null takes it away. */
    readonly setHead: (
      tenantId: string,
      contactId: ContactId,
      head: ConversationHead | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Sets the unread count to nothing. */
    readonly markRead: (
      tenantId: string,
      contactId: string
    ) => Effect.Effect<void, ConversationNotFound | StoreUnavailable>
    /** The same up to a message, in order of acceptance: what came after it stays unread. For a unit of work. */
    readonly markReadUpTo: (
      tenantId: string,
      contactId: string,
      messageId: MessageId
    ) => Effect.Effect<void, ConversationNotFound | StoreUnavailable>
  }
>()("core/port/repository/Conversations") {
  static readonly layerMemory: Layer.Layer<Conversations> = Layer.effect(
    Conversations,
    Effect.map(MemoryState, (state) => {
      const oldestFirst = by<ConversationKey>(
        (key) => key.lastTimestamp,
        (key) => key.contactId
      )
      const complete = ({ tenantId, aliases: _, ...head }: ConversationHead): Conversation => {
        const contact = state.contacts.get(keyOf(tenantId, head.contactId))
        const lead = head.leadId === null ? undefined : state.leads.get(keyOf(tenantId, head.leadId))
        return {
          ...head,
          contactName: contact?.name ?? null,
          contactEmail: contact?.email ?? null,
          leadState: lead?.state ?? null,
          tier: lead?.tier ?? null
        }
      }
      return Conversations.of({
        advance: (message, isRead = false) =>
          Effect.sync(() => {
            const key = keyOf(message.tenantId, message.contactId)
            state.heads.set(key, headAfter(state.heads.get(key) ?? null, message, isRead))
          }),
        page: (tenantId, limit, after, alias) =>
          Effect.sync(() =>
            ofTenant(state.heads, tenantId)
              .filter((head) => after === null || oldestFirst(head, after) < 0)
              .filter((head) => alias === null || head.aliases.has(alias))
              .toSorted((one, other) => oldestFirst(other, one))
              .slice(0, limit)
              .map(complete)
          ),
        get: (tenantId, contactId) =>
          Effect.suspend(() => {
            const head = state.heads.get(keyOf(tenantId, contactId))
            return head === undefined
              ? Effect.fail(new ConversationNotFound({ contactId }))
              : Effect.succeed(complete(head))
          }),
        head: (tenantId, contactId) => Effect.sync(() => state.heads.get(keyOf(tenantId, contactId)) ?? null),
        setHead: (tenantId, contactId, head) =>
          Effect.sync(() => {
            const key = keyOf(tenantId, contactId)
            if (head === null) state.heads.delete(key)
            else state.heads.set(key, { ...head, contactId })
          }),
        markRead: (tenantId, contactId) => leaveUnread(state, tenantId, contactId, () => 0),
        markReadUpTo: (tenantId, contactId, messageId) =>
          leaveUnread(state, tenantId, contactId, () =>
            countLater(ofTenant(state.messages, tenantId), contactId, messageId)
          )
      })
    })
  ).pipe(Layer.provide(MemoryState.layer))
}

import { Effect } from "effect"
import type { Message } from "../../domain/conversation/Message.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import type { ThreadCorrection } from "../../domain/email/thread/ThreadCorrection.ts"
import type { ThreadReason } from "../../domain/email/thread/ThreadReason.ts"
import type { CorrectionId, MessageId } from "../../domain/Id.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { ThreadCorrections } from "../../port/repository/conversation/ThreadCorrections.ts"
import { Threads } from "../../port/repository/conversation/Threads.ts"
import { copiedIdKey, messageIdKey } from "../intake/Recognise.ts"
import { withSpan } from "../WithSpan.ts"
import { findThread } from "./CorrectThread.ts"

/** The limits of a thread's participants and corrections in one response. */
const maxParticipants = 100
const maxCorrections = 20

/** A message of a thread, and the reason why it belongs to it. */
export interface ExplainedMessage {
  readonly message: Message
  /** Null for mail that arrived before the server stored reasons. */
  readonly reason: ThreadReason | null
  /** The stored message that has the id of the reason; null without one. */
  readonly matchedMessageId: MessageId | null
  /** The newest correction that moved the message; null without one. */
  readonly correctionId: CorrectionId | null
}

const keysOf = (id: string): ReadonlyArray<string> => [messageIdKey + id, copiedIdKey + id]

/** Returns the reasons of messages, with the messages that they name and the corrections since. */
const explain = Effect.fnUntraced(function* (tenantId: string, found: ReadonlyArray<Message>) {
  const ids = found.flatMap(({ threadVia }) => (threadVia === null ? [] : keysOf(threadVia)))
  const holders = new Map(
    (yield* (yield* Messages).holders(tenantId, ids)).map(({ key, messageId }) => [key, messageId])
  )
  const messageIds = found.map(({ messageId }) => messageId)
  const moved = yield* (yield* ThreadCorrections).ofMessages(tenantId, messageIds)
  const corrections = new Map(moved.map(({ correctionId, messageId }) => [messageId, correctionId]))
  return found.map((message): ExplainedMessage => {
    const { threadRule: rule, threadVia: id } = message
    const [matched = null] = id === null ? [] : keysOf(id).flatMap((key) => holders.get(key) ?? [])
    return {
      message,
      reason: rule === null ? null : { rule, id },
      matchedMessageId: rule === "child" ? null : matched,
      correctionId: corrections.get(message.messageId) ?? null
    }
  })
})

/** Returns a thread with its participants, its newest corrections, and a page of its messages, oldest first. */
export const readThread = Effect.fnUntraced(function* (tenantId: string, threadId: string, request: PageRequest) {
  const { thread } = yield* findThread(tenantId, threadId)
  const messages = yield* Messages
  const { items, nextCursor } = yield* readPage(
    {
      scope: { tenantId, list: "thread", filters: { thread: thread.threadId } },
      keyOf: ({ messageId, timestamp }: Message) => [timestamp, messageId],
      readKey: ([timestamp, messageId]) =>
        typeof timestamp === "number" && typeof messageId === "string" ? { timestamp, messageId } : null,
      fetch: (limit, after) => messages.ofThread(tenantId, thread.threadId, limit, after)
    },
    request
  )
  const [oldest] = yield* messages.ofThread(tenantId, thread.threadId, 1, null)
  return {
    thread,
    subject: oldest?.subject ?? null,
    participants: yield* (yield* Threads).listParticipants(tenantId, thread.threadId, maxParticipants),
    corrections: yield* (yield* ThreadCorrections).ofThread(tenantId, thread.threadId, maxCorrections, null),
    messages: yield* explain(tenantId, items),
    nextCursor
  }
}, withSpan("readThread"))

/** Lists the corrections of a thread, newest first, those that were undone included. */
export const listCorrections = Effect.fnUntraced(function* (tenantId: string, threadId: string, request: PageRequest) {
  const { thread } = yield* findThread(tenantId, threadId)
  const corrections = yield* ThreadCorrections
  return yield* readPage(
    {
      scope: { tenantId, list: "thread_corrections", filters: { thread: thread.threadId } },
      keyOf: ({ correctionId }: ThreadCorrection) => [correctionId],
      readKey: ([correctionId]) => (typeof correctionId === "string" ? correctionId : null),
      fetch: (limit, before: string | null) => corrections.ofThread(tenantId, thread.threadId, limit, before)
    },
    request
  )
}, withSpan("listCorrections"))

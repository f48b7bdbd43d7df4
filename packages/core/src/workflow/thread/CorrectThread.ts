/**
 * Corrections of threads by people, and reading threads with the reasons for their messages. Finding the thread of a
 * new mail belongs to `workflow/intake/JoinThread`. Tests: `packages/testkit/src/suite/thread`,
 * `packages/core/test/domain/email/thread`, `packages/server/test/http/thread`.
 */
import { Clock, Effect } from "effect"
import type { Message } from "../../domain/conversation/Message.ts"
import { normalizeSubject } from "../../domain/email/Fingerprint.ts"
import type { ThreadRecord } from "../../domain/email/thread/Thread.ts"
import {
  answersOf,
  CorrectionImpossible,
  maxCorrectedMessages,
  type MessageReferences,
  NotInThread,
  type ThreadCorrection,
  ThreadNotFound,
  withDescendants
} from "../../domain/email/thread/ThreadCorrection.ts"
import { correctionEvent } from "../../domain/email/thread/ThreadEvent.ts"
import { isId, type MessageId, type ThreadId } from "../../domain/Id.ts"
import { Messages } from "../../port/repository/conversation/Messages.ts"
import { ThreadCorrections } from "../../port/repository/conversation/ThreadCorrections.ts"
import { Threads } from "../../port/repository/conversation/Threads.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { actingUserRecord } from "../ActingUser.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { sortThreads } from "../intake/JoinThread.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"

/** The tenant whose threads are corrected, and the name of the person who corrects them. */
export interface Corrector {
  readonly tenantId: string
  readonly actor: string
}

/** Returns a thread with at least one message, and the number of its messages. */
export const findThread = Effect.fnUntraced(function* (tenantId: string, threadId: string) {
  const thread = isId("thr", threadId) ? yield* (yield* Threads).find(tenantId, threadId) : null
  if (thread === null) return yield* new ThreadNotFound({ threadId })
  const size = yield* (yield* ThreadCorrections).size(tenantId, thread.threadId, maxCorrectedMessages + 1)
  if (size === 0) return yield* new ThreadNotFound({ threadId })
  return { thread, size }
})

const findCorrectable = Effect.fnUntraced(function* (tenantId: string, threadId: string) {
  const found = yield* findThread(tenantId, threadId)
  if (found.size > maxCorrectedMessages) return yield* new CorrectionImpossible({ problem: "too_long" })
  return found
})

const findInThread = Effect.fnUntraced(function* (tenantId: string, { threadId }: ThreadRecord, messageId: string) {
  const message: Message | null = isId("msg", messageId) ? yield* (yield* Messages).find(tenantId, messageId) : null
  return message?.threadId === threadId ? message : yield* new NotInThread({ messageId })
})

/** Stores the correction that `build` describes, and reports it. Runs inside a unit of work. */
const correct = Effect.fnUntraced(function* (
  { actor, tenantId }: Corrector,
  change: Pick<ThreadCorrection, "fromThreadIds" | "kind" | "messageId" | "threadId">
) {
  const createdAt = yield* Clock.currentTimeMillis
  const correction: ThreadCorrection = {
    ...change,
    correctionId: yield* (yield* Ids).next("cor"),
    tenantId,
    actor,
    ...(yield* actingUserRecord),
    createdAt,
    undoneAt: null,
    undoneBy: null,
    undoneByUser: null,
    undoneByUserName: null
  }
  yield* (yield* ThreadCorrections).insert(correction)
  yield* recordEvents([correctionEvent(correction)], createdAt)
  yield* recordAuditChange({ before: null, after: { correction_id: correction.correctionId, kind: change.kind } })
  return correction
})

/** The number of messages whose references are read at once. A message has up to 100 references. */
const readMessages = 200

/** Returns a message of a thread and all messages that descend from it. */
const descendantsIn = Effect.fnUntraced(function* (tenantId: string, threadId: ThreadId, root: MessageId) {
  const corrections = yield* ThreadCorrections
  const carried = yield* corrections.carriedIds(tenantId, threadId)
  const messageIds = [...new Set(carried.map(({ messageId }) => messageId))]
  const known = new Set(carried.map(({ id }) => id))
  const references: Array<MessageReferences> = []
  for (let start = 0; start < messageIds.length; start += readMessages) {
    const read = yield* corrections.references(tenantId, messageIds.slice(start, start + readMessages))
    // Only the nearest known reference matters, and keeping all would take much memory.
    for (const { messageId, references: ids } of read) {
      references.push({ messageId, references: ids.filter((id) => known.has(id)).slice(-1) })
    }
  }
  return withDescendants(root, answersOf(carried, references))
})

/**
 * Splits a thread: a message and all messages that descend from it form a new thread. The new thread belongs to the
 * same lead.
 */
export const splitThread = Effect.fnUntraced(function* (corrector: Corrector, threadId: string, messageId: string) {
  const { tenantId } = corrector
  const threads = yield* Threads
  const unit = Effect.gen(function* () {
    const { size, thread } = yield* findCorrectable(tenantId, threadId)
    const message = yield* findInThread(tenantId, thread, messageId)
    const moved = yield* descendantsIn(tenantId, thread.threadId, message.messageId)
    if (moved.length >= size) return yield* new CorrectionImpossible({ problem: "nothing_remains" })
    const created: ThreadRecord = {
      threadId: yield* (yield* Ids).next("thr"),
      tenantId,
      leadId: thread.leadId,
      baseSubject: normalizeSubject(message.subject ?? ""),
      createdAt: yield* Clock.currentTimeMillis,
      corrected: true
    }
    yield* threads.insert(created)
    const correction = yield* correct(corrector, {
      kind: "split",
      threadId: created.threadId,
      fromThreadIds: [thread.threadId],
      messageId: message.messageId
    })
    yield* (yield* ThreadCorrections).moveMessages(correction, thread.threadId, moved, null)
    return correction
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("splitThread"))

/**
 * Moves one message to another thread in which its contact takes part. The message gets the lead of that thread, unless
 * its own lead belongs to another contact.
 */
export const moveMessage = Effect.fnUntraced(function* (
  corrector: Corrector,
  threadId: string,
  messageId: string,
  toThreadId: string
) {
  const { tenantId } = corrector
  const corrections = yield* ThreadCorrections
  const unit = Effect.gen(function* () {
    if (threadId === toThreadId) return yield* new CorrectionImpossible({ problem: "same_thread" })
    const { size, thread } = yield* findCorrectable(tenantId, threadId)
    const { thread: target } = yield* findCorrectable(tenantId, toThreadId)
    const message = yield* findInThread(tenantId, thread, messageId)
    const contacts = yield* corrections.contactsOf(tenantId, target.threadId)
    if (!contacts.has(message.contactId)) return yield* new CorrectionImpossible({ problem: "other_contact" })
    if (size === 1) return yield* new CorrectionImpossible({ problem: "nothing_remains" })
    const correction = yield* correct(corrector, {
      kind: "move",
      threadId: target.threadId,
      fromThreadIds: [thread.threadId],
      messageId: message.messageId
    })
    yield* corrections.moveMessages(correction, thread.threadId, [message.messageId], target.leadId)
    return correction
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("moveMessage"))

/** Returns the thread into which others are joined: the oldest one with a lead, otherwise the oldest one. */
const receiverOf = (found: ReadonlyArray<ThreadRecord>): ThreadRecord | undefined => {
  const sorted = sortThreads(found)
  return sorted.find(({ leadId }) => leadId !== null) ?? sorted[0]
}

/**
 * Joins threads that have a contact in common. All messages move to the oldest thread with a lead. They keep their
 * contacts, and get the lead of that thread unless their own lead belongs to another contact.
 */
export const joinThreads = Effect.fnUntraced(function* (corrector: Corrector, threadIds: ReadonlyArray<string>) {
  const { tenantId } = corrector
  const corrections = yield* ThreadCorrections
  const unit = Effect.gen(function* () {
    const found = yield* Effect.forEach([...new Set(threadIds)], (threadId) => findCorrectable(tenantId, threadId))
    const receiver = receiverOf(found.map(({ thread }) => thread))
    const sources = found.flatMap(({ thread }) => (thread === receiver ? [] : [thread.threadId]))
    if (receiver === undefined || sources.length === 0) {
      return yield* new CorrectionImpossible({ problem: "same_thread" })
    }
    if (found.reduce((sum, { size }) => sum + size, 0) > maxCorrectedMessages) {
      return yield* new CorrectionImpossible({ problem: "too_long" })
    }
    const contacts = yield* corrections.contactsOf(tenantId, receiver.threadId)
    for (const source of sources) {
      const others = yield* corrections.contactsOf(tenantId, source)
      if (![...others].some((contactId) => contacts.has(contactId)))
        return yield* new CorrectionImpossible({ problem: "other_contact" })
    }
    const change = { kind: "join", threadId: receiver.threadId, fromThreadIds: sources, messageId: null } as const
    const correction = yield* correct(corrector, change)
    yield* corrections.moveThreads(correction, sources, receiver.leadId)
    return correction
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("joinThreads"))

import { assert } from "@effect/vitest"
import type { MessageId, ThreadId } from "@leadloom/core/internal/domain/Id"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Threads } from "@leadloom/core/internal/port/repository/conversation/Threads"
import { joinThreads, moveMessage, splitThread } from "@leadloom/core/internal/workflow/thread/CorrectThread"
import { readThread } from "@leadloom/core/internal/workflow/thread/ReadThread"
import { undoCorrection } from "@leadloom/core/internal/workflow/thread/UndoCorrection"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, present } from "../Scene.ts"

/** The person who corrects threads in tests. */
export const anna = { tenantId: "acme", actor: "user:anna" }

/** A received mail. */
export interface Received {
  readonly id: string
  readonly references: ReadonlyArray<string>
  readonly messageId: MessageId
}

/** The headers by which a mail answers another one. */
export type Answering = "both" | "in_reply_to" | "references"

let number = 0

/** Receives a mail one minute later. It answers `parent`, unless that is null. */
export const receive = Effect.fnUntraced(function* (
  parent: Pick<Received, "id" | "references"> | null,
  { answering = "both", from = "jo@customer.example" }: { answering?: Answering; from?: string } = {}
) {
  yield* TestClock.adjust("1 minute")
  number += 1
  const id = `mail.${number}.x7k2@customer.example`
  const ancestors = parent === null ? [] : [...parent.references, parent.id]
  const accepted = yield* acme.receiveMail({
    id,
    from,
    subject: `Roof ${number}`,
    body: `This is mail ${number}.`,
    ...(parent !== null && answering !== "references" ? { inReplyTo: parent.id } : {}),
    ...(parent !== null && answering !== "in_reply_to"
      ? { references: ancestors.map((ancestor) => `<${ancestor}>`).join(" ") }
      : {})
  })
  const received: Received = { id, references: ancestors, messageId: present(accepted.messageId) }
  return received
})

/** Returns the thread of a mail. */
export const threadOf = ({ messageId }: Pick<Received, "messageId">) =>
  Effect.map(acme.messageOf(messageId), ({ threadId }) => present(threadId))

/** Returns whether the mails are in the same thread. */
export const areTogether = (mails: ReadonlyArray<Received>) =>
  Effect.map(Effect.forEach(mails, threadOf), (threadIds) => new Set(threadIds).size === 1)

export const split = (mail: Received) =>
  Effect.flatMap(threadOf(mail), (threadId) => splitThread(anna, threadId, mail.messageId))
export const move = (mail: Received, to: Received) =>
  Effect.gen(function* () {
    return yield* moveMessage(anna, yield* threadOf(mail), mail.messageId, yield* threadOf(to))
  })
export const join = (...mails: ReadonlyArray<Received>) =>
  Effect.flatMap(Effect.forEach(mails, threadOf), (threadIds) => joinThreads(anna, threadIds))
export const undo = ({ correctionId, threadId }: { readonly correctionId: string; readonly threadId: string }) =>
  undoCorrection(anna, threadId, correctionId)

/** Returns the reasons of a thread by message. */
export const reasonsOf = (threadId: string) =>
  Effect.map(readThread("acme", threadId, { limit: 100, cursor: null }), ({ messages }) =>
    messages.map(({ correctionId, matchedMessageId, reason }) => ({
      rule: reason?.rule,
      id: reason?.id,
      matchedMessageId,
      corrected: correctionId !== null
    }))
  )

const byId = (a: { readonly id: string; readonly threadId: string }, b: typeof a): number =>
  `${a.id} ${a.threadId}` < `${b.id} ${b.threadId}` ? -1 : 1

/**
 * Returns for each mail its contact and the contact of its lead, which corrections never change. Checks that the
 * conversation of each contact has the lead of its newest mail, and counts every mail.
 */
export const ownersOf = Effect.fnUntraced(function* (mails: ReadonlyArray<Received>) {
  const stored = yield* Effect.forEach(mails, ({ messageId }) => acme.messageOf(messageId))
  const conversations = yield* Conversations
  for (const contactId of new Set(stored.map((message) => message.contactId))) {
    const own = stored.filter((message) => message.contactId === contactId)
    const conversation = yield* conversations.get("acme", contactId)
    const newest = own.find(({ messageId }) => messageId === conversation.lastMessageId)
    assert.deepStrictEqual([conversation.leadId, conversation.unread], [newest?.leadId, own.length])
  }
  return yield* Effect.forEach(stored, ({ contactId, leadId, messageId }) =>
    Effect.map(acme.leadOf(leadId), (lead) => ({ messageId, contactId, leadOwner: lead.contactId }))
  )
})

/** Returns everything that corrections change: the threads and leads of mails, the index, threads and participants. */
export const stateOf = Effect.fnUntraced(function* (mails: ReadonlyArray<Received>) {
  const threads = yield* Threads
  const stored = yield* (yield* Messages).findAll(
    "acme",
    mails.map(({ messageId }) => messageId)
  )
  assert.strictEqual(stored.length, mails.length)
  const threadIds = [...new Set(stored.map(({ threadId }) => present(threadId)))].toSorted()
  const people = (threadId: ThreadId) =>
    Effect.map(threads.listParticipants("acme", threadId, 100), (emails) => [threadId, ...emails])
  return {
    messages: stored
      .map(({ leadId, messageId, threadId }) => ({ leadId, messageId, threadId }))
      .toSorted((a, b) => (a.messageId < b.messageId ? -1 : 1)),
    index: (yield* threads.known("acme", [
      ...new Set(mails.flatMap(({ id, references }) => [id, ...references]))
    ])).toSorted(byId),
    threads: yield* Effect.forEach(threadIds, (threadId) => threads.find("acme", threadId)),
    participants: yield* Effect.forEach(threadIds, people)
  }
})

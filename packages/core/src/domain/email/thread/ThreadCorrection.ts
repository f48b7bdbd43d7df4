import { Schema } from "effect"
import { Time, UserName } from "../../Field.ts"
import { CorrectionId, MessageId, ThreadId, UserId } from "../../Id.ts"
import { TaggedError } from "../../TaggedError.ts"

/**
 * Corrections of threads by people. A correction moves messages between threads together with their Message-IDs in the
 * thread index, so later replies arrive in the thread of the message that they answer.
 */

/** The limit of messages in a thread that can be corrected. It limits the duration of a unit of work. */
export const maxCorrectedMessages = 10_000

/** The limit of threads in one join. */
export const maxJoinedThreads = 10

/**
 * `split`: a message and its descendants become a new thread. `move`: one message moves to another thread. `join`: all
 * messages of threads move to another thread.
 */
export const correctionKinds = ["split", "move", "join"] as const

/** A correction of threads by a person. `ThreadCorrections` stores the list of moved messages and ids separately. */
export class ThreadCorrection extends Schema.Opaque<ThreadCorrection>()(
  Schema.Struct({
    correctionId: CorrectionId.annotate({ description: "Correction id, with which the correction can be undone" }),
    tenantId: Schema.String,
    kind: Schema.Literals(correctionKinds).annotate({
      description:
        "split: a message and its answers became a new thread; move: one message moved; join: whole threads moved"
    }),
    threadId: ThreadId.annotate({ description: "The thread that received the messages" }),
    fromThreadIds: Schema.Array(ThreadId).annotate({ description: "The threads that the messages left" }),
    /** Null for a join. */
    messageId: Schema.NullOr(MessageId).annotate({
      description: "The message that was moved or at which the thread was split; null for a join"
    }),
    /** The name of the principal. */
    actor: Schema.String.annotate({ description: "The person or program that corrected the threads" }),
    userId: Schema.NullOr(UserId).annotate({
      description: "The user who corrected the threads; null: the caller acted as no user"
    }),
    userName: UserName,
    createdAt: Time.annotate({ description: "The time of the correction (ISO 8601 in UTC)" }),
    undoneAt: Schema.NullOr(Time).annotate({
      description: "The time at which the correction was undone (ISO 8601 in UTC); null: it applies"
    }),
    undoneBy: Schema.NullOr(Schema.String).annotate({
      description: "The person or program that undid the correction; null: it applies"
    }),
    undoneByUser: Schema.NullOr(UserId).annotate({
      description: "The user who undid the correction; null: it applies, or the caller acted as no user"
    }),
    undoneByUserName: UserName
  })
) {}

/** The tenant has no thread with this id. A thread that was joined or merged into another one counts as missing. */
export class ThreadNotFound extends TaggedError("ThreadNotFound")<{ readonly threadId: string }> {}

/** The message does not exist, or is not in the thread. */
export class NotInThread extends TaggedError("NotInThread")<{ readonly messageId: string }> {}

/** The reason why threads cannot be corrected as requested. */
export type CorrectionProblem =
  /** All messages of the thread would leave it. */
  | "nothing_remains"
  /** The source and the target are the same thread. */
  | "same_thread"
  /** The threads have no contact in common. */
  | "other_contact"
  /** The thread has more than `maxCorrectedMessages` messages. */
  | "too_long"

export class CorrectionImpossible extends TaggedError("CorrectionImpossible")<{
  readonly problem: CorrectionProblem
}> {}

/** The tenant has no correction with this id. */
export class CorrectionNotFound extends TaggedError("CorrectionNotFound")<{ readonly correctionId: string }> {}

/** The reason why a correction cannot be undone. */
export type UndoProblem =
  | "already_undone"
  /** A later correction of the same threads must be undone first. */
  | "later_correction"
  /** A thread of the correction no longer exists, because mail has merged it into another thread since. */
  | "thread_merged"
  /** Mail has arrived since that refers to the moved messages. */
  | "later_mail"

export class UndoImpossible extends TaggedError("UndoImpossible")<{
  readonly correctionId: CorrectionId
  readonly problem: UndoProblem
  /** The later correction; null for another problem. */
  readonly undoFirst: CorrectionId | null
}> {}

/** A message and the ids by which other mails refer to it. */
export interface CarriedId {
  readonly messageId: MessageId
  readonly id: string
}

/** The ids that a message refers to, oldest first. */
export interface MessageReferences {
  readonly messageId: MessageId
  readonly references: ReadonlyArray<string>
}

/**
 * Returns for each message the messages that answer it. A message answers its nearest ancestor in the thread: the
 * message of the last id in its references that a message of the thread carries.
 */
export const answersOf = (
  carried: ReadonlyArray<CarriedId>,
  messages: ReadonlyArray<MessageReferences>
): ReadonlyMap<MessageId, ReadonlyArray<MessageId>> => {
  const carriers = new Map<string, MessageId>(carried.map(({ id, messageId }) => [id, messageId]))
  const answers = new Map<MessageId, Array<MessageId>>()
  for (const { messageId, references } of messages) {
    const nearest = references.findLast((id) => carriers.has(id))
    const parent = nearest === undefined ? undefined : carriers.get(nearest)
    if (parent === undefined || parent === messageId) continue
    const list = answers.get(parent)
    if (list === undefined) answers.set(parent, [messageId])
    else list.push(messageId)
  }
  return answers
}

/** Returns a message and all messages that descend from it. Terminates for cyclic references too. */
export const withDescendants = (
  root: MessageId,
  answers: ReadonlyMap<MessageId, ReadonlyArray<MessageId>>
): ReadonlyArray<MessageId> => {
  const found = new Set([root])
  // A set yields the elements that are added during the iteration.
  for (const messageId of found) for (const answer of answers.get(messageId) ?? []) found.add(answer)
  return [...found]
}

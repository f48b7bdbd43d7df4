import type { Effect } from "effect"
import { Context } from "effect"
import type {
  CarriedId,
  CorrectionNotFound,
  MessageReferences,
  ThreadCorrection
} from "../../../domain/email/thread/ThreadCorrection.ts"
import type { ContactId, CorrectionId, LeadId, MessageId, ThreadId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** A message and the newest correction that applies to it. */
export interface CorrectedMessage {
  readonly messageId: MessageId
  readonly correctionId: CorrectionId
}

/**
 * Corrections of threads, the messages and ids that they moved, and the statements that move them. Call every writing
 * method inside a unit of work.
 */
export class ThreadCorrections extends Context.Service<
  ThreadCorrections,
  {
    /** Stores a correction. Its threads count as corrected, except after a join. */
    readonly insert: (correction: ThreadCorrection) => Effect.Effect<void, StoreUnavailable>
    readonly get: (
      tenantId: string,
      correctionId: string
    ) => Effect.Effect<ThreadCorrection, CorrectionNotFound | StoreUnavailable>
    /** Lists the corrections of a thread, newest first, before the correction `before`. */
    readonly ofThread: (
      tenantId: string,
      threadId: string,
      limit: number,
      before: string | null
    ) => Effect.Effect<ReadonlyArray<ThreadCorrection>, StoreUnavailable>
    /** Returns the newest correction of any of these threads that applies, or null. */
    readonly latestOf: (
      tenantId: string,
      threadIds: ReadonlyArray<ThreadId>
    ) => Effect.Effect<ThreadCorrection | null, StoreUnavailable>
    /** Returns the newest correction that applies to each of these messages, if there is one. */
    readonly ofMessages: (
      tenantId: string,
      messageIds: ReadonlyArray<MessageId>
    ) => Effect.Effect<ReadonlyArray<CorrectedMessage>, StoreUnavailable>
    /** Returns the number of messages of a thread. The count stops at `maxCount`. */
    readonly size: (tenantId: string, threadId: ThreadId, maxCount: number) => Effect.Effect<number, StoreUnavailable>
    /** Returns the contacts whose messages are in a thread. */
    readonly contactsOf: (
      tenantId: string,
      threadId: ThreadId
    ) => Effect.Effect<ReadonlySet<ContactId>, StoreUnavailable>
    /** Returns the ids by which mails refer to the messages of a thread: their Message-IDs, and those of their copies. */
    readonly carriedIds: (
      tenantId: string,
      threadId: ThreadId
    ) => Effect.Effect<ReadonlyArray<CarriedId>, StoreUnavailable>
    /** Returns the references of messages. */
    readonly references: (
      tenantId: string,
      messageIds: ReadonlyArray<MessageId>
    ) => Effect.Effect<ReadonlyArray<MessageReferences>, StoreUnavailable>
    /**
     * Moves messages of the thread `from` to the thread of the correction, with the ids that they carry and the unknown
     * ids that only they refer to. The messages get the lead `leadId`, unless it is null.
     */
    readonly moveMessages: (
      correction: ThreadCorrection,
      from: ThreadId,
      messageIds: ReadonlyArray<MessageId>,
      leadId: LeadId | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Moves all messages and ids of threads to the thread of the correction. */
    readonly moveThreads: (
      correction: ThreadCorrection,
      from: ReadonlyArray<ThreadId>,
      leadId: LeadId | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Returns whether the thread of the correction has received mail since that refers to a moved message. */
    readonly hasLaterMail: (correction: ThreadCorrection) => Effect.Effect<boolean, StoreUnavailable>
    /** Moves the recorded messages and ids back to their threads, and gives the messages their leads back. */
    readonly moveBack: (correction: ThreadCorrection) => Effect.Effect<void, StoreUnavailable>
    /**
     * Stores that a correction was undone, when and by whom. Its threads count as corrected only if another correction
     * applies to them.
     */
    readonly end: (undone: ThreadCorrection) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/ThreadCorrections") {}

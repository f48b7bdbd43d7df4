import { Conflict, NotFound } from "@leadloom/api/internal/errors"
import {
  type CorrectionImpossible,
  type CorrectionNotFound,
  type CorrectionProblem,
  maxCorrectedMessages,
  type NotInThread,
  type ThreadNotFound,
  type UndoImpossible,
  type UndoProblem
} from "@leadloom/core/internal/domain/email/thread/ThreadCorrection"

const correctionProblems: Readonly<Record<CorrectionProblem, string>> = {
  nothing_remains: "No message would remain in the thread. Join the threads instead.",
  same_thread: "The threads are the same one. Name different threads.",
  other_contact: "The threads have no contact in common. Merge the contacts first if they are the same person.",
  too_long: `The threads have more than ${maxCorrectedMessages} messages and cannot be corrected.`
}

const undoProblems: Readonly<Record<UndoProblem, string>> = {
  already_undone: "The correction is already undone.",
  later_correction: "A later correction concerns the same threads. Undo it first.",
  thread_merged: "Mail has merged a thread of the correction into another one since. Split the thread instead.",
  later_mail: "Mail that refers to the moved messages has arrived since. Correct the thread again instead."
}

/** Maps errors about threads to wire errors. */
export const threadErrors = {
  ThreadNotFound: ({ threadId }: ThreadNotFound) => NotFound.of(`There is no thread ${threadId}.`),
  NotInThread: ({ messageId }: NotInThread) => NotFound.of(`The thread has no message ${messageId}.`),
  CorrectionImpossible: ({ problem }: CorrectionImpossible) => Conflict.of(correctionProblems[problem], { problem }),
  CorrectionNotFound: ({ correctionId }: CorrectionNotFound) =>
    NotFound.of(`The thread has no correction ${correctionId}.`),
  UndoImpossible: ({ problem, undoFirst }: UndoImpossible) =>
    Conflict.of(undoProblems[problem], { problem, ...(undoFirst === null ? {} : { undo_first: undoFirst }) })
} as const

import { Clock, Effect } from "effect"
import {
  CorrectionNotFound,
  type ThreadCorrection,
  UndoImpossible,
  type UndoProblem
} from "../../domain/email/thread/ThreadCorrection.ts"
import { correctionEvent } from "../../domain/email/thread/ThreadEvent.ts"
import type { CorrectionId } from "../../domain/Id.ts"
import { ThreadCorrections } from "../../port/repository/conversation/ThreadCorrections.ts"
import { Threads } from "../../port/repository/conversation/Threads.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { actingUserRecord } from "../ActingUser.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"
import type { Corrector } from "./CorrectThread.ts"

/** Fails with `UndoImpossible` unless the correction can be undone at present. */
const requireUndoable = Effect.fnUntraced(function* (correction: ThreadCorrection) {
  const corrections = yield* ThreadCorrections
  const threads = yield* Threads
  const { correctionId, fromThreadIds, kind, tenantId, threadId, undoneAt } = correction
  const impossible = (problem: UndoProblem, undoFirst: CorrectionId | null = null) =>
    new UndoImpossible({ correctionId, problem, undoFirst })
  if (undoneAt !== null) return yield* impossible("already_undone")
  const concerned = [threadId, ...fromThreadIds]
  const latest = yield* corrections.latestOf(tenantId, concerned)
  if (latest !== null && latest.correctionId !== correctionId) {
    return yield* impossible("later_correction", latest.correctionId)
  }
  for (const id of concerned) {
    if ((yield* threads.find(tenantId, id)) === null) return yield* impossible("thread_merged")
  }
  // The whole thread of a split returns, so later mail returns with the message that it answers.
  if (kind !== "split" && (yield* corrections.hasLaterMail(correction))) return yield* impossible("later_mail")
})

/**
 * Undoes a correction in one unit of work: its messages return to their threads and leads, and so do their Message-IDs.
 * Mail that arrived in the thread of a split returns with it.
 */
export const undoCorrection = Effect.fnUntraced(function* (
  { actor, tenantId }: Corrector,
  threadId: string,
  correctionId: string
) {
  const corrections = yield* ThreadCorrections
  const unit = Effect.gen(function* () {
    const correction = yield* corrections.get(tenantId, correctionId)
    const concerned: ReadonlyArray<string> = [correction.threadId, ...correction.fromThreadIds]
    if (!concerned.includes(threadId)) return yield* new CorrectionNotFound({ correctionId })
    yield* requireUndoable(correction)
    const [origin] = correction.fromThreadIds
    if (correction.kind === "split" && origin !== undefined) {
      yield* (yield* Threads).merge(tenantId, origin, [correction.threadId])
    } else yield* corrections.moveBack(correction)
    const now = yield* Clock.currentTimeMillis
    const { userId: undoneByUser, userName: undoneByUserName } = yield* actingUserRecord
    const undone: ThreadCorrection = { ...correction, undoneAt: now, undoneBy: actor, undoneByUser, undoneByUserName }
    yield* corrections.end(undone)
    yield* recordEvents([correctionEvent(undone)], now)
    const about = { correction_id: correction.correctionId, kind: correction.kind }
    yield* recordAuditChange({ before: about, after: { ...about, undone: true } })
    return undone
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
}, withSpan("undoCorrection"))

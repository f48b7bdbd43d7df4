import { Clock, Effect } from "effect"
import type { Enrolment } from "../../domain/sequence/Enrolment.ts"
import type { Sequence } from "../../domain/sequence/Sequence.ts"
import { pauseEvent } from "../../domain/sequence/SequenceEvent.ts"
import { countedFrom, excessOf, periodOf } from "../../domain/sequence/SequenceLimits.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { withSpan } from "../WithSpan.ts"
import { readSequence } from "./Sequences.ts"

/** The interval in which the due enrolments of a paused sequence are claimed again, in milliseconds. */
export const pausedMillis = 900_000

/** Lets a due enrolment wait while its sequence is paused. Runs inside a unit of work. */
export const holdEnrolment = Effect.fnUntraced(function* (enrolment: Enrolment, now: number) {
  yield* (yield* Enrolments).replace({ ...enrolment, dueAt: now + pausedMillis })
})

const paused = (
  sequence: Sequence,
  pauseReason: NonNullable<Sequence["pauseReason"]>,
  pauseDetail: string,
  now: number
): Sequence => ({ ...sequence, pausedAt: now, pauseReason, pauseDetail, updatedAt: now })

/**
 * Pauses a sequence if its messages have exceeded a limit. Returns whether it is paused now. Runs in the unit of work that
 * would send the next message, so that no further message leaves.
 */
export const pauseOnExcess = Effect.fnUntraced(function* (sequence: Sequence, now: number) {
  const { limits, resumedAt, sequenceId, tenantId } = sequence
  const sequences = yield* Sequences
  const excess = excessOf(yield* sequences.countsSince(tenantId, sequenceId, countedFrom(now, resumedAt)), limits)
  if (excess === null) return false
  const after = paused(sequence, excess.reason, excess.detail, now)
  yield* sequences.replace(after)
  yield* recordEvents([pauseEvent("sequence.paused", after)], now)
  return true
})

/** Counts a message of a sequence for its limits. Runs in the unit of work that reserves the message. */
export const countMessage = Effect.fnUntraced(function* (
  { resumedAt, sequenceId, tenantId }: Sequence,
  channel: "email" | "sms",
  now: number
) {
  const field = channel === "email" ? "emails" : "texts"
  yield* (yield* Sequences).countMessage(tenantId, sequenceId, periodOf(now, resumedAt), field)
})

const audited = ({ pausedAt, pauseDetail, pauseReason, sequenceId }: Sequence) => ({
  sequence_id: sequenceId,
  is_paused: pausedAt !== null,
  pause_reason: pauseReason,
  pause_detail: pauseDetail
})

/** Changes whether a sequence is paused. Repeating it has no effect. */
const change = (
  tenantId: string,
  sequenceId: string,
  type: "sequence.paused" | "sequence.resumed",
  next: (sequence: Sequence, now: number) => Sequence
) =>
  Effect.flatMap(Transactions, ({ atomically }) =>
    atomically(
      tenantId,
      Effect.gen(function* () {
        const before = yield* readSequence(tenantId, sequenceId)
        if ((before.pausedAt !== null) === (type === "sequence.paused")) return before
        const now = yield* Clock.currentTimeMillis
        const after = next(before, now)
        yield* (yield* Sequences).replace(after)
        yield* recordEvents([pauseEvent(type, after)], now)
        yield* recordAuditChange({ before: audited(before), after: audited(after) })
        return after
      })
    )
  )

/** Pauses a sequence: no step runs, and a message that waits for its provider is not sent. `by` is the person. */
export const pauseSequence = (tenantId: string, sequenceId: string, by: string) =>
  change(tenantId, sequenceId, "sequence.paused", (sequence, now) => paused(sequence, "by_person", by, now)).pipe(
    withSpan("pauseSequence")
  )

/**
 * Continues a paused sequence. Only messages after the resumption count for its limits. Steps whose time has passed run
 * within `pausedMillis`.
 */
export const resumeSequence = (tenantId: string, sequenceId: string) =>
  change(tenantId, sequenceId, "sequence.resumed", (sequence, now) => ({
    ...sequence,
    pausedAt: null,
    pauseReason: null,
    pauseDetail: null,
    resumedAt: now,
    updatedAt: now
  })).pipe(withSpan("resumeSequence"))

import { type Cause, Clock, Effect } from "effect"
import { defectRetryMillis } from "../../domain/run/DefectLimit.ts"
import { type Enrolment, withEntry } from "../../domain/sequence/Enrolment.ts"
import { sequenceEvent } from "../../domain/sequence/SequenceEvent.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { log } from "../LogEvents.ts"
import { recordEvents } from "../webhook/Outbox.ts"
import { saveEnrolment, stillClaimed } from "./Enrolments.ts"
import { plainEntry } from "./PlanEnrolment.ts"

/** Counts a defect: the step is tried again later, or the enrolment is paused. */
const afterDefect = (enrolment: Enrolment, now: number): Enrolment => {
  const defects = enrolment.defects + 1
  const delay = defectRetryMillis(defects)
  const counted = { ...enrolment, defects, updatedAt: now }
  if (delay !== null) return { ...counted, nextAt: now + delay, dueAt: now + delay }
  const reason = `a defect of the server, ${defects} times`
  const entry = plainEntry(enrolment.step ?? "", enrolment.version, "failed", now, reason)
  return { ...counted, state: "paused", pauseReason: "defects", history: withEntry(enrolment.history, entry) }
}

/**
 * Records that the step of a claimed enrolment ended with a defect, and logs it. Has no effect if the step no longer waits
 * as the worker claimed it.
 */
export const recordStepDefect = Effect.fnUntraced(function* (claimed: Enrolment, cause: Cause.Cause<unknown>) {
  const { enrolmentId, tenantId } = claimed
  const record = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const enrolment = yield* stillClaimed(claimed)
    if (enrolment === null || enrolment.step !== claimed.step) return null
    const after = afterDefect(enrolment, now)
    yield* saveEnrolment(after)
    if (after.state === "paused") yield* recordEvents([sequenceEvent("sequence.enrolment_paused", after)], now)
    return after
  })
  const after = yield* (yield* Transactions).atomically(tenantId, record)
  const until = after?.state === "active" ? new Date(after.dueAt).toISOString() : null
  const defects = after?.defects ?? claimed.defects
  yield* log("sequence.step_failed", { tenant: tenantId, enrolment: enrolmentId, defects, waits_until: until }, cause)
})

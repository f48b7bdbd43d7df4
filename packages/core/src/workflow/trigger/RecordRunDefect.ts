import { type Cause, Clock, Effect } from "effect"
import { defectRetryMillis, maxDefects } from "../../domain/run/DefectLimit.ts"
import type { TriggerRun } from "../../domain/run/TriggerRun.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { log } from "../LogEvents.ts"
import { stillWaiting } from "./StillWaiting.ts"

/** Counts a defect: the run is tried again later, or ends without effects. */
const afterDefect = (run: TriggerRun, now: number): TriggerRun => {
  const defects = run.defects + 1
  const delay = defectRetryMillis(defects)
  const counted = { ...run, defects, updatedAt: now }
  if (delay === null)
    return {
      ...counted,
      state: "prevented",
      reason: `the run failed ${defects} times because of a defect of the server`
    }
  const reason = `a defect of the server; attempt ${defects + 1} of ${maxDefects} follows`
  return { ...counted, dueAt: now + delay, reason }
}

/**
 * Records that a claimed run ended with a defect, and logs it. Has no effect if the run no longer waits as the worker
 * claimed it.
 */
export const recordRunDefect = Effect.fnUntraced(function* (claimed: TriggerRun, cause: Cause.Cause<unknown>) {
  const { tenantId, triggerRunId } = claimed
  const record = Effect.gen(function* () {
    const run = yield* stillWaiting(claimed)
    if (run === null) return null
    const after = afterDefect(run, yield* Clock.currentTimeMillis)
    yield* (yield* TriggerRuns).replace(after)
    return after
  })
  const after = yield* (yield* Transactions).atomically(tenantId, record)
  const until = after?.state === "waiting" ? new Date(after.dueAt).toISOString() : null
  const defects = after?.defects ?? claimed.defects
  yield* log("trigger.run_failed", { tenant: tenantId, trigger_run: triggerRunId, defects, waits_until: until }, cause)
})

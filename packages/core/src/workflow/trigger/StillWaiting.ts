import { Effect } from "effect"
import type { TriggerRun } from "../../domain/run/TriggerRun.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"

/** Returns the run if it still waits as the worker claimed it. */
export const stillWaiting = Effect.fnUntraced(function* ({ attempts, tenantId, triggerRunId }: TriggerRun) {
  const current = yield* (yield* TriggerRuns).find(tenantId, triggerRunId)
  return current?.state === "waiting" && current.attempts === attempts ? current : null
})

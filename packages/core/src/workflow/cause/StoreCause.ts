/**
 * Stores the causes of rules as trigger runs: messages that wait for an answer, and changes. `workflow/trigger` runs them
 * when they are due. The causes themselves belong to `domain/run/Cause.ts`. Tests:
 * `packages/testkit/src/suite/pipeline/TriggerSuite.ts` and `ChangeSuite.ts`.
 */
import { Effect } from "effect"
import { beginRun, type Cause, type QueuedRule } from "../../domain/run/Cause.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { Ids } from "../../port/system/Ids.ts"

/**
 * Stores the run of a rule for a cause, and returns it. A rule has one run for each cause: if it exists, nothing is
 * stored. Runs inside the unit of work that stores the cause.
 */
export const storeCause = Effect.fnUntraced(function* (rule: QueuedRule, cause: Cause, runAt: number, now: number) {
  const run = beginRun(rule, { cause, runAt }, yield* (yield* Ids).next("trg"), now)
  yield* (yield* TriggerRuns).insert(run)
  return run
})

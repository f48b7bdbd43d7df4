/**
 * The loop that all workers share. What a worker claims does not belong here.
 *
 * Tests: `packages/testkit/src/suite`, with the suites of the workers that use it.
 */
import { Effect } from "effect"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"

/** The wait when nothing is due. New work wakes the worker immediately. */
const idleMillis = 1_000

/** The wait while the store is unavailable. */
const outageMillis = 1_000

/**
 * Repeats `workDue`, which returns the number of processed items, and waits after 0. Retries when the store is
 * unavailable. Ends only by interruption.
 */
export const pollLoop = <R, R2>(
  workDue: Effect.Effect<number, StoreUnavailable, R>,
  wait: (millis: number) => Effect.Effect<void, StoreUnavailable, R2>
) =>
  workDue.pipe(
    Effect.flatMap((count) => (count > 0 ? Effect.void : wait(idleMillis))),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.andThen(Effect.logWarning("the store is unavailable", error.reason), Effect.sleep(outageMillis))
    ),
    Effect.forever
  )

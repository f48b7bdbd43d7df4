import { Effect } from "effect"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"

/** How long to sleep when nothing is due; what is new wakes the worker at once. */
const idleMillis = 1_000

/** How long to wait when the store does not answer. */
const outageMillis = 1_000

/**
 * Works what is due again and again: `workDue` answers how much that was, and after nothing it is waited for more. A store
 * that does not answer is asked again. Only being interrupted ends it.
 */
export const pollLoop = <R, R2>(
  workDue: Effect.Effect<number, StoreUnavailable, R>,
  wait: (millis: number) => Effect.Effect<void, StoreUnavailable, R2>
) =>
  workDue.pipe(
    Effect.flatMap((count) => (count > 0 ? Effect.void : wait(idleMillis))),
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.andThen(Effect.logWarning("The store does not answer", error.reason), Effect.sleep(outageMillis))
    ),
    Effect.forever
  )

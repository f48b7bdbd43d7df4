import { Effect } from "effect"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { defaults, type Queue } from "./Worker.ts"

/** The interval between the end of one run and the start of the next. */
const intervalMillis = 3_600_000

/**
 * Declares work without stored items, such as cleanup. It runs at the start of the server and once per hour. A run is
 * the rest of its item, so a stopping server interrupts it.
 */
export const repeatedWork = <R>(
  name: string,
  failure: string,
  run: Effect.Effect<void, StoreUnavailable, R>
): Queue<string, R> => ({
  ...defaults,
  name,
  workers: 1,
  slots: 1,
  batch: 1,
  refill: 1,
  maxRests: 1,
  failure,
  about: () => ({}),
  open: Effect.sync(() => {
    let isDue = true
    return {
      claim: () => Effect.sync(() => (isDue ? [name] : [])),
      run: () =>
        Effect.sync(() => {
          isDue = false
          return run
        }),
      wait: () =>
        Effect.andThen(
          Effect.sleep(intervalMillis),
          Effect.sync(() => void (isDue = true))
        )
    }
  })
})

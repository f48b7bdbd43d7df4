import { Effect } from "effect"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { defaults, type Queue } from "./Worker.ts"

/** The default interval between the end of one run and the start of the next one. */
const defaultIntervalMillis = 3_600_000

/**
 * Declares work that has no stored items, such as cleanup. It runs at the start of the server and then once per hour
 * or after another interval.
 * The whole run is the `Rest` of its item, so a server that stops interrupts it.
 */
export const repeatedWork = <R>(
  name: string,
  failure: string,
  run: Effect.Effect<void, StoreUnavailable, R>,
  intervalMillis = defaultIntervalMillis
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

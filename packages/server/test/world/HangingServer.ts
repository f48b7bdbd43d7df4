import { writeSync } from "node:fs"
import { Clock, Effect } from "effect"
import { serve } from "../../src/main.ts"

/** The output of a server with a fault before it hangs. */
export const hanging = "the run hangs"

/** Lead of the server's clock in milliseconds, so that no test waits for a lease. */
export const offsetVariable = "TEST_CLOCK_OFFSET"

/** The pattern of a rule, and the beginning of the text, for which the search never ends. */
export const fault = { searched: "a needle that breaks the server", text: "poison" }

/** Replaces the search by one that never returns and blocks the process. */
const breakSearch = (): void => {
  const strings: Pick<string, "includes" | "indexOf"> = String.prototype
  const { includes, indexOf } = strings
  const hang = (text: string, searched: string): void => {
    if (searched !== fault.searched || !text.startsWith(fault.text)) return
    writeSync(1, `${hanging}\n`)
    for (;;);
  }
  strings.includes = function (this: string, searched, from) {
    hang(this, searched)
    return includes.call(this, searched, from)
  }
  strings.indexOf = function (this: string, searched, from) {
    hang(this, searched)
    return indexOf.call(this, searched, from)
  }
}

if (import.meta.main) {
  breakSearch()
  const offset = Number(process.env[offsetVariable] ?? 0)
  const clock = Effect.runSync(Clock.Clock)
  const currentTimeMillisUnsafe = () => clock.currentTimeMillisUnsafe() + offset
  process.exitCode = await serve(process.env, {
    clock: {
      ...clock,
      sleep: (duration) => clock.sleep(duration),
      currentTimeMillisUnsafe,
      // The effect of the copied clock would read the time of the original one.
      currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe()
    }
  })
}

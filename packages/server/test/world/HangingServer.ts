import { writeSync } from "node:fs"
import { Clock, Effect } from "effect"
import { serve } from "../../src/main.ts"

/** What a server with a fault prints before it hangs. */
export const hanging = "the run hangs"

/** Milliseconds by which the clock of the server is ahead, so that no test waits for a lease to end. */
export const offsetVariable = "TEST_CLOCK_OFFSET"

/** What a rule has to search a text for, and what the text has to begin with, so that the search never ends. */
export const fault = { searched: "a needle that breaks the server", text: "poison" }

/** A search with a fault: it never returns, and nothing else in this process gets a turn. */
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
  process.exitCode = await serve(process.env, {
    clock: {
      ...clock,
      sleep: (duration) => clock.sleep(duration),
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + offset,
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe()
    }
  })
}

import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** A clock that servers share and that a chaos command sets. */
export interface Clock {
  /** The variables of a server with this clock. */
  readonly environment: Readonly<Record<string, string>>
  readonly now: () => number
  /** Shifts the clock of these processes by milliseconds from the real time. */
  readonly set: (shiftMillis: number, pids: ReadonlyArray<number>) => void
}

/** Creates a clock that keeps its shift in a file. */
export const makeClock = (file: string): Clock => {
  let shift = 0
  writeFileSync(file, "0")
  return {
    environment: {
      LEADLOOM_TEST_CLOCK: file,
      NODE_OPTIONS: `--import=${fileURLToPath(new URL("ClockJump.ts", import.meta.url))}`
    },
    now: () => Date.now() + shift,
    set: (shiftMillis, pids) => {
      shift = shiftMillis
      writeFileSync(file, String(shiftMillis))
      for (const pid of pids) process.kill(pid, "SIGUSR2")
    }
  }
}

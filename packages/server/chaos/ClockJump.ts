/**
 * Shifts the clock of a process. A server loads this module before its own (`--import`). The file in
 * `LEADLOOM_TEST_CLOCK` has the shift in milliseconds; the process reads it at its start and at `SIGUSR2`. Timers keep
 * their real durations, as after a jump of a machine's clock.
 */
import { existsSync, readFileSync } from "node:fs"

const file = process.env["LEADLOOM_TEST_CLOCK"] ?? ""
const RealDate = Date
let shiftMillis = 0

const read = (): void => {
  if (existsSync(file)) shiftMillis = Number(readFileSync(file, "utf8"))
}

/** Shifts only the current time. Dates with arguments are unchanged. */
const Shifted = new Proxy(RealDate, {
  construct: (target, args: ReadonlyArray<unknown>, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [RealDate.now() + shiftMillis] : args, newTarget),
  get: (target, name, receiver) =>
    name === "now" ? () => RealDate.now() + shiftMillis : Reflect.get(target, name, receiver)
})

read()
process.on("SIGUSR2", read)
globalThis.Date = Shifted

import { Command } from "commander"
import type { DayServer } from "../day/Day.ts"
import { CommandFailed } from "../Failure.ts"
import { show } from "../Output.ts"
import type { Terminal } from "../Terminal.ts"
import { wholeNumber } from "../WholeNumber.ts"

interface DayOptions {
  readonly contacts: number
  readonly seed: number
  readonly json?: boolean
}

/** Loads the server into this process. The simulation controls its clock. */
export const dayServer = async (): Promise<DayServer> => {
  // A dynamic import, so that other commands start without loading the server.
  const [{ serve }, { makeMovableClock }, { examine }] = await Promise.all([
    import("@leadloom/server/internal/main"),
    import("@leadloom/server/internal/startup/MovableClock"),
    import("@leadloom/server/internal/admin/Examination")
  ])
  const clock = makeMovableClock()
  return {
    clock,
    examine,
    serve: (env, onListening, signal) =>
      serve(env, { clock: clock.clock, signal, onListening: ({ url }) => onListening(url) })
  }
}

/** The clock of the simulation advances by this many minutes per step. */
const stepMinutes = 15

const playDay = async (terminal: Terminal, { contacts, json, seed }: DayOptions): Promise<void> => {
  const [{ runDay }, { renderDay }, server] = await Promise.all([
    import("../day/Day.ts"),
    import("../day/DayReport.ts"),
    dayServer()
  ])
  const onStep = (time: number): void => {
    if (terminal.isInteractive) terminal.err(`\r${new Date(time).toISOString().slice(0, 16)}Z `)
  }
  const { summary } = await runDay(server, { contacts, seed, stepMinutes, signal: terminal.signal, onStep })
  if (terminal.isInteractive) terminal.err("\r\u001B[K")
  show(terminal, json === true, summary, () => renderDay(terminal.style, summary))
  const { length } = summary.problems
  if (length > 0)
    throw new CommandFailed(1, "INCONSISTENT", `The simulated day is not consistent. Problems found: ${length}.`)
}

const day = (terminal: Terminal): Command =>
  new Command("day")
    .description("simulate a day at three businesses on a temporary server and verify the result")
    .option("--contacts <number>", "number of people who write", wholeNumber(3, 3_000), 500)
    .option(
      "--seed <number>",
      "seed of the random generator; the same seed repeats the same day",
      wholeNumber(0, 4_294_967_295),
      1
    )
    .action((_, command: Command) => playDay(terminal, command.optsWithGlobals<DayOptions>()))

/** `leadloom demo`: demonstrations that need no setup and leave no data behind. */
export const demoCommand = (terminal: Terminal): Command =>
  new Command("demo").description("demonstrate the server on generated data").addCommand(day(terminal))

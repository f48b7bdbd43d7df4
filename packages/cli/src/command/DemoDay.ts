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

/** The server in this process, on a clock of its own. */
export const dayServer = async (): Promise<DayServer> => {
  // Loaded here, so that the other commands need not wait for a server.
  const [{ serve }, { makeMovableClock }, { examine }] = await Promise.all([
    import("@leadloom/server/main"),
    import("@leadloom/server/startup/MovableClock"),
    import("@leadloom/server/admin/Examination")
  ])
  const clock = makeMovableClock()
  return {
    clock,
    examine,
    serve: (env, onListening, signal) =>
      serve(env, { clock: clock.clock, signal, onListening: ({ url }) => onListening(url) })
  }
}

/** Minutes that pass at once. */
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
  if (length > 0) throw new CommandFailed(1, "INCONSISTENT", `The day is not consistent: ${length} things are wrong.`)
}

const day = (terminal: Terminal): Command =>
  new Command("day")
    .description("let a day pass at three businesses, on a server of its own, and check what became of it")
    .option("--contacts <number>", "how many people write", wholeNumber(3, 3_000), 500)
    .option("--seed <number>", "the same seed: the same people write the same things", wholeNumber(0, 4_294_967_295), 1)
    .action((_, command: Command) => playDay(terminal, command.optsWithGlobals<DayOptions>()))

/** `leadloom demo`: shows what the server does, with nothing set up and nothing left behind. */
export const demoCommand = (terminal: Terminal): Command =>
  new Command("demo").description("show what the server does, on made-up data").addCommand(day(terminal))

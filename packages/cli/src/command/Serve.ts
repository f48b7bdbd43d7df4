import type { ServerFailure } from "@leadloom/server/internal/Program"
import { Command } from "commander"
import { CommandFailed } from "../Failure.ts"
import { report } from "../Output.ts"
import type { Terminal } from "../Terminal.ts"

interface ServeOptions {
  readonly demo?: boolean
  readonly host?: string
  readonly port?: string
  readonly dataDir?: string
  readonly json?: boolean
}

type Environment = Terminal["env"]

const withOptions = (env: Environment, { host, port, dataDir }: ServeOptions): Environment => ({
  ...env,
  ...(host === undefined ? {} : { LEADLOOM_HOST: host }),
  ...(port === undefined ? {} : { LEADLOOM_PORT: port }),
  ...(dataDir === undefined ? {} : { LEADLOOM_DATA_DIR: dataDir })
})

/** Writes a failure of the server as one line of JSON, like the failures of other commands. */
const reportFailure =
  (terminal: Terminal) =>
  ({ code, lines }: ServerFailure): void => {
    const message = lines.length === 1 ? lines.join("") : `The server did not start, for ${lines.length} reasons.`
    const details = lines.length === 1 ? null : lines.map((line) => ({ path: line.split(" ")[0], message: line }))
    report(terminal, true, { exitCode: 1, code, message, details, requestId: null })
  }

/** Returns a terminal that writes each text as one line of JSON, like the log of the server. */
const jsonLines = (terminal: Terminal): Terminal => ({
  ...terminal,
  out: (text) => terminal.out(`${JSON.stringify({ message: "demo", text })}\n`),
  err: (text) => terminal.err(`${JSON.stringify({ error: { code: "DEMO_FAILED", message: text.trim() } })}\n`),
  style: (_, text) => text
})

const serve = async (terminal: Terminal, options: ServeOptions): Promise<void> => {
  const env = withOptions(terminal.env, options)
  // A dynamic import, so that other commands start without loading the server.
  const server = await import("@leadloom/server/internal/main")
  const demo = options.demo === true ? await import("../demo/Demo.ts") : null
  const prepared = demo === null ? null : await demo.prepareDemo(env)
  const shown = options.json === true ? jsonLines(terminal) : terminal
  const exitCode = await server.serve(prepared?.env ?? env, {
    ...(options.json === true ? { onFailure: reportFailure(terminal) } : {}),
    onListening: async ({ url }) => {
      if (demo !== null && prepared !== null) await demo.showDemo(shown, prepared, url)
    }
  })
  prepared?.phone?.close()
  // The server has already reported the cause.
  if (exitCode !== 0) throw new CommandFailed(exitCode, "SERVER_FAILED", "")
}

/** `leadloom serve`: starts the server. Environment variables configure it (`docs/reference/configuration.md`). */
export const serveCommand = (terminal: Terminal): Command =>
  new Command("serve")
    .description("start the server")
    .option("--demo", "create a demo tenant, process sample messages and print the results")
    .option("--host <address>", "address to listen on (LEADLOOM_HOST)")
    .option("--port <number>", "port to listen on (LEADLOOM_PORT)")
    .option("--data-dir <path>", "data directory (LEADLOOM_DATA_DIR)")
    .action((_, command: Command) => serve(terminal, command.optsWithGlobals<ServeOptions>()))

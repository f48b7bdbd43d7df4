import { Command } from "commander"
import { CommandFailed } from "../Failure.ts"
import type { Terminal } from "../Terminal.ts"

interface ServeOptions {
  readonly demo?: boolean
  readonly host?: string
  readonly port?: string
  readonly dataDir?: string
}

type Environment = Terminal["env"]

const withOptions = (env: Environment, { host, port, dataDir }: ServeOptions): Environment => ({
  ...env,
  ...(host === undefined ? {} : { LEADLOOM_HOST: host }),
  ...(port === undefined ? {} : { LEADLOOM_PORT: port }),
  ...(dataDir === undefined ? {} : { LEADLOOM_DATA_DIR: dataDir })
})

const serve = async (terminal: Terminal, options: ServeOptions): Promise<void> => {
  const env = withOptions(terminal.env, options)
  // A dynamic import, so that other commands start without loading the server.
  const server = await import("@leadloom/server/main")
  const demo = options.demo === true ? await import("../demo/Demo.ts") : null
  const prepared = demo === null ? null : await demo.prepareDemo(env)
  const exitCode = await server.serve(prepared?.env ?? env, {
    onListening: async ({ url }) => {
      if (demo !== null && prepared !== null) await demo.showDemo(terminal, prepared, url)
    }
  })
  // The server has already written the cause to standard error.
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

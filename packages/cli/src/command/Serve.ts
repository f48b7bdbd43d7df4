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
  // Loaded here, so that the other commands need not wait for a server.
  const server = await import("@leadloom/server/main")
  const demo = options.demo === true ? await import("../demo/Demo.ts") : null
  const prepared = demo === null ? null : await demo.prepareDemo(env)
  const exitCode = await server.serve(prepared?.env ?? env, {
    onListening: async ({ url }) => {
      if (demo !== null && prepared !== null) await demo.showDemo(terminal, prepared, url)
    }
  })
  // The server itself has said why, in a line on standard error.
  if (exitCode !== 0) throw new CommandFailed(exitCode, "SERVER_FAILED", "")
}

/** `leadloom serve`: the server itself. The environment configures it (`docs/reference/configuration.md`). */
export const serveCommand = (terminal: Terminal): Command =>
  new Command("serve")
    .description("run the server")
    .option("--demo", "with a demo tenant, sample mail and what became of it")
    .option("--host <address>", "address to listen on (LEADLOOM_HOST)")
    .option("--port <number>", "port to listen on (LEADLOOM_PORT)")
    .option("--data-dir <path>", "where the data is kept (LEADLOOM_DATA_DIR)")
    .action((_, command: Command) => serve(terminal, command.optsWithGlobals<ServeOptions>()))

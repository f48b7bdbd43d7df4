/**
 * The command tree of the CLI. This folder contains the parts that all commands share: connection, profiles, output,
 * failures and exit codes. Each command is a file in `command`. The CLI calls the API through the client; only `serve`,
 * `db`, `doctor` and `demo` load the server. Tests: `packages/cli/test`.
 */
import { Command, CommanderError } from "commander"
import { apiCommand } from "./command/Api.ts"
import { backtestCommand } from "./command/Backtest.ts"
import { billingCommand } from "./command/Billing.ts"
import { commandsCommand } from "./command/Commands.ts"
import { configCommand } from "./command/Config.ts"
import { dbCommand } from "./command/Db.ts"
import { demoCommand } from "./command/DemoDay.ts"
import { doctorCommand } from "./command/Doctor.ts"
import { emailCommand } from "./command/Email.ts"
import { explainCommand, replayCommand } from "./command/Explain.ts"
import { importCommand } from "./command/Import.ts"
import { initCommand } from "./command/Init.ts"
import { keysCommand } from "./command/Keys.ts"
import { pipelineCommand } from "./command/Pipeline.ts"
import { serveCommand } from "./command/Serve.ts"
import { sessionsCommand } from "./command/Sessions.ts"
import { sourcesCommand } from "./command/Sources.ts"
import { tenantsCommand } from "./command/Tenants.ts"
import { upgradeCommand } from "./command/Upgrade.ts"
import { webhooksCommand } from "./command/Webhooks.ts"
import { defaultUrl } from "./Connection.ts"
import { readEnvFile } from "./EnvFile.ts"
import { explain } from "./Failure.ts"
import { exitCodes } from "./ExitCode.ts"
import { addHelpGroups } from "./HelpGroups.ts"
import { type AddCommands, derivedCommands } from "./operation/DerivedCommands.ts"
import { report } from "./Output.ts"
import type { Terminal } from "./Terminal.ts"

/** The version of the CLI. It equals the version of the API contract. */
export const version = "0.1.0"

const epilogue = `
Environment:
  LEADLOOM_URL         the server (default ${defaultUrl})
  LEADLOOM_ADMIN_KEY   the operator's key
  LEADLOOM_API_KEY     a tenant's key
  LEADLOOM_TENANT      the tenant of commands without --tenant

Exit codes:
  0 success, 1 failure, 2 wrong usage, 3 server unreachable, 4 not authorised,
  5 not found, 6 conflict, 7 rate limited, 130 interrupted
`

/** The minimum width of descriptions in columns. Commander breaks no lines if the other columns leave less. */
const minWidthToWrap = 20

/** Returns the name of a subcommand with its arguments. Every command has options, so the list does not mention them. */
const subcommandTerm = (command: Command): string =>
  [command.name(), command.usage().replace(/\[options\] ?|\[command\]/gu, "")].join(" ").trim()

/** Sends the output of commander to the terminal. Makes commander throw an error instead of ending the process. */
const tame = (command: Command, terminal: Terminal): Command => {
  command
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err, outputError: () => undefined })
  command.configureHelp({ showGlobalOptions: true, minWidthToWrap, subcommandTerm })
  for (const child of command.commands) tame(child, terminal)
  return command
}

/**
 * Creates the command tree with all options. `addDerived` adds the commands that are derived from the contract. The
 * generator of the CLI reference uses it too.
 */
export const program = (terminal: Terminal, addDerived: AddCommands): Command => {
  const root = new Command("leadloom")
    .description("Turns every inbound message into a well-handled lead.")
    .version(version)
    .option("--json", "write results as JSON to standard output and failures as JSON to standard error")
    .option("--url <url>", "the server")
    .option("--admin-key <key>", "the operator's key")
    .option("--api-key <key>", "a tenant's key")
    .option("--profile <name>", "read server and keys from ~/.config/leadloom/profiles.json")
    .option("--env-file <path>", "read environment variables from a file; the environment takes precedence")
    .addHelpText("after", epilogue)
    .addCommand(serveCommand(terminal))
    .addCommand(initCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(tenantsCommand(terminal))
    .addCommand(sourcesCommand(terminal))
    .addCommand(keysCommand(terminal))
    .addCommand(sessionsCommand(terminal))
    .addCommand(pipelineCommand(terminal))
    .addCommand(explainCommand(terminal))
    .addCommand(replayCommand(terminal))
    .addCommand(backtestCommand(terminal))
    .addCommand(configCommand(terminal))
    .addCommand(emailCommand(terminal))
    .addCommand(webhooksCommand(terminal))
    .addCommand(billingCommand(terminal))
    .addCommand(dbCommand(terminal))
    .addCommand(upgradeCommand(terminal))
    .addCommand(demoCommand(terminal))
    .addCommand(doctorCommand(terminal))
    .addCommand(apiCommand(terminal))
    .addCommand(commandsCommand(terminal))
  return addHelpGroups(tame(addDerived(root, terminal), terminal))
}

/**
 * Returns whether an error of commander follows help or version output. Commander throws such an error after it has
 * printed the output.
 */
const isAnswered = (error: unknown): boolean =>
  error instanceof CommanderError && (error.exitCode === 0 || error.code === "commander.help")

/**
 * Runs the command line.
 * @returns the exit code
 */
export const run = async (args: ReadonlyArray<string>, given: Terminal): Promise<number> => {
  const env: Record<string, string | undefined> = { ...given.env }
  const terminal: Terminal = { ...given, env }
  const root = program(terminal, await derivedCommands(args))
  // Commands read the environment when they run, so the hook can still add the variables of the file.
  root.hook("preAction", async () => {
    const { envFile } = root.opts<{ readonly envFile?: string }>()
    if (envFile === undefined) return
    for (const [name, value] of Object.entries(await readEnvFile(envFile))) env[name] ||= value
  })
  try {
    await root.parseAsync([...args], { from: "user" })
    return exitCodes.ok
  } catch (error) {
    if (isAnswered(error))
      return error instanceof CommanderError && error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
    const url = root.opts<{ readonly url?: string }>().url ?? terminal.env["LEADLOOM_URL"] ?? defaultUrl
    const failure = explain(error, url)
    // A failure with an empty message is not reported again, because its cause is already on standard error.
    if (failure.message !== "") report(terminal, args.includes("--json"), failure)
    return failure.exitCode
  }
}

/**
 * The command tree of the CLI. This folder contains the parts that all commands share: connection, profiles, output,
 * failures and exit codes. Commands are files in `command`, or `operation` derives them from the contract. The CLI
 * calls the API through the client; only `serve`, `db`, `doctor` and `demo` load the server. Tests:
 * `packages/cli/test`.
 */
import { Command, CommanderError, Option } from "commander"
import { apiCommand } from "./command/Api.ts"
import { backtestCommand } from "./command/Backtest.ts"
import { billingCommand } from "./command/Billing.ts"
import { commandsCommand } from "./command/Commands.ts"
import { candidatesCommandOf, completionCommand } from "./command/Completion.ts"
import { configCommand } from "./command/config/Config.ts"
import { contactsCommand } from "./command/Contacts.ts"
import { dbCommand } from "./command/Db.ts"
import { demoCommand } from "./command/DemoDay.ts"
import { doctorCommand } from "./command/Doctor.ts"
import { emailCommand } from "./command/Email.ts"
import { explainCommand, replayCommand } from "./command/Explain.ts"
import { importCommand } from "./command/Import.ts"
import { initCommand } from "./command/Init.ts"
import { keysCommand } from "./command/Keys.ts"
import { mcpCommand } from "./command/Mcp.ts"
import { pipelineCommand } from "./command/Pipeline.ts"
import { serveCommand } from "./command/Serve.ts"
import { consoleCommand } from "./command/Console.ts"
import { sessionsCommand } from "./command/Sessions.ts"
import { sourcesCommand } from "./command/Sources.ts"
import { tenantsCommand } from "./command/Tenants.ts"
import { upgradeCommand } from "./command/Upgrade.ts"
import { webhooksCommand } from "./command/Webhooks.ts"
import { readWords } from "./CommandLine.ts"
import { defaultUrl } from "./Connection.ts"
import { readEnvFile } from "./EnvFile.ts"
import { epilogue } from "./Epilogue.ts"
import { explain } from "./Failure.ts"
import { exitCodes } from "./ExitCode.ts"
import { pathOf } from "./Help.ts"
import { addHelpGroups } from "./HelpGroups.ts"
import { type AddCommands, derivedCommands } from "./operation/DerivedCommands.ts"
import { report } from "./Output.ts"
import { prepareCommands } from "./PrepareCommands.ts"
import type { Terminal } from "./Terminal.ts"

/** The version of the CLI. It equals the version of the API contract. */
export const version = "0.1.0"

const fileOption = (name: string, conflict: string, content: string): Option =>
  new Option(`--${name}-file <path>`, `file with ${content}; - is standard input`).conflicts(conflict)

/**
 * Creates the command tree with all options. `addDerived` adds the commands that are derived from the contract. The
 * generator of the CLI reference uses it too.
 */
export const program = (terminal: Terminal, addDerived: AddCommands): Command => {
  const root = new Command("leadloom")
    .description("Turns every inbound message into a well-handled lead.")
    .version(version)
    .option("--json", "write results and failures as JSON")
    .option("--url <url>", "the server")
    .addOption(fileOption("admin-key", "adminKey", "the operator's key"))
    .addOption(fileOption("api-key", "apiKey", "a tenant's key"))
    .option("--admin-key <key>", "the operator's key; other users can see it")
    .option("--api-key <key>", "a tenant's key; other users can see it")
    .option("--acting-user <id>", "the user for whom an API key acts (usr_…)")
    .option("--profile <name>", "named server with its keys, of profiles.json")
    .option("--env-file <path>", "read environment variables from a file; the environment takes precedence")
    .addHelpText("after", epilogue)
    .addCommand(serveCommand(terminal))
    .addCommand(initCommand(terminal))
    .addCommand(importCommand(terminal))
    .addCommand(tenantsCommand(terminal))
    .addCommand(sourcesCommand(terminal))
    .addCommand(keysCommand(terminal))
    .addCommand(sessionsCommand(terminal))
    .addCommand(consoleCommand(terminal))
    .addCommand(pipelineCommand(terminal))
    .addCommand(explainCommand(terminal))
    .addCommand(replayCommand(terminal))
    .addCommand(backtestCommand(terminal))
    .addCommand(configCommand(terminal))
    .addCommand(emailCommand(terminal))
    .addCommand(webhooksCommand(terminal))
    .addCommand(contactsCommand(terminal))
    .addCommand(billingCommand(terminal))
    .addCommand(dbCommand(terminal))
    .addCommand(upgradeCommand(terminal))
    .addCommand(mcpCommand(terminal, version))
    .addCommand(demoCommand(terminal))
    .addCommand(doctorCommand(terminal))
    .addCommand(apiCommand(terminal))
    .addCommand(commandsCommand(terminal))
    .addCommand(completionCommand(terminal))
  root.addCommand(candidatesCommandOf(root, terminal), { hidden: true })
  return addHelpGroups(prepareCommands(addDerived(root, terminal), terminal))
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
    const command = `leadloom ${pathOf(readWords(root, args).command)}`.trimEnd()
    const failure = explain(error, url, command)
    // A failure with an empty message is not reported again, because its cause is already on standard error.
    if (failure.message !== "") report(terminal, args.includes("--json"), failure)
    return failure.exitCode
  }
}

import type { EnvironmentCheck } from "@leadloom/server/internal/config/CheckEnvironment"
import { Command } from "commander"
import { exitCodes } from "../../ExitCode.ts"
import { CommandFailed } from "../../Failure.ts"
import { show } from "../../Output.ts"
import { propertyTable } from "../../Table.ts"
import type { Terminal } from "../../Terminal.ts"

const format = ({ mistakes, places, warnings }: EnvironmentCheck): string => {
  if (places === null) return `${mistakes.join("\n")}\n`
  const table = propertyTable([
    ["data directory", places.dataDir],
    ["database", places.database],
    ["raw mail", places.objects],
    ["address", places.address]
  ])
  return `The configuration is valid.\n${table}${warnings.map(({ advice, found }) => `${found} ${advice}\n`).join("")}`
}

const check = async (terminal: Terminal, json: boolean): Promise<void> => {
  // A dynamic import, so that other commands start without loading the configuration.
  const { checkEnvironment } = await import("@leadloom/server/internal/config/CheckEnvironment")
  const checked = checkEnvironment(terminal.env)
  const { mistakes, places, warnings } = checked
  const value = {
    valid: places !== null,
    mistakes,
    warnings,
    places:
      places === null
        ? null
        : {
            data_dir: places.dataDir,
            database: places.database,
            objects: places.objects,
            address: places.address
          }
  }
  show(terminal, json, value, () => format(checked))
  if (mistakes.length === 0) return
  const count = mistakes.length === 1 ? "1 mistake" : `${mistakes.length} mistakes`
  throw new CommandFailed(
    exitCodes.failed,
    "CONFIGURATION_INVALID",
    `${count} found. Correct ${mistakes.length === 1 ? "it" : "them"} before the start.`
  )
}

/** `leadloom config check`: checks the environment of the server on this machine. Starts nothing and opens no file. */
export const configCheckCommand = (terminal: Terminal): Command =>
  new Command("check")
    .description("validate the server's environment variables without starting it")
    .action((_, command: Command) =>
      check(terminal, command.optsWithGlobals<{ readonly json?: boolean }>().json === true)
    )

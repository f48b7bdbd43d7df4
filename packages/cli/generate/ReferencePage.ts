import type { Command } from "commander"
import { addOperationCommands } from "../src/operation/AddCommands.ts"
import { program } from "../src/Program.ts"
import { processTerminal } from "../src/Terminal.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`

const optionTable = (command: Command): ReadonlyArray<string> => {
  const options = command.options.filter((option) => !option.hidden)
  if (options.length === 0) return []
  const rows = options.map((option) => `| \`${cell(option.flags)}\` | ${cell(option.description)} |`)
  return ["| option | meaning |", "|---|---|", ...rows, ""]
}

/** Returns the sections of the commands without subcommands, depth first. */
const sections = (command: Command): ReadonlyArray<string> => {
  if (command.commands.length > 0) return command.commands.flatMap(sections)
  const title = `${nameOf(command)} ${command.usage().replace(/\[options\] ?/u, "")}`.trim()
  return [`## \`${title}\``, "", command.description(), "", ...optionTable(command)]
}

/** Returns the text of `docs/reference/cli.md`. */
export const referencePage = (): string => {
  const root = program(processTerminal(), addOperationCommands)
  return [
    "# Command line",
    "",
    "Generated from the commands in `packages/cli/src/command` and from the contract by `npm run generate`. Do not edit.",
    "",
    "[Install](../how-to/install.md) the command. In a checkout, it is `node_modules/.bin/leadloom` after `npm run setup`. These",
    "options apply to every command:",
    "",
    ...optionTable(root),
    "The environment variables `LEADLOOM_URL`, `LEADLOOM_ADMIN_KEY` and `LEADLOOM_API_KEY` set server and keys. Profiles live in",
    '`~/.config/leadloom/profiles.json`, for example `{ "prod": { "url": "https://leads.example.com", "admin_key": "…" } }`.',
    "",
    "Exit codes: 0 success, 1 failure, 2 wrong usage, 3 server unreachable, 4 not authorised, 5 not found, 6 conflict, 7 rate",
    "limited, 130 interrupted.",
    "",
    ...sections(root)
  ].join("\n")
}

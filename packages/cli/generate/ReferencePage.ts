import type { Command } from "commander"
import { examplesOf } from "../src/Help.ts"
import { addOperationCommands } from "../src/operation/AddCommands.ts"
import { program } from "../src/Program.ts"
import { leaves, titleOf } from "./Leaves.ts"
import { processTerminal } from "../src/Terminal.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const optionTable = (command: Command): ReadonlyArray<string> => {
  const options = command.options.filter((option) => !option.hidden)
  if (options.length === 0) return []
  const help = command.createHelp()
  const rows = options.map((option) => `| \`${cell(option.flags)}\` | ${cell(help.optionDescription(option))} |`)
  return ["| option | meaning |", "|---|---|", ...rows, ""]
}

const exampleBlock = (command: Command): ReadonlyArray<string> => {
  const lines = examplesOf(command)
  return lines.length === 0 ? [] : ["<!-- checked by packages/cli/test/Help.test.ts -->", "```sh", ...lines, "```", ""]
}

const section = (command: Command): ReadonlyArray<string> => [
  `## \`${titleOf(command)}\``,
  "",
  command.description(),
  "",
  ...optionTable(command),
  ...exampleBlock(command)
]

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
    "`leadloom completion bash|zsh|fish` prints a completion script. The script asks the installed command for commands, options",
    "and values, so an update needs no new script. npm installs the manual page `leadloom(1)` with a global installation.",
    "",
    "Other users of a machine can see the arguments of a process, and the shell stores them. Therefore give secrets in the",
    "environment, in a file (`--admin-key-file`, `--api-key-file`, `--secret-file`, `--database @<path>`) or on standard input",
    "(`-`).",
    "",
    ...leaves(root).flatMap(section)
  ].join("\n")
}

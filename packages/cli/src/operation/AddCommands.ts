import { Command } from "commander"
import { action } from "../Action.ts"
import { withExamples } from "../Help.ts"
import type { Terminal } from "../Terminal.ts"
import type { Context } from "./BuildRequest.ts"
import type { Operation } from "./Operation.ts"
import { groups } from "./generated/groups.ts"
import { operations } from "./generated/operations.ts"
import { addOptions } from "./Options.ts"
import { runOperation } from "./Run.ts"

const commandOf = (operation: Operation, name: string, terminal: Terminal): Command =>
  withExamples(addOptions(new Command(name), operation), [operation.example])
    .description(operation.about)
    .action(action<Context["options"]>(terminal, (context, ...args) => runOperation(operation, context, args)))

/** Returns the group of this name, and creates it if it is missing. */
const groupOf = (parent: Command, name: string): Command => {
  const existing = parent.commands.find((command) => command.name() === name)
  if (existing !== undefined) return existing
  const created = new Command(name).description(groups[name] ?? name)
  parent.addCommand(created)
  return created
}

/**
 * Adds the commands that are derived from the contract. They join the groups of existing commands. With `words`, adds
 * only the commands of the groups that the words name, because all of them slow down the start.
 */
export const addOperationCommands = (
  root: Command,
  terminal: Terminal,
  words: ReadonlyArray<string> | null = null
): Command => {
  for (const operation of operations) {
    const path = operation.command.split(" ")
    if (words?.includes(path[0] ?? "") === false) continue
    const parent = path.slice(0, -1).reduce(groupOf, root)
    parent.addCommand(commandOf(operation, path.at(-1) ?? "", terminal))
  }
  return root
}

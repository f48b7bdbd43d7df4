import { Command } from "commander"
import type { Terminal } from "../Terminal.ts"
import { groups } from "./generated/groups.ts"

/** Adds commands to the program. */
export type AddCommands = (root: Command, terminal: Terminal) => Command

/** Adds the groups that are missing, without their commands. The help of the program lists them. */
const addGroups: AddCommands = (root) => {
  const existing = new Set(root.commands.map((command) => command.name()))
  for (const [name, about] of Object.entries(groups))
    if (!existing.has(name)) root.addCommand(new Command(name).description(about))
  return root
}

/**
 * Returns the function that adds the commands that are derived from the contract. It adds the commands of the groups
 * that the words of the command line name, and loads the operations only if there are any.
 */
export const derivedCommands = async (words: ReadonlyArray<string>): Promise<AddCommands> => {
  if (!words.some((word) => Object.hasOwn(groups, word))) return addGroups
  const { addOperationCommands } = await import("./AddCommands.ts")
  return (root, terminal) => addGroups(addOperationCommands(root, terminal, words), terminal)
}

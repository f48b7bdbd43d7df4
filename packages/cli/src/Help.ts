import type { Command } from "commander"
import { examples } from "./Examples.ts"

const added = new WeakMap<Command, ReadonlyArray<string>>()

/** Adds examples to the help of a command. The reference and the manual page contain them too. */
export const withExamples = (command: Command, lines: ReadonlyArray<string>): Command => {
  added.set(command, lines)
  const heading = lines.length === 1 ? "Example" : "Examples"
  return command.addHelpText("after", `\n${heading}:\n${lines.map((line) => `  ${line}\n`).join("")}`)
}

/** Returns the examples of a command. */
export const examplesOf = (command: Command): ReadonlyArray<string> => added.get(command) ?? []

/** Returns the words of a command after the name of the program: `config put`. */
export const pathOf = (command: Command): string => {
  const { parent } = command
  return parent === null ? "" : `${pathOf(parent)} ${command.name()}`.trimStart()
}

/** Returns the subcommands that the help lists. */
export const visibleChildren = (command: Command): ReadonlyArray<Command> =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.parent === command && child.name() !== "help")

/**
 * Adds the examples of `examples` to a command and its subcommands. A group has the first example of its first command.
 */
export const addExamples = (command: Command): void => {
  const children = visibleChildren(command)
  for (const child of children) addExamples(child)
  if (examplesOf(command).length > 0) return
  const own = examples[pathOf(command)] ?? children.flatMap(examplesOf).slice(0, 1)
  if (own.length > 0) withExamples(command, own)
}

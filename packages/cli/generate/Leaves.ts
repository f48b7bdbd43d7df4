import type { Command } from "commander"
import { pathOf, visibleChildren } from "../src/Help.ts"

/** Returns the visible commands without subcommands, depth first. */
export const leaves = (command: Command): ReadonlyArray<Command> => {
  const children = visibleChildren(command)
  return children.length === 0 ? [command] : children.flatMap(leaves)
}

/** Returns the command line of a command with its arguments and without its options. */
export const titleOf = (command: Command): string =>
  `leadloom ${pathOf(command)} ${command.usage().replace(/\[options\] ?/u, "")}`.trim()

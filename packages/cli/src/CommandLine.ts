import type { Command, Option } from "commander"
import { visibleChildren } from "./Help.ts"

/** Returns the options that a command accepts, with those of the whole program. */
export const optionsOf = (command: Command): ReadonlyArray<Option> => {
  const help = command.createHelp()
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)]
}

const takesValue = ({ optional, required }: Option): boolean => required || optional

/** The position in a command line after some of its words. */
export interface CommandLine {
  readonly command: Command
  /** The option whose value is next. */
  readonly option: Option | null
  /** The number of arguments of the command. */
  readonly position: number
  readonly isAfterDashes: boolean
}

/** Returns the option that a word names. */
export const findOption = ({ command }: CommandLine, word: string): Option | null =>
  optionsOf(command).find(({ long, short }) => word === long || word === short) ?? null

const next = (state: CommandLine, word: string): CommandLine => {
  if (state.option !== null && !word.startsWith("-")) return state.option.variadic ? state : { ...state, option: null }
  if (state.isAfterDashes) return { ...state, position: state.position + 1 }
  if (word === "--") return { ...state, option: null, isAfterDashes: true }
  if (word.startsWith("-")) {
    const option = findOption(state, word)
    return { ...state, option: option !== null && takesValue(option) ? option : null }
  }
  const child = visibleChildren(state.command).find((one) => one.name() === word)
  return child === undefined ? { ...state, position: state.position + 1 } : { ...state, command: child, position: 0 }
}

/** Reads words as far as they are known. The words exclude the name of the program. */
export const readWords = (root: Command, words: ReadonlyArray<string>): CommandLine =>
  words.reduce(next, { command: root, option: null, position: 0, isAfterDashes: false })

/**
 * Shell completion. The scripts of the shells ask the installed command for candidates, so an update of Leadloom needs
 * no new script. Tests: `packages/cli/test/completion`.
 */
import type { Argument, Command, Option } from "commander"
import { type CommandLine, findOption, optionsOf, readWords } from "../CommandLine.ts"
import { visibleChildren } from "../Help.ts"

/** A word that the shell offers. */
export interface Candidate {
  readonly value: string
  readonly about: string
}

/** The candidates for one word. With `files`, the shell offers its files too. */
export interface Candidates {
  readonly candidates: ReadonlyArray<Candidate>
  readonly files: boolean
}

/** Placeholders of values that are paths: `<file>`, `<path>`, `<paths...>`. */
const isPath = (name: string): boolean => /\b(?:file|paths?)\b/u.test(name)

const valuesOf = ({ argChoices }: Argument | Option, name: string): Candidates => ({
  candidates: (argChoices ?? []).map((value) => ({ value, about: "" })),
  files: argChoices === undefined && isPath(name)
})

const optionCandidates = (command: Command): ReadonlyArray<Candidate> =>
  optionsOf(command).flatMap(({ description, long }) =>
    long === undefined ? [] : [{ value: long, about: description }]
  )

const argumentValues = ({ command, position }: CommandLine): Candidates => {
  const { registeredArguments } = command
  const last = registeredArguments.at(-1)
  const argument = registeredArguments[position] ?? (last?.variadic === true ? last : undefined)
  return argument === undefined ? { candidates: [], files: false } : valuesOf(argument, argument.name())
}

const candidatesAt = (state: CommandLine, word: string): Candidates => {
  const inline = /^(?<flag>--[^=]+)=/u.exec(word)?.groups?.["flag"]
  if (inline !== undefined) {
    const option = findOption(state, inline)
    if (option === null) return { candidates: [], files: false }
    const { candidates, files } = valuesOf(option, option.flags)
    return { candidates: candidates.map(({ value }) => ({ value: `${inline}=${value}`, about: "" })), files }
  }
  if (word.startsWith("-") && !state.isAfterDashes) return { candidates: optionCandidates(state.command), files: false }
  if (state.option !== null) return valuesOf(state.option, state.option.flags)
  const children = visibleChildren(state.command)
  return children.length === 0
    ? argumentValues(state)
    : { candidates: children.map((child) => ({ value: child.name(), about: child.description() })), files: false }
}

/** Returns the candidates for the last word. The words exclude the name of the program. */
export const candidatesFor = (root: Command, words: ReadonlyArray<string>): Candidates => {
  const word = words.at(-1) ?? ""
  const { candidates, files } = candidatesAt(readWords(root, words.slice(0, -1)), word)
  return { candidates: candidates.filter(({ value }) => value.startsWith(word)), files }
}

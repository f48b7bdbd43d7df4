import { closestName } from "@leadloom/core/internal/domain/text/ClosestName"
import { type Argument, type Command, InvalidArgumentError, type Option } from "commander"
import { addExamples } from "./Help.ts"
import type { Terminal } from "./Terminal.ts"

/** Adds the most similar choice to the error of an option or argument with choices. */
const suggestChoices = (option: Option | Argument): void => {
  const { argChoices, parseArg } = option
  if (argChoices === undefined || parseArg === undefined) return
  option.argParser((value: string, previous: unknown) => {
    try {
      return parseArg.call(option, value, previous)
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error
      const closest = closestName(value.toLowerCase(), argChoices)
      throw closest === null ? error : new InvalidArgumentError(`${error.message} Did you mean ${closest}?`)
    }
  })
}

/** The minimum width of descriptions in columns. Commander breaks no lines if the other columns leave less. */
const minWidthToWrap = 20

/**
 * Returns the name of a subcommand with its arguments. Every command has options, so the list does not mention them.
 */
const subcommandTerm = (command: Command): string =>
  [command.name(), command.usage().replace(/\[options\] ?|\[command\]/gu, "")].join(" ").trim()

const prepare = (command: Command, terminal: Terminal): void => {
  command
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err, outputError: () => undefined })
  command.configureHelp({ showGlobalOptions: true, minWidthToWrap, subcommandTerm })
  command.options.forEach(suggestChoices)
  command.registeredArguments.forEach(suggestChoices)
  for (const child of command.commands) prepare(child, terminal)
}

/**
 * Prepares a command and its subcommands. Their output goes to the terminal, and errors are thrown instead of ending
 * the process.
 */
export const prepareCommands = (root: Command, terminal: Terminal): Command => {
  prepare(root, terminal)
  addExamples(root)
  return root
}

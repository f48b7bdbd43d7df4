import type { Command } from "commander"
import { type Connection, type GlobalOptions, resolveConnection } from "./Connection.ts"
import { show } from "./Output.ts"
import type { Terminal } from "./Terminal.ts"

/** What the action of a command works with. */
export interface ActionContext<Options> {
  readonly options: Options & GlobalOptions
  readonly connection: Connection
  readonly terminal: Terminal
  /** Shows the result, as JSON or in words. */
  readonly show: (value: unknown, words: () => string) => void
}

/**
 * An action for commander: it hands over the arguments, the own options and the command; this makes a context of them.
 * Arguments are strings, as declared with `<name>`.
 */
export const action =
  <Options = object>(
    terminal: Terminal,
    work: (context: ActionContext<Options>, ...args: ReadonlyArray<string>) => Promise<void>
  ) =>
  async (...given: ReadonlyArray<unknown>): Promise<void> => {
    const command = given.at(-1) as Command
    const options = command.optsWithGlobals<Options & GlobalOptions>()
    const connection = await resolveConnection(terminal, options)
    const showResult = (value: unknown, words: () => string): void =>
      show(terminal, options.json === true, value, words)
    await work({ options, connection, terminal, show: showResult }, ...command.args)
  }

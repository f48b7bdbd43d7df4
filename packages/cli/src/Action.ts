import type { Command } from "commander"
import { type Connection, type GlobalOptions, resolveConnection } from "./Connection.ts"
import { show } from "./Output.ts"
import type { Terminal } from "./Terminal.ts"

/** The context of a command's action. */
export interface ActionContext<Options> {
  readonly options: Options & GlobalOptions
  readonly connection: Connection
  readonly terminal: Terminal
  /** Writes the result as JSON with `--json`, otherwise as text. */
  readonly show: (value: unknown, words: () => string) => void
}

/**
 * Adapts an action to commander. Commander passes the arguments, the options and the command separately. The action
 * receives one context with all of them. Arguments are strings, because commands declare them as `<name>` without a
 * parser.
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

import { Command } from "commander"
import { handWritten } from "../operation/HandWritten.ts"
import type { Operation } from "../operation/Operation.ts"
import { show } from "../Output.ts"
import { table } from "../Table.ts"
import type { Terminal } from "../Terminal.ts"

/** The command of one operation. */
interface Entry {
  readonly command: string
  readonly operation_id: string
}

/** Returns every operation of the contract with the command that reaches it, sorted by command. */
export const commandEntries = (operations: ReadonlyArray<Operation>): ReadonlyArray<Entry> =>
  [
    ...operations.map(({ command, id }) => ({ command, operation_id: id })),
    ...Object.entries(handWritten).map(([id, command]) => ({ command, operation_id: id }))
  ].toSorted((one, other) => (one.command < other.command ? -1 : 1))

/** `leadloom commands`: lists the commands of the operations. */
export const commandsCommand = (terminal: Terminal): Command =>
  new Command("commands")
    .description("list every operation of the API with its command")
    .action(async (_, command: Command) => {
      // A dynamic import, because the start of other commands needs no list of operations.
      const { operations } = await import("../operation/generated/operations.ts")
      const entries = commandEntries(operations)
      const { json } = command.optsWithGlobals<{ readonly json?: boolean }>()
      show(terminal, json === true, entries, () =>
        table(
          ["COMMAND", "OPERATION"],
          entries.map((entry) => [`leadloom ${entry.command}`, entry.operation_id])
        )
      )
    })

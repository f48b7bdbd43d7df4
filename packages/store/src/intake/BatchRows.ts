import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Stream } from "effect"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { arrayStatements } from "../sql/ArrayRows.ts"
import type { Phase, Row, RowsForm } from "../unit/RowsForm.ts"

/** The maximum number of characters that one unit may write in a batch. It limits the memory of a batch. */
const maxCharacters = 262_144

/** The failure of a statement of a unit that leaves its batch. */
export const left = new StoreUnavailable({ reason: "The unit has left its batch." })
/** The same as an error of the driver. */
export const refusal = new SqlError({ reason: new UnknownError({ cause: left, message: left.reason }) })

/** The running unit of a batch. */
export interface Member {
  left: boolean
  characters: number
  readonly recorded: Array<readonly [form: RowsForm, rows: ReadonlyArray<Row>]>
}

/** Returns the connection of a unit in a batch. A statement that was not foreseen makes the unit leave the batch. */
export const refusing = (member: Member): Connection => {
  const refuse = Effect.suspend(() => {
    member.left = true
    return Effect.fail(refusal)
  })
  return {
    execute: () => refuse,
    executeUnprepared: () => refuse,
    executeRaw: () => refuse,
    executeValues: () => refuse,
    executeValuesUnprepared: () => refuse,
    executeStream: () => Stream.fromEffect(refuse)
  }
}

/** Records rows of a unit. A unit whose rows a batch cannot write leaves it. */
export const record = (member: Member, form: RowsForm, rows: ReadonlyArray<Row>): void => {
  for (const row of rows) {
    for (const value of row) {
      if (typeof value !== "string") continue
      member.characters += value.length
      // The database would store another text than later units of the batch see (`PostgresText`).
      if (value.includes("\0") || !value.isWellFormed()) member.left = true
    }
  }
  if (member.characters > maxCharacters) member.left = true
  member.recorded.push([form, rows])
}

/** Creates the collection of the rows of a batch. */
export const makeRows = () => {
  const byText = new Map<string, { readonly form: RowsForm; readonly rows: Array<Row> }>()
  const order: ReadonlyArray<Phase> = ["rows", "derived", "list"]
  let witness: { readonly text: string; readonly tenantId: string; readonly params: ReadonlyArray<unknown> } | null =
    null
  return {
    add: (tenantId: string, form: RowsForm, rows: ReadonlyArray<Row>): void => {
      const known = byText.get(form.text)
      if (known === undefined) byText.set(form.text, { form, rows: [...rows] })
      else known.rows.push(...rows)
      const [first] = rows
      if (form.witness !== undefined && first !== undefined)
        witness ??= { text: form.witness.text, tenantId, params: form.witness.params(first) }
    },
    /** A row that proves that the batch was stored; null if none of its units has written such a row. */
    witness: () => witness,
    statements: () =>
      order.flatMap((phase) =>
        [...byText.values()].flatMap(({ form, rows }) =>
          (form.phase ?? "rows") === phase ? arrayStatements(form, rows) : []
        )
      )
  }
}
/** The rows of a batch. */
export type Rows = ReturnType<typeof makeRows>

import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import type { Effect } from "effect"
import type { Param } from "./Param.ts"
import * as PostgresText from "./PostgresText.ts"

/** The values of one row, in the order of the columns of its form. */
export type Row = ReadonlyArray<Param>

/** The type of a column in a statement that writes many rows. */
export type ArrayType = "text" | "bigint" | "json" | "jsonb"

/** The order of the statements of a batch. Rows of a later phase are derived from tables of an earlier one. */
export type Phase = "rows" | "derived" | "list"

/** A write with two forms: one statement per unit of work, and one statement for all rows of a batch (Postgres). */
export interface RowsForm {
  /** The statement of a unit, with `?` parameters. */
  readonly text: string
  /** Returns the parameters of `text` for several rows. If absent, `text` runs once per row, with its values. */
  readonly params?: (rows: ReadonlyArray<Row>) => ReadonlyArray<Param>
  readonly types: ReadonlyArray<ArrayType>
  /** Returns the statement for all rows. `source` is a source of rows with one column per type. */
  readonly batch: (source: string) => string
  /**
   * Combines the rows of a batch in the order of the units. Each element of the result becomes one statement. Default:
   * one statement with all rows.
   */
  readonly combine?: (rows: ReadonlyArray<Row>) => ReadonlyArray<ReadonlyArray<Row>>
  /** Default: `rows`. */
  readonly phase?: Phase
  /** A query in the syntax of Postgres that finds a row if it was stored. It decides after a connection is lost. */
  readonly witness?: { readonly text: string; readonly params: (row: Row) => ReadonlyArray<Param> }
}

/** Writes rows. Inside a batch, only records them. */
export type WriteRows = (rows: ReadonlyArray<Row>) => Effect.Effect<void, StoreUnavailable>

/** Records the rows of a unit that runs in a batch. */
export type RecordRows = (form: RowsForm, rows: ReadonlyArray<Row>) => void

/** A statement with arrays as parameters. */
export interface ArrayStatement {
  readonly text: string
  readonly params: ReadonlyArray<string>
}

const special = /["\\]/gu

/** Returns a value as an element of a Postgres array (PostgreSQL, "Array Input and Output Syntax"). */
const element = (value: Param, clean: (text: string) => string): string => {
  if (value === null) return "NULL"
  if (typeof value === "number") return String(value)
  const text = clean(value)
  return `"${text.includes('"') || text.includes("\\") ? text.replace(special, "\\$&") : text}"`
}

const arrayOf = (rows: ReadonlyArray<Row>, column: number, type: ArrayType): string => {
  const clean = type === "jsonb" ? PostgresText.json : PostgresText.plain
  return `{${rows.map((row) => element(row[column] ?? null, clean)).join(",")}}`
}

/** Returns a source of rows from one array per column. */
export const arraySource = (types: ReadonlyArray<ArrayType>): string =>
  `unnest(${types.map((type, index) => `$${index + 1}::${type}[]`).join(", ")})`

/** Returns the parameters of `arraySource` for rows. */
export const arrayParams = (types: ReadonlyArray<ArrayType>, rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  types.map((type, index) => arrayOf(rows, index, type))

/** Returns the statements for the rows of a batch. */
export const arrayStatements = (
  { batch, combine, types }: RowsForm,
  rows: ReadonlyArray<Row>
): ReadonlyArray<ArrayStatement> => {
  const text = batch(arraySource(types))
  return (combine === undefined ? [rows] : combine(rows)).map((part) => ({ text, params: arrayParams(types, part) }))
}

/** Returns the rows with a key of their first `length` values. */
const keyOf = (row: Row, length: number): string => JSON.stringify(row.slice(0, length))

/** Keeps the last row for each key, which is the first `length` values. */
export const lastOfEach =
  (length: number) =>
  (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => [
    [...new Map(rows.map((row) => [keyOf(row, length), row])).values()]
  ]

/** Adds up the last value of the rows with the same key, which is the other values. */
export const totals = (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const sums = new Map<string, { readonly key: Row; sum: number }>()
  for (const row of rows) {
    const key = row.slice(0, -1)
    const text = JSON.stringify(key)
    const more = Number(row.at(-1) ?? 0)
    const known = sums.get(text)
    if (known === undefined) sums.set(text, { key, sum: more })
    else known.sum += more
  }
  return [[...sums.values()].map(({ key, sum }) => [...key, sum])]
}

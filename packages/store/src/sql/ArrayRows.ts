import type { ArrayType, Row, RowsForm } from "../unit/RowsForm.ts"
import type { Param } from "./Param.ts"
import * as PostgresText from "./PostgresText.ts"

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

/** Returns the key of a row: its first `length` values. */
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

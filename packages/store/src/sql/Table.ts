import { Struct } from "effect"
import type { Param } from "./Param.ts"

/** The SQL of a table whose rows are read and written completely. One list of columns serves all statements. */
export interface Table<Row> {
  /** The selected columns, each under its field name in `Row`. */
  readonly columns: string
  /** The same with an alias of the table. */
  readonly columnsOf: (alias: string) => string
  /** `INSERT` of one row, with `values` as its parameters. */
  readonly insert: string
  readonly values: (row: Row) => ReadonlyArray<Param>
  /** `UPDATE` of one row by its key, with `changes` as its parameters. */
  readonly replace: string
  /** The same, and returns a row if one matched. */
  readonly update: string
  readonly changes: (row: Row) => ReadonlyArray<Param>
}

/**
 * Creates the SQL of a table from its name, the column of each field and its key fields. A missing field is a type
 * error.
 */
export const table = <Row extends { readonly [K in keyof Row]: Param }>(
  name: string,
  columns: { readonly [K in keyof Row & string]: string },
  key: ReadonlyArray<keyof Row & string>
): Table<Row> => {
  const fields = Struct.keys(columns)
  const others = fields.filter((field) => !key.includes(field))
  const equal = (field: keyof Row & string): string => `${columns[field]} = ?`
  const columnsOf = (prefix: string): string =>
    fields.map((field) => `${prefix}${columns[field]} AS "${field}"`).join(", ")
  const names = fields.map((field) => columns[field]).join(", ")
  const replace = `UPDATE ${name} SET ${others.map(equal).join(", ")} WHERE ${key.map(equal).join(" AND ")}`
  return {
    columns: columnsOf(""),
    columnsOf: (alias) => columnsOf(`${alias}.`),
    insert: `INSERT INTO ${name} (${names}) VALUES (${fields.map(() => "?").join(", ")})`,
    values: (row) => fields.map((field) => row[field]),
    replace,
    update: `${replace} RETURNING 1 AS found`,
    changes: (row) => [...others, ...key].map((field) => row[field])
  }
}

import { Struct } from "effect"
import type { Param } from "./Param.ts"

/** The SQL of a table whose rows are read and written whole: one list of columns serves every statement. */
export interface Table<Row> {
  /** What to select, each column under the name that it has in `Row`. */
  readonly columns: string
  /** The same behind an alias of the table. */
  readonly columnsOf: (alias: string) => string
  /** `INSERT` of one row, whose parameters are its `values`. */
  readonly insert: string
  readonly values: (row: Row) => ReadonlyArray<Param>
  /** `UPDATE` of one row found by its key, whose parameters are its `changes`. */
  readonly replace: string
  /** The same; it returns a row when there is one. */
  readonly update: string
  readonly changes: (row: Row) => ReadonlyArray<Param>
}

/** A table by its name, the column of each field, and the fields that are its key. Forgetting one is a type error. */
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

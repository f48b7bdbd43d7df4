import { columnsOf, type ColumnType } from "@leadloom/core/internal/domain/Column"
import { type FieldOf, type Noun, nullable } from "@leadloom/core/internal/domain/Field"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, type Schema, SchemaAST } from "effect"
import { readArray, readObject } from "./Json.ts"
import type { Param } from "./Param.ts"
import { first, type Queries } from "./Queries.ts"
import type { ArrayType, RowsForm, WriteRows } from "../unit/RowsForm.ts"
import type { Query } from "./Statements.ts"

/** A prepared statement that returns at most one record, or null. */
export type QueryOne<A> = (...params: ReadonlyArray<Param>) => Effect.Effect<A | null, StoreUnavailable>

/** The statements of a repository that return records of a noun. */
export interface Reading<A> {
  /** Returns all records. `Row` has the additional columns of the statement. */
  readonly all: <Row extends A = A>(text: string) => Query<Row>
  /** Returns the first record; null if there is none. */
  readonly one: <Row extends A = A>(text: string) => QueryOne<Row>
}

/** The SQL of a table whose rows are read and written completely, derived from the schema of a noun. */
export interface Table<A extends object> {
  /** The selected columns, each under the name of its field. */
  readonly columns: string
  /** Returns the columns with an alias of the table. */
  readonly columnsOf: (alias: string) => string
  /** The `INSERT` of one row. Its parameters are `values`. */
  readonly insert: string
  readonly values: (record: A) => ReadonlyArray<Param>
  /** The `INSERT` of rows of `values`. */
  readonly inserting: RowsForm
  /** The `UPDATE` of one row by its key. Its parameters are `changes`. */
  readonly replace: string
  /** The `UPDATE` of rows of `changes`. */
  readonly replacing: RowsForm
  /** Like `replace`, but the statement returns a row if one matched. */
  readonly update: string
  readonly changes: (record: A) => ReadonlyArray<Param>
  /**
   * Prepares an `UPDATE` of the columns that differ between the stored record and the new one. SQLite writes every
   * index of a column that an `UPDATE` names, also if its value stays the same. Lists and objects differ if their
   * references differ. There is one statement per combination of columns, up to `maxCombinations`. For further
   * combinations, the statement writes all columns.
   */
  readonly writingChanges: (
    database: Pick<Queries, "rows">
  ) => (before: A, after: A) => Effect.Effect<void, StoreUnavailable>
  /**
   * Converts a row with `columns` to a record. Changes the row itself, which is safe, because the driver creates a new
   * row for each result.
   */
  readonly fromRow: <Row extends A>(row: Row) => Row
  /** Prepares statements that select `columns` and return records. */
  readonly reading: (database: Pick<Queries, "query">) => Reading<A>
}

/** The table of a noun in the database. */
export interface TableOptions<Field extends string> {
  readonly name: string
  /** The fields of the primary key. */
  readonly key: ReadonlyArray<Field>
}

const plain = (value: unknown): Param => (typeof value === "string" || typeof value === "number" ? value : null)
const flag = (value: unknown): Param => (value === true ? 1 : 0)
/** Encodes a value as JSON. Empty lists are not encoded each time, because most lists are empty. */
const json = (value: unknown): Param =>
  Array.isArray(value) && value.length === 0 ? "[]" : value === null ? null : JSON.stringify(value)

const writers = { text: plain, integer: plain, time: plain, flag, json } as const

const isKind = (kind: string): kind is keyof typeof writers => Object.hasOwn(writers, kind)

const writerOf = (type: ColumnType): ((value: unknown) => Param) => {
  const kind = type.replace("?", "")
  return isKind(kind) ? writers[kind] : plain
}

const textOrNull =
  (read: (text: string) => unknown) =>
  (value: unknown): unknown =>
    typeof value === "string" ? read(value) : null

/** Returns the function that converts a stored value; null if the value needs no conversion. */
const readerOf = (type: ColumnType, schema: Schema.Constraint): ((value: unknown) => unknown) | null => {
  if (type.startsWith("flag")) return (value) => (value === null ? null : value === 1)
  if (!type.startsWith("json")) return null
  return textOrNull(SchemaAST.isArrays(nullable(schema.ast).ast) ? readArray : readObject)
}

interface NamedColumn {
  readonly name: string
  readonly type: ArrayType
}

interface WrittenColumn<A> extends NamedColumn {
  readonly field: keyof A
  readonly write: (value: unknown) => Param
}

const arrayTypes = { text: "text", integer: "bigint", time: "bigint", flag: "bigint", json: "json" } as const

const arrayTypeOf = (type: ColumnType): ArrayType => {
  const kind = type.replace("?", "")
  return isKind(kind) ? arrayTypes[kind] : "text"
}

const equal = ({ name }: { readonly name: string }): string => `${name} = ?`

/** Returns the `UPDATE` of columns by a key. The values of a row are those of the columns and then those of the key. */
const updating = (table: string, columns: ReadonlyArray<NamedColumn>, keys: ReadonlyArray<NamedColumn>): RowsForm => {
  const names = [...columns, ...keys].map(({ name }) => name).join(", ")
  const assignments = columns.map(({ name }) => `${name} = item.${name}`).join(", ")
  const matches = keys.map(({ name }) => `${table}.${name} = item.${name}`).join(" AND ")
  return {
    text: `UPDATE ${table} SET ${columns.map(equal).join(", ")} WHERE ${keys.map(equal).join(" AND ")}`,
    types: [...columns, ...keys].map(({ type }) => type),
    batch: (source) => `UPDATE ${table} SET ${assignments} FROM ${source} AS item(${names}) WHERE ${matches}`
  }
}

/** The maximum number of statements per table that `writingChanges` prepares. */
const maxCombinations = 64

/** Implements `Table.writingChanges`. */
const changesWriter =
  <A extends object>(
    table: string,
    keys: ReadonlyArray<WrittenColumn<A>>,
    others: ReadonlyArray<WrittenColumn<A>>
  ): Table<A>["writingChanges"] =>
  ({ rows }) => {
    const prepared = new Map<string, WriteRows>()
    return (before, after) => {
      const changed = others.filter(({ field }) => before[field] !== after[field])
      if (changed.length === 0) return Effect.void
      const known = prepared.get(changed.map(equal).join(", "))
      const differing = known === undefined && prepared.size >= maxCombinations ? others : changed
      const assignments = differing.map(equal).join(", ")
      const update = known ?? prepared.get(assignments) ?? rows(updating(table, differing, keys))
      prepared.set(assignments, update)
      return update([[...differing, ...keys].map(({ field, write }) => write(after[field]))])
    }
  }

/**
 * Creates the SQL of a table from the schema of a noun. The conversions are chosen once per table and not for each row.
 */
export const table = <N extends Noun>(noun: N, { key, name }: TableOptions<FieldOf<N>>): Table<N["Type"]> => {
  type A = N["Type"]
  const all = columnsOf(noun).map((column) => ({
    ...column,
    name: `"${column.name}"`,
    type: arrayTypeOf(column.type),
    read: readerOf(column.type, column.schema),
    write: writerOf(column.type)
  }))
  const keys = key.flatMap((field) => all.filter((column) => column.field === field))
  const others = all.filter(({ field }) => !key.includes(field))
  const changed = [...others, ...keys]
  const converted = all.flatMap(({ field, read }) => (read === null ? [] : [{ field, read }]))
  const columnsOfPrefix = (prefix: string): string =>
    all.map((column) => `${prefix}${column.name} AS "${column.field}"`).join(", ")
  const names = all.map((column) => column.name).join(", ")
  const insert = `INSERT INTO ${name} (${names}) VALUES (${all.map(() => "?").join(", ")})`
  const replacing = updating(name, others, keys)
  const replace = replacing.text
  const fromRow = <Row extends A>(row: Row): Row => {
    const values: Partial<Record<FieldOf<N>, unknown>> = row
    for (const { field, read } of converted) values[field] = read(values[field])
    return row
  }
  const fromRows = <Row extends A>(rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
    for (const row of rows) fromRow(row)
    return rows
  }
  return {
    columns: columnsOfPrefix(""),
    columnsOf: (alias) => columnsOfPrefix(`${alias}.`),
    insert,
    inserting: {
      text: insert,
      types: all.map(({ type }) => type),
      batch: (source) => `INSERT INTO ${name} (${names}) SELECT * FROM ${source}`
    },
    values: (record: A) => all.map(({ field, write }) => write(record[field])),
    replace,
    replacing,
    update: `${replace} RETURNING 1 AS found`,
    changes: (record: A) => changed.map(({ field, write }) => write(record[field])),
    writingChanges: changesWriter(name, keys, others),
    fromRow,
    reading: ({ query }) => ({
      all: <Row extends A>(text: string): Query<Row> => {
        return converted.length === 0 ? query<Row>(text) : query(text, fromRows<Row>)
      },
      one: <Row extends A>(text: string): QueryOne<Row> => {
        const rows = query<Row>(text)
        return (...params) =>
          Effect.map(rows(...params), (found) => {
            const row = first(found)
            return row === null ? null : fromRow(row)
          })
      }
    })
  }
}

/** The mapping between a record and its row. */
export interface Mapping<A, Row> {
  readonly toRow: (record: A) => Row
  readonly fromRow: (row: Row) => A
}

/** The SQL of a table whose rows differ from the records. */
export interface MappedTable<A, Row extends object> extends Omit<
  Table<Row>,
  "values" | "changes" | "reading" | "writingChanges"
> {
  readonly values: (record: A) => ReadonlyArray<Param>
  readonly changes: (record: A) => ReadonlyArray<Param>
  readonly toRecord: (row: Row) => A
  readonly reading: (database: Pick<Queries, "query">) => {
    readonly all: (text: string) => Query<A>
    readonly one: (text: string) => QueryOne<A>
  }
}

/** Creates the SQL of a table from the schema of its rows and the mapping to records. */
export const mappedTable = <N extends Noun, A>(
  row: N,
  options: TableOptions<FieldOf<N>>,
  { fromRow, toRow }: Mapping<A, N["Type"]>
): MappedTable<A, N["Type"]> => {
  const rows = table(row, options)
  const toRecord = (stored: N["Type"]): A => fromRow(rows.fromRow(stored))
  return {
    ...rows,
    values: (record) => rows.values(toRow(record)),
    changes: (record) => rows.changes(toRow(record)),
    toRecord,
    reading: ({ query }) => ({
      all: (text) => query(text, (found: ReadonlyArray<N["Type"]>) => found.map(toRecord)),
      one: (text) =>
        query(text, (found: ReadonlyArray<N["Type"]>) => {
          const stored = first(found)
          return stored === null ? null : toRecord(stored)
        })
    })
  }
}

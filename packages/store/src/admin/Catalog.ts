import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migrate, migrationsTable } from "../migration/Migrations.ts"
import * as Sqlite from "../Sqlite.ts"

/** A table, independent of the dialect. */
export interface CatalogTable {
  readonly name: string
  /** All columns by name, key columns first. The order is the same for every database of this version. */
  readonly columns: ReadonlyArray<string>
  /** The number of key columns. The key is unique, never null, and indexed in ascending order. */
  readonly keyLength: number
}

/**
 * Tables that a copy leaves out, because the service rebuilds their rows. A copy includes all other tables, including
 * new ones. A table that exists in only one dialect must be in this list.
 */
export const rebuiltTables: ReadonlySet<string> = new Set([
  "rate_logs",
  // Triggers of the table `leads` fill them.
  "lead_tags",
  "lead_totals",
  // Triggers of the copied conversations count them.
  "conversation_counts",
  // Triggers of the copied facts count them.
  "report_counts",
  // Triggers of the copied tables rebuild the search index.
  "search_documents",
  "search_queue",
  "search_segments",
  "search_summaries"
])

interface ColumnRow {
  readonly table: string
  readonly column: string
}

interface KeyRow extends ColumnRow {
  readonly index: string
  readonly origin: string
  readonly falls: number
  readonly nullable: number
}

/**
 * Reads the columns of all tables. Excludes virtual tables (search indexes) and their shadow tables, because triggers
 * fill them.
 */
const columnsSql = `SELECT t.name AS "table", c.name AS "column" FROM pragma_table_list t JOIN pragma_table_info(t.name) c
  WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND t.name <> '${migrationsTable}'
  ORDER BY t.name, c.name`

const keysSql = `SELECT t.name AS "table", i.name AS "index", i.origin, x.name AS "column", x."desc" AS falls,
    c."notnull" = 0 AND c.pk = 0 AS nullable
  FROM pragma_table_list t JOIN pragma_index_list(t.name) i JOIN pragma_index_xinfo(i.name) x
  JOIN pragma_table_info(t.name) c ON c.name = x.name
  WHERE t.schema = 'main' AND t.type = 'table' AND i."unique" = 1 AND i.partial = 0 AND x.key = 1
  ORDER BY t.name, i.origin <> 'pk', i.name, x.seqno`

/**
 * Returns the key columns of a table. A copy reads the rows in the order of this key, so it needs an index in ascending
 * order. The key is the primary key; if this key has a descending column, it is another unique key.
 */
const keyOf = (table: string, rows: ReadonlyArray<KeyRow>): ReadonlyArray<string> => {
  const byIndex = Map.groupBy(
    rows.filter((row) => row.table === table),
    (row) => row.index
  )
  const candidates = [...byIndex.values()]
  const rising = candidates.find((columns) => columns.every(({ falls, nullable }) => falls === 0 && nullable === 0))
  const key = rising ?? candidates.find((columns) => columns.every(({ origin }) => origin === "pk"))
  if (key === undefined)
    throw new Error(
      `The table ${table} needs a primary key, or a unique key whose columns are all NOT NULL and ascending. Add one.`
    )
  return key.map(({ column }) => column)
}

const read = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* migrate
  const columns = yield* sql.unsafe<ColumnRow>(columnsSql)
  const keys = yield* sql.unsafe<KeyRow>(keysSql)
  return [...Map.groupBy(columns, ({ table }) => table)].map(([name, rows]): CatalogTable => {
    const key = keyOf(name, keys)
    const rest = rows.map(({ column }) => column).filter((column) => !key.includes(column))
    return { name, columns: [...key, ...rest], keyLength: key.length }
  })
})

const fromMigrations = read.pipe(Effect.provide(Sqlite.layer({ filename: Sqlite.memory })), Effect.orDie)

let known: ReadonlyArray<CatalogTable> | null = null

/**
 * All tables of this version, by name. The first call reads them from an in-memory database after all migrations have
 * run there, which takes 0.3 s.
 */
export const catalog: Effect.Effect<ReadonlyArray<CatalogTable>> = Effect.suspend(() =>
  known === null ? Effect.tap(fromMigrations, (tables) => Effect.sync(() => (known = tables))) : Effect.succeed(known)
)

/** The tables that a copy writes first, because a trigger changes rows of other copied tables for each row of theirs. */
const firstTables: ReadonlySet<string> = new Set(["messages"])

/** The tables that a copy includes, in the order in which it writes them. */
export const copiedTables: Effect.Effect<ReadonlyArray<CatalogTable>> = Effect.map(catalog, (tables) => {
  const copied = tables.filter(({ name }) => !rebuiltTables.has(name))
  const isFirst = ({ name }: CatalogTable) => firstTables.has(name)
  return [...copied.filter(isFirst), ...copied.filter((table) => !isFirst(table))]
})

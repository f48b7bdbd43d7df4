import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migrate, migrationsTable } from "../migration/Migrations.ts"
import * as Sqlite from "../Sqlite.ts"

/** A table as administration sees it, whatever the dialect. */
export interface CatalogTable {
  readonly name: string
  /** Every column by name, the key's first. The order is the same for every database of this version. */
  readonly columns: ReadonlyArray<string>
  /** How many of the columns are the key: unique, never null, and indexed in ascending order. */
  readonly keyLength: number
}

/**
 * Tables whose rows nobody misses: they are made anew as the service runs. Everything that is not named here is copied,
 * tables that come later included. Tables that only one dialect has belong here, or nowhere.
 */
export const rebuiltTables: ReadonlySet<string> = new Set([
  "rate_logs",
  // The index of a copy is made anew: the triggers of its tables note every row that comes.
  "search_documents",
  "search_queue",
  "search_segments"
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

/** Virtual tables and what is behind them (search indexes) follow their tables by triggers. */
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
 * The columns that a table is walked by: its primary key, or, where that is partly in falling order so that no index can
 * be walked up it, another unique key.
 */
const keyOf = (table: string, rows: ReadonlyArray<KeyRow>): ReadonlyArray<string> => {
  const byIndex = Map.groupBy(
    rows.filter((row) => row.table === table),
    (row) => row.index
  )
  const candidates = [...byIndex.values()]
  const rising = candidates.find((columns) => columns.every(({ falls, nullable }) => falls === 0 && nullable === 0))
  const key = rising ?? candidates.find((columns) => columns.every(({ origin }) => origin === "pk"))
  if (key === undefined) throw new Error(`The table ${table} has no key to walk it by.`)
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

/**
 * Every table of this version by name, read from the migrations themselves: they are run on a database in memory.
 */
export const catalog: Effect.Effect<ReadonlyArray<CatalogTable>> = read.pipe(
  Effect.provide(Sqlite.layer({ filename: Sqlite.memory })),
  Effect.orDie
)

/** The tables that a copy has to hold. */
export const copiedTables: Effect.Effect<ReadonlyArray<CatalogTable>> = Effect.map(catalog, (tables) =>
  tables.filter(({ name }) => !rebuiltTables.has(name))
)

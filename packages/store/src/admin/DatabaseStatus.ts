import { statSync } from "node:fs"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { databaseName } from "../DatabaseUrl.ts"
import type { StoreUrlUnsupported } from "../Store.ts"
import { type ReadOnlyDatabase, type DatabaseMissing, openReadOnly, parseUrl, tablesOf } from "./ReadOnlyDatabase.ts"
import { catalog, type CatalogTable } from "./Catalog.ts"
import { type MigrationState, migrationState } from "./MigrationState.ts"
import { quoted } from "./PageSql.ts"

/** The number of rows of a table. */
export interface TableRows {
  readonly table: string
  /** The number of rows; null if a count would take too long. */
  readonly rows: number | null
  /** Whether the number is exact. Otherwise it is an estimate. */
  readonly isExact: boolean
}

/** The state of a database. */
export interface DatabaseStatus extends MigrationState {
  readonly database: string
  readonly sizeBytes: number
  readonly tables: ReadonlyArray<TableRows>
}

/**
 * The maximum size of a SQLite file, in bytes, for which rows are counted. To count the rows of a table, SQLite reads
 * the whole table.
 */
const countedUpTo = 2 * 1024 ** 3
/**
 * The maximum estimate for which rows are counted on Postgres. For a larger table, the estimate is reported instead.
 */
const countedRows = 100_000

const sizeOfFile = (filename: string): number =>
  [filename, `${filename}-wal`].reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)

const countOf = ({ query }: ReadOnlyDatabase, table: string): Effect.Effect<TableRows, StoreUnavailable> =>
  Effect.map(query(`SELECT CAST(count(*) AS text) FROM ${quoted(table)}`), ([row]) => ({
    table,
    rows: Number(row?.[0] ?? 0),
    isExact: true
  }))

/**
 * Reads the row estimates of the last autovacuum. The estimate of a table that autovacuum has not processed is
 * negative.
 */
const estimates = `SELECT relname::text, reltuples::bigint::text FROM pg_class
  WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`

const rowsInPostgres = (requested: ReadOnlyDatabase, tables: ReadonlyArray<CatalogTable>) =>
  Effect.gen(function* () {
    const found = new Map((yield* requested.query(estimates)).map(([name, rows]) => [String(name), Number(rows)]))
    return yield* Effect.forEach(tables, ({ name }) => {
      const about = found.get(name) ?? 0
      return about > countedRows
        ? Effect.succeed({ table: name, rows: about, isExact: false })
        : countOf(requested, name)
    })
  })

const rowsInFile = (requested: ReadOnlyDatabase, tables: ReadonlyArray<CatalogTable>, size: number) =>
  Effect.forEach(tables, ({ name }): Effect.Effect<TableRows, StoreUnavailable> =>
    size > countedUpTo ? Effect.succeed({ table: name, rows: null, isExact: false }) : countOf(requested, name)
  )

const inspect = (requested: ReadOnlyDatabase): Effect.Effect<DatabaseStatus, StoreUnavailable> =>
  Effect.gen(function* () {
    const { query, database } = requested
    const present = yield* tablesOf(requested)
    const tables = (yield* catalog).filter(({ name }) => present.has(name))
    const state = yield* migrationState(requested)
    const name = databaseName(database)
    if (database.kind === "sqlite") {
      const sizeBytes = sizeOfFile(database.filename)
      return { database: name, ...state, sizeBytes, tables: yield* rowsInFile(requested, tables, sizeBytes) }
    }
    const [size] = yield* query("SELECT pg_database_size(current_database())::text")
    return {
      database: name,
      ...state,
      sizeBytes: Number(size?.[0] ?? 0),
      tables: yield* rowsInPostgres(requested, tables)
    }
  })

/**
 * Reports the migrations and the sizes of tables. Changes nothing, so the database may be in use, and may have another
 * version.
 */
export const databaseStatus = (
  url: string
): Effect.Effect<DatabaseStatus, StoreUnavailable | StoreUrlUnsupported | DatabaseMissing> =>
  Effect.scoped(Effect.flatMap(Effect.flatMap(parseUrl(url), openReadOnly), inspect))

import Database from "better-sqlite3"
import { Effect } from "effect"
import type { Target } from "../src/admin/CopyEndpoint.ts"
import type { DatabaseUrl } from "../src/DatabaseUrl.ts"

/**
 * Drops the secondary indexes of a database while it is filled, which is several times faster with a million rows.
 * Primary keys and unique indexes stay, because triggers and collisions need them.
 */

const isFile = (database: DatabaseUrl): database is DatabaseUrl & { readonly kind: "sqlite" } =>
  database.kind === "sqlite"

interface Index {
  readonly name: string
  readonly sql: string
}

const isIndex = (row: unknown): row is Index =>
  typeof row === "object" && row !== null && "name" in row && "sql" in row && typeof row.sql === "string"

/** Returns the secondary indexes of a SQLite file. */
const indexesOf = (filename: string): ReadonlyArray<Index> => {
  const file = new Database(filename, { readonly: true })
  const rows = file.prepare(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql NOT LIKE 'CREATE UNIQUE%'"
  )
  try {
    return rows.all().filter(isIndex)
  } finally {
    file.close()
  }
}

const dropOnPostgres = [
  `CREATE TABLE bench_indexes AS SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
    FROM pg_index JOIN pg_class c ON c.oid = indrelid
    WHERE NOT indisunique AND c.relnamespace = current_schema()::regnamespace`,
  `DO $$ DECLARE dropped text; BEGIN
    FOR dropped IN SELECT name FROM bench_indexes LOOP EXECUTE 'DROP INDEX ' || dropped; END LOOP; END $$`
]

const createOnPostgres = [
  "SET maintenance_work_mem = '256MB'",
  `DO $$ DECLARE created text; BEGIN
    FOR created IN SELECT definition FROM bench_indexes LOOP EXECUTE created; END LOOP; END $$`,
  "DROP TABLE bench_indexes"
]

/** Drops the secondary indexes. Returns the statements that create them again. */
export const dropIndexes = Effect.fnUntraced(function* (database: DatabaseUrl, target: Target) {
  const indexes = isFile(database) ? indexesOf(database.filename) : []
  const drop = isFile(database) ? indexes.map(({ name }) => `DROP INDEX ${name}`) : dropOnPostgres
  yield* Effect.forEach(drop, target.run, { discard: true })
  return isFile(database) ? indexes.map(({ sql }) => sql) : createOnPostgres
})

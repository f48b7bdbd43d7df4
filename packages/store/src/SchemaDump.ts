import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { migrationsTable } from "./Migrations.ts"

/** Tables first, each followed by its indexes, in the order of their names. */
const definitions = `SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name <> '${migrationsTable}'
  ORDER BY tbl_name, type DESC, name`

/** The tables and indexes of a SQLite database as SQL, as they stand after every migration: for readers and reviewers. */
export const dumpSqlite: Effect.Effect<string, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql.unsafe<{ readonly sql: string }>(definitions)
  const heading = "-- Generated from the migrations by generate/schema.ts. Do not edit.\n"
  return `${[heading, ...rows.map((row) => `${row.sql};\n`)].join("\n")}`
})

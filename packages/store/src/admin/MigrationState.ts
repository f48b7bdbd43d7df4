import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { copyMarker, migrationId, migrations, migrationsTable, stopsOlderServers } from "../migration/Migrations.ts"
import { type ReadOnlyDatabase, tablesOf } from "./ReadOnlyDatabase.ts"

/** The migrations of a database, by name. */
export interface MigrationState {
  readonly applied: ReadonlyArray<string>
  /** The migrations of this version that the database lacks. */
  readonly missing: ReadonlyArray<string>
  /** The missing migrations before which all servers must stop. */
  readonly stopFirst: ReadonlyArray<string>
  /** The migrations in the database that only a newer version knows. */
  readonly unknown: ReadonlyArray<string>
  /** Whether the database is the target of an unfinished copy. */
  readonly isUnfinishedCopy: boolean
}

const nameOf = (id: number, name: string): string => `${String(id).padStart(4, "0")}_${name}`

/** Compares the migrations of a database with this version. A database without tables has no migrations. */
export const migrationState = (database: ReadOnlyDatabase): Effect.Effect<MigrationState, StoreUnavailable> =>
  Effect.gen(function* () {
    const tables = yield* tablesOf(database)
    const rows = tables.has(migrationsTable)
      ? yield* database.query(`SELECT migration_id, name FROM ${migrationsTable} ORDER BY migration_id`)
      : []
    const applied = rows.map(([id, name]) => ({ id: Number(id), name: nameOf(Number(id), String(name)) }))
    const known = Object.keys(migrations)
    const missing = known.filter((name) => !applied.some(({ id }) => id === migrationId(name)))
    return {
      applied: applied.map(({ name }) => name),
      missing,
      // No server uses a database without migrations.
      stopFirst: applied.length === 0 ? [] : missing.filter((name) => stopsOlderServers.has(name)),
      unknown: applied.filter(({ id }) => !known.some((name) => migrationId(name) === id)).map(({ name }) => name),
      isUnfinishedCopy: tables.has(copyMarker)
    }
  })

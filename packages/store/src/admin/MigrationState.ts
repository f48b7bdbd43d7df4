import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Effect } from "effect"
import { copyMarker, migrationId, migrations, migrationsTable } from "../migration/Migrations.ts"
import { type ReadOnlyDatabase, tablesOf } from "./ReadOnlyDatabase.ts"

/** Which migrations a database has, by their names. */
export interface MigrationState {
  readonly applied: ReadonlyArray<string>
  /** What this version would still run. */
  readonly missing: ReadonlyArray<string>
  /** What only a newer version knows. */
  readonly unknown: ReadonlyArray<string>
  /** The copy that it is has not ended. */
  readonly isUnfinishedCopy: boolean
}

const nameOf = (id: number, name: string): string => `${String(id).padStart(4, "0")}_${name}`

/** Compares a database with this version. A database without any table has no migrations. */
export const migrationState = (database: ReadOnlyDatabase): Effect.Effect<MigrationState, StoreUnavailable> =>
  Effect.gen(function* () {
    const tables = yield* tablesOf(database)
    const rows = tables.has(migrationsTable)
      ? yield* database.query(`SELECT migration_id, name FROM ${migrationsTable} ORDER BY migration_id`)
      : []
    const applied = rows.map(([id, name]) => ({ id: Number(id), name: nameOf(Number(id), String(name)) }))
    const known = Object.keys(migrations)
    return {
      applied: applied.map(({ name }) => name),
      missing: known.filter((name) => !applied.some(({ id }) => id === migrationId(name))),
      unknown: applied.filter(({ id }) => !known.some((name) => migrationId(name) === id)).map(({ name }) => name),
      isUnfinishedCopy: tables.has(copyMarker)
    }
  })

import { Data, Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { takeEveryTurn } from "./Turn.ts"
import { first } from "./migrations/0001_first.ts"
import { queueByTenant } from "./migrations/0002_queue.ts"
import { email } from "./migrations/0003_email.ts"

/** Where it is written down which migrations a database has. */
export const migrationsTable = "migrations"

/**
 * Every migration by its id and name. The ids count up: one below the newest that a database has would never run there.
 */
export const migrations: Readonly<Record<string, Effect.Effect<void, unknown, SqlClient.SqlClient>>> = {
  "0001_first": first,
  "0002_queue": queueByTenant,
  "0003_email": email
}

/** The number a migration is ordered by. */
export const migrationId = (name: string): number => Number.parseInt(name, 10)

/** The database was made by a newer version of this program, which alone knows how to read it. */
export class DatabaseTooNew extends Data.TaggedError("DatabaseTooNew")<{
  readonly found: number
  readonly known: number
}> {
  override get message() {
    return `The database is at migration ${this.found}, this program knows ${this.known}: start a newer version.`
  }
}

const missing = Migrator.make({})({ loader: Migrator.fromRecord(migrations), table: migrationsTable })

/** On Postgres no unit of another server is written meanwhile, and it takes the time that it takes. */
const run = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      sql.withTransaction(
        Effect.forEach(["SET LOCAL statement_timeout = 0", "SET LOCAL lock_timeout = 0", takeEveryTurn], (statement) =>
          sql.unsafe(statement)
        ).pipe(Effect.andThen(missing))
      ),
    orElse: () => missing
  })

/**
 * Brings a database to the tables of this version: all missing migrations in one transaction, so that a failure leaves
 * it as it was. Processes that start at once wait for each other.
 */
export const migrate: Effect.Effect<void, SqlError | Migrator.MigrationError | DatabaseTooNew, SqlClient.SqlClient> =
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* run(sql)
    const rows = yield* sql.unsafe<{ readonly newest: number }>(
      `SELECT max(migration_id) AS newest FROM ${migrationsTable}`
    )
    const found = Number(rows[0]?.newest ?? 0)
    const known = Math.max(...Object.keys(migrations).map(migrationId))
    if (found > known) return yield* new DatabaseTooNew({ found, known })
  })

import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Schedule, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import type { Connections } from "../unit/Connections.ts"
import { type DatabaseUrl, databaseName } from "../DatabaseUrl.ts"
import * as Failure from "../unit/Failure.ts"
import { lockFile } from "../FileLock.ts"
import { migrate } from "../migration/Migrations.ts"
import * as Sqlite from "../Sqlite.ts"
import { type DatabaseUnusable, createFolder, migrationFailed, type StoreUrlUnsupported } from "../Store.ts"
import { openReadOnly, parseUrl } from "./ReadOnlyDatabase.ts"
import { type MigrationState, migrationState } from "./MigrationState.ts"
import { adminClient } from "./PostgresSession.ts"

/** The result of a migration run. */
export interface MigrateReport {
  readonly database: string
  /** The migrations that this call or a concurrent call applied. The list is empty if none was missing. */
  readonly applied: ReadonlyArray<string>
}

const none: MigrationState = { applied: [], missing: [], stopFirst: [], unknown: [], isUnfinishedCopy: false }

const stateOf = (database: DatabaseUrl) =>
  Effect.catchTag(Effect.scoped(Effect.flatMap(openReadOnly(database), migrationState)), "DatabaseMissing", () =>
    Effect.succeed(none)
  )

/**
 * The time for which the migration waits for the lock: up to 5 s. A concurrent migration releases the lock within
 * seconds, but a running server keeps it.
 */
const untilFree = { schedule: Schedule.spaced("100 millis"), times: 50 }

const openFile = (filename: string): Effect.Effect<Connections, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    yield* createFolder(filename)
    yield* Effect.retry(lockFile(filename), untilFree)
    return yield* Effect.mapError(Effect.provide(Sqlite.make({ filename }), Reactivity.layer), Failure.unavailable)
  })

const run = (database: DatabaseUrl): Effect.Effect<void, StoreUnavailable | DatabaseUnusable> =>
  Effect.gen(function* () {
    const { sql } = yield* database.kind === "sqlite" ? openFile(database.filename) : adminClient(database.url, 1)
    yield* migrate.pipe(Effect.provideService(SqlClient, sql), Effect.catch(migrationFailed))
  }).pipe(Effect.scoped)

/**
 * Runs the missing migrations. If none is missing, the database is only read, so a server may be running. Several
 * processes may call this function at the same time. A SQLite file with missing migrations must not be in use.
 */
export const migrateDatabase = (
  url: string
): Effect.Effect<MigrateReport, StoreUnavailable | StoreUrlUnsupported | DatabaseUnusable> =>
  Effect.gen(function* () {
    const database = yield* parseUrl(url)
    const before = yield* stateOf(database)
    const isCurrent = before.applied.length > 0 && before.missing.length === 0 && before.unknown.length === 0
    if (!isCurrent || before.isUnfinishedCopy) yield* run(database)
    const { applied } = yield* stateOf(database)
    return { database: databaseName(database), applied: applied.filter((name) => !before.applied.includes(name)) }
  })

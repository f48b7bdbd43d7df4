import { statSync } from "node:fs"
import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Clock, Effect } from "effect"
import { type DatabaseUrl, databaseName } from "../DatabaseUrl.ts"
import type { StoreUrlUnsupported } from "../Store.ts"
import { type ReadOnlyDatabase, type DatabaseMissing, openReadOnly, parseUrl, tablesOf } from "./ReadOnlyDatabase.ts"
import { type LockHolder, lockHolder } from "./LockHolder.ts"
import { type MailConflict, mailConflicts } from "./MailConflicts.ts"
import { type MigrationState, migrationState } from "./MigrationState.ts"

/** What a doctor looks at in every database. */
interface Common {
  /** Without password. */
  readonly database: string
  readonly migrations: MigrationState
  /** Somebody works with it. */
  readonly hasTenants: boolean
  /** Domains and addresses that two tenants have. */
  readonly mailConflicts: ReadonlyArray<MailConflict>
}

/** A SQLite file. */
export interface SqliteExamination extends Common {
  readonly kind: "sqlite"
  /** The first mistake that SQLite finds in the file; null: it is well. */
  readonly damage: string | null
  readonly walBytes: number
  readonly heldBy: LockHolder | null
}

/** A Postgres database. */
export interface PostgresExamination extends Common {
  readonly kind: "postgres"
  /** For example 180004 for 18.4. */
  readonly version: number
  /** By how much the clock of the database is ahead of ours. */
  readonly clockAheadMillis: number
  readonly maxConnections: number
  /** Connections of anybody to any database there. */
  readonly connections: number
  readonly isReadOnly: boolean
}

export type Examination = SqliteExamination | PostgresExamination

const examineCommon = (requested: ReadOnlyDatabase): Effect.Effect<Common, StoreUnavailable> =>
  Effect.gen(function* () {
    const present = yield* tablesOf(requested)
    const tenants = present.has("tenants") ? yield* requested.query("SELECT 1 FROM tenants LIMIT 1") : []
    const migrations = yield* migrationState(requested)
    return {
      database: databaseName(requested.database),
      migrations,
      hasTenants: tenants.length > 0,
      mailConflicts: yield* mailConflicts(requested)
    }
  })

const examineSqlite = (
  requested: ReadOnlyDatabase,
  filename: string
): Effect.Effect<SqliteExamination, StoreUnavailable> =>
  Effect.gen(function* () {
    const [found] = yield* requested.query("PRAGMA quick_check(1)")
    return {
      kind: "sqlite",
      ...(yield* examineCommon(requested)),
      damage: found?.[0] === "ok" ? null : String(found?.[0]),
      walBytes: statSync(`${filename}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      heldBy: yield* lockHolder(filename)
    }
  })

const facts = `SELECT current_setting('server_version_num'), (extract(epoch FROM clock_timestamp()) * 1000)::bigint::text,
  current_setting('max_connections'), (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend')::text,
  (pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on')::text`

const examinePostgres = (requested: ReadOnlyDatabase): Effect.Effect<PostgresExamination, StoreUnavailable> =>
  Effect.gen(function* () {
    const common = yield* examineCommon(requested)
    const before = yield* Clock.currentTimeMillis
    const [row = []] = yield* requested.query(facts)
    const after = yield* Clock.currentTimeMillis
    const [version, time, maxConnections, connections] = row.map(Number)
    return {
      kind: "postgres",
      ...common,
      version: version ?? 0,
      // The database looked at its clock somewhere between the question and the answer.
      clockAheadMillis: Math.round((time ?? 0) - (before + after) / 2),
      maxConnections: maxConnections ?? 0,
      connections: connections ?? 0,
      isReadOnly: row[4] === "true"
    }
  })

const examineOpened = (database: DatabaseUrl) => (requested: ReadOnlyDatabase) =>
  database.kind === "sqlite" ? examineSqlite(requested, database.filename) : examinePostgres(requested)

/** Looks at a database without changing anything. */
export const examineDatabase = (
  url: string
): Effect.Effect<Examination, StoreUnavailable | StoreUrlUnsupported | DatabaseMissing> =>
  Effect.gen(function* () {
    const database = yield* parseUrl(url)
    const examine: (requested: ReadOnlyDatabase) => Effect.Effect<Examination, StoreUnavailable> =
      examineOpened(database)
    return yield* Effect.scoped(Effect.flatMap(openReadOnly(database), examine))
  })

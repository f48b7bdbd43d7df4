import { statSync } from "node:fs"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Clock, Effect } from "effect"
import { type DatabaseUrl, databaseName } from "../DatabaseUrl.ts"
import type { StoreUrlUnsupported } from "../Store.ts"
import { type ReadOnlyDatabase, type DatabaseMissing, openReadOnly, parseUrl, tablesOf } from "./ReadOnlyDatabase.ts"
import { type LockHolder, lockHolder } from "./LockHolder.ts"
import { type FailingMailbox, failingMailboxes } from "./FailingMailboxes.ts"
import { type MailConflict, mailConflicts } from "./MailConflicts.ts"
import { type MigrationState, migrationState } from "./MigrationState.ts"

/** Facts about every database that the doctor checks. */
interface Common {
  /** The name of the database, without the password. */
  readonly database: string
  readonly migrations: MigrationState
  /** Whether at least one tenant exists. */
  readonly hasTenants: boolean
  /** Domains and addresses that more than one tenant claims. */
  readonly mailConflicts: ReadonlyArray<MailConflict>
  /** Mailboxes that the servers cannot read, oldest failure first. */
  readonly failingMailboxes: ReadonlyArray<FailingMailbox>
}

/** Facts about a SQLite file. */
export interface SqliteExamination extends Common {
  readonly kind: "sqlite"
  /** The first error of SQLite's integrity check; null if the file is intact. */
  readonly damage: string | null
  readonly walBytes: number
  readonly heldBy: LockHolder | null
}

/** Facts about a Postgres database. */
export interface PostgresExamination extends Common {
  readonly kind: "postgres"
  /** The version as a number, for example 180004 for 18.4. */
  readonly version: number
  /** How far the clock of the database is ahead of the local clock. */
  readonly clockAheadMillis: number
  readonly maxConnections: number
  /** The number of connections of all clients to all databases of the server. */
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
      mailConflicts: yield* mailConflicts(requested),
      failingMailboxes: yield* failingMailboxes(requested)
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
      // The database read its clock at an unknown moment between the request and the response. The difference is
      // computed from the middle of this interval.
      clockAheadMillis: Math.round((time ?? 0) - (before + after) / 2),
      maxConnections: maxConnections ?? 0,
      connections: connections ?? 0,
      isReadOnly: row[4] === "true"
    }
  })

const examineOpened = (database: DatabaseUrl) => (requested: ReadOnlyDatabase) =>
  database.kind === "sqlite" ? examineSqlite(requested, database.filename) : examinePostgres(requested)

/** Examines a database without changing it. */
export const examineDatabase = (
  url: string
): Effect.Effect<Examination, StoreUnavailable | StoreUrlUnsupported | DatabaseMissing> =>
  Effect.gen(function* () {
    const database = yield* parseUrl(url)
    const examine: (requested: ReadOnlyDatabase) => Effect.Effect<Examination, StoreUnavailable> =
      examineOpened(database)
    return yield* Effect.scoped(Effect.flatMap(openReadOnly(database), examine))
  })

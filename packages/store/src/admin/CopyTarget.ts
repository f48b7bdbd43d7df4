import { existsSync } from "node:fs"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import type { Connections } from "../unit/Connections.ts"
import type { Connection } from "effect/sql/SqlConnection"
import { type DatabaseUrl, databaseName } from "../DatabaseUrl.ts"
import * as Failure from "../unit/Failure.ts"
import { lockFile } from "../FileLock.ts"
import { bringUp } from "../migration/Migrations.ts"
import { serverName } from "../Postgres.ts"
import * as Sqlite from "../Sqlite.ts"
import { type DatabaseUnusable, createFolder, migrationFailed } from "../Store.ts"
import { queryOn, openReadOnly, type DatabaseMissing } from "./ReadOnlyDatabase.ts"
import { admitCopy, type CopyPlan, CopyRefused, markCopy } from "./CopyAdmission.ts"
import { adminClient, adminConnection } from "./PostgresSession.ts"
import * as PostgresEndpoint from "./PostgresEndpoint.ts"
import type { Target } from "./CopyEndpoint.ts"
import * as SqliteEndpoint from "./SqliteEndpoint.ts"

/** A database that is ready to receive a copy. */
export interface CopyTarget {
  readonly target: Target
  /** Whether every table is empty. */
  readonly isFresh: boolean
}

type Refusal = CopyRefused | StoreUnavailable | DatabaseMissing | DatabaseUnusable

const bring = ({ sql }: Connections): Effect.Effect<void, StoreUnavailable | DatabaseUnusable> =>
  bringUp.pipe(Effect.provideService(SqlClient, sql), Effect.catch(migrationFailed))

const fileTarget = (filename: string, plan: CopyPlan): Effect.Effect<CopyTarget, Refusal, Scope.Scope> =>
  Effect.gen(function* () {
    yield* createFolder(filename)
    yield* lockFile(filename)
    const requesting = openReadOnly({ kind: "sqlite", filename })
    const isFresh = existsSync(filename)
      ? yield* Effect.scoped(Effect.flatMap(requesting, (requested) => admitCopy(requested, plan)))
      : true
    const client = Sqlite.make({ filename }).pipe(
      Effect.provide(Reactivity.layer),
      Effect.mapError(Failure.unavailable)
    )
    yield* Effect.scoped(Effect.flatMap(client, bring))
    return { target: yield* SqliteEndpoint.target(filename), isFresh }
  })

/**
 * The statement that acquires the lock of a copy in its Postgres session. The key is the first eight bytes of
 * "leadcopy".
 */
const acquireCopyLock = `SELECT pg_try_advisory_lock(${Buffer.from("leadcopy").readBigInt64BE()})::text`

/** The time for which a copy waits for the lock: Postgres keeps the lock of a killed copy until it notices the end. */
const lockWaitMillis = 10_000
const lockPollMillis = 200

/** Acquires the lock. Returns false when another copy keeps it. */
const acquireLock = Effect.fnUntraced(function* (query: ReturnType<typeof queryOn>) {
  for (let waited = 0; ; waited += lockPollMillis) {
    const [lock] = yield* query(acquireCopyLock)
    if (lock?.[0] === "true") return true
    if (waited >= lockWaitMillis) return false
    yield* Effect.sleep(lockPollMillis)
  }
})

const otherServers = `SELECT count(*)::text FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = '${serverName}'`

/**
 * Checks that no server or other copy uses the database, and that it is empty or an unfinished copy of the same source.
 */
const admitServer = (database: DatabaseUrl, connection: Connection, plan: CopyPlan) =>
  Effect.gen(function* () {
    const name = databaseName(database)
    const requested = { database, query: queryOn(connection) }
    if (!(yield* acquireLock(requested.query)))
      return yield* new CopyRefused({ reason: `Another copy into ${name} is running.` })
    const [servers] = yield* requested.query(otherServers)
    if (servers?.[0] !== "0") {
      return yield* new CopyRefused({ reason: `${name} is in use by a server. Stop the server, then copy again.` })
    }
    return yield* admitCopy(requested, plan)
  })

const serverTarget = (
  database: DatabaseUrl & { readonly kind: "postgres" },
  plan: CopyPlan
): Effect.Effect<CopyTarget, Refusal, Scope.Scope> =>
  Effect.gen(function* () {
    const connection = yield* adminConnection(database.url)
    const isFresh = yield* admitServer(database, connection, plan)
    yield* Effect.scoped(Effect.flatMap(adminClient(database.url, 1), bring))
    return { target: yield* PostgresEndpoint.target(connection), isFresh }
  })

/**
 * Opens the target of a copy. Refuses a database that has data or is in use. Otherwise runs the migrations and marks
 * the database as unfinished. The lock is held until the scope ends.
 */
export const openCopyTarget = (
  database: DatabaseUrl,
  plan: CopyPlan
): Effect.Effect<CopyTarget, Refusal, Scope.Scope> =>
  Effect.gen(function* () {
    const opened = yield* database.kind === "sqlite"
      ? fileTarget(database.filename, plan)
      : serverTarget(database, plan)
    yield* Effect.forEach(markCopy(plan.source), opened.target.run, { discard: true })
    return opened
  })

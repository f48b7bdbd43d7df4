import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Vault } from "@leadloom/core/port/system/Vault"
import { Data, Effect, type Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import { type DatabaseUrl, databaseName } from "../DatabaseUrl.ts"
import * as Failure from "../unit/Failure.ts"
import { forgetSealingKey, noteSealingKey, sealingKeys } from "../deployment/SealingKeys.ts"
import * as Sqlite from "../Sqlite.ts"
import type { StoreUrlUnsupported } from "../Store.ts"
import { type DatabaseMissing, openReadOnly, parseUrl } from "./ReadOnlyDatabase.ts"
import { migrationState } from "./MigrationState.ts"
import { adminClient } from "./PostgresSession.ts"
import { countUnder, resealColumn, type ResealedColumn } from "./ResealColumn.ts"
import { sealedColumns } from "./SealedColumns.ts"

/** How far a resealing is. */
export interface ResealProgress {
  readonly column: string
  /** Columns, of all there are. */
  readonly done: number
  readonly total: number
}

/** What is sealed again. */
export interface ResealRequest {
  readonly url: string
  /** What the database remembers of the secret key that it was made under, were it this one. */
  readonly fingerprint: string
  readonly onProgress: (at: ResealProgress) => void
}

/** What came of it. */
export interface ResealReport {
  readonly database: string
  /** The id of the key that everything is sealed under now. */
  readonly keyId: string
  /** Ids of keys that something was sealed under, and nothing is any more: they may be taken away. */
  readonly finished: ReadonlyArray<string>
  readonly columns: ReadonlyArray<ResealedColumn>
}

/** The database is not one whose secrets can be sealed with these keys. */
export class ResealRefused extends Data.TaggedError("ResealRefused")<{ readonly message: string }> {}

const anotherVersion = "The database is not of this version. Bring it there with leadloom db migrate."
const anotherSecret =
  "This database was made under another secret key, and what is sealed under it would not open there. Give this " +
  "command the LEADLOOM_SECRET_KEY, or the LEADLOOM_DATA_DIR, of its servers."

const examine = (database: DatabaseUrl, fingerprint: string) =>
  Effect.gen(function* () {
    const requested = yield* openReadOnly(database)
    const state = yield* migrationState(requested)
    if (state.missing.length > 0 || state.unknown.length > 0 || state.isUnfinishedCopy)
      return yield* new ResealRefused({ message: anotherVersion })
    const [row] = yield* requested.query("SELECT value FROM deployment WHERE name = 'secret_key'")
    if (row !== undefined && row[0] !== fingerprint) return yield* new ResealRefused({ message: anotherSecret })
  }).pipe(Effect.scoped)

/** Beside a server that holds the file: every write is one short statement, for which the server waits. */
const open = (database: DatabaseUrl): Effect.Effect<SqlClient, StoreUnavailable, Scope.Scope> =>
  database.kind === "sqlite"
    ? Effect.mapError(
        Effect.provide(Sqlite.make({ filename: database.filename }), Reactivity.layer),
        Failure.unavailable
      )
    : adminClient(database.url, 1)

/** Forgets the keys that nothing is sealed under. */
const finish = Effect.gen(function* () {
  const { keys } = yield* Vault
  const finished: Array<string> = []
  for (const id of yield* sealingKeys) {
    if (id === keys[0]) continue
    const left = yield* Effect.forEach(sealedColumns, (column) => countUnder(column, id))
    if (left.some((count) => count > 0)) continue
    yield* forgetSealingKey(id)
    finished.push(id)
  }
  return finished
})

/**
 * Seals everything again that is not sealed under the newest key, and forgets the keys that nothing is left under. It may
 * be broken off and begun again, and run beside servers: a secret that one of them changes meanwhile stays as that one
 * wrote it. What does not open is left and told of.
 */
export const resealDatabase = ({
  fingerprint,
  onProgress,
  url
}: ResealRequest): Effect.Effect<
  ResealReport,
  StoreUnavailable | StoreUrlUnsupported | DatabaseMissing | ResealRefused,
  Vault
> =>
  Effect.gen(function* () {
    const database = yield* parseUrl(url)
    yield* examine(database, fingerprint)
    const sql = yield* open(database)
    return yield* Effect.gen(function* () {
      const { keys } = yield* Vault
      yield* noteSealingKey(keys[0])
      const columns = yield* Effect.forEach(sealedColumns, (column, done) => {
        onProgress({ column: `${column.table}.${column.column}`, done, total: sealedColumns.length })
        return resealColumn(column)
      })
      return { database: databaseName(database), keyId: keys[0], finished: yield* finish, columns }
    }).pipe(Effect.provideService(SqlClient, sql))
  }).pipe(Effect.scoped)

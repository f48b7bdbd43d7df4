import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Vault } from "@leadloom/core/internal/port/system/Vault"
import { Effect } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import * as Database from "../Database.ts"
import { type DatabaseUrl, databaseName } from "../DatabaseUrl.ts"
import { forgetSealingKey, noteSealingKey, sealingKeys } from "../deployment/SealingKeys.ts"
import type { StoreUrlUnsupported } from "../Store.ts"
import { openWritable } from "./OpenWritable.ts"
import { type DatabaseMissing, openReadOnly, parseUrl } from "./ReadOnlyDatabase.ts"
import { migrationState } from "./MigrationState.ts"
import { countUnder, resealColumn, type ResealedColumn } from "./ResealColumn.ts"
import { sealedColumns } from "./SealedColumns.ts"

/** The progress of a resealing run. */
export interface ResealProgress {
  readonly column: string
  /** The number of finished columns. `total` is the number of all columns. */
  readonly done: number
  readonly total: number
}

/** The input of one resealing run. */
export interface ResealRequest {
  readonly url: string
  /** The fingerprint of the given secret key, for comparison with the fingerprint in the database. */
  readonly fingerprint: string
  readonly onProgress: (at: ResealProgress) => void
}

/** The result of one resealing run. */
export interface ResealReport {
  readonly database: string
  /** The id of the key with which all secrets are now sealed. */
  readonly keyId: string
  /** The ids of former keys that no secret needs. The operator may remove these keys. */
  readonly finished: ReadonlyArray<string>
  readonly columns: ReadonlyArray<ResealedColumn>
}

/** The secrets of this database cannot be sealed with the given keys. */
export class ResealRefused extends TaggedError("ResealRefused")<{ readonly message: string }> {}

const anotherVersion = "The database has another version. Run leadloom db migrate first."
const anotherSecret =
  "The database belongs to another secret key. Its servers could not read secrets that are encrypted with the given key. Give this " +
  "command the LEADLOOM_SECRET_KEY or the LEADLOOM_DATA_DIR of its servers."

const examine = (database: DatabaseUrl, fingerprint: string) =>
  Effect.gen(function* () {
    const requested = yield* openReadOnly(database)
    const state = yield* migrationState(requested)
    if (state.missing.length > 0 || state.unknown.length > 0 || state.isUnfinishedCopy)
      return yield* new ResealRefused({ message: anotherVersion })
    const [row] = yield* requested.query("SELECT value FROM deployment WHERE name = 'secret_key'")
    if (row !== undefined && row[0] !== fingerprint) return yield* new ResealRefused({ message: anotherSecret })
  }).pipe(Effect.scoped)

/** Removes the ids of keys with which no secret is sealed. */
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
 * Seals all secrets with the newest key, and removes the ids of unused keys. It may be interrupted and repeated, and
 * servers may run at the same time. If a server changes a secret at the same time, the server's value is kept. Secrets
 * that cannot be decrypted stay unchanged and are listed in the report.
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
    const opened = yield* Database.make(yield* openWritable(database))
    return yield* Effect.gen(function* () {
      const { keys } = yield* Vault
      yield* noteSealingKey(keys[0])
      const columns = yield* Effect.forEach(sealedColumns, (column, done) => {
        onProgress({ column: `${column.table}.${column.column}`, done, total: sealedColumns.length })
        return resealColumn(column)
      })
      return { database: databaseName(database), keyId: keys[0], finished: yield* finish, columns }
    }).pipe(Effect.provideService(Database.Database, opened))
  }).pipe(Effect.scoped)

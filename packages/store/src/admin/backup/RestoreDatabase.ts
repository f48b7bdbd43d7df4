import { existsSync, renameSync, rmSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { databaseName } from "../../DatabaseUrl.ts"
import { lockFile } from "../../FileLock.ts"
import { createFolder, type StoreUrlUnsupported } from "../../Store.ts"
import { type BackupRefused, clear, copyPages, sync, verify } from "./BackupDatabase.ts"
import { type DatabaseMissing, openReadOnly, parseUrl, type ReadOnlyDatabase, tablesOf } from "../ReadOnlyDatabase.ts"
import { migrationState } from "../MigrationState.ts"
import { pgRestoreCommand } from "./PgDump.ts"

/** The restoration was refused. `message` states the next step. */
export class RestoreRefused extends TaggedError("RestoreRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** The input of one restoration. */
export interface RestoreRequest {
  readonly url: string
  /** The backup. It stays unchanged. */
  readonly from: string
  /** Whether a database with tenants is replaced. The replaced file is kept under another name. Default: false. */
  readonly force?: boolean
  /** The fingerprint of the server's secret key; null if there is none or if the key may differ. */
  readonly fingerprint: string | null
  readonly onProgress?: (pages: number, total: number) => void
}

/** The result of one restoration. */
export interface RestoreReport {
  readonly database: string
  readonly from: string
  /** The migrations that the next start of the server applies. */
  readonly missing: ReadonlyArray<string>
  /** The new name of the replaced database; null if there was none. */
  readonly replaced: string | null
}

/** The files of a SQLite database: the main file, the write-ahead log and its index. */
const endings = ["", "-wal", "-shm"]

const refuse = (reason: string) => Effect.fail(new RestoreRefused({ reason }))

/** Returns the fingerprint of the secret key that a database needs; null if no server has used it. */
const fingerprintIn = (database: ReadOnlyDatabase): Effect.Effect<string | null, StoreUnavailable> =>
  Effect.gen(function* () {
    if (!(yield* tablesOf(database)).has("deployment")) return null
    const [row] = yield* database.query("SELECT value FROM deployment WHERE name = 'secret_key'")
    return row === undefined ? null : String(row[0])
  })

/** Checks that this version and this server's secret key can use the backup. Returns the missing migrations. */
const admit = (part: string, { fingerprint, from }: RestoreRequest) =>
  Effect.gen(function* () {
    const database = yield* openReadOnly({ kind: "sqlite", filename: part })
    const { missing, unknown } = yield* migrationState(database)
    if (unknown.length > 0)
      return yield* refuse(
        `${from} is the backup of a newer version: it contains ${unknown.join(", ")}. Install that version first.`
      )
    const needed = yield* fingerprintIn(database)
    if (fingerprint === null || needed === null || needed === fingerprint) return missing
    return yield* refuse(
      `${from} needs another secret key. Restore secret.key or LEADLOOM_SECRET_KEY of the same deployment first. If the ` +
        "key is lost, set LEADLOOM_SECRET_KEY_LOST=yes for this command and for the next start."
    )
  }).pipe(Effect.scoped)

/** Returns whether a database has tenants, or has no tables of this program, so that its content must be kept. */
const isInUse = (filename: string): Effect.Effect<boolean, StoreUnavailable | DatabaseMissing> =>
  Effect.gen(function* () {
    const database = yield* openReadOnly({ kind: "sqlite", filename })
    if (!(yield* tablesOf(database)).has("tenants")) return true
    return (yield* database.query("SELECT 1 FROM tenants LIMIT 1")).length > 0
  }).pipe(Effect.scoped)

/** Returns the first free name for a replaced database. */
const freeName = (filename: string): string => {
  let number = 1
  while (existsSync(`${filename}.replaced-${number}`)) number++
  return `${filename}.replaced-${number}`
}

/**
 * Moves the copy to its place, and an existing database to another name. A write-ahead log follows its database,
 * because SQLite finds it by its name. If the machine stops in between, the server finds no database and does not
 * start.
 */
const place = (part: string, filename: string) =>
  Effect.try({
    try: () => {
      const old = existsSync(filename) ? freeName(filename) : null
      sync(part)
      for (const ending of endings) {
        if (old !== null && existsSync(filename + ending)) renameSync(filename + ending, old + ending)
        else rmSync(filename + ending, { force: true })
      }
      renameSync(part, filename)
      sync(dirname(filename))
      return old
    },
    catch: (cause) => new RestoreRefused({ reason: `Cannot write ${filename}: ${String(cause)}. Check its folder.` })
  })

const restoreFile = (filename: string, request: RestoreRequest) =>
  Effect.gen(function* () {
    yield* createFolder(filename)
    yield* lockFile(filename)
    const force = request.force === true
    if (!force && existsSync(filename) && (yield* isInUse(filename)))
      return yield* refuse(
        `${filename} already contains a database in use. To replace it and keep it under another name, pass --force.`
      )
    const part = `${filename}.${process.pid}.part`
    return yield* Effect.gen(function* () {
      yield* copyPages(request.from, part, request.onProgress)
      yield* verify(part, "Use an older backup.")
      const missing = yield* admit(part, request)
      return { missing, replaced: yield* place(part, filename) }
    }).pipe(Effect.ensuring(clear(part)))
  }).pipe(Effect.scoped)

/**
 * Replaces a SQLite database with a backup. Checks the backup first, and keeps the replaced file. Fails while a server
 * uses the database. A Postgres database is refused; the error contains the `pg_restore` command to use instead.
 */
export const restoreDatabase = (
  given: RestoreRequest
): Effect.Effect<
  RestoreReport,
  RestoreRefused | BackupRefused | DatabaseMissing | StoreUnavailable | StoreUrlUnsupported
> =>
  Effect.gen(function* () {
    const database = yield* parseUrl(given.url)
    const request = { ...given, from: resolve(given.from) }
    const name = databaseName(database)
    if (database.kind === "postgres")
      return yield* refuse(
        `${name} is a Postgres database. Restore it into an empty database with: ${pgRestoreCommand(database.url, given.from)}`
      )
    if (!existsSync(request.from))
      return yield* refuse(`There is no file ${request.from}. Pass a file that leadloom db backup has written.`)
    if (request.from === resolve(database.filename))
      return yield* refuse(`${request.from} is the database itself. Pass a backup.`)
    const { missing, replaced } = yield* restoreFile(database.filename, request)
    return { database: name, from: request.from, missing, replaced }
  })

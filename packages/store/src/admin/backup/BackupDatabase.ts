import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type Database from "better-sqlite3"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { databaseName } from "../../DatabaseUrl.ts"
import type { StoreUrlUnsupported } from "../../Store.ts"
import { DatabaseMissing, openReadOnly, parseUrl } from "../ReadOnlyDatabase.ts"
import { migrationState } from "../MigrationState.ts"
import { pgDumpCommand } from "./PgDump.ts"
import { attempt, openFile } from "../SqliteEndpoint.ts"

/** The backup was refused. `message` states the next step. */
export class BackupRefused extends TaggedError("BackupRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** The input of one backup. */
export interface BackupRequest {
  readonly url: string
  /** The path of the new file. Its folder is created if it is missing. */
  readonly to: string
  /** Whether an existing file is overwritten. Default: false. */
  readonly force?: boolean
  readonly onProgress?: (pages: number, total: number) => void
}

/** The result of one backup. */
export interface BackupReport {
  readonly database: string
  readonly file: string
  readonly migrations: ReadonlyArray<string>
}

/** The number of pages per step. Other statements can run between two steps. */
const pagesPerStep = 2_000

/** Copies the state of a SQLite file at one moment to the new file `part`. */
export const copyPages = (filename: string, part: string, onProgress: BackupRequest["onProgress"]) =>
  Effect.gen(function* () {
    const database = yield* openFile(filename, { readonly: true })
    // The open read transaction keeps the state of one moment. Otherwise SQLite would restart the backup whenever
    // another connection writes between two steps.
    yield* attempt("begin", () => database.exec("BEGIN; SELECT 1 FROM sqlite_schema"))
    const progress = ({ remainingPages, totalPages }: Database.BackupMetadata): number => {
      onProgress?.(totalPages - remainingPages, totalPages)
      return pagesPerStep
    }
    yield* Effect.tryPromise({
      try: () => database.backup(part, { progress }),
      catch: (cause) => new StoreUnavailable({ reason: `Cannot write ${part}: ${String(cause)}` })
    })
  }).pipe(Effect.scoped)

/**
 * Checks the integrity of a copied file, and converts it to a single file without a write-ahead log. Returns its
 * migrations. `advice` is the next step for a damaged file.
 */
export const verify = (
  part: string,
  advice: string
): Effect.Effect<ReadonlyArray<string>, BackupRefused | StoreUnavailable | DatabaseMissing> =>
  Effect.gen(function* () {
    const [problem] = yield* Effect.scoped(
      Effect.flatMap(openFile(part, { readonly: false }), (copy) =>
        attempt("check the backup", () => {
          const found: unknown = copy.pragma("integrity_check(1)", { simple: true })
          copy.pragma("journal_mode = DELETE")
          return found === "ok" ? [] : [String(found)]
        })
      )
    )
    if (problem !== undefined)
      return yield* new BackupRefused({
        reason: `The backup is damaged: ${problem}. ${advice}`
      })
    const { applied } = yield* Effect.scoped(
      Effect.flatMap(openReadOnly({ kind: "sqlite", filename: part }), migrationState)
    )
    if (applied.length === 0)
      return yield* new BackupRefused({
        reason: "This file has no Leadloom migrations. Check its path."
      })
    return applied
  })

/** Writes a file or the entries of a folder to the disk. */
export const sync = (path: string): void => {
  const descriptor = openSync(path, "r")
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Creates the folder of a backup, which only its owner can open, because a backup contains personal data. */
const createFolder = (to: string): Effect.Effect<void, BackupRefused> =>
  Effect.try({
    try: () => void mkdirSync(dirname(to), { recursive: true, mode: 0o700 }),
    catch: (cause) =>
      new BackupRefused({ reason: `Cannot create the folder of ${to}: ${String(cause)}. Choose another folder.` })
  })

/** Gives the finished file its final name. The rename is atomic and durable. */
const publish = (part: string, to: string, force: boolean): Effect.Effect<void, BackupRefused> =>
  Effect.try({
    try: () => {
      sync(part)
      if (force) renameSync(part, to)
      else linkSync(part, to)
      sync(dirname(to))
    },
    catch: (cause) => new BackupRefused({ reason: `Cannot rename the backup to ${to}: ${String(cause)}` })
  })

/** Removes the incomplete files of a copy. */
export const clear = (part: string): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const ending of ["", "-journal", "-wal", "-shm"]) rmSync(part + ending, { force: true })
  })

/**
 * Backs up the state of a SQLite file at one moment. A server may write to the file at the same time. A Postgres
 * database is refused; the error contains the `pg_dump` command to use instead.
 */
export const backupDatabase = (
  request: BackupRequest
): Effect.Effect<BackupReport, BackupRefused | DatabaseMissing | StoreUnavailable | StoreUrlUnsupported> =>
  Effect.gen(function* () {
    const database = yield* parseUrl(request.url)
    const name = databaseName(database)
    if (database.kind === "postgres") {
      return yield* new BackupRefused({
        reason: `${name} is a Postgres database. Back it up with: ${pgDumpCommand(database.url, request.to)}`
      })
    }
    const to = resolve(request.to)
    if (!existsSync(database.filename)) return yield* new DatabaseMissing({ name })
    if (existsSync(to) && request.force !== true) {
      return yield* new BackupRefused({ reason: `${to} already exists. Choose another file, or pass --force.` })
    }
    if (to === resolve(database.filename)) {
      return yield* new BackupRefused({ reason: `${to} is the database itself. Choose another file.` })
    }
    const part = `${to}.${process.pid}.part`
    yield* createFolder(to)
    return yield* Effect.gen(function* () {
      yield* copyPages(database.filename, part, request.onProgress)
      const migrations = yield* verify(part, "Check the database with leadloom doctor.")
      yield* publish(part, to, request.force === true)
      return { database: name, file: to, migrations }
    }).pipe(Effect.ensuring(clear(part)))
  })

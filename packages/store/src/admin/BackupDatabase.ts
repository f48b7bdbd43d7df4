import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type Database from "better-sqlite3"
import { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Data, Effect } from "effect"
import { databaseName } from "../DatabaseUrl.ts"
import type { StoreUrlUnsupported } from "../Store.ts"
import { DatabaseMissing, openReadOnly, parseUrl } from "./ReadOnlyDatabase.ts"
import { migrationState } from "./MigrationState.ts"
import { pgDumpCommand } from "./PgDump.ts"
import { attempt, openFile } from "./SqliteEndpoint.ts"

/** A backup was not made; `message` says what to do instead. */
export class BackupRefused extends Data.TaggedError("BackupRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** What to back up, and whom to tell. */
export interface BackupRequest {
  readonly url: string
  /** A new file; its folder has to be there. */
  readonly to: string
  /** Takes the place of a file that is there. */
  readonly force?: boolean
  readonly onProgress?: (pages: number, total: number) => void
}

/** What was backed up. */
export interface BackupReport {
  readonly database: string
  readonly file: string
  readonly migrations: ReadonlyArray<string>
}

/** Pages that are copied before others get a turn. */
const pagesPerStep = 2_000

const copyPages = (filename: string, part: string, onProgress: BackupRequest["onProgress"]) =>
  Effect.gen(function* () {
    const database = yield* openFile(filename, { readonly: true })
    // A backup begins anew when somebody writes between two steps, unless its connection keeps looking at one moment.
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

/** The pages are well, and they are one file that needs nothing beside it. */
const verify = (
  part: string
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
        reason: `The backup is damaged: ${problem}. Is the database? See leadloom doctor.`
      })
    const { applied } = yield* Effect.scoped(
      Effect.flatMap(openReadOnly({ kind: "sqlite", filename: part }), migrationState)
    )
    if (applied.length === 0)
      return yield* new BackupRefused({ reason: "The database holds no migrations: it is none of this program." })
    return applied
  })

const sync = (path: string): void => {
  const descriptor = openSync(path, "r")
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** Gives the finished file its name: it is there whole or not at all, and a power cut does not take it. */
const publish = (part: string, to: string, force: boolean): Effect.Effect<void, BackupRefused> =>
  Effect.try({
    try: () => {
      sync(part)
      if (force) renameSync(part, to)
      else linkSync(part, to)
      sync(dirname(to))
    },
    catch: (cause) => new BackupRefused({ reason: `Cannot name the backup ${to}: ${String(cause)}` })
  })

/** Removes what may be left of a backup. */
const clear = (part: string): Effect.Effect<void> =>
  Effect.sync(() => {
    for (const ending of ["", "-journal", "-wal", "-shm"]) rmSync(part + ending, { force: true })
  })

/**
 * Backs up a SQLite file, also while a server writes to it, as it was at one moment. Postgres has a tool for it, which the
 * refusal names.
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
      return yield* new BackupRefused({ reason: `${to} is there already. Name another file, or say --force.` })
    }
    if (to === resolve(database.filename)) {
      return yield* new BackupRefused({ reason: `${to} is the database itself. Name another file.` })
    }
    const part = `${to}.${process.pid}.part`
    return yield* Effect.gen(function* () {
      yield* copyPages(database.filename, part, request.onProgress)
      const migrations = yield* verify(part)
      yield* publish(part, to, request.force === true)
      return { database: name, file: to, migrations }
    }).pipe(Effect.ensuring(clear(part)))
  })

/**
 * Administration of a database: status, backup, copy, migration, and new encryption of secrets. It serves `leadloom db`
 * and `leadloom doctor`; the running service uses none of it. Tests: `packages/store/test/admin`,
 * `packages/server/test/admin`.
 */
import { existsSync } from "node:fs"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, type Scope } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import type { Connection } from "effect/sql/SqlConnection"
import { type DatabaseUrl, databaseName, readDatabaseUrl } from "../DatabaseUrl.ts"
import * as Failure from "../unit/Failure.ts"
import { StoreUrlUnsupported } from "../Store.ts"
import { adminConnection } from "./PostgresSession.ts"
import { attempt, openFile } from "./SqliteEndpoint.ts"

/** A result row, with its columns in order. */
export type ResultRow = ReadonlyArray<unknown>

/** A database that is only read: it is never created, migrated or written. */
export interface ReadOnlyDatabase {
  readonly database: DatabaseUrl
  readonly query: (sql: string) => Effect.Effect<ReadonlyArray<ResultRow>, StoreUnavailable>
}

/** The SQLite file does not exist. */
export class DatabaseMissing extends TaggedError("DatabaseMissing")<{ readonly name: string }> {
  override get message() {
    return `There is no database at ${this.name}. Create it with leadloom db migrate, or start the server.`
  }
}

const isRow = (row: unknown): row is ResultRow => Array.isArray(row)

const querySqlite = (filename: string) =>
  Effect.gen(function* () {
    if (!existsSync(filename)) return yield* new DatabaseMissing({ name: `sqlite:${filename}` })
    const file = yield* openFile(filename, { readonly: true })
    return (sql: string) => attempt("read", () => file.prepare(sql).raw(true).all().filter(isRow))
  })

/** Creates a query function on an open connection. */
export const queryOn =
  (connection: Connection): ReadOnlyDatabase["query"] =>
  (sql) =>
    Effect.catch(
      Effect.map(connection.executeValues(sql, []), (rows) => rows.filter(isRow)),
      Failure.failWith
    )

/** Parses a store URL. Fails with `StoreUrlUnsupported` for an unknown scheme. */
export const parseUrl = (url: string): Effect.Effect<DatabaseUrl, StoreUrlUnsupported> => {
  const database = readDatabaseUrl(url)
  return database === null
    ? Effect.fail(new StoreUrlUnsupported({ scheme: url.split(":")[0] ?? "" }))
    : Effect.succeed(database)
}

/** The maximum time within which the database must answer a first query. */
const timeout = "10 seconds"

/** Opens a database for queries. Fails with `DatabaseMissing` if the SQLite file does not exist. */
export const openReadOnly = (
  database: DatabaseUrl
): Effect.Effect<ReadOnlyDatabase, StoreUnavailable | DatabaseMissing, Scope.Scope> =>
  Effect.gen(function* () {
    const query = yield* database.kind === "sqlite"
      ? querySqlite(database.filename)
      : Effect.map(adminConnection(database.url), queryOn)
    return { database, query }
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(
          new StoreUnavailable({
            reason: `${databaseName(database)} does not answer. Check that the database runs and that its URL is correct.`
          })
        )
    })
  )

/** Returns the names of all existing tables. */
export const tablesOf = ({ query, database }: ReadOnlyDatabase): Effect.Effect<ReadonlySet<string>, StoreUnavailable> =>
  Effect.map(
    query(
      database.kind === "sqlite"
        ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
        : "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()"
    ),
    (rows) => new Set(rows.map(([name]) => String(name)))
  )

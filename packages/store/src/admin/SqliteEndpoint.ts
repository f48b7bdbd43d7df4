import Database from "better-sqlite3"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, type Scope } from "effect"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Failure from "../unit/Failure.ts"
import type { CatalogTable } from "./Catalog.ts"
import { betweenSql, insertSql, pageSql, quoted, rangeParams, removeSql, type CopyDialect } from "./PageSql.ts"
import type { Row } from "./Row.ts"
import { RowsCollided, type Snapshot, type Target } from "./CopyEndpoint.ts"

const words: CopyDialect = {
  // No cast is needed, because SQLite converts a number in text form to the type of the column in inserts and
  // comparisons.
  param: () => "?",
  size: (_, column) => `octet_length(${quoted(column)})`,
  asText: (column) => `CAST(${column} AS TEXT)`
}

/** The maximum wait for a lock of another writer in milliseconds. */
const busyTimeout = 10_000

const sqlError = (cause: unknown, operation: string): SqlError =>
  new SqlError({ reason: classifySqliteError(cause, { message: `Failed to ${operation}`, operation }) })

/** Runs an operation on a SQLite connection. An outage becomes `StoreUnavailable`; any other error is a defect. */
export const attempt = <A>(operation: string, work: () => A): Effect.Effect<A, StoreUnavailable> =>
  Effect.catch(Effect.try({ try: work, catch: (cause) => sqlError(cause, operation) }), Failure.failWith)

/** Opens an existing SQLite file. It closes with the scope. */
export const openFile = (
  filename: string,
  options: { readonly readonly: boolean }
): Effect.Effect<Database.Database, StoreUnavailable, Scope.Scope> =>
  Effect.acquireRelease(
    attempt(
      `open ${filename}`,
      () => new Database(filename, { ...options, fileMustExist: true, timeout: busyTimeout })
    ),
    (database) => Effect.sync(() => database.close())
  )

const isRow = (row: unknown): row is Row => Array.isArray(row)

/** Returns a function that runs statements. It prepares each statement only once. */
const reader = (database: Database.Database) => {
  const prepared = new Map<string, Database.Statement<Array<unknown>>>()
  return (sql: string, params: ReadonlyArray<unknown>): ReadonlyArray<Row> => {
    const statement = prepared.get(sql) ?? database.prepare<Array<unknown>>(sql).raw(true)
    prepared.set(sql, statement)
    return statement.all(...params).filter(isRow)
  }
}

const reading = (database: Database.Database): Snapshot => {
  const rows = reader(database)
  return {
    isServer: false,
    count: (table) =>
      attempt("count rows", () => Number(rows(`SELECT count(*) FROM ${quoted(table.name)}`, [])[0]?.[0] ?? 0)),
    page: (table, after) =>
      attempt(`read ${table.name}`, () => rows(pageSql(words, table, after === null), after ?? []))
  }
}

/**
 * Opens the state of a SQLite file at one moment. In WAL mode, a reader does not block the writer, but the log grows
 * until the reader ends.
 */
export const snapshot = (filename: string): Effect.Effect<Snapshot, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const database = yield* openFile(filename, { readonly: true })
    // The transaction keeps the state at its first statement.
    yield* attempt("begin", () => database.exec("BEGIN; SELECT 1 FROM sqlite_schema"))
    return reading(database)
  })

const isCollision = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && /^SQLITE_CONSTRAINT_(?:PRIMARYKEY|UNIQUE)$/u.test(String(cause.code))

const writer = (database: Database.Database): Target["write"] => {
  const insert = (table: CatalogTable): Database.Statement<Array<unknown>> =>
    database.prepare(`${insertSql(table)} VALUES (${table.columns.map(() => "?").join(", ")})`)
  return (table, rows, instead) =>
    Effect.suspend((): Effect.Effect<void, RowsCollided | StoreUnavailable> => {
      const work = database.transaction(() => {
        if (instead !== null) database.prepare(removeSql(words, table, instead)).run(...rangeParams(instead))
        const statement = insert(table)
        for (const row of rows) statement.run(...row)
      })
      try {
        work.immediate()
        return Effect.void
      } catch (cause) {
        if (isCollision(cause)) return Effect.fail(new RowsCollided({ table: table.name, reason: String(cause) }))
        return Failure.failWith(sqlError(cause, `write ${table.name}`))
      }
    })
}

/** Opens a migrated SQLite file as the target of a copy. The caller holds the file lock. */
export const target = (filename: string): Effect.Effect<Target, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const database = yield* openFile(filename, { readonly: false })
    // Commits are not durable during the copy, which saves time. After a power cut, the last pages may be missing, and
    // `resume` copies them again. `settle` makes commits durable.
    yield* attempt("prepare", () => void database.pragma("synchronous = NORMAL"))
    const rows = reader(database)
    return {
      ...reading(database),
      hold: (row) => row,
      between: (table, range) =>
        attempt(`read ${table.name}`, () => rows(betweenSql(words, table, range), rangeParams(range))),
      write: writer(database),
      run: (statement) => attempt("execute", () => void database.exec(statement)),
      settle: attempt("checkpoint", () => {
        database.pragma("synchronous = FULL")
        database.pragma("wal_checkpoint(TRUNCATE)")
      })
    }
  })

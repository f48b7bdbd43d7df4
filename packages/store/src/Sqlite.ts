import Database from "better-sqlite3"
import { Context, Effect, identity, Layer, type Scope, Semaphore, Stream } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Client from "effect/sql/SqlClient"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Compiler from "effect/sql/Statement"
import * as OpenDatabase from "./Database.ts"
import { type Connections, makeConnections, type SynchronousConnection } from "./unit/Connections.ts"
import { single } from "./unit/WriteConnections.ts"

/** The settings of a SQLite file. One process owns the file and is its only writer. */
export interface SqliteConfig {
  /** The path of the database file, or `:memory:`. */
  readonly filename: string
  /** Opens an existing file without write access. Default: false. */
  readonly readonly?: boolean
  /** `FULL` (default) survives a power cut. `NORMAL` may lose the last commits in a power cut, but stays consistent. */
  readonly synchronous?: "FULL" | "NORMAL"
  /** The maximum wait for a lock of another process in milliseconds. The wait blocks the event loop. Default: 5,000. */
  readonly busyTimeoutMillis?: number
  /** The maximum size of the page cache in MiB. SQLite fills the cache as it reads. Default: 64. */
  readonly cacheMebibytes?: number
}

/** The file name of an in-memory database. */
export const memory = ":memory:"

/**
 * The maximum number of cached prepared statements per result shape. It exceeds the number of statements in this
 * package.
 */
const statementsKept = 512

/**
 * The number of pages in the write-ahead log before a checkpoint. 4,096 pages are 16 MiB. A high value saves work,
 * because most writes change the same few pages repeatedly.
 */
const pagesPerCheckpoint = 4_096

const fail = (cause: unknown, operation: string): SqlError =>
  new SqlError({ reason: classifySqliteError(cause, { message: `Failed to ${operation}`, operation }) })

/** Converts a value to a type that the driver accepts: booleans to 0 and 1, dates to ISO text, objects to JSON. */
const bindable = (value: unknown): unknown => {
  if (typeof value === "boolean") return value ? 1 : 0
  if (value === undefined) return null
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value
  return value instanceof Date ? value.toISOString() : JSON.stringify(value)
}

const isBindable = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint" || value === null

const bind = (params: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  params.every(isBindable) ? params : params.map(bindable)

const open = (config: SqliteConfig): Database.Database => {
  const database = new Database(config.filename, { timeout: config.busyTimeoutMillis ?? 5_000 })
  database.pragma("journal_mode = WAL")
  database.pragma(`synchronous = ${config.synchronous ?? "FULL"}`)
  database.pragma("temp_store = MEMORY")
  database.pragma(`wal_autocheckpoint = ${pagesPerCheckpoint}`)
  database.pragma(`cache_size = ${-1024 * (config.cacheMebibytes ?? 64)}`)
  return database
}

/** Opens a connection for reads only. It needs no durability settings and only a small cache. */
const openForReading = (config: SqliteConfig): Database.Database => {
  const database = new Database(config.filename, { readonly: true, timeout: config.busyTimeoutMillis ?? 5_000 })
  database.pragma("temp_store = MEMORY")
  database.pragma(`cache_size = ${-512 * (config.cacheMebibytes ?? 64)}`)
  return database
}

/**
 * Prepares each SQL text once and keeps the statement. While the cache is full, it records the order of use and removes
 * the statement that was used least recently.
 */
const statementCache = (database: Database.Database, asArrays: boolean) => {
  const kept = new Map<string, Database.Statement<Array<unknown>>>()
  const prepare = (text: string): Database.Statement<Array<unknown>> => {
    const statement = database.prepare<Array<unknown>>(text)
    return asArrays && statement.reader ? statement.raw(true) : statement
  }
  const get = (text: string): Database.Statement<Array<unknown>> => {
    const known = kept.get(text)
    if (known !== undefined) {
      // While there is room, the order does not matter.
      if (kept.size < statementsKept) return known
      kept.delete(text)
      kept.set(text, known)
      return known
    }
    const statement = prepare(text)
    const oldest = kept.size >= statementsKept ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
    kept.set(text, statement)
    return statement
  }
  return { get, prepare }
}

const all = (
  statement: Database.Statement<Array<unknown>>,
  params: ReadonlyArray<unknown>,
  safeIntegers: boolean
): ReadonlyArray<unknown> => {
  if (!statement.reader) {
    statement.run(...bind(params))
    return []
  }
  if (safeIntegers) statement.safeIntegers(true)
  try {
    return statement.all(...bind(params))
  } finally {
    if (safeIntegers) statement.safeIntegers(false)
  }
}

const connect = (database: Database.Database): SynchronousConnection => {
  const rows = statementCache(database, false)
  const arrays = statementCache(database, true)
  const run = <A>(use: (safeIntegers: boolean) => A): Effect.Effect<A, SqlError> =>
    Effect.withFiber((fiber) => {
      try {
        return Effect.succeed(use(Context.get(fiber.context, Client.SafeIntegers)))
      } catch (cause) {
        return Effect.fail(fail(cause, "execute"))
      }
    })
  return identity<SynchronousConnection>({
    execute: (text, params, transform) => {
      const result = run((safe) => all(rows.get(text), params, safe))
      return transform === undefined ? result : Effect.map(result, (found) => transform(found.map(toObject)))
    },
    executeUnprepared: (text, params, transform) => {
      const result = run((safe) => all(rows.prepare(text), params, safe))
      return transform === undefined ? result : Effect.map(result, (found) => transform(found.map(toObject)))
    },
    executeRaw: (text, params) =>
      run((safe) => {
        const statement = rows.get(text)
        return statement.reader ? all(statement, params, safe) : statement.run(...bind(params))
      }),
    executeValues: (text, params) => run((safe) => all(arrays.get(text), params, safe).map(toArray)),
    executeValuesUnprepared: (text, params) => run((safe) => all(arrays.prepare(text), params, safe).map(toArray)),
    // A statement cannot be used again while it is iterating, so every stream prepares its own.
    executeStream: (text, params, transform) =>
      Stream.suspend(() => {
        const found = Stream.fromIterable(rows.prepare(text).iterate(...bind(params)))
        return transform === undefined ? found : Stream.map(found, (row) => transform([toObject(row)])[0])
      }),
    // All parameters of the store are texts, numbers or null, which need no conversion.
    executeNow: (text, params) => {
      try {
        const statement = rows.get(text)
        if (statement.reader) return statement.all(...params)
        statement.run(...params)
        return []
      } catch (cause) {
        return fail(cause, "execute")
      }
    }
  })
}

const toObject = (row: unknown): object => (typeof row === "object" && row !== null ? row : { row })
const toArray = (row: unknown): ReadonlyArray<unknown> => (Array.isArray(row) ? row : [row])

const acquire = (
  config: SqliteConfig,
  openIt: (config: SqliteConfig) => Database.Database
): Effect.Effect<Database.Database, SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({ try: () => openIt(config), catch: (cause) => fail(cause, "open the database") }),
    (opened) => Effect.sync(() => opened.close())
  )

/**
 * Opens a SQLite file with better-sqlite3. One connection runs statements and transactions one at a time. A second
 * connection serves plain reads. An in-memory database has no second connection.
 */
export const make = (config: SqliteConfig): Effect.Effect<Connections, SqlError, Scope.Scope | Reactivity.Reactivity> =>
  Effect.gen(function* () {
    const { filename, readonly = false } = config
    const database = yield* acquire(config, readonly ? openForReading : open)
    const acquirers = Client.makeSqliteAcquirers({
      connection: Effect.succeed(connect(database)),
      semaphore: yield* Semaphore.make(1),
      isTransaction: () => database.inTransaction
    })
    const sql = yield* Client.make({
      ...acquirers,
      driver: "better-sqlite3",
      compiler: Compiler.makeCompilerSqlite(),
      beginTransaction: "BEGIN IMMEDIATE",
      prepareTransactionControls: true,
      spanAttributes: [["db.system.name", "sqlite"]]
    })
    const reader = readonly || filename === memory ? null : connect(yield* acquire(config, openForReading))
    return makeConnections({ sql, reader, writeConnections: single(sql), intakeConnections: null })
  })

/** Opens a SQLite file as the database of the store. */
export const layer = (config: SqliteConfig): Layer.Layer<OpenDatabase.Database | Client.SqlClient, SqlError> =>
  Layer.provide(
    OpenDatabase.layer(Effect.flatMap(make(config), (connections) => OpenDatabase.make(connections))),
    Reactivity.layer
  )

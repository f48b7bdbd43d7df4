import type { PgPoolConfig } from "@effect/sql-pg/PgClient"
import type { PgConnection } from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { Effect, type Scope, Stream } from "effect"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import type { WriteConnection, WriteConnections } from "./WriteConnections.ts"
import { tryLockTenants, lockTenant } from "./TenantLock.ts"
import { execute } from "./Unit.ts"

/**
 * The number of write connections per server. Each has its own transaction. More connections than the database has
 * cores would gain little.
 */
export const writeConnections = 4

/**
 * The number of connections per server that write batches of accepted messages. With two, one batch is decided while
 * the other one is written. Four are hardly faster.
 */
export const intakeConnections = 2

/**
 * Opens a write connection. It is not reserved in the driver, because the driver would then send a statement only after
 * the response to the previous one. The pool ensures that only one transaction uses the connection.
 */
const connect = (session: PgConnection): Connection => {
  const rows = (text: string, params: ReadonlyArray<unknown>, prepare: boolean) =>
    Effect.map(session.query(text, params, prepare), (result) => result.rows)
  return {
    execute: (text, params, transform) =>
      transform === undefined ? rows(text, params, true) : Effect.map(rows(text, params, true), transform),
    executeUnprepared: (text, params, transform) =>
      transform === undefined ? rows(text, params, false) : Effect.map(rows(text, params, false), transform),
    executeRaw: (text, params) => session.query(text, params),
    executeValues: (text, params) => session.queryValues(text, params),
    executeValuesUnprepared: (text, params) => session.queryValues(text, params, false),
    executeStream: (text, params, transform) => {
      const stream = session.stream(text, params)
      return transform === undefined ? stream : Stream.flatMap(stream, (row) => Stream.fromIterable(transform([row])))
    }
  }
}

/** The isolation level is read committed, so that a statement after the lock sees all earlier commits. */
const begin = "BEGIN ISOLATION LEVEL READ COMMITTED"

const rolledBack = new SqlError({
  reason: new UnknownError({
    cause: new Error("COMMIT ended a transaction that had failed before"),
    message: "COMMIT ended a transaction that had failed before",
    operation: "commit"
  })
})

const writeConnectionOf = (pool: PgPool.PgPool, session: PgConnection, settings: string | null): WriteConnection => {
  const connection = connect(session)
  return {
    connection,
    discard: pool.invalidate(session),
    begin: Effect.fnUntraced(function* ([first = "", ...others], pipeline) {
      yield* execute(connection, pipeline, begin)
      if (settings !== null) yield* execute(connection, pipeline, settings)
      yield* execute(connection, pipeline, lockTenant, [first])
      if (others.length === 0) return new Set([first])
      const free: ReadonlyArray<{ readonly id: string }> = yield* connection.execute(
        tryLockTenants,
        [JSON.stringify(others)],
        undefined
      )
      return new Set([first, ...free.map(({ id }) => id)])
    }),
    // If a transaction has failed, Postgres answers COMMIT with ROLLBACK instead of an error.
    commit: Effect.flatMap(session.query("COMMIT"), ({ command }) =>
      command === "ROLLBACK" ? Effect.fail(rolledBack) : Effect.void
    )
  }
}

/**
 * Creates `count` write connections outside the pool of a client. Units of one tenant run one at a time; units of different
 * tenants run concurrently. `settings` is a statement at the start of each transaction. It is needed behind a pooler,
 * which does not keep the settings of a session.
 */
export const make = (
  connections: PgPoolConfig,
  count: number,
  deadlineMillis: number,
  settings: string | null
): Effect.Effect<WriteConnections, SqlError, Scope.Scope> =>
  Effect.map(
    PgPool.make({ ...connections, maxConnections: count, multiplex: true, multiplexConcurrency: 1 }),
    (pool) => ({
      count,
      pipelines: true,
      deadlineMillis,
      acquire: Effect.map(pool.get, (session) => writeConnectionOf(pool, session, settings))
    })
  )

import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { Pipeline } from "./Unit.ts"

/** A connection that takes batches of units, each in one transaction. */
export interface WriteConnection {
  readonly connection: Connection
  /**
   * Begins a transaction that nobody else writes for some of these tenants in, and says for which: for the first in any
   * case, for the others where their lock is free.
   */
  readonly begin: (
    tenantIds: ReadonlyArray<string>,
    pipeline: Pipeline | null
  ) => Effect.Effect<ReadonlySet<string>, SqlError>
  /** Gives the connection up: what is on its way there is never answered. */
  readonly discard: Effect.Effect<void>
  /** Makes the transaction durable; fails when the database did not. */
  readonly commit: Effect.Effect<void, SqlError>
}

/** How a database takes units of work. */
export interface WriteConnections {
  /** Batches that it takes at once, each on a connection of its own. */
  readonly count: number
  /** Statements of a transaction may be sent one behind the other, before the first is answered. */
  readonly pipelines: boolean
  /** A transaction that has not ended by then never will: its database has vanished without a word. Null: it cannot. */
  readonly deadlineMillis: number | null
  readonly acquire: Effect.Effect<WriteConnection, SqlError, Scope.Scope>
}

const registered = new WeakMap<SqlClient, WriteConnections>()

/** Lets the units of a client go this way. */
export const register = (sql: SqlClient, writeConnections: WriteConnections): void =>
  void registered.set(sql, writeConnections)

/** One writer on the client's own connection: what SQLite has. */
const single = (sql: SqlClient): WriteConnections => ({
  count: 1,
  pipelines: false,
  deadlineMillis: null,
  acquire: Effect.map(sql.reserve, (connection): WriteConnection => ({
    connection,
    discard: Effect.void,
    begin: (tenantIds) => Effect.as(connection.execute("BEGIN IMMEDIATE", [], undefined), new Set(tenantIds)),
    commit: Effect.asVoid(connection.execute("COMMIT", [], undefined))
  }))
})

/** How units of a client are taken. */
export const writeConnectionsOf = (sql: SqlClient): WriteConnections => registered.get(sql) ?? single(sql)

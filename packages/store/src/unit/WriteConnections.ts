import { Effect, type Scope } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { Pipeline } from "./Unit.ts"

/** A connection that runs batches of units, each in one transaction. */
export interface WriteConnection {
  readonly connection: Connection
  /**
   * Begins a transaction and locks tenants for it. Returns the locked tenants: the first tenant in any case, and each
   * other tenant whose lock is free.
   */
  readonly begin: (
    tenantIds: ReadonlyArray<string>,
    pipeline: Pipeline | null
  ) => Effect.Effect<ReadonlySet<string>, SqlError>
  /** Closes the connection. Running statements receive no response. */
  readonly discard: Effect.Effect<void>
  /** Commits the transaction. Fails if the transaction was not stored. */
  readonly commit: Effect.Effect<void, SqlError>
}

/** The write connections of a database. */
export interface WriteConnections {
  /** The number of concurrent batches. Each uses its own connection. */
  readonly count: number
  /** Whether a statement may be sent before the result of the previous one has arrived. */
  readonly pipelines: boolean
  /**
   * The maximum duration of a transaction. When it expires, the database counts as unavailable. Null if no limit is
   * needed.
   */
  readonly deadlineMillis: number | null
  readonly acquire: Effect.Effect<WriteConnection, SqlError, Scope.Scope>
}

/** Returns the write connections of SQLite: a single one, which is the connection of the client. */
export const single = (sql: SqlClient): WriteConnections => ({
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

import { Context, type Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { Param } from "../sql/Param.ts"
import type { Unit } from "./Unit.ts"
import type { WriteConnections } from "./WriteConnections.ts"

/** A connection to a database in this process (SQLite). */
export interface SynchronousConnection extends Connection {
  /**
   * Runs a statement without an effect and returns its rows or its error. A message takes about forty statements, and
   * the effects around a short statement cost as much as the statement.
   */
  readonly executeNow: (
    text: string,
    params: ReadonlyArray<Param>
  ) => Effect.Success<ReturnType<Connection["execute"]>> | SqlError
}

/** Returns whether the connection is `SynchronousConnection`. */
export const isSynchronous = (connection: Connection): connection is SynchronousConnection => "executeNow" in connection

/** The connections to one database. */
export interface Connections<Client extends SqlClient = SqlClient> {
  readonly sql: Client
  /**
   * A second connection for plain reads; null if none is needed. SQLite has one write connection. A read on it waits
   * for the current batch of units, which takes some tens of milliseconds under load. In WAL mode, a read on a second
   * connection never waits, and sees the last commit. A database with a connection pool needs no second connection.
   */
  readonly reader: Connection | null
  readonly writeConnections: WriteConnections
  /** The key of the running unit in the context of a fiber. Each database has its own key. */
  readonly currentUnit: Context.Key<Unit, Unit>
}

let opened = 0

/** Combines the connections to one database. */
export const makeConnections = <Client extends SqlClient>(
  parts: Omit<Connections<Client>, "currentUnit">
): Connections<Client> => ({ ...parts, currentUnit: Context.Service<Unit>(`store/unit/Unit/${opened++}`) })

import { Context } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { Unit } from "./Unit.ts"
import type { WriteConnections } from "./WriteConnections.ts"

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

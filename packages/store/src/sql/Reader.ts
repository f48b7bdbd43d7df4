import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"

/**
 * A second connection for plain reads. On SQLite one connection writes, and whoever wants it waits for the batch of
 * units it is at, some tens of milliseconds under load; in WAL mode a reader beside it never waits and sees the last
 * commit. Databases with a pool of connections have none.
 */
const readers = new WeakMap<SqlClient, Connection>()

/** Lets plain reads of a client go to this connection. */
export const register = (sql: SqlClient, reader: Connection): void => void readers.set(sql, reader)

/** Where plain reads of a client go; none: to the client itself. */
export const readerOf = (sql: SqlClient): Connection | undefined => readers.get(sql)

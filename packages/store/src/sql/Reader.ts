import type { SqlClient } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"

/**
 * Second connections for plain reads. SQLite has one write connection, and a read on it waits for the current batch of
 * units, some tens of milliseconds under load. In WAL mode, a read on a second connection never waits and sees the last
 * commit. A database with a connection pool needs none.
 */
const readers = new WeakMap<SqlClient, Connection>()

/** Registers the connection for plain reads of a client. */
export const register = (sql: SqlClient, reader: Connection): void => void readers.set(sql, reader)

/** Returns the connection for plain reads of a client. Without one, they use the client itself. */
export const readerOf = (sql: SqlClient): Connection | undefined => readers.get(sql)

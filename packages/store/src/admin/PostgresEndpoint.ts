import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, Predicate, type Scope } from "effect"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Failure from "../unit/Failure.ts"
import { plain } from "../sql/PostgresText.ts"
import type { CatalogTable } from "./Catalog.ts"
import { betweenSql, insertSql, pageSql, quoted, rangeParams, removeSql, type CopyDialect } from "./PageSql.ts"
import { adminConnection } from "./PostgresSession.ts"
import type { Row } from "./Row.ts"
import { type Range, RowsCollided, type Snapshot, type Target } from "./CopyEndpoint.ts"

/** Maps `table.column` to the type of the column. */
type Types = ReadonlyMap<string, string>

const typesSql = `SELECT c.relname || '.' || a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace`

const typeOf = (types: Types, table: CatalogTable, column: string): string =>
  types.get(`${table.name}.${column}`) ?? "text"

const wordsOf = (types: Types): CopyDialect => ({
  param: (table, column, number) => `$${number}::${typeOf(types, table, column)}`,
  // Neither function loads a long value, which Postgres stores outside the row (TOAST). For JSON, `pg_column_size`
  // returns the compressed size.
  size: (table, column) =>
    typeOf(types, table, column) === "text" ? `octet_length(${quoted(column)})` : `pg_column_size(${quoted(column)})`,
  asText: (column) => `${column}::text`
})

const values = (connection: Connection, sql: string, params: ReadonlyArray<unknown>) =>
  Effect.catch(
    Effect.map(connection.executeValues(sql, params), (rows) => rows.filter(isRow)),
    Failure.failWith
  )

const isRow = (row: unknown): row is Row => Array.isArray(row)

const run = (connection: Connection, statement: string): Effect.Effect<void, StoreUnavailable> =>
  Effect.catch(Effect.asVoid(connection.executeUnprepared(statement, [], undefined)), Failure.failWith)

const parseEventTypes = (connection: Connection): Effect.Effect<Types, StoreUnavailable> =>
  Effect.map(values(connection, typesSql, []), (rows) => new Map(rows.map(([name, type]) => [name ?? "", type ?? ""])))

const reading = (connection: Connection, words: CopyDialect): Snapshot => ({
  isServer: true,
  count: (table) =>
    Effect.map(values(connection, `SELECT count(*)::text FROM ${quoted(table.name)}`, []), (rows) =>
      Number(rows[0]?.[0] ?? 0)
    ),
  page: (table, after) => values(connection, pageSql(words, table, after === null), after ?? [])
})

/** Opens the state of a Postgres database at one moment, unaffected by concurrent writes. */
export const snapshot = (url: string): Effect.Effect<Snapshot, StoreUnavailable, Scope.Scope> =>
  Effect.gen(function* () {
    const connection = yield* adminConnection(url)
    const types = yield* parseEventTypes(connection)
    yield* run(connection, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    // The first statement after BEGIN determines the moment of the snapshot.
    yield* values(connection, "SELECT '1'", [])
    return reading(connection, wordsOf(types))
  })

const storable = (value: string | null): string | null => (value === null ? null : plain(value))
const isStorable = (value: string | null): boolean => value === null || !value.includes("\0")

const isCollision = ({ reason }: SqlError): boolean =>
  reason._tag === "UniqueViolation" || (Predicate.hasProperty(reason.cause, "code") && reason.cause.code === "23505")

/** Returns a statement that inserts a page. Its only parameter is a JSON array of rows with text values. */
const insertion = (types: Types, table: CatalogTable): string => {
  const columns = table.columns.map((column, index) => `(item.value ->> ${index})::${typeOf(types, table, column)}`)
  return `${insertSql(table)} SELECT ${columns.join(", ")} FROM jsonb_array_elements($1::jsonb) AS item(value)`
}

const writer = (connection: Connection, types: Types, words: CopyDialect): Target["write"] => {
  const insert = (table: CatalogTable, rows: ReadonlyArray<Row>): Effect.Effect<void, SqlError> =>
    rows.length === 0
      ? Effect.void
      : Effect.asVoid(connection.execute(insertion(types, table), [JSON.stringify(rows)], undefined))
  const replace = (table: CatalogTable, rows: ReadonlyArray<Row>, range: Range) =>
    Effect.gen(function* () {
      yield* connection.executeUnprepared("BEGIN", [], undefined)
      yield* connection.execute(removeSql(words, table, range), rangeParams(range), undefined)
      yield* insert(table, rows)
      yield* connection.executeUnprepared("COMMIT", [], undefined)
    }).pipe(Effect.tapError(() => Effect.ignore(connection.executeUnprepared("ROLLBACK", [], undefined))))
  return (table, rows, instead) =>
    Effect.catch(
      instead === null ? insert(table, rows) : replace(table, rows, instead),
      (error): Effect.Effect<never, RowsCollided | StoreUnavailable> =>
        isCollision(error)
          ? Effect.fail(new RowsCollided({ table: table.name, reason: error.message }))
          : Failure.failWith(error)
    )
}

/** Opens a migrated Postgres database as the target of a copy. The caller holds the copy lock. */
export const target = (connection: Connection): Effect.Effect<Target, StoreUnavailable> =>
  Effect.gen(function* () {
    const types = yield* parseEventTypes(connection)
    const words = wordsOf(types)
    // Commits are not durable during the copy, which saves time. After a power cut, the last pages may be missing, and
    // `resume` copies them again. `settle` makes commits durable.
    yield* run(connection, "SET synchronous_commit = off")
    return {
      ...reading(connection, words),
      hold: (row) => (row.every(isStorable) ? row : row.map(storable)),
      between: (table, range) => values(connection, betweenSql(words, table, range), rangeParams(range)),
      write: writer(connection, types, words),
      run: (statement) => run(connection, statement),
      // Postgres has no statistics of the filled tables yet. Without ANALYZE, it would plan the first queries as for
      // empty tables.
      settle: Effect.andThen(run(connection, "SET synchronous_commit = on"), run(connection, "ANALYZE"))
    }
  })

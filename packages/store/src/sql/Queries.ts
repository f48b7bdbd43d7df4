/**
 * Statements with one text for both databases, and the expressions that differ between them. Tables of the service do
 * not belong here. Tests: `packages/store/test/PostgresText.test.ts`, and all suites of the repositories.
 */
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import type { Connections } from "../unit/Connections.ts"
import * as Failure from "../unit/Failure.ts"
import type { RowsForm, WriteRows } from "../unit/RowsForm.ts"
import { type Command, type CommandEach, type PrepareQuery, statements } from "./Statements.ts"

/** The statements of the adapters, independent of the dialect. */
export interface Queries {
  /**
   * Prepares a statement with `?` parameters. `Row` is the type of a result row. The text is converted for the dialect
   * once, and a call only binds and runs the statement. The saved time matters, because a message needs about twenty
   * statements.
   */
  readonly query: PrepareQuery
  /**
   * Prepares a statement without a result. Inside a unit of work on Postgres, a call sends the statement without
   * waiting for its end. Later statements of the unit see its effect, and its failure fails the transaction. Twenty
   * statements per message then cost only a few network round trips.
   */
  readonly command: (text: string) => Command
  /**
   * Prepares a write of rows. Inside a unit of work, a call works like `command`. On Postgres, one statement writes all
   * rows of a call. Inside a batch on Postgres, a call records its rows, and one statement writes the rows of all calls
   * of the batch.
   */
  readonly rows: (form: RowsForm) => WriteRows
  /** Prepares a statement without a result. A call runs it once for each set of parameters. */
  readonly commandEach: (text: string) => CommandEach
  /** Runs several statements atomically, inside a unit of work or without one. */
  readonly whole: <A, E>(effect: Effect.Effect<A, E | StoreUnavailable>) => Effect.Effect<A, E | StoreUnavailable>
  /** Runs a callback after the commit of the running unit. Without a unit, runs it at once. */
  readonly afterCommit: (callback: () => void) => Effect.Effect<void>
  /**
   * Returns a condition: the column equals a text in the JSON array of the parameter. The SQL is the same for any
   * number of texts. A join would be slower: planners do not know the length of the array and may start the join at the
   * wrong side.
   */
  readonly isOneOf: (column: string) => string
  /**
   * Returns a source of rows `i`: the row of a table for each text in the JSON array of the first parameter. The second
   * parameter is the tenant. The tenant and the column are a unique key. Without statistics about a new tenant, Postgres
   * would compare all its rows with all texts.
   */
  readonly lookup: (table: string, column: string) => string
  /** A source of rows: `item.value` is each text in the JSON array of the parameter. */
  readonly items: string
  /** A source of rows for a JSON array of arrays: `item.value ->> 0` is the first column as text. */
  readonly tuples: string
  /** Returns a source of rows: `item.value` is each text in the JSON array of a column. */
  readonly elementsOf: (column: string) => string
  /** Returns an expression: the JSON array of a column with the JSON value of the parameter at its end. */
  readonly appended: (column: string) => string
  /** Casts a text expression for a JSON column. */
  readonly asJson: (expression: string) => string
  /**
   * Returns a clause that forces an index. It follows a table name in FROM. Without statistics, SQLite estimates ten
   * rows for every tenant, and would scan all rows of a tenant by the primary key.
   */
  readonly by: (index: string) => string
}

/** The expressions that differ between dialects. */
const words = (
  sql: SqlClient
): Pick<Queries, "appended" | "asJson" | "by" | "elementsOf" | "isOneOf" | "items" | "lookup" | "tuples"> =>
  sql.onDialectOrElse({
    pg: () => ({
      isOneOf: (column: string) => `${column} = ANY (ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))`,
      items: "jsonb_array_elements_text(?::jsonb) AS item(value)",
      lookup: (table: string, column: string) =>
        `jsonb_array_elements_text(?::jsonb) AS item(value)
          CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE tenant_id = ? AND ${column} = item.value LIMIT 1) AS i`,
      tuples: "jsonb_array_elements(?::jsonb) AS item(value)",
      elementsOf: (column: string) => `json_array_elements_text(${column}) AS item(value)`,
      appended: (column: string) => `CAST(CAST(${column} AS jsonb) || jsonb_build_array(?::jsonb) AS json)`,
      asJson: (expression: string) => `CAST(${expression} AS json)`,
      by: () => ""
    }),
    orElse: () => ({
      isOneOf: (column: string) => `${column} IN (SELECT item.value FROM json_each(?) AS item)`,
      items: "json_each(?) AS item",
      lookup: (table: string, column: string) =>
        `json_each(?) AS item CROSS JOIN ${table} AS i ON i.tenant_id = ? AND i.${column} = item.value`,
      tuples: "json_each(?) AS item",
      elementsOf: (column: string) => `json_each(${column}) AS item`,
      appended: (column: string) => `json_insert(${column}, '$[#]', json(?))`,
      asJson: (expression: string) => expression,
      by: (index: string) => `INDEXED BY ${index}`
    })
  })

/** Creates the statements of a database. Inside a unit of work, they use its connection. */
export const queries = (connections: Connections): Queries => ({
  ...statements(connections),
  ...words(connections.sql),
  whole: (effect) =>
    Effect.withFiber((fiber) =>
      Context.getOrUndefined(fiber.context, connections.sql.transactionService) === undefined
        ? Effect.catchIf(connections.sql.withTransaction(effect), isSqlError, Failure.failWith)
        : effect
    ),
  afterCommit: (callback) =>
    Effect.withFiber((fiber) => {
      const unit = Context.getOrUndefined(fiber.context, connections.currentUnit)
      if (unit !== undefined) unit.onCommit.push(callback)
      else callback()
      return Effect.void
    })
})

/** A time later than any other. A list in descending order starts with it. */
export const newest: number = Number.MAX_SAFE_INTEGER

/** A time earlier than any other. A list in ascending order starts with it. */
export const oldest: number = Number.MIN_SAFE_INTEGER

/** Returns the first row, or null. */
export const first = <Row>(rows: ReadonlyArray<Row>): Row | null => rows[0] ?? null

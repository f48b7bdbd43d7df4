import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import * as Failure from "../unit/Failure.ts"
import { type Command, type Query, statements } from "./Statements.ts"
import { unitOf } from "../unit/Unit.ts"

/** What the adapters ask of a database, whatever its dialect. */
export interface Queries {
  /**
   * A statement with `?` for each parameter; `Row` is what it selects. The text is spelled for the dialect once, here:
   * per call nothing is left but to bind and step, which is what makes twenty statements a message affordable.
   */
  readonly query: <Row extends object = Record<never, never>>(text: string) => Query<Row>
  /**
   * A statement whose rows nobody looks at. Inside a unit of work on Postgres it is only sent on its way: the unit goes
   * on, what it asks afterwards sees it, and the transaction fails when it does. Twenty statements a message cost a few
   * waits for the network that way.
   */
  readonly command: (text: string) => Command
  /** Several statements that only make sense together, also where no unit of work is running. */
  readonly whole: <A, E>(effect: Effect.Effect<A, E | StoreUnavailable>) => Effect.Effect<A, E | StoreUnavailable>
  /** Runs a callback once what is being written is committed; at once where no unit is running. */
  readonly afterCommit: (callback: () => void) => Effect.Effect<void>
  /**
   * Whether a column is among the texts of the JSON array that is its parameter, so that the SQL is the same for any
   * number of them. A condition and no join: what is known of how short the array is, or how long the table, is nothing,
   * and a join may be taken from the wrong end.
   */
  readonly isOneOf: (column: string) => string
  /** A row source: `item.value` for each text of the JSON array that is its parameter. */
  readonly items: string
  /** The same for a JSON array of arrays: `item.value ->> 0` is the first column as text. */
  readonly tuples: string
  /** A text made by an expression, on its way into a JSON column. */
  readonly asJson: (expression: string) => string
  /**
   * Behind the name of a table in FROM: the index to go by. Without statistics SQLite takes the rows of a tenant for ten
   * and would go through them all when they are the beginning of the primary key.
   */
  readonly by: (index: string) => string
}

/** How the dialects spell what they do not share. */
const words = (sql: SqlClient): Pick<Queries, "asJson" | "by" | "isOneOf" | "items" | "tuples"> =>
  sql.onDialectOrElse({
    pg: () => ({
      isOneOf: (column: string) => `${column} = ANY (ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))`,
      items: "jsonb_array_elements_text(?::jsonb) AS item(value)",
      tuples: "jsonb_array_elements(?::jsonb) AS item(value)",
      asJson: (expression: string) => `CAST(${expression} AS json)`,
      by: () => ""
    }),
    orElse: () => ({
      isOneOf: (column: string) => `${column} IN (SELECT item.value FROM json_each(?) AS item)`,
      items: "json_each(?) AS item",
      tuples: "json_each(?) AS item",
      asJson: (expression: string) => expression,
      by: (index: string) => `INDEXED BY ${index}`
    })
  })

/** Statements on a SQL client, inside a unit of work on its connection. */
export const queries = (sql: SqlClient): Queries => ({
  ...statements(sql),
  ...words(sql),
  whole: (effect) =>
    Effect.withFiber((fiber) =>
      Context.getOrUndefined(fiber.context, sql.transactionService) === undefined
        ? Effect.catchIf(sql.withTransaction(effect), isSqlError, Failure.failWith)
        : effect
    ),
  afterCommit: (callback) =>
    Effect.withFiber((fiber) => {
      const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
      const unit = transaction === undefined ? undefined : unitOf(transaction)
      if (unit !== undefined) unit.onCommit.push(callback)
      else callback()
      return Effect.void
    })
})

/** The time to begin a list of newest first with: later than any. */
export const newest: number = Number.MAX_SAFE_INTEGER

/** The time to begin a list of oldest first with: earlier than any. */
export const oldest: number = Number.MIN_SAFE_INTEGER

/** The first row, or null. */
export const first = <Row>(rows: ReadonlyArray<Row>): Row | null => rows[0] ?? null

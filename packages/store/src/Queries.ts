import type { StoreUnavailable } from "@leadloom/core/port/StoreUnavailable"
import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Failure from "./Failure.ts"
import * as PostgresText from "./PostgresText.ts"
import type { Param, Spelling } from "./Param.ts"
import { readerOf } from "./Reader.ts"
import { unitOf } from "./Unit.ts"

/** One statement, ready to run. */
export type Query<Row> = (...params: ReadonlyArray<Param>) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

type Shield = <A, E>(statement: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** What the adapters ask of a database, whatever its dialect. */
export interface Queries {
  /**
   * A statement with `?` for each parameter; `Row` is what it selects. The text is spelled for the dialect once, here:
   * per call nothing is left but to bind and step, which is what makes twenty statements a message affordable.
   */
  readonly query: <Row extends object = Record<never, never>>(text: string) => Query<Row>
  /** Several statements that only make sense together, also where no unit of work is running. */
  readonly whole: <A, E>(effect: Effect.Effect<A, E | StoreUnavailable>) => Effect.Effect<A, E | StoreUnavailable>
  /** Runs a callback once what is being written is committed; at once where no unit is running. */
  readonly afterCommit: (callback: () => void) => Effect.Effect<void>
  /**
   * A row source: `item.value` for each text of the JSON array that is its parameter, so that the SQL is the same for
   * any number of them. Join a table to it by `CROSS JOIN`, which SQLite takes in the order written: it knows nothing of
   * how short the array is and would go through the table instead.
   */
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

/**
 * A parameter that is compared or limits, as SQLite spells it: behind a plus sign, which does nothing. Without it SQLite
 * 3.54 plans a join or a LIMIT anew whenever the parameter changes, and better-sqlite3 clears the parameters after every
 * run: a join of two rows takes 10 µs instead of 1.
 */
const hidden = (text: string): Spelling => ({
  text: text.replace(/([=<>]|LIMIT) \?/gu, "$1 +?"),
  bind: (params) => params
})

/** Statements on a SQL client, inside a unit of work on its connection. */
export const queries = (sql: SqlClient): Queries => {
  const spell: (text: string) => Spelling = sql.onDialectOrElse({ pg: () => PostgresText.spell, orElse: () => hidden })
  // An interrupted statement costs Postgres its connection, and with it everybody else's units in the transaction.
  const shield: Shield = sql.onDialectOrElse({
    pg: (): Shield => Effect.uninterruptible,
    orElse: (): Shield => (statement) => statement
  })
  const query = <Row extends object>(text: string): Query<Row> => {
    const { text: spelled, bind } = spell(text)
    const reader = text.startsWith("SELECT ") ? readerOf(sql) : undefined
    const alone = (params: ReadonlyArray<Param>): Effect.Effect<ReadonlyArray<Row>, SqlError> =>
      reader === undefined ? sql.unsafe<Row>(spelled, bind(params)) : reader.execute(spelled, bind(params), undefined)
    return (...params) =>
      Effect.withFiber((fiber) => {
        const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
        if (transaction === undefined) return Effect.catch(alone(params), Failure.failWith)
        const unit = unitOf(transaction)
        if (unit !== undefined && unit.failure !== null) return Effect.failCause(unit.failure)
        return Effect.catch(shield(transaction[0].execute(spelled, bind(params), undefined)), (error) => {
          const cause = Failure.causeOf(error)
          if (unit === undefined) return Effect.failCause(cause)
          // Statements that were already on their way fail because of the first one, and say less.
          unit.failure ??= cause
          return Effect.failCause(unit.failure)
        })
      })
  }
  return {
    query,
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
      }),
    items: sql.onDialectOrElse({
      pg: () => "jsonb_array_elements_text(?::jsonb) AS item(value)",
      orElse: () => "json_each(?) AS item"
    }),
    asJson: sql.onDialectOrElse({
      pg: () => (expression: string) => `CAST(${expression} AS json)`,
      orElse: () => (expression: string) => expression
    }),
    by: sql.onDialectOrElse({ pg: () => () => "", orElse: () => (index: string) => `INDEXED BY ${index}` }),
    tuples: sql.onDialectOrElse({
      pg: () => "jsonb_array_elements(?::jsonb) AS item(value)",
      orElse: () => "json_each(?) AS item"
    })
  }
}

/** The time to begin a list of newest first with: later than any. */
export const newest: number = Number.MAX_SAFE_INTEGER

/** The first row, or null. */
export const first = <Row>(rows: ReadonlyArray<Row>): Row | null => rows[0] ?? null

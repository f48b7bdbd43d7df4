import type { StoreUnavailable } from "@leadloom/core/port/StoreUnavailable"
import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Failure from "./Failure.ts"
import * as PostgresText from "./PostgresText.ts"
import type { Param, Spelling } from "./Param.ts"
import { readerOf } from "./Reader.ts"
import { type Unit, unitOf } from "./Unit.ts"

/** One statement that is asked for what it gives, ready to run. */
export type Query<Row> = (...params: ReadonlyArray<Param>) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

/** One statement that only writes, ready to run. */
export type Command = (...params: ReadonlyArray<Param>) => Effect.Effect<void, StoreUnavailable>

type Shield = <A, E>(statement: Effect.Effect<A, E>) => Effect.Effect<A, E>

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

/**
 * A parameter that is compared or limits, as SQLite spells it: behind a plus sign, which does nothing. Without it SQLite
 * 3.54 plans a join or a LIMIT anew whenever the parameter changes, and better-sqlite3 clears the parameters after every
 * run: a join of two rows takes 10 µs instead of 1.
 */
const hidden = (text: string): Spelling => ({
  text: text.replace(/([=<>]|LIMIT) \?/gu, "$1 +?"),
  bind: (params) => params
})

/** A statement failed: the unit that it is part of has, too. */
const failedIn =
  (unit: Unit | undefined) =>
  (error: SqlError): Effect.Effect<never, StoreUnavailable> => {
    const cause = Failure.causeOf(error)
    if (unit === undefined) return Effect.failCause(cause)
    if (unit.pipeline !== null) unit.pipeline.failure ??= error
    // Statements that were already on their way fail because of the first one, and say less.
    unit.failure ??= cause
    return Effect.failCause(unit.failure)
  }

/** Statements on a SQL client, inside a unit of work on its connection. */
export const queries = (sql: SqlClient): Queries => {
  const spell: (text: string) => Spelling = sql.onDialectOrElse({ pg: () => PostgresText.spell, orElse: () => hidden })
  // An interrupted statement costs Postgres its connection, and with it everybody else's units in the transaction.
  const shield: Shield = sql.onDialectOrElse({
    pg: (): Shield => Effect.uninterruptible,
    orElse: (): Shield => (statement) => statement
  })
  const outside = <Row extends object>(text: string, { bind, text: spelled }: Spelling) => {
    const reader = text.startsWith("SELECT ") ? readerOf(sql) : undefined
    return (params: ReadonlyArray<Param>): Effect.Effect<ReadonlyArray<Row>, StoreUnavailable> => {
      const bound = bind(params)
      const rows = reader === undefined ? sql.unsafe<Row>(spelled, bound) : reader.execute(spelled, bound, undefined)
      return Effect.catch(rows, Failure.failWith)
    }
  }
  const query = <Row extends object>(text: string): Query<Row> => {
    const spelling = spell(text)
    const alone = outside<Row>(text, spelling)
    const writes = !text.startsWith("SELECT ")
    return (...params) =>
      Effect.withFiber((fiber) => {
        const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
        if (transaction === undefined) return alone(params)
        const unit = unitOf(transaction)
        if (unit !== undefined && unit.failure !== null) return Effect.failCause(unit.failure)
        if (unit !== undefined && writes) unit.wrote = true
        return Effect.catch(
          shield(transaction[0].execute(spelling.text, spelling.bind(params), undefined)),
          failedIn(unit)
        )
      })
  }
  const command = (text: string): Command => {
    const spelling = spell(text)
    const alone = outside(text, spelling)
    return (...params) =>
      Effect.withFiber((fiber) => {
        const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
        if (transaction === undefined) return Effect.asVoid(alone(params))
        const unit = unitOf(transaction)
        if (unit !== undefined && unit.failure !== null) return Effect.failCause(unit.failure)
        const statement = transaction[0].execute(spelling.text, spelling.bind(params), undefined)
        if (unit?.pipeline == null) return Effect.asVoid(Effect.catch(shield(statement), failedIn(unit)))
        unit.wrote = true
        unit.pipeline.send(statement)
        return Effect.void
      })
  }
  return {
    query,
    command,
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
    isOneOf: sql.onDialectOrElse({
      pg: () => (column: string) => `${column} = ANY (ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))`,
      orElse: () => (column: string) => `${column} IN (SELECT item.value FROM json_each(?) AS item)`
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

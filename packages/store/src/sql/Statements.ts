import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Context, Effect, Exit, identity } from "effect"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { withDeadline } from "../unit/Deadline.ts"
import * as Failure from "../unit/Failure.ts"
import { type Connections, isSynchronous } from "../unit/Connections.ts"
import * as PostgresText from "./PostgresText.ts"
import { arraySource, arrayStatements } from "./ArrayRows.ts"
import type { Param, Spelling } from "./Param.ts"
import type { RowsForm, WriteRows } from "../unit/RowsForm.ts"
import type { Unit } from "../unit/Unit.ts"

/** A prepared statement that returns rows. */
export type Query<Row> = (...params: ReadonlyArray<Param>) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

/** A prepared statement with a result. */
export type Read<A> = (...params: ReadonlyArray<Param>) => Effect.Effect<A, StoreUnavailable>

/**
 * Prepares a statement that returns rows. With `read`, a call returns the converted rows. This takes fewer effects than
 * `Effect.map`.
 */
export interface PrepareQuery {
  <Row extends object = Record<never, never>>(text: string): Query<Row>
  <Row extends object, A>(text: string, read: (rows: ReadonlyArray<Row>) => A): Read<A>
}

/** A prepared statement without a result. */
export type Command = (...params: ReadonlyArray<Param>) => Effect.Effect<void, StoreUnavailable>

/** A prepared statement without a result, for any number of sets of parameters. */
export type CommandEach = (sets: ReadonlyArray<ReadonlyArray<Param>>) => Effect.Effect<void, StoreUnavailable>

type Guard = <A, E>(statement: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * Puts a plus sign before the parameters of comparisons and limits, which does not change their value. Otherwise,
 * SQLite 3.54 plans a join or a LIMIT again whenever a parameter changes, and better-sqlite3 clears the parameters
 * after every run. A join of two rows then takes 10 µs instead of 1 µs.
 */
const spellSqlite = (text: string): Spelling => ({
  text: text.replace(/([=<>]|LIMIT) \?/gu, "$1 +?"),
  bind: (params) => params
})

/** Handles a failed statement: the surrounding unit fails too. */
const failedIn =
  (unit: Unit | undefined) =>
  (error: SqlError): Effect.Effect<never, StoreUnavailable> => {
    const cause = Failure.causeOf(error)
    if (unit === undefined) return Effect.failCause(cause)
    if (unit.pipeline !== null) unit.pipeline.failure ??= error
    // The first failure is kept. Statements that were already sent fail because of it, and their errors are less
    // precise.
    unit.failure ??= cause
    unit.error ??= error
    return Effect.failCause(unit.failure)
  }

/** Returns the result of a statement. If the deadline interrupted it, the database counts as unavailable. */
const inTime = <A>(exit: Exit.Exit<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> =>
  Exit.hasInterrupts(exit)
    ? Effect.fail(
        new StoreUnavailable({
          reason: "The database does not answer. Check that it runs and that the server can reach it."
        })
      )
    : exit

/** Runs a statement without a unit of work. */
const outsideUnit = ({ reader: reading, sql, writeConnections: { deadlineMillis } }: Connections) => {
  return <Row extends object>(text: string, { bind, text: spelled }: Spelling): Query<Row> => {
    const reader = text.startsWith("SELECT ") ? reading : null
    return (...params) => {
      const bound = bind(params)
      const rows: Effect.Effect<ReadonlyArray<Row>, SqlError> = reader === null
        ? sql.unsafe<Row>(spelled, bound)
        : reader.execute(spelled, bound, undefined)
      const answer = Effect.catch(rows, Failure.failWith)
      return deadlineMillis === null ? answer : Effect.flatMap(withDeadline(deadlineMillis, answer), inTime)
    }
  }
}

/**
 * Runs a statement alone or in the transaction of the running unit. If a statement of this unit has already failed, it
 * does not run.
 */
const aloneOrInUnit =
  ({ currentUnit, sql: { transactionService } }: Connections) =>
  <A>(
    alone: () => Effect.Effect<A, StoreUnavailable>,
    inUnit: (connection: Connection, unit: Unit | undefined) => Effect.Effect<A, StoreUnavailable>
  ): Effect.Effect<A, StoreUnavailable> =>
    Effect.withFiber((fiber) => {
      const unit = Context.getOrUndefined(fiber.context, currentUnit)
      if (unit !== undefined)
        return unit.failure === null ? inUnit(unit.transaction[0], unit) : Effect.failCause(unit.failure)
      const transaction = Context.getOrUndefined(fiber.context, transactionService)
      return transaction === undefined ? alone() : inUnit(transaction[0], undefined)
    })

/** Creates the write of one set of rows. Postgres writes several rows with one statement. */
const writingSet = ({ sql }: Connections, commandEach: (text: string) => CommandEach, form: RowsForm): WriteRows => {
  const { params } = form
  const writeEach = commandEach(form.text)
  if (params !== undefined) return (rows) => writeEach([params(rows)])
  return sql.onDialectOrElse({
    pg: (): WriteRows => {
      const writeSets = commandEach(form.batch(arraySource(form.types)))
      return (rows) =>
        rows.length < 2 ? writeEach(rows) : writeSets(arrayStatements(form, rows).map((statement) => statement.params))
    },
    orElse: () => writeEach
  })
}

/** Creates writes of rows. Inside a batch, a call only records its rows. */
const writingRows =
  (connections: Connections, commandEach: (text: string) => CommandEach) =>
  (form: RowsForm): WriteRows => {
    const write = writingSet(connections, commandEach, form)
    return (rows) =>
      Effect.withFiber((fiber) => {
        if (rows.length === 0) return Effect.void
        const record = Context.getOrUndefined(fiber.context, connections.currentUnit)?.recordRows ?? null
        if (record === null) return write(rows)
        record(form, rows)
        return Effect.void
      })
  }

/** Returns the functions that run statements in a transaction. */
const inTransaction = ({ sql }: Connections) => {
  // Statements are uninterruptible on Postgres, because an interruption breaks the connection, and with it all other
  // units in the transaction.
  const shield: Guard = sql.onDialectOrElse({
    pg: (): Guard => Effect.uninterruptible,
    orElse: (): Guard => (statement) => statement
  })
  const awaited = (connection: Connection, unit: Unit | undefined, text: string, params: ReadonlyArray<Param>) =>
    Effect.catch(shield(connection.execute(text, params, undefined)), failedIn(unit))
  return {
    /** Runs a statement and returns its converted rows. */
    select: <Row, A>(
      connection: Connection,
      unit: Unit | undefined,
      { bind, text }: Spelling,
      params: ReadonlyArray<Param>,
      read: (rows: ReadonlyArray<Row>) => A
    ): Effect.Effect<A, StoreUnavailable> => {
      if (!isSynchronous(connection)) return Effect.map(awaited(connection, unit, text, bind(params)), read)
      const rows = connection.executeNow(text, bind(params))
      return isSqlError(rows) ? failedIn(unit)(rows) : Effect.succeed(read(rows))
    },
    /** Runs or sends a statement for each set of parameters, until one fails. */
    each: (
      connection: Connection,
      unit: Unit | undefined,
      { bind, text }: Spelling,
      sets: ReadonlyArray<ReadonlyArray<Param>>
    ): Effect.Effect<void, StoreUnavailable> => {
      const pipeline = unit?.pipeline ?? null
      if (!isSynchronous(connection) && pipeline === null) {
        return Effect.forEach(sets, (params) => awaited(connection, unit, text, bind(params)), { discard: true })
      }
      for (const params of sets) {
        if (isSynchronous(connection)) {
          const rows = connection.executeNow(text, bind(params))
          if (isSqlError(rows)) return failedIn(unit)(rows)
        } else pipeline?.send(connection.execute(text, bind(params), undefined))
      }
      return Effect.void
    }
  }
}

/** Creates statements for a database. The text of each is converted once; a call binds and runs it. */
export const statements = (connections: Connections) => {
  const { sql } = connections
  const spell: (text: string) => Spelling = sql.onDialectOrElse({
    pg: () => PostgresText.spell,
    orElse: () => spellSqlite
  })
  const aloneOf = outsideUnit(connections)
  const run = aloneOrInUnit(connections)
  const { each, select } = inTransaction(connections)
  const commandEach = (text: string): CommandEach => {
    const spelling = spell(text)
    const alone = aloneOf(text, spelling)
    return (sets) =>
      run(
        () => Effect.forEach(sets, (params) => alone(...params), { discard: true }),
        (connection, unit) => {
          if (unit !== undefined) unit.wrote = true
          return each(connection, unit, spelling, sets)
        }
      )
  }
  const prepareQuery = <Row extends object, A>(text: string, read: (rows: ReadonlyArray<Row>) => A): Read<A> => {
    const spelling = spell(text)
    const alone = aloneOf<Row>(text, spelling)
    const writes = !text.startsWith("SELECT ")
    return (...params) =>
      run(
        () => Effect.map(alone(...params), read),
        (connection, unit) => {
          if (unit !== undefined && writes) unit.wrote = true
          return select(connection, unit, spelling, params, read)
        }
      )
  }
  function query<Row extends object>(text: string): Query<Row>
  function query<Row extends object, A>(text: string, read: (rows: ReadonlyArray<Row>) => A): Read<A>
  function query<Row extends object>(text: string, read: (rows: ReadonlyArray<Row>) => unknown = identity) {
    return prepareQuery(text, read)
  }
  return {
    query,
    command: (text: string): Command => {
      const runEach = commandEach(text)
      return (...params) => runEach([params])
    },
    commandEach,
    rows: writingRows(connections, commandEach)
  }
}

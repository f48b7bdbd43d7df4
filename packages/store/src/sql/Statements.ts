import { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Context, Effect, Exit } from "effect"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { withDeadline } from "../unit/Deadline.ts"
import * as Failure from "../unit/Failure.ts"
import { type Connections, isSynchronous } from "../unit/Connections.ts"
import * as PostgresText from "./PostgresText.ts"
import type { Param, Spelling } from "./Param.ts"
import type { RowsForm, WriteRows } from "../unit/RowsForm.ts"
import type { Unit } from "../unit/Unit.ts"

/** A prepared statement that returns rows. */
export type Query<Row> = (...params: ReadonlyArray<Param>) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

/** A prepared statement without a result. */
export type Command = (...params: ReadonlyArray<Param>) => Effect.Effect<void, StoreUnavailable>

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

/** Creates writes of rows. Inside a batch, a call only records its rows. */
const writingRows =
  ({ currentUnit }: Connections, command: (text: string) => Command) =>
  (form: RowsForm): WriteRows => {
    const write = command(form.text)
    const { params } = form
    return (rows) =>
      Effect.withFiber((fiber) => {
        const record = Context.getOrUndefined(fiber.context, currentUnit)?.recordRows ?? null
        if (record !== null) {
          record(form, rows)
          return Effect.void
        }
        const [only = [], ...others] = rows
        if (params !== undefined) return write(...params(rows))
        return others.length === 0 ? write(...only) : Effect.forEach(rows, (row) => write(...row), { discard: true })
      })
  }

/** Creates statements for a database. The text of each is converted once; a call binds and runs it. */
export const statements = (connections: Connections) => {
  const { sql } = connections
  const spell: (text: string) => Spelling = sql.onDialectOrElse({
    pg: () => PostgresText.spell,
    orElse: () => spellSqlite
  })
  // Statements are uninterruptible on Postgres, because an interruption breaks the connection, and with it all other
  // units in the transaction.
  const shield: Guard = sql.onDialectOrElse({
    pg: (): Guard => Effect.uninterruptible,
    orElse: (): Guard => (statement) => statement
  })
  const aloneOf = outsideUnit(connections)
  const run = aloneOrInUnit(connections)
  /** Runs a statement in a transaction and returns its rows. */
  const execute = (
    connection: Connection,
    unit: Unit | undefined,
    { bind, text }: Spelling,
    params: ReadonlyArray<Param>
  ) => {
    if (!isSynchronous(connection)) {
      return Effect.catch(shield(connection.execute(text, bind(params), undefined)), failedIn(unit))
    }
    const rows = connection.executeNow(text, bind(params))
    return isSqlError(rows) ? failedIn(unit)(rows) : Effect.succeed(rows)
  }
  const command = (text: string): Command => {
    const spelling = spell(text)
    const alone = aloneOf(text, spelling)
    return (...params) =>
      run(
        () => Effect.asVoid(alone(...params)),
        (connection, unit) => {
          if (unit === undefined || unit.pipeline === null) {
            const done = execute(connection, unit, spelling, params)
            return Exit.isExit(done) && Exit.isSuccess(done) ? Effect.void : Effect.asVoid(done)
          }
          unit.wrote = true
          unit.pipeline.send(connection.execute(spelling.text, spelling.bind(params), undefined))
          return Effect.void
        }
      )
  }
  return {
    command,
    rows: writingRows(connections, command),
    query: <Row extends object>(text: string): Query<Row> => {
      const spelling = spell(text)
      const alone = aloneOf<Row>(text, spelling)
      const writes = !text.startsWith("SELECT ")
      return (...params) =>
        run(
          () => alone(...params),
          (connection, unit) => {
            if (unit !== undefined && writes) unit.wrote = true
            return execute(connection, unit, spelling, params)
          }
        )
    }
  }
}

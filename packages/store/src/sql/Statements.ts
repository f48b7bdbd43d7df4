import { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Context, Effect, Exit } from "effect"
import type { SqlClient, TransactionConnection } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { withDeadline } from "../unit/Deadline.ts"
import * as Failure from "../unit/Failure.ts"
import { writeConnectionsOf } from "../unit/WriteConnections.ts"
import * as PostgresText from "./PostgresText.ts"
import type { Param, Spelling } from "./Param.ts"
import { readerOf } from "./Reader.ts"
import { type Unit, unitOf } from "../unit/Unit.ts"

/** One statement that is asked for what it gives, ready to run. */
export type Query<Row> = (...params: ReadonlyArray<Param>) => Effect.Effect<ReadonlyArray<Row>, StoreUnavailable>

/** One statement that only writes, ready to run. */
export type Command = (...params: ReadonlyArray<Param>) => Effect.Effect<void, StoreUnavailable>

type Guard = <A, E>(statement: Effect.Effect<A, E>) => Effect.Effect<A, E>

/**
 * A parameter that is compared or limits, as SQLite spells it: behind a plus sign, which does nothing. Without it SQLite
 * 3.54 plans a join or a LIMIT anew whenever the parameter changes, and better-sqlite3 clears the parameters after every
 * run: a join of two rows takes 10 µs instead of 1.
 */
const spellSqlite = (text: string): Spelling => ({
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

/** What came of a statement; one that was cut off was not answered. */
const inTime = <A>(exit: Exit.Exit<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> =>
  Exit.hasInterrupts(exit) ? Effect.fail(new StoreUnavailable({ reason: "The database does not answer." })) : exit

/** A statement where no unit of work runs. */
const outsideUnit = (sql: SqlClient) => {
  const { deadlineMillis } = writeConnectionsOf(sql)
  return <Row extends object>(text: string, { bind, text: spelled }: Spelling): Query<Row> => {
    const reader = text.startsWith("SELECT ") ? readerOf(sql) : undefined
    return (...params) => {
      const bound = bind(params)
      const rows: Effect.Effect<ReadonlyArray<Row>, SqlError> = reader === undefined
        ? sql.unsafe<Row>(spelled, bound)
        : reader.execute(spelled, bound, undefined)
      const answer = Effect.catch(rows, Failure.failWith)
      return deadlineMillis === null ? answer : Effect.flatMap(withDeadline(deadlineMillis, answer), inTime)
    }
  }
}

/** Runs a statement alone or, inside a unit of work that may still go on, in its transaction. */
const aloneOrInUnit =
  (sql: SqlClient) =>
  <A>(
    alone: () => Effect.Effect<A, StoreUnavailable>,
    inUnit: (transaction: TransactionConnection.Service, unit: Unit | undefined) => Effect.Effect<A, StoreUnavailable>
  ): Effect.Effect<A, StoreUnavailable> =>
    Effect.withFiber((fiber) => {
      const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
      if (transaction === undefined) return alone()
      const unit = unitOf(transaction)
      return unit !== undefined && unit.failure !== null ? Effect.failCause(unit.failure) : inUnit(transaction, unit)
    })

/** Makes statements for a SQL client: each text is spelled for the dialect once, per call it is bound and run. */
export const statements = (sql: SqlClient) => {
  const spell: (text: string) => Spelling = sql.onDialectOrElse({
    pg: () => PostgresText.spell,
    orElse: () => spellSqlite
  })
  // An interrupted statement costs Postgres its connection, and with it everybody else's units in the transaction.
  const shield: Guard = sql.onDialectOrElse({
    pg: (): Guard => Effect.uninterruptible,
    orElse: (): Guard => (statement) => statement
  })
  const aloneOf = outsideUnit(sql)
  const run = aloneOrInUnit(sql)
  return {
    query: <Row extends object>(text: string): Query<Row> => {
      const spelling = spell(text)
      const alone = aloneOf<Row>(text, spelling)
      const writes = !text.startsWith("SELECT ")
      return (...params) =>
        run(
          () => alone(...params),
          ([connection], unit) => {
            if (unit !== undefined && writes) unit.wrote = true
            const statement = connection.execute(spelling.text, spelling.bind(params), undefined)
            return Effect.catch(shield(statement), failedIn(unit))
          }
        )
    },
    command: (text: string): Command => {
      const spelling = spell(text)
      const alone = aloneOf(text, spelling)
      return (...params) =>
        run(
          () => Effect.asVoid(alone(...params)),
          ([connection], unit) => {
            const statement = connection.execute(spelling.text, spelling.bind(params), undefined)
            if (unit === undefined || unit.pipeline === null) {
              return Effect.asVoid(Effect.catch(shield(statement), failedIn(unit)))
            }
            unit.wrote = true
            unit.pipeline.send(statement)
            return Effect.void
          }
        )
    }
  }
}

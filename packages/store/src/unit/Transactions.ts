/**
 * Units of work: shared commits, write connections, tenant locks and deadlines. Repositories run inside units and
 * belong elsewhere. Tests: `packages/store/test/unit`, `packages/testkit/src/suite/store/TransactionsSuite.ts`.
 */
import { type StoreUnavailable, Transactions } from "@leadloom/core/port/system/Transactions"
import { Context, Effect, Exit, Layer } from "effect"
import { SqlClient, type TransactionConnection } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Failure from "./Failure.ts"
import * as Unit from "./Unit.ts"
import * as Writer from "./Writer.ts"

/** Runs a unit inside another unit, in a savepoint. The outer unit may continue after a failure of the inner one. */
const inside = <A, E, R>(
  sql: SqlClient,
  transaction: TransactionConnection.Service,
  outer: Unit.Unit,
  unit: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StoreUnavailable, R> => {
  const [connection, depth] = transaction
  const { pipeline } = outer
  const name = `unit${depth}`
  const savepoint: TransactionConnection.Service = [connection, depth + 1]
  const nested = Unit.begin(savepoint, outer)
  /** If a savepoint statement fails, the transaction cannot continue, so the outer unit fails too. */
  const lost = (error: SqlError): Effect.Effect<never, StoreUnavailable> => {
    outer.failure = Failure.causeOf(error)
    return Effect.failCause(outer.failure)
  }
  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      if (outer.failure !== null) return yield* Effect.failCause(outer.failure)
      outer.wrote = true
      yield* Effect.catch(Unit.execute(connection, pipeline, `SAVEPOINT ${name}`), lost)
      const exit = yield* Effect.exit(restore(Effect.provideService(unit, sql.transactionService, savepoint)))
      const outcome = Unit.outcomeOf(exit, nested)
      yield* Effect.catch(Unit.close(connection, pipeline, name, Exit.isSuccess(outcome)), lost)
      return yield* outcome
    })
  )
}

/** Units of work in SQL, many per commit. See `Writer`. */
export const layer: Layer.Layer<Transactions, never, SqlClient> = Layer.effect(
  Transactions,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const writer = yield* Writer.make(sql)
    return Transactions.of({
      atomically: (tenantId, unit) =>
        Effect.withFiber((fiber) => {
          const transaction = Context.getOrUndefined(fiber.context, sql.transactionService)
          if (transaction === undefined) return writer.submit(tenantId, unit)
          const outer = Unit.unitOf(transaction)
          return outer === undefined
            ? Effect.catchIf(sql.withTransaction(unit), isSqlError, Failure.failWith)
            : outer.mutex.withPermit(inside(sql, transaction, outer, unit))
        })
    })
  })
)

/**
 * Units of work: shared commits, write connections, tenant locks and deadlines. Repositories run inside units and
 * belong elsewhere. Tests: `packages/store/test/unit`, `packages/testkit/src/suite/store/TransactionsSuite.ts`.
 */
import { type StoreUnavailable, Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Context, Effect, Exit, Layer } from "effect"
import type { TransactionConnection } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { Database } from "../Database.ts"
import type { Connections } from "./Connections.ts"
import * as Failure from "./Failure.ts"
import * as Unit from "./Unit.ts"

/** Runs a unit inside another unit, in a savepoint. If the inner unit fails, the outer unit may continue. */
const inside = <A, E, R>(
  { currentUnit, sql }: Connections,
  outer: Unit.Unit,
  unit: Effect.Effect<A, E, R>
): Effect.Effect<A, E | StoreUnavailable, R> => {
  const {
    pipeline,
    transaction: [connection, depth]
  } = outer
  const name = `unit${depth}`
  const savepoint: TransactionConnection.Service = [connection, depth + 1]
  const nested = Unit.begin(savepoint, outer)
  /** If a savepoint statement fails, the transaction cannot continue, so the outer unit must fail too. */
  const lost = (error: SqlError): Effect.Effect<never, StoreUnavailable> => {
    outer.failure = Failure.causeOf(error)
    return Effect.failCause(outer.failure)
  }
  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      if (outer.failure !== null) return yield* Effect.failCause(outer.failure)
      outer.wrote = true
      yield* Effect.catch(Unit.execute(connection, pipeline, `SAVEPOINT ${name}`), lost)
      const inSavepoint = Effect.updateContext(unit, (context: Context.Context<R>) =>
        Context.add(Context.add(context, sql.transactionService, savepoint), currentUnit, nested)
      )
      const exit = yield* Effect.exit(restore(inSavepoint))
      const outcome = Unit.outcomeOf(exit, nested)
      yield* Effect.catch(Unit.close(connection, pipeline, name, Exit.isSuccess(outcome)), lost)
      return yield* outcome
    })
  )
}

/** Units of work in SQL. A commit contains many of them; see `Writer`. */
export const layer: Layer.Layer<Transactions, never, Database> = Layer.effect(
  Transactions,
  Effect.map(Database, (database) => {
    const { currentUnit, sql, writer } = database
    return Transactions.of({
      atomically: (tenantId, unit) =>
        Effect.withFiber((fiber) => {
          const outer = Context.getOrUndefined(fiber.context, currentUnit)
          if (outer !== undefined) return outer.mutex.withPermit(inside(database, outer, unit))
          return Context.getOrUndefined(fiber.context, sql.transactionService) === undefined
            ? writer.submit(tenantId, unit)
            : Effect.catchIf(sql.withTransaction(unit), isSqlError, Failure.failWith)
        })
    })
  })
)

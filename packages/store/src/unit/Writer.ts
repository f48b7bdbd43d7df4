import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Context, Deferred, Effect, Exit, type Scope } from "effect"
import * as Batch from "./Batch.ts"
import type { Connections } from "./Connections.ts"
import * as Dispatcher from "./Dispatcher.ts"
import * as Unit from "./Unit.ts"

/** Runs the units of one tenant in order and commits waiting units together. */
export interface Writer {
  /**
   * Runs a unit in the next shared transaction with the caller's services. Returns the outcome of the unit after the
   * commit. If the caller is interrupted, a waiting unit does not start, and a running unit is rolled back.
   */
  readonly submit: <A, E, R>(
    tenantId: string,
    unit: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | StoreUnavailable, R>
}

/** The failure of a unit that is submitted while the database closes. */
export const closing = new StoreUnavailable({
  reason: "The server is closing the database. Try again after the restart."
})

const waitingFor = <A, E, R>(
  { currentUnit, sql }: Connections,
  tenantId: string,
  unit: Effect.Effect<A, E, R>,
  context: Context.Context<R>,
  done: Deferred.Deferred<A, E | StoreUnavailable>
): Batch.Waiting => {
  let outcome: Exit.Exit<A, E | StoreUnavailable> = Exit.fail(closing)
  return {
    tenantId,
    state: "waiting",
    running: null,
    start: (running) => {
      const inTransaction = Context.add(context, sql.transactionService, running.transaction)
      const fiber = Effect.runForkWith(Context.add(inTransaction, currentUnit, running))(unit)
      fiber.addObserver((exit) => {
        outcome = Unit.outcomeOf(exit, running)
      })
      return fiber
    },
    settle: (failure) => void Deferred.doneUnsafe(done, failure === null ? outcome : Exit.fail(failure))
  }
}

/** Cancels a unit. If it runs already, waits for its end. */
export const cancel = <A, E>(
  waiting: Pick<Batch.Waiting, "running" | "state">,
  done: Deferred.Deferred<A, E>
): Effect.Effect<void> =>
  Effect.suspend(() => {
    const { state } = waiting
    waiting.state = "cancelled"
    if (state !== "started") return Effect.void
    waiting.running?.interruptUnsafe()
    return Effect.asVoid(Effect.exit(Deferred.await(done)))
  })

/**
 * Creates the writer of a database. Each write connection runs up to `unitsPerCommit` waiting units in one transaction,
 * which needs only one disk sync. The writer continues after every failure. When its scope ends, it first finishes the
 * running batches.
 */
export const make = Effect.fnUntraced(function* (
  connections: Connections
): Effect.fn.Return<Writer, never, Scope.Scope> {
  const { writeConnections } = connections
  const handle = Effect.fnUntraced(function* (batch: ReadonlyArray<Batch.Waiting>) {
    const { failure, ran } = yield* Batch.run(writeConnections, batch)
    for (const waiting of ran) waiting.settle(failure)
    return ran
  })
  const dispatcher = yield* Dispatcher.make(writeConnections.count, handle, (waiting) => waiting.settle(closing))
  return {
    submit: <A, E, R>(tenantId: string, unit: Effect.Effect<A, E, R>) =>
      Effect.contextWith((context: Context.Context<R>) => {
        if (dispatcher.isClosed()) return Effect.fail(closing)
        const done = Deferred.makeUnsafe<A, E | StoreUnavailable>()
        const waiting = waitingFor(connections, tenantId, unit, context, done)
        dispatcher.add(waiting)
        return Effect.onInterrupt(Deferred.await(done), () => cancel(waiting, done))
      })
  }
})

import { StoreUnavailable } from "@leadloom/core/port/StoreUnavailable"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Queue, type Scope } from "effect"
import type { SqlClient, TransactionConnection } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import * as Failure from "./Failure.ts"
import { takeTurn } from "./Turn.ts"
import * as Unit from "./Unit.ts"

/** Units that share one commit at most: more gain little, and the first would wait for the last. */
export const unitsPerCommit = 128

/** Runs units one after another and commits those that wait together. */
export interface Writer {
  /**
   * Runs a unit in a savepoint of the next shared transaction, with the caller's services, and returns its outcome once
   * that is committed. An interrupted caller's unit is not started or, when it is running, rolled back.
   */
  readonly submit: <A, E, R>(unit: Effect.Effect<A, E, R>) => Effect.Effect<A, E | StoreUnavailable, R>
}

/** A unit on its way through the writer. Its types stay inside the closures. */
interface Waiting {
  state: "waiting" | "started" | "cancelled"
  running: Fiber.Fiber<unknown, unknown> | null
  readonly start: (savepoint: TransactionConnection.Service) => Fiber.Fiber<unknown, unknown>
  /** Gives the caller the outcome, or the reason why nothing was stored. */
  readonly settle: (failure: StoreUnavailable | null) => void
}

/** Runs a statement without parameters or rows. */
export const execute = (connection: Connection, text: string): Effect.Effect<void, SqlError> =>
  Effect.asVoid(connection.execute(text, [], undefined))

/** Keeps what was written since a savepoint, or undoes it. */
export const close = (connection: Connection, savepoint: string, keep: boolean): Effect.Effect<void, SqlError> => {
  const release = execute(connection, `RELEASE ${savepoint}`)
  return keep ? release : Effect.andThen(execute(connection, `ROLLBACK TO ${savepoint}`), release)
}

/** What a unit came to. One that went on after a failed statement failed. */
export const outcomeOf = <A, E>(exit: Exit.Exit<A, E>, unit: Unit.Unit): Exit.Exit<A, E | StoreUnavailable> =>
  Exit.isSuccess(exit) && unit.failure !== null ? Exit.failCause(unit.failure) : exit

/** Why the units of a batch were not stored: what the driver said, or what went wrong here. */
const reasonOf = (exit: Exit.Exit<void, SqlError>): StoreUnavailable | null => {
  if (Exit.isSuccess(exit)) return null
  const error = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
  return isSqlError(error) ? Failure.unavailable(error) : new StoreUnavailable({ reason: Cause.pretty(exit.cause) })
}

const runUnit = Effect.fnUntraced(function* (connection: Connection, waiting: Waiting, onCommit: Array<() => void>) {
  const savepoint: TransactionConnection.Service = [connection, 1]
  const unit = Unit.begin(savepoint, undefined)
  yield* execute(connection, "SAVEPOINT unit")
  waiting.running = waiting.start(savepoint)
  const exit = waiting.running.pollUnsafe() ?? (yield* Fiber.await(waiting.running))
  waiting.running = null
  const keep = Exit.isSuccess(outcomeOf(exit, unit))
  yield* close(connection, "unit", keep)
  if (keep) onCommit.push(...unit.onCommit)
})

/** What a callback does wrong is its own affair: the units are stored. */
const notify = (callback: () => void): Effect.Effect<void> =>
  Effect.catchCause(Effect.sync(callback), (cause) => Effect.logError("A callback after a commit failed", cause))

type Begin = (connection: Connection) => Effect.Effect<void, SqlError>

/**
 * On Postgres other servers write too: each batch waits for its turn, and what it reads from then on is what the batches
 * before it have committed (read committed: every statement sees the latest).
 */
const beginOf = (sql: SqlClient): Begin =>
  sql.onDialectOrElse({
    pg: (): Begin => (connection) =>
      Effect.andThen(execute(connection, "BEGIN ISOLATION LEVEL READ COMMITTED"), execute(connection, takeTurn)),
    orElse: (): Begin => (connection) => execute(connection, "BEGIN IMMEDIATE")
  })

/** A batch in one transaction. How many of its units had their turn, and why nothing of theirs is stored, if so. */
const commitTogether = Effect.fnUntraced(function* (sql: SqlClient, begin: Begin, batch: ReadonlyArray<Waiting>) {
  const onCommit: Array<() => void> = []
  let turns = 0
  const exit = yield* Effect.exit(
    Effect.scoped(
      Effect.flatMap(sql.reserve, (connection) => {
        const rollback = Effect.ignore(execute(connection, "ROLLBACK"))
        return Effect.gen(function* () {
          // A rollback that failed before has left its transaction open: once more without it.
          yield* Effect.catch(begin(connection), () => Effect.andThen(rollback, begin(connection)))
          for (const waiting of batch) {
            turns += 1
            if (waiting.state === "cancelled") continue
            waiting.state = "started"
            yield* runUnit(connection, waiting, onCommit)
          }
          yield* execute(connection, "COMMIT")
        }).pipe(Effect.onError(() => rollback))
      })
    )
  )
  if (Exit.isSuccess(exit)) yield* Effect.forEach(onCommit, notify, { discard: true })
  // Without a transaction nobody had a turn; then all have had theirs, or they would be tried for ever.
  return { turns: turns === 0 ? batch.length : turns, failure: reasonOf(exit) }
})

const closing = new StoreUnavailable({ reason: "The store is closing." })

const waitingFor = <A, E, R>(
  sql: SqlClient,
  unit: Effect.Effect<A, E, R>,
  context: Context.Context<R>,
  done: Deferred.Deferred<A, E | StoreUnavailable>
): Waiting => {
  let outcome: Exit.Exit<A, E | StoreUnavailable> = Exit.fail(closing)
  return {
    state: "waiting",
    running: null,
    start: (savepoint) => {
      const fiber = Effect.runForkWith(Context.add(context, sql.transactionService, savepoint))(unit)
      fiber.addObserver((exit) => {
        const running = Unit.unitOf(savepoint)
        outcome = running === undefined ? exit : outcomeOf(exit, running)
      })
      return fiber
    },
    settle: (failure) => void Deferred.doneUnsafe(done, failure === null ? outcome : Exit.fail(failure))
  }
}

const cancel = <A, E>(waiting: Waiting, done: Deferred.Deferred<A, E>): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (waiting.state === "waiting") waiting.state = "cancelled"
    if (waiting.state === "cancelled") return Effect.void
    waiting.running?.interruptUnsafe()
    return Effect.asVoid(Effect.exit(Deferred.await(done)))
  })

/**
 * The writer of a database. It takes whatever waits, up to `unitsPerCommit`, into one transaction: one wait for the disk
 * serves them all. It survives every failure, and ends with its scope after the batch that it is at.
 */
export const make = Effect.fnUntraced(function* (sql: SqlClient): Effect.fn.Return<Writer, never, Scope.Scope> {
  const begin = beginOf(sql)
  const queue = yield* Queue.unbounded<Waiting>()
  const drain = Effect.fnUntraced(function* (batch: ReadonlyArray<Waiting>) {
    for (let rest = batch; rest.length > 0;) {
      const { turns, failure } = yield* commitTogether(sql, begin, rest)
      for (const waiting of rest.slice(0, turns)) waiting.settle(failure)
      rest = rest.slice(turns)
    }
  })
  yield* Effect.addFinalizer(() =>
    Effect.gen(function* () {
      for (const waiting of yield* Queue.clear(queue)) waiting.settle(closing)
      yield* Queue.shutdown(queue)
    })
  )
  yield* Queue.takeBetween(queue, 1, unitsPerCommit).pipe(
    Effect.flatMap((batch) => Effect.uninterruptible(drain(batch))),
    Effect.forever,
    Effect.forkScoped
  )
  return {
    submit: <A, E, R>(unit: Effect.Effect<A, E, R>) =>
      Effect.contextWith((context: Context.Context<R>) => {
        const done = Deferred.makeUnsafe<A, E | StoreUnavailable>()
        const waiting = waitingFor(sql, unit, context, done)
        if (!Queue.offerUnsafe(queue, waiting)) return Effect.fail(closing)
        return Effect.onInterrupt(Deferred.await(done), () => cancel(waiting, done))
      })
  }
})

import { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Cause, Effect, Exit, Fiber } from "effect"
import type { TransactionConnection } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import { isSqlError, SqlError, UnknownError } from "effect/sql/SqlError"
import { withDeadline } from "./Deadline.ts"
import * as Failure from "./Failure.ts"
import type { WriteConnection, WriteConnections } from "./WriteConnections.ts"
import { close, execute, makePipeline, outcomeOf, type Pipeline } from "./Unit.ts"
import * as Unit from "./Unit.ts"

/** A unit on its way through the writer. Its types stay inside the closures. */
export interface Waiting {
  readonly tenantId: string
  /** `cancelled`: nobody waits for it any more. */
  state: "waiting" | "started" | "cancelled"
  running: Fiber.Fiber<unknown, unknown> | null
  /** Runs the unit, from its start when it has run before. */
  readonly start: (savepoint: TransactionConnection.Service) => Fiber.Fiber<unknown, unknown>
  /** Gives the caller the outcome, or the reason why nothing was stored. */
  readonly settle: (failure: StoreUnavailable | null) => void
}

/** What a transaction came to. */
interface Attempt {
  /** Units that ran; the others were not touched. */
  readonly ran: ReadonlyArray<Waiting>
  readonly exit: Exit.Exit<void, SqlError>
}

/** Runs a unit on a transaction or savepoint; whether what it wrote is to be kept. */
const runUnit = Effect.fnUntraced(function* (waiting: Waiting, connection: Connection, pipeline: Pipeline | null) {
  const transaction: TransactionConnection.Service = [connection, 1]
  const unit = Unit.begin(transaction, { onCommit: [], pipeline })
  waiting.running = waiting.start(transaction)
  const { running } = waiting
  const exit =
    running.pollUnsafe() ??
    (yield* Effect.onInterrupt(Fiber.await(running), () => Effect.sync(() => running.interruptUnsafe())))
  waiting.running = null
  return { keep: Exit.isSuccess(outcomeOf(exit, unit)), unit }
})

/** A unit in a savepoint of its own, each statement of which is waited for. */
const runInSavepoint = Effect.fnUntraced(function* (waiting: Waiting, connection: Connection) {
  yield* execute(connection, null, "SAVEPOINT unit")
  const { keep, unit } = yield* runUnit(waiting, connection, null)
  yield* close(connection, null, "unit", keep)
  return keep ? unit.onCommit : []
})

/** What makes a batch be run again, unit by unit: one of them failed and has left traces. */
const brokenUnit = new SqlError({
  reason: new UnknownError({ cause: new Error("A unit failed after it had written"), message: "A unit failed" })
})

/**
 * A unit without a savepoint: most succeed, or fail before they write, and a savepoint each would cost them more than
 * the few that do not cost when the batch is run again.
 */
const runWithoutSavepoint = Effect.fnUntraced(function* (waiting: Waiting, connection: Connection, pipeline: Pipeline) {
  const { keep, unit } = yield* runUnit(waiting, connection, pipeline)
  if (pipeline.failure !== null) return yield* Effect.fail(pipeline.failure)
  if (!keep && unit.wrote) return yield* Effect.fail(brokenUnit)
  return keep ? unit.onCommit : []
})

/** What a callback does wrong is its own affair: the units are stored. */
const notify = (callback: () => void): Effect.Effect<void> =>
  Effect.catchCause(Effect.sync(callback), (cause) => Effect.logError("A callback after a commit failed", cause))

/** Between a transaction that failed and the end of waiting for the database to say that it has forgotten it. */
const rollbackSeconds = 5

const undo = ({ connection, discard }: WriteConnection): Effect.Effect<void> =>
  Effect.ignore(execute(connection, null, "ROLLBACK")).pipe(
    Effect.timeoutOrElse({ duration: `${rollbackSeconds} seconds`, orElse: () => discard })
  )

/** Runs units in one transaction. Careful: each in a savepoint, so that it fails for itself. */
const attempt = Effect.fnUntraced(function* (
  writeConnections: WriteConnections,
  batch: ReadonlyArray<Waiting>,
  useSavepoints: boolean
) {
  const onCommit: Array<() => void> = []
  const ran: Array<Waiting> = []
  const transaction = Effect.scoped(
    Effect.flatMap(writeConnections.acquire, (writeConnection) => {
      const pipeline = useSavepoints ? null : makePipeline()
      const rollback = undo(writeConnection)
      const begin = writeConnection.begin([...new Set(batch.map(({ tenantId }) => tenantId))], pipeline)
      return Effect.gen(function* () {
        // A rollback that failed before has left its transaction open: once more without it.
        const locked = yield* Effect.catch(begin, () => Effect.andThen(rollback, begin))
        for (const waiting of batch.filter(({ tenantId }) => locked.has(tenantId))) {
          ran.push(waiting)
          if (waiting.state === "cancelled") continue
          waiting.state = "started"
          const { connection } = writeConnection
          onCommit.push(
            ...(yield* pipeline === null
              ? runInSavepoint(waiting, connection)
              : runWithoutSavepoint(waiting, connection, pipeline))
          )
        }
        yield* Effect.mapError(writeConnection.commit, (error) => pipeline?.failure ?? error)
      }).pipe(Effect.onError(() => rollback))
    })
  )
  const { deadlineMillis } = writeConnections
  const exit = yield* deadlineMillis === null ? Effect.exit(transaction) : withDeadline(deadlineMillis, transaction)
  if (Exit.isSuccess(exit)) yield* Effect.forEach(onCommit, notify, { discard: true })
  const result: Attempt = { ran, exit }
  return result
})

const errorOf = (exit: Exit.Exit<void, SqlError>): SqlError | null => {
  if (Exit.isSuccess(exit)) return null
  const error = exit.cause.reasons.find((reason) => Cause.isFailReason(reason))?.error
  return isSqlError(error) ? error : null
}

/** Why the units of a batch were not stored: what the driver said, or what went wrong here. */
const reasonOf = (exit: Exit.Exit<void, SqlError>): StoreUnavailable | null => {
  if (Exit.isSuccess(exit)) return null
  const error = errorOf(exit)
  if (error !== null) return Failure.unavailable(error)
  const reason = Cause.hasInterruptsOnly(exit.cause) ? "The database does not answer." : Cause.pretty(exit.cause)
  return new StoreUnavailable({ reason })
}

/** Some statement broke the transaction that they shared, not the database: which one, they find out by themselves. */
const isUnitFailure = ({ exit, ran }: Attempt): boolean => {
  const error = errorOf(exit)
  return ran.length > 0 && error !== null && Failure.isRetryable(error)
}

/** Runs a batch: which of its units ran, and why nothing of theirs is stored, if so. */
export const run = Effect.fnUntraced(function* (writeConnections: WriteConnections, batch: ReadonlyArray<Waiting>) {
  let last: Attempt = yield* attempt(writeConnections, batch, !writeConnections.pipelines)
  if (writeConnections.pipelines && isUnitFailure(last)) last = yield* attempt(writeConnections, last.ran, true)
  // Without a transaction no unit ran; all count as run then, or they would be retried for ever.
  const failure = reasonOf(last.exit)
  return { ran: failure !== null && last.ran.length === 0 ? batch : last.ran, failure }
})

import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Cause, Effect, Exit, Semaphore } from "effect"
import type { TransactionConnection } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Statements of one transaction that were sent without waiting for the result. They arrive in this order. One failed
 * statement fails the whole transaction.
 */
export interface Pipeline {
  /** The first failed statement of the transaction, as far as known. */
  failure: SqlError | null
  /** Sends a statement at once. */
  readonly send: (statement: Effect.Effect<unknown, SqlError>) => void
}

/** Creates the pipeline of one transaction. */
export const makePipeline = (): Pipeline => {
  const pipeline: Pipeline = {
    failure: null,
    send: (statement) => {
      // A fiber starts synchronously, so the statement is in the queue of its connection when this returns.
      Effect.runFork(statement).addObserver((exit) => {
        if (Exit.isSuccess(exit)) return
        const error = exit.cause.reasons.find((reason) => Cause.isFailReason(reason))?.error
        if (error !== undefined) pipeline.failure ??= error
      })
    }
  }
  return pipeline
}

/** The state of a running unit of work. */
export interface Unit {
  /** The connection of the unit and the depth of its savepoint. */
  readonly transaction: TransactionConnection.Service
  /**
   * The failure of a statement in the unit. After it, no further statement runs and the unit is rolled back, even if
   * the caller recovers: after some errors SQLite ends the transaction, and later statements would be stored
   * separately. Postgres rejects statements in a failed transaction anyway.
   */
  failure: Cause.Cause<StoreUnavailable> | null
  /** The callbacks for the commit of the outermost transaction. */
  readonly onCommit: Array<() => void>
  /** Runs inner units one at a time, because savepoints nest. */
  readonly mutex: Semaphore.Semaphore
  /** True if the unit may have written to the transaction. */
  wrote: boolean
  /** The queue for statements without a result; null: wait for each statement. */
  readonly pipeline: Pipeline | null
}

/** Begins a unit on a transaction or savepoint. An inner unit shares the commit callbacks of the outer one. */
export const begin = (
  transaction: TransactionConnection.Service,
  { onCommit, pipeline }: Pick<Unit, "onCommit" | "pipeline">
): Unit => ({ transaction, failure: null, onCommit, mutex: Semaphore.makeUnsafe(1), wrote: false, pipeline })

/** Runs a statement without a result. With a pipeline it only sends it, otherwise it waits. */
export const execute = (
  connection: Connection,
  pipeline: Pipeline | null,
  text: string,
  params: ReadonlyArray<unknown> = []
): Effect.Effect<void, SqlError> => {
  const statement = connection.execute(text, params, undefined)
  return pipeline === null ? Effect.asVoid(statement) : Effect.sync(() => pipeline.send(statement))
}

/** Releases a savepoint, or rolls back to it. */
export const close = (
  connection: Connection,
  pipeline: Pipeline | null,
  savepoint: string,
  keep: boolean
): Effect.Effect<void, SqlError> => {
  const release = execute(connection, pipeline, `RELEASE ${savepoint}`)
  return keep ? release : Effect.andThen(execute(connection, pipeline, `ROLLBACK TO ${savepoint}`), release)
}

/** Returns the outcome of a unit. A unit that succeeded despite a failed statement counts as failed. */
export const outcomeOf = <A, E>(exit: Exit.Exit<A, E>, unit: Unit): Exit.Exit<A, E | StoreUnavailable> =>
  Exit.isSuccess(exit) && unit.failure !== null ? Exit.failCause(unit.failure) : exit

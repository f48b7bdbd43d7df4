import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Cause, Effect, Exit, Semaphore } from "effect"
import type { TransactionConnection } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import type { RecordRows } from "./RowsForm.ts"

/**
 * Statements of one transaction that are sent without waiting for their results. The database receives them in the
 * order of the calls. A failed statement fails the whole transaction.
 */
export interface Pipeline {
  /** The first failed statement of the transaction; null if no failure is known yet. */
  failure: SqlError | null
  /** Sends a statement immediately. */
  readonly send: (statement: Effect.Effect<unknown, SqlError>) => void
}

/** Creates the pipeline of one transaction. */
export const makePipeline = (): Pipeline => {
  const pipeline: Pipeline = {
    failure: null,
    send: (statement) => {
      // A fiber starts synchronously, so the statement is in the queue of its connection when this function returns.
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
   * The failure of a statement in the unit; null if there is none. After a failure, the unit runs no further statement
   * and is rolled back, even if the caller handles the error. The reason is that SQLite ends the transaction after some
   * errors, so that later statements would be stored separately, and Postgres rejects all statements in a failed
   * transaction.
   */
  failure: Cause.Cause<StoreUnavailable> | null
  /** The error of the first failed statement; null if there is none. */
  error: SqlError | null
  /** The callbacks for the commit of the outermost transaction. */
  readonly onCommit: Array<() => void>
  /** Lets only one inner unit run at a time, because savepoints must be nested. */
  readonly mutex: Semaphore.Semaphore
  /** Whether the unit may have written to the transaction. */
  wrote: boolean
  /** Sends statements without waiting for their results. If it is null, the unit waits for each statement. */
  readonly pipeline: Pipeline | null
  /** Records the rows of a unit that runs in a batch; null if the unit writes its rows itself. */
  readonly recordRows: RecordRows | null
}

/** Begins a unit on a transaction or savepoint. An inner unit shares the commit callbacks of the outer one. */
export const begin = (
  transaction: TransactionConnection.Service,
  { onCommit, pipeline, recordRows }: Pick<Unit, "onCommit" | "pipeline" | "recordRows">
): Unit => ({
  transaction,
  failure: null,
  error: null,
  onCommit,
  mutex: Semaphore.makeUnsafe(1),
  wrote: false,
  pipeline,
  recordRows
})

/** Runs a statement without a result. With a pipeline, only sends the statement; otherwise waits for its end. */
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

/**
 * Returns the outcome of a unit. A unit counts as failed if one of its statements failed, even if the unit handled the
 * error.
 */
export const outcomeOf = <A, E>(exit: Exit.Exit<A, E>, unit: Unit): Exit.Exit<A, E | StoreUnavailable> =>
  Exit.isSuccess(exit) && unit.failure !== null ? Exit.failCause(unit.failure) : exit

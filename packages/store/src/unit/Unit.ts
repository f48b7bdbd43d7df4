import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Cause, Effect, Exit, Semaphore } from "effect"
import type { TransactionConnection } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Statements of one transaction that are on their way while nobody waits for them. They arrive in the order in which
 * they were sent, and the transaction as a whole is good for nothing when one of them failed.
 */
export interface Pipeline {
  /** The first statement of the transaction that failed, as far as known. */
  failure: SqlError | null
  /** Sends a statement at once. */
  readonly send: (statement: Effect.Effect<unknown, SqlError>) => void
}

/** A pipeline of one transaction. */
export const makePipeline = (): Pipeline => {
  const pipeline: Pipeline = {
    failure: null,
    send: (statement) => {
      // A fiber starts where it is made: the statement is in the queue of its connection when this returns.
      Effect.runFork(statement).addObserver((exit) => {
        if (Exit.isSuccess(exit)) return
        const error = exit.cause.reasons.find((reason) => Cause.isFailReason(reason))?.error
        if (error !== undefined) pipeline.failure ??= error
      })
    }
  }
  return pipeline
}

/** What is known of a running unit of work, beside its connection. */
export interface Unit {
  /**
   * Why a statement of the unit failed. From then on nothing more runs in it and it is rolled back, also when the
   * caller has recovered: after some errors SQLite has ended the transaction by itself, and what followed would be
   * stored on its own. Postgres behaves like this by nature.
   */
  failure: Cause.Cause<StoreUnavailable> | null
  /** What to do once the outermost transaction is committed. */
  readonly onCommit: Array<() => void>
  /** Units inside this one run one at a time, since savepoints nest. */
  readonly mutex: Semaphore.Semaphore
  /** Something of it may be in the transaction. */
  wrote: boolean
  /** Where statements go that nobody waits for; null: each is waited for. */
  readonly pipeline: Pipeline | null
}

const units = new WeakMap<TransactionConnection.Service, Unit>()

/** A unit on a transaction or savepoint. What waits for the commit is shared with the unit around it. */
export const begin = (
  transaction: TransactionConnection.Service,
  { onCommit, pipeline }: Pick<Unit, "onCommit" | "pipeline">
): Unit => {
  const unit: Unit = { failure: null, onCommit, mutex: Semaphore.makeUnsafe(1), wrote: false, pipeline }
  units.set(transaction, unit)
  return unit
}

/** The unit that a transaction belongs to; none when somebody else opened the transaction. */
export const unitOf = (transaction: TransactionConnection.Service): Unit | undefined => units.get(transaction)

/** Runs a statement whose rows nobody looks at: sent on its way where there is a pipeline, else waited for. */
export const execute = (
  connection: Connection,
  pipeline: Pipeline | null,
  text: string,
  params: ReadonlyArray<unknown> = []
): Effect.Effect<void, SqlError> => {
  const statement = connection.execute(text, params, undefined)
  return pipeline === null ? Effect.asVoid(statement) : Effect.sync(() => pipeline.send(statement))
}

/** Keeps what was written since a savepoint, or undoes it. */
export const close = (
  connection: Connection,
  pipeline: Pipeline | null,
  savepoint: string,
  keep: boolean
): Effect.Effect<void, SqlError> => {
  const release = execute(connection, pipeline, `RELEASE ${savepoint}`)
  return keep ? release : Effect.andThen(execute(connection, pipeline, `ROLLBACK TO ${savepoint}`), release)
}

/** What a unit came to. One that went on after a failed statement failed. */
export const outcomeOf = <A, E>(exit: Exit.Exit<A, E>, unit: Unit): Exit.Exit<A, E | StoreUnavailable> =>
  Exit.isSuccess(exit) && unit.failure !== null ? Exit.failCause(unit.failure) : exit

import type { StoreUnavailable } from "@leadloom/core/port/StoreUnavailable"
import { type Cause, Semaphore } from "effect"
import type { TransactionConnection } from "effect/sql/SqlClient"

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
  /** Units inside this one take turns, since savepoints nest. */
  readonly turn: Semaphore.Semaphore
}

const units = new WeakMap<TransactionConnection.Service, Unit>()

/** A unit on a transaction or savepoint. What waits for the commit is shared with the unit around it. */
export const begin = (transaction: TransactionConnection.Service, around: Unit | undefined): Unit => {
  const unit: Unit = { failure: null, onCommit: around?.onCommit ?? [], turn: Semaphore.makeUnsafe(1) }
  units.set(transaction, unit)
  return unit
}

/** The unit that a transaction belongs to; none when somebody else opened the transaction. */
export const unitOf = (transaction: TransactionConnection.Service): Unit | undefined => units.get(transaction)

import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Context, Effect } from "effect"
import type { DatabaseShape } from "../Database.ts"

/** The maximum number of records of one kind in memory. */
const recordsKept = 1_000

/** Records that every request reads and that rarely change. */
export interface CommittedRecords<A> {
  /**
   * Returns the record in memory, or reads it. Inside a transaction it always reads, because own writes must be
   * visible.
   */
  readonly get: (
    key: string,
    read: Effect.Effect<A | null, StoreUnavailable>
  ) => Effect.Effect<A | null, StoreUnavailable>
  /** Runs a write of such a record. After the commit, memory is cleared, so the next `get` reads the database. */
  readonly changing: <B, E, R>(write: Effect.Effect<B, E, R>) => Effect.Effect<B, E, R>
}

/**
 * Keeps committed records of one kind in memory on SQLite, where this process makes every write. With Postgres it keeps
 * none, because another server may write. All writes of the records must use `changing`.
 */
export const committedRecords = <A>({
  afterCommit,
  currentUnit,
  sql
}: Pick<DatabaseShape, "afterCommit" | "currentUnit" | "sql">): CommittedRecords<A> => {
  const isAlone = sql.onDialectOrElse({ pg: () => false, orElse: () => true })
  const kept = new Map<string, A>()
  /** The number of changes. A record that was read before a change is not kept after it. */
  let changes = 0
  const forget = afterCommit(() => {
    changes += 1
    kept.clear()
  })
  return {
    get: (key, read) =>
      Effect.withFiber(({ context }) => {
        const inTransaction =
          Context.getOrUndefined(context, currentUnit) !== undefined ||
          Context.getOrUndefined(context, sql.transactionService) !== undefined
        if (!isAlone || inTransaction) return read
        const known = kept.get(key)
        if (known !== undefined) return Effect.succeed(known)
        const changesBefore = changes
        return Effect.map(read, (record) => {
          if (record === null || changes !== changesBefore) return record
          if (kept.size >= recordsKept) kept.clear()
          kept.set(key, record)
          return record
        })
      }),
    // An interrupted write may be committed.
    changing: (write) => Effect.ensuring(write, forget)
  }
}

import Database from "better-sqlite3"
import { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Effect, type Scope } from "effect"

/** Two processes on one file would wait for each other with their event loops, and count rate limits apart. */
const taken = (filename: string): StoreUnavailable =>
  new StoreUnavailable({
    reason: `${filename} is in use by another server. Stop that one, or give this one a data directory of its own.`
  })

const hold = (filename: string): Database.Database => {
  const lock = new Database(`${filename}.lock`, { timeout: 0 })
  try {
    lock.exec("BEGIN EXCLUSIVE")
    return lock
  } catch (cause) {
    lock.close()
    throw cause
  }
}

const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && String(cause.code).startsWith("SQLITE_BUSY")

/**
 * Holds a database file for this process until the scope ends. The lock is a lock of the operating system on a file
 * beside it, so it ends with the process, however that ends.
 */
export const lockFile = (filename: string): Effect.Effect<void, StoreUnavailable, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({
        try: () => hold(filename),
        catch: (cause) =>
          isBusy(cause)
            ? taken(filename)
            : new StoreUnavailable({
                reason: `Cannot lock ${filename}: ${cause instanceof Error ? cause.message : cause}`
              })
      }),
      (lock) => Effect.sync(() => lock.close())
    )
  )

import Database from "better-sqlite3"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect, type Scope } from "effect"

/**
 * Returns the error for a file that another server uses. Two processes on one file would block each other's event loops
 * and count rate limits separately.
 */
const taken = (filename: string): StoreUnavailable =>
  new StoreUnavailable({
    reason: `${filename} is in use by another server. Stop that server, or give this one its own data directory.`
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
 * Locks a database file for this process until the scope ends. The lock is one of the operating system, on a separate
 * file next to the database. It therefore ends with the process, even after a crash.
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

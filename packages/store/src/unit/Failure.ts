import { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import { Cause, Effect, Predicate } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Driver codes that say the database, not the statement, is at fault. SQLite (https://sqlite.org/rescode.html), then
 * the classes of SQLSTATE (PostgreSQL, appendix A): connection, insufficient resources, operator intervention, system
 * error, 3D000 (no such database), 25P03 (the server ended an idle transaction), and 25006 (read-only transaction, which is what a standby answers).
 */
const outageCodes =
  /^(?:SQLITE_(?:BUSY|CANTOPEN|CORRUPT|FULL|INTERRUPT|IOERR|LOCKED|NOMEM|NOTADB|PERM|PROTOCOL|READONLY)(?:_|$)|08...$|53...$|57...$|58...$|3D000$|25P03$|25006$)/u

/** What better-sqlite3 says without a code, of a connection that is closed or cannot be opened. */
const outageMessages = /^(?:The database connection is not open|Cannot open database)/u

const outageReasons: ReadonlySet<string> = new Set([
  "ConnectionError",
  "AuthenticationError",
  "AuthorizationError",
  "DeadlockError",
  "SerializationError",
  "LockTimeoutError",
  "StatementTimeoutError"
])

const text = (cause: unknown, key: "code" | "message"): string => {
  const value = Predicate.hasProperty(cause, key) ? cause[key] : undefined
  return typeof value === "string" ? value : ""
}

const isOutage = ({ reason }: SqlError): boolean =>
  outageReasons.has(reason._tag) ||
  (reason._tag === "UnknownError" &&
    (outageCodes.test(text(reason.cause, "code")) || outageMessages.test(text(reason.cause, "message"))))

/** Whether a transaction that failed so may well succeed when its statements are run one by one. */
export const isRetryable = (error: SqlError): boolean =>
  !isOutage(error) || error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError"

/** Whether no database answered, or one that is only just starting (57P03). */
export const isConnectionFailure = ({ reason }: SqlError): boolean =>
  reason._tag === "ConnectionError" || text(reason.cause, "code") === "57P03"

/** The technical error that a failed statement is, whatever its cause: for commits, where nothing was stored. */
export const unavailable = (error: SqlError): StoreUnavailable =>
  new StoreUnavailable({
    reason: [error.message, text(error.reason.cause, "code"), text(error.reason.cause, "message")]
      .filter((part) => part !== "")
      .join(": ")
  })

/** An outage becomes `StoreUnavailable`; a statement that is wrong, or breaks a constraint, is a defect. */
export const causeOf = (error: SqlError): Cause.Cause<StoreUnavailable> =>
  isOutage(error) ? Cause.fail(unavailable(error)) : Cause.die(error)

/** Turns the failure of a statement into the technical error of the ports, or into a defect. */
export const failWith = (error: SqlError): Effect.Effect<never, StoreUnavailable> => Effect.failCause(causeOf(error))

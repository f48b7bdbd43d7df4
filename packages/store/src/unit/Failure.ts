import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Cause, Effect, Predicate } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Driver codes of failures that the database causes, and not the statement. SQLite: https://sqlite.org/rescode.html.
 * Postgres: classes of SQLSTATE (PostgreSQL, appendix A), which are connection, insufficient resources, operator
 * intervention, system error, 3D000 (no such database), 25P03 (the server ended an idle transaction), and 25006
 * (read-only transaction, as on a standby).
 */
const outageCodes =
  /^(?:SQLITE_(?:BUSY|CANTOPEN|CORRUPT|FULL|INTERRUPT|IOERR|LOCKED|NOMEM|NOTADB|PERM|PROTOCOL|READONLY)(?:_|$)|08...$|53...$|57...$|58...$|3D000$|25P03$|25006$)/u

/** Messages of better-sqlite3 without a code, for a closed connection or a file that does not open. */
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

/** Returns whether units of a failed transaction may succeed if each of them runs in a separate savepoint. */
export const isRetryable = (error: SqlError): boolean =>
  !isOutage(error) || error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError"

/** Returns whether the connection failed, or the database is still starting (57P03). */
export const isConnectionFailure = ({ reason }: SqlError): boolean =>
  reason._tag === "ConnectionError" || text(reason.cause, "code") === "57P03"

/**
 * Converts any error of a statement to `StoreUnavailable`. Use it for a failed commit, after which nothing is stored.
 */
export const unavailable = (error: SqlError): StoreUnavailable =>
  new StoreUnavailable({
    reason: [error.message, text(error.reason.cause, "code"), text(error.reason.cause, "message")]
      .filter((part) => part !== "")
      .join(": ")
  })

/**
 * Converts an outage to `StoreUnavailable`. Converts any other error, for example a wrong statement or a violated
 * constraint, to a defect.
 */
export const causeOf = (error: SqlError): Cause.Cause<StoreUnavailable> =>
  isOutage(error) ? Cause.fail(unavailable(error)) : Cause.die(error)

/** Fails with `StoreUnavailable` after an outage, and with a defect otherwise. */
export const failWith = (error: SqlError): Effect.Effect<never, StoreUnavailable> => Effect.failCause(causeOf(error))

import type { RateLimitRule } from "@leadloom/core/limit/RateLimit"
import type { StoreUnavailable } from "@leadloom/core/port/StoreUnavailable"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { first, queries } from "./Queries.ts"

/** What became of requests that were counted together. */
export interface Consumed {
  /** When their window began, epoch milliseconds. */
  readonly startedAt: number
  /** Requests allowed in it so far, these included. */
  readonly used: number
  /** How many of these were allowed. */
  readonly granted: number
}

/** Windows looked at by one sweep. */
const rowsPerSweep = 1_000

/** Windows that begin between two sweeps: four rows are looked at for each that may have been added. */
const windowsPerSweep = 256

/** A window is swept when it has been over for so long: another server's clock may be behind. */
export const sweptAfterMillis = 60_000

/** Whether the window that is there is over, as `consumeRate` of core sees it. */
const over = "excluded.started_at >= w.started_at + (excluded.ends_at - excluded.started_at)"

/**
 * `consumeRate` of core for several requests as one statement, which locks the row: whoever comes next sees what this one
 * left. A new row brings along what all of them would be granted in a window of their own. `granted` is kept because
 * RETURNING knows nothing of the row before (until PostgreSQL 18).
 */
const consumeText = `INSERT INTO rate_windows AS w (tenant_id, rate_key, started_at, ends_at, used, granted)
  VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant_id, rate_key) DO UPDATE SET
    started_at = CASE WHEN ${over} THEN excluded.started_at ELSE w.started_at END,
    ends_at = CASE WHEN ${over} THEN excluded.ends_at
      ELSE w.started_at + (excluded.ends_at - excluded.started_at) END,
    used = CASE WHEN ${over} THEN excluded.used
      ELSE w.used + GREATEST(0, LEAST(excluded.granted, ? - w.used)) END,
    granted = CASE WHEN ${over} THEN excluded.granted
      ELSE GREATEST(0, LEAST(excluded.granted, ? - w.used)) END
  RETURNING started_at AS "startedAt", used, granted`

/** The windows of the request limiters in a table of Postgres. */
export const makeWindows = (sql: SqlClient) => {
  const { query } = queries(sql)
  const consume = query<Consumed>(consumeText)
  const page = query<{ readonly tenantId: string; readonly key: string }>(
    `SELECT tenant_id AS "tenantId", rate_key AS key FROM rate_windows WHERE (tenant_id, rate_key) > (?, ?)
      ORDER BY tenant_id, rate_key LIMIT ${rowsPerSweep}`
  )
  const forget = query(
    `DELETE FROM rate_windows
      WHERE (tenant_id, rate_key) > (?, ?) AND (tenant_id, rate_key) <= (?, ?) AND ends_at <= ?`
  )
  let begun = 0
  let swept = { tenantId: "", key: "" }
  /** Forgets what is over among the next rows in the order of the key: an index by time would be written to all the time. */
  const sweep = Effect.fnUntraced(function* (now: number) {
    const from = swept
    const rows = yield* page(from.tenantId, from.key)
    const last = rows.at(-1)
    swept = rows.length < rowsPerSweep || last === undefined ? { tenantId: "", key: "" } : last
    if (last === undefined) return
    yield* forget(from.tenantId, from.key, last.tenantId, last.key, now - sweptAfterMillis)
  })
  return {
    /** Counts `wanted` requests at once. */
    consume: Effect.fnUntraced(function* (
      tenantId: string,
      key: string,
      { limit, windowMillis }: RateLimitRule,
      now: number,
      wanted: number
    ): Effect.fn.Return<Consumed, StoreUnavailable> {
      const most = Math.max(0, Math.min(wanted, limit))
      const consumed = first(yield* consume(tenantId, key, now, now + windowMillis, most, most, limit, limit))
      if (consumed === null) return yield* Effect.die(new Error("Postgres has counted and says nothing of it."))
      if (consumed.used === consumed.granted && ++begun % windowsPerSweep === 0) {
        const told = Effect.catchCause(sweep(now), (cause) =>
          Effect.logWarning("windows of the request limits that are over could not be forgotten", cause)
        )
        yield* Effect.forkDetach(told)
      }
      return consumed
    })
  }
}

import { type RateLimitRule, type RateLimitUsage, rememberedAt } from "@leadloom/core/internal/domain/access/RateLimit"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import type { DatabaseShape } from "../Database.ts"
import { first } from "../sql/Queries.ts"
import { log } from "../LogEvents.ts"

/** The result of several requests that were counted together. */
export interface Consumed extends RateLimitUsage {
  /** The number of allowed requests. */
  readonly granted: number
}

/** The maximum number of keys that one sweep checks. */
const rowsPerSweep = 1_000

/**
 * The number of keys with a new window between two sweeps. Each such key may be a new row, so a sweep of 1,000 rows
 * checks about four rows for each new one.
 */
const keysPerSweep = 256

/**
 * The age in milliseconds from which a sweep deletes a key with an expired window. The delay allows for differences
 * between the clocks of servers.
 */
export const sweptAfterMillis = 60_000

/**
 * Counts several requests in one statement, with the same result as core's `consumeRate`. The statement locks the row,
 * so concurrent statements run one after another. `times` is ascending, so a binary search (`width_bucket`) finds the
 * last expired entry. `totals` contains, for each entry, the number of allowed requests up to this entry. The statement
 * removes entries before the last expired one. It writes the arrays only if they change.
 */
const consumeText = `INSERT INTO rate_logs AS r (tenant_id, rate_key, times, totals, ends_at, granted)
  VALUES (?, ?, ?::bigint[], ?::bigint[], ?, ?)
  ON CONFLICT (tenant_id, rate_key) DO UPDATE SET (times, totals, ends_at, granted) = (
    SELECT
      CASE WHEN now.granted = 0 AND old.over = 1 THEN r.times
        WHEN now.granted = 0 OR now.joins THEN r.times[old.over:]
        ELSE r.times[old.over:] || now.at END,
      CASE WHEN now.granted = 0 AND old.over = 1 THEN r.totals
        WHEN now.granted = 0 THEN r.totals[old.over:]
        WHEN now.joins THEN r.totals[old.over:old.length - 1] || (old.total + now.granted)
        ELSE r.totals[old.over:] || (old.total + now.granted) END,
      GREATEST(r.ends_at, excluded.ends_at),
      now.granted
    FROM (
      SELECT over, length, r.totals[length] AS total, r.totals[length] - r.totals[over] AS used,
        r.times[length] AS last
      FROM (SELECT GREATEST(1, width_bucket(?::bigint, r.times)) AS over, cardinality(r.times) AS length) AS place
    ) AS old, LATERAL (
      SELECT GREATEST(0, LEAST(?::bigint, ?::bigint - old.used)) AS granted, GREATEST(?::bigint, old.last) AS at,
        old.length > old.over AND old.last >= ?::bigint AS joins
    ) AS now)
  RETURNING granted, totals[cardinality(totals)] - totals[1] AS used,
    times[GREATEST(2, 1 + width_bucket(totals[cardinality(totals)] - ?::bigint, totals))] + ?::bigint AS "freeAt"`

/** Returns the arrays of a new key: an entry without requests, then an entry with the allowed requests. */
const fresh = (at: number, granted: number): readonly [times: string, totals: string] =>
  granted === 0 ? ["{0}", "{0}"] : [`{0,${at}}`, `{0,${granted}}`]

/** Creates the request counters of a Postgres table. */
export const makeLogs = ({ query }: DatabaseShape) => {
  const consume = query<Consumed>(consumeText)
  const page = query<{ readonly tenantId: string; readonly key: string }>(
    `SELECT tenant_id AS "tenantId", rate_key AS key FROM rate_logs WHERE (tenant_id, rate_key) > (?, ?)
      ORDER BY tenant_id, rate_key LIMIT ${rowsPerSweep}`
  )
  const forget = query(
    `DELETE FROM rate_logs WHERE (tenant_id, rate_key) > (?, ?) AND (tenant_id, rate_key) <= (?, ?) AND ends_at <= ?`
  )
  let begun = 0
  let swept = { tenantId: "", key: "" }
  /**
   * Reads the next rows in key order and deletes the expired ones. An index by time would be faster here, but every
   * request would have to update it.
   */
  const sweep = Effect.fnUntraced(function* (now: number) {
    const from = swept
    const rows = yield* page(from.tenantId, from.key)
    const last = rows.at(-1)
    swept = rows.length < rowsPerSweep || last === undefined ? { tenantId: "", key: "" } : last
    if (last === undefined) return
    yield* forget(from.tenantId, from.key, last.tenantId, last.key, now - sweptAfterMillis)
  })
  return {
    /** Counts `wanted` requests in one statement. */
    consume: Effect.fnUntraced(function* (
      tenantId: string,
      key: string,
      rule: RateLimitRule,
      now: number,
      wanted: number
    ): Effect.fn.Return<Consumed, StoreUnavailable> {
      const { limit, windowMillis } = rule
      const max = Math.max(0, Math.min(wanted, limit))
      const at = rememberedAt(rule, now)
      const mine = [tenantId, key, ...fresh(at, max), at + windowMillis, max] as const
      const theirs = [now - windowMillis, wanted, limit, at, at, limit, windowMillis] as const
      const consumed = first(yield* consume(...mine, ...theirs))
      if (consumed === null) return yield* Effect.die(new Error("Postgres returned no row for a counted request."))
      if (consumed.used === consumed.granted && ++begun % keysPerSweep === 0) {
        const reported = Effect.catchCause(sweep(now), (cause) => log("limits.sweep_failed", {}, cause))
        yield* Effect.forkDetach(reported)
      }
      return consumed
    })
  }
}

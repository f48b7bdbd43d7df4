/** A maximum number of requests in a period. */
export interface RateLimitRule {
  /** At least one. */
  readonly limit: number
  readonly windowMillis: number
}

/** The number of allowed requests with the same stored time. */
export interface RateRun {
  /** Epoch milliseconds. */
  readonly at: number
  readonly count: number
}

/** The stored history of a rate-limit key: the requests that were allowed within the last window, oldest first. */
export type RateLimitState = ReadonlyArray<RateRun>

/** The values of the three rate-limit headers, and of `Retry-After` after a rejection. */
export interface RateLimitResult {
  readonly allowed: boolean
  /** Requests per window. */
  readonly limit: number
  /** The number of further requests that would be allowed at this moment. */
  readonly remaining: number
  /** The time when `remaining` next increases by one, in Unix seconds, rounded up. */
  readonly resetAtSeconds: number
  /** After a rejection, the seconds until the next request can be allowed, at least 1. 0 for an allowed request. */
  readonly retryAfterSeconds: number
}

/**
 * For limits up to this value, the exact millisecond of every request is stored. The history of a key never has more
 * entries than this value.
 */
export const exactLimit = 1_000

/**
 * Returns the resolution of stored request times, in milliseconds. For a limit above `exactLimit`, the resolution is a
 * thousandth of the window. Stored times are rounded up. A request may therefore leave the window late, by at most the
 * resolution, but never early.
 */
export const tickOf = ({ limit, windowMillis }: RateLimitRule): number =>
  limit <= exactLimit ? 1 : Math.ceil(windowMillis / exactLimit)

/** Returns the stored time of a request at `now`, rounded up to the resolution. */
export const rememberedAt = (rule: RateLimitRule, now: number): number => {
  const tick = tickOf(rule)
  return Math.ceil(now / tick) * tick
}

/** The use of a key's limit after a request. */
export interface RateLimitUsage {
  readonly used: number
  /** The time when the number of possible requests next increases, in epoch milliseconds. Null if `used` is 0. */
  readonly freeAt: number | null
}

/** Builds the result for a request at `now` (epoch milliseconds). */
export const rateResult = (
  { freeAt, used }: RateLimitUsage,
  rule: RateLimitRule,
  now: number,
  allowed: boolean
): RateLimitResult => {
  const next = freeAt ?? now + rule.windowMillis
  return {
    allowed,
    limit: rule.limit,
    remaining: Math.max(0, rule.limit - used),
    resetAtSeconds: Math.ceil(next / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((next - now) / 1000))
  }
}

const usedBy = (state: RateLimitState): number => {
  let used = 0
  for (const { count } of state) used += count
  return used
}

const usageOf = (state: RateLimitState, used: number, { limit, windowMillis }: RateLimitRule): RateLimitUsage => {
  let leaving = Math.max(1, used - limit + 1)
  for (const { at, count } of state) {
    leaving -= count
    if (leaving <= 0) return { used, freeAt: at + windowMillis }
  }
  return { used, freeAt: null }
}

/**
 * Appends one request to `state`, which it changes. If the clock was set back, the request gets the time of the previous
 * request.
 */
const remember = (state: Array<RateRun>, at: number): void => {
  const last = state.at(-1)
  if (last !== undefined && last.at >= at) state[state.length - 1] = { at: last.at, count: last.count + 1 }
  else state.push({ at, count: 1 })
}

/**
 * Counts one request at `now` (epoch milliseconds) against a sliding window. The request is allowed if fewer than
 * `limit` requests were allowed in the window that ends at `now`. No window of this length ever contains more than
 * `limit` allowed requests, and a caller can always use the full limit. Rejected requests are not counted. Earlier
 * requests still count after the clock was set back, so the limit is never granted twice.
 */
export const consumeRate = (
  state: RateLimitState,
  rule: RateLimitRule,
  now: number
): { readonly state: RateLimitState; readonly result: RateLimitResult } => {
  const past = state.findIndex(({ at }) => at > now - rule.windowMillis)
  // The only copy, because the state of a busy key has up to a thousand entries.
  const within = past < 0 ? [] : state.slice(past)
  const before = usedBy(within)
  const allowed = before < rule.limit
  if (allowed) remember(within, rememberedAt(rule, now))
  const usage = usageOf(within, allowed ? before + 1 : before, rule)
  return { state: within, result: rateResult(usage, rule, now, allowed) }
}

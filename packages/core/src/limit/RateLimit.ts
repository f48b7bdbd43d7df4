/** How many requests in how long. */
export interface RateLimitRule {
  readonly limit: number
  readonly windowMillis: number
}

/** What is kept of a key between requests. */
export interface RateLimitState {
  /** When the window began, epoch milliseconds. */
  readonly startedAt: number
  /** Requests allowed in it. */
  readonly count: number
}

/** What the response tells: the three headers, and `Retry-After` when refused. */
export interface RateLimitResult {
  readonly allowed: boolean
  /** Requests a window. */
  readonly limit: number
  /** Requests left in this window. */
  readonly remaining: number
  /** When the next window may begin, Unix seconds rounded up. */
  readonly resetAtSeconds: number
  /** Whole seconds to wait, at least 1 when refused; 0 when allowed. */
  readonly retryAfterSeconds: number
}

/** What a request at `now` (epoch milliseconds) is told, of the window that it was counted in or refused by. */
export const rateResult = (
  state: RateLimitState,
  rule: RateLimitRule,
  now: number,
  allowed: boolean
): RateLimitResult => {
  const endsAt = state.startedAt + rule.windowMillis
  return {
    allowed,
    limit: rule.limit,
    remaining: Math.max(0, rule.limit - state.count),
    resetAtSeconds: Math.ceil(endsAt / 1000),
    retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((endsAt - now) / 1000))
  }
}

/**
 * Counts one request at `now` (epoch milliseconds) against a fixed window. A window begins with the first request after
 * the last one has ended, not on the minute, so that callers do not all come back at once. A refused request is not
 * counted. When the clock is set back the window stays, so a limit is never given twice.
 */
export const consumeRate = (
  state: RateLimitState | undefined,
  rule: RateLimitRule,
  now: number
): { readonly state: RateLimitState; readonly result: RateLimitResult } => {
  const over = state === undefined || now >= state.startedAt + rule.windowMillis
  const before = over ? { startedAt: now, count: 0 } : state
  const allowed = before.count < rule.limit
  const after = allowed ? { startedAt: before.startedAt, count: before.count + 1 } : before
  return { state: after, result: rateResult(after, rule, now, allowed) }
}

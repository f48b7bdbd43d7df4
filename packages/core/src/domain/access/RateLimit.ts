/** How many requests in how long. */
export interface RateLimitRule {
  /** At least one. */
  readonly limit: number
  readonly windowMillis: number
}

/** Requests that were allowed at one time. */
export interface RateRun {
  /** Epoch milliseconds. */
  readonly at: number
  readonly count: number
}

/** What is kept of a key between requests: those that were allowed within the last window, oldest first. */
export type RateLimitState = ReadonlyArray<RateRun>

/** What the response tells: the three headers, and `Retry-After` when refused. */
export interface RateLimitResult {
  readonly allowed: boolean
  /** Requests a window. */
  readonly limit: number
  /** Requests that would be allowed at this moment. */
  readonly remaining: number
  /** When there is room for one more than that, Unix seconds rounded up. */
  readonly resetAtSeconds: number
  /** Whole seconds to wait, at least 1 when refused; 0 when allowed. */
  readonly retryAfterSeconds: number
}

/** Up to this limit every request is remembered by its own millisecond; so a key never needs more entries than this. */
export const exactLimit = 1_000

/**
 * Milliseconds that requests are remembered by. Under a rule of more than `exactLimit` it is a thousandth of the window,
 * and its end counts: such a request leaves the window up to so much late, never early.
 */
export const tickOf = ({ limit, windowMillis }: RateLimitRule): number =>
  limit <= exactLimit ? 1 : Math.ceil(windowMillis / exactLimit)

/** The time that a request at `now` is remembered by. */
export const rememberedAt = (rule: RateLimitRule, now: number): number => {
  const tick = tickOf(rule)
  return Math.ceil(now / tick) * tick
}

/** What is known of a key after a request: how much of its limit is used, and when that next grows less. */
export interface RateLimitUsage {
  readonly used: number
  /** Epoch milliseconds: when there is room for one more request than now; null: nothing is used. */
  readonly freeAt: number | null
}

/** What a request at `now` (epoch milliseconds) is told. */
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

const usedBy = (state: RateLimitState): number => state.reduce((sum, { count }) => sum + count, 0)

const usageOf = (state: RateLimitState, { limit, windowMillis }: RateLimitRule): RateLimitUsage => {
  const used = usedBy(state)
  let leaving = Math.max(1, used - limit + 1)
  for (const { at, count } of state) {
    leaving -= count
    if (leaving <= 0) return { used, freeAt: at + windowMillis }
  }
  return { used, freeAt: null }
}

/** One more request, behind all others: where the clock was set back, at the time of the last one. */
const remember = (state: RateLimitState, at: number): RateLimitState => {
  const last = state.at(-1)
  return last !== undefined && last.at >= at
    ? [...state.slice(0, -1), { at: last.at, count: last.count + 1 }]
    : [...state, { at, count: 1 }]
}

/**
 * Counts one request at `now` (epoch milliseconds) against a window that slides: it is allowed when fewer than `limit`
 * were allowed within the window's length before it. So no window of that length, wherever it begins, ever holds more,
 * and whoever asks as much as the rule gives gets all of it. A refused request is not counted. When the clock is set back
 * what was allowed stays counted, so a limit is never given twice.
 */
export const consumeRate = (
  state: RateLimitState,
  rule: RateLimitRule,
  now: number
): { readonly state: RateLimitState; readonly result: RateLimitResult } => {
  const past = state.findIndex(({ at }) => at > now - rule.windowMillis)
  const before = past < 0 ? [] : state.slice(past)
  const allowed = usedBy(before) < rule.limit
  const after = allowed ? remember(before, rememberedAt(rule, now)) : before
  return { state: after, result: rateResult(usageOf(after, rule), rule, now, allowed) }
}

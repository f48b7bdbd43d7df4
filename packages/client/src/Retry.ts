/** Longest wait that a server may ask for; beyond it the caller should know, not hang. */
const maxWaitMillis = 60_000
const firstWaitMs = 250
const idempotentMethods = ["GET", "PUT", "DELETE"]
const passingStatuses = [408, 429, 502, 503, 504]

/** Milliseconds that `Retry-After` asks for, given as seconds or as a date (RFC 9110, section 10.2.3); null without. */
const retryAfterMs = (value: string | null, now: number): number | null => {
  if (value === null || value.trim() === "") return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** Whether a request may be sent twice: its method says so, or its key does. */
export const isRepeatable = (method: string, idempotencyKey: string | undefined): boolean =>
  idempotentMethods.includes(method) || idempotencyKey !== undefined

/** How an attempt ended. */
export interface Attempt {
  /** 0: no answer. */
  readonly status: number
  readonly code: string
  readonly retryAfter: string | null
  /** Attempts made before this one. */
  readonly retries: number
}

/**
 * Milliseconds to wait before the next attempt; null: there is no sense in one. A used-up monthly allowance is a 429
 * like too many requests, but does not pass by waiting. Without `Retry-After` the wait doubles and is jittered, so that
 * clients that failed together do not return together.
 */
export const waitBeforeRetry = (attempt: Attempt, now: number, random: () => number): number | null => {
  if (attempt.status !== 0 && !passingStatuses.includes(attempt.status)) return null
  const requested = retryAfterMs(attempt.retryAfter, now)
  if (attempt.status === 429 && requested === null && attempt.code !== "RATE_LIMITED") return null
  if (requested !== null) return requested > maxWaitMillis ? null : requested
  return firstWaitMs * 2 ** attempt.retries * (0.5 + random() / 2)
}

/** Waits, unless the signal aborts first: then rejects with its reason. */
export const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener("abort", stop, { once: true })
  })

/** The maximum wait before a retry. If the server requires a longer wait, the call fails without a retry. */
const maxWaitMillis = 60_000
const firstWaitMs = 250
const idempotentMethods = ["GET", "PUT", "DELETE"]
const passingStatuses = [408, 429, 502, 503, 504]

/**
 * Parses `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3) to milliseconds. Returns null without the
 * header.
 */
const retryAfterMs = (value: string | null, now: number): number | null => {
  if (value === null || value.trim() === "") return null
  const seconds = Number(value)
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** Returns whether a request may be repeated: its method is idempotent, or it has an idempotency key. */
export const isRepeatable = (method: string, idempotencyKey: string | undefined): boolean =>
  idempotentMethods.includes(method) || idempotencyKey !== undefined

/** The outcome of an attempt. */
export interface Attempt {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: string
  readonly retryAfter: string | null
  /** The number of earlier attempts. */
  readonly retries: number
}

/**
 * Returns the milliseconds to wait before the next attempt, or null if a retry cannot succeed. An exhausted monthly
 * allowance has the status 429 too, but no retry helps. Without `Retry-After`, the wait doubles with every attempt. A
 * random part is added, so that clients that failed together do not retry together.
 */
export const waitBeforeRetry = (attempt: Attempt, now: number, random: () => number): number | null => {
  if (attempt.status !== 0 && !passingStatuses.includes(attempt.status)) return null
  const requested = retryAfterMs(attempt.retryAfter, now)
  if (attempt.status === 429 && requested === null && attempt.code !== "RATE_LIMITED") return null
  if (requested !== null) return requested > maxWaitMillis ? null : requested
  return firstWaitMs * 2 ** attempt.retries * (0.5 + random() / 2)
}

/** Resolves after the given time. Rejects with the abort reason if the signal aborts first. */
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

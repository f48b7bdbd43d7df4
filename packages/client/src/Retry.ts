import type { LeadloomError } from "./LeadloomError.ts"
import type { CallOptions, Request } from "./Request.ts"

/** The maximum wait before a retry, in seconds. If the server requires a longer wait, the call fails without a retry. */
const maxWaitSeconds = 60
const firstWaitMs = 250
const transientStatuses = [408, 429, 502, 503, 504]
const transientCodes: ReadonlyArray<string> = ["NETWORK_ERROR", "TIMEOUT", "IDEMPOTENCY_IN_PROGRESS"]
const idempotentMethods = ["GET", "PUT", "DELETE"]

/** Returns the idempotency key of a request: the caller's key, or a random one for a POST. */
export const idempotencyKeyOf = (
  { keyless, method }: Request,
  { idempotencyKey: key }: CallOptions
): string | undefined => {
  if (key !== undefined || method !== "POST" || keyless !== undefined) return key || undefined
  // 128 random bits. `crypto.randomUUID` is missing in browsers on pages without HTTPS.
  return crypto.getRandomValues(new Uint32Array(4)).join("-")
}

/** Returns whether a request may be repeated: it is idempotent by its method, by its operation or by its key. */
export const isRepeatable = ({ keyless, method }: Request, idempotencyKey: string | undefined): boolean =>
  idempotentMethods.includes(method) || keyless === "read-only" || idempotencyKey !== undefined

/**
 * Returns whether a later attempt may succeed. An exhausted monthly allowance has the status 429 too, but no retry
 * helps. `IDEMPOTENCY_IN_PROGRESS` means that the server still processes an earlier attempt.
 */
export const isTransient = ({ code, retryAfter, status }: LeadloomError): boolean =>
  transientCodes.includes(code) ||
  (transientStatuses.includes(status) && (status !== 429 || retryAfter !== null || code === "RATE_LIMITED"))

/** Subtracts a random part of up to one half, so that clients that failed together do not retry together. */
export const jittered = (milliseconds: number): number => milliseconds * (0.5 + Math.random() / 2)

/**
 * Returns the milliseconds to wait before the next attempt, or null if a retry cannot succeed. Without `Retry-After`,
 * the wait doubles with every attempt.
 */
export const waitBeforeRetry = (error: LeadloomError, retries: number): number | null => {
  const { retryAfter } = error
  if (!isTransient(error) || (retryAfter ?? 0) > maxWaitSeconds) return null
  return retryAfter === null ? jittered(firstWaitMs * 2 ** retries) : retryAfter * 1000
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

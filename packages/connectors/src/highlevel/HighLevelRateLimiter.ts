import { Clock, Effect } from "effect"
import { type CrmFailure, CrmUnavailable } from "@leadloom/core/domain/crm/CrmFailure"

/** The rate limit per location: requests per window, and the window in milliseconds (official limits: 100 in 10 s). */
export const maxRequestsPerWindow = 100
export const windowMillis = 10_000

/** The maximum wait in milliseconds. A request that would wait longer fails instead and is retried later. */
const maxWaitMillis = 15_000

interface LocationWindow {
  /** The times of the last and the scheduled requests, oldest first, at most `maxRequestsPerWindow`. */
  readonly times: Array<number>
  /** The end of the pause that the CRM requested. */
  pausedUntil: number
  /** The remaining requests of the day, and the time of this information. */
  left: { readonly requests: number; readonly saidAt: number } | null
}

/** The age in milliseconds from which the reported daily quota is ignored. */
const quotaMaxAgeMillis = 30 * 60_000

/**
 * Enforces the CRM's rate limit per location in this process. Requests wait for a free slot. After a 429, all requests
 * of the location wait for the requested time. Several servers share the limit without coordination and rely on the
 * 429.
 */
export const makeRateLimiter = () => {
  const windows = new Map<string, LocationWindow>()
  const windowOf = (locationId: string): LocationWindow => {
    const window = windows.get(locationId) ?? { times: [], pausedUntil: 0, left: null }
    windows.delete(locationId)
    windows.set(locationId, window)
    // The least recently used windows are removed first.
    if (windows.size > 10_000) for (const [oldest] of [...windows].slice(0, 1_000)) windows.delete(oldest)
    return window
  }
  const waitForSlot = (locationId: string): Effect.Effect<void, CrmUnavailable> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const window = windowOf(locationId)
      const before = window.times.length < maxRequestsPerWindow ? 0 : (window.times[0] ?? 0) + windowMillis
      const at = Math.max(now, before, window.pausedUntil)
      if (at - now > maxWaitMillis)
        return yield* new CrmUnavailable({ reason: "too many requests for this location", waitMillis: at - now })
      if (window.times.length >= maxRequestsPerWindow) window.times.shift()
      window.times.push(at)
      if (at > now) yield* Effect.sleep(at - now)
    })
  return {
    /** Stores the remaining requests of the day. */
    noteLeft: (locationId: string, requests: number): Effect.Effect<void> =>
      Effect.map(Clock.currentTimeMillis, (saidAt) => {
        windowOf(locationId).left = { requests, saidAt }
      }),
    /** Returns the remaining requests of the day; null when no recent value is known. */
    left: (locationId: string): Effect.Effect<number | null> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const { left } = windowOf(locationId)
        return left === null || now - left.saidAt > quotaMaxAgeMillis ? null : left.requests
      }),
    /** Sends a request when the rate limit permits it. */
    rateLimited: <A>(locationId: string, request: Effect.Effect<A, CrmFailure>): Effect.Effect<A, CrmFailure> =>
      Effect.andThen(
        waitForSlot(locationId),
        Effect.tapError(request, (failure) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            if (failure._tag !== "CrmUnavailable" || failure.waitMillis === null) return
            const window = windowOf(locationId)
            window.pausedUntil = Math.max(window.pausedUntil, now + failure.waitMillis)
          })
        )
      )
  }
}

import { Clock, Effect } from "effect"
import { type CrmFailure, CrmUnavailable } from "@leadloom/core/domain/crm/CrmFailure"

/** So many requests in so long for each location (official limits: 100 in 10 s), milliseconds. */
export const maxRequestsPerWindow = 100
export const windowMillis = 10_000

/** Who would have to wait longer comes again later; milliseconds. */
const maxWaitMillis = 15_000

interface LocationWindow {
  /** When the last requests went or go, oldest first, at most `maxRequestsPerWindow`. */
  readonly times: Array<number>
  /** The CRM has asked for silence until then. */
  pausedUntil: number
  /** How many requests it still allows today, and when it said so. */
  left: { readonly requests: number; readonly saidAt: number } | null
}

/** What the CRM has said of the day is no news any more after this; milliseconds. */
const quotaMaxAgeMillis = 30 * 60_000

/**
 * Keeps to the limits of the CRM by location, for this process: requests wait their turn, and after a 429 all of the
 * location wait for as long as it said. Several servers share the limit without knowing of each other; the 429 says so.
 */
export const makeRateLimiter = () => {
  const windows = new Map<string, LocationWindow>()
  const windowOf = (locationId: string): LocationWindow => {
    const window = windows.get(locationId) ?? { times: [], pausedUntil: 0, left: null }
    windows.delete(locationId)
    windows.set(locationId, window)
    // Those that nobody has used for longest go first.
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
    /** Notes how many requests the CRM still allows today. */
    noteLeft: (locationId: string, requests: number): Effect.Effect<void> =>
      Effect.map(Clock.currentTimeMillis, (saidAt) => {
        windowOf(locationId).left = { requests, saidAt }
      }),
    /** How many those are, as far as it has said lately. */
    left: (locationId: string): Effect.Effect<number | null> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const { left } = windowOf(locationId)
        return left === null || now - left.saidAt > quotaMaxAgeMillis ? null : left.requests
      }),
    /** Makes a request when it is its turn. */
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

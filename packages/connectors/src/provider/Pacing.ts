import {
  type ProviderFailure,
  type ProviderService,
  unavailable
} from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { requestedWait } from "@leadloom/core/internal/domain/provider/ProviderBehavior"
import { Clock, Effect } from "effect"
import { clientCodes } from "./Exchange.ts"

/** The rate limit of a provider per account. */
export interface Pace {
  readonly service: ProviderService
  /** The name for an account in failures, for example "location". */
  readonly account: string
  readonly requests: number
  readonly windowMillis: number
  /** The maximum wait. A request that would wait longer fails instead, and the caller retries it later. */
  readonly maxWaitMillis: number
}

interface Window {
  /** The times of the last and the scheduled requests, oldest first, at most `requests`. */
  readonly times: Array<number>
  /** The end of the pause that the provider requested. */
  pausedUntil: number
  /** The remaining requests of the day, and the time of this information. */
  left: { readonly requests: number; readonly saidAt: number } | null
}

/** The age in milliseconds from which the reported quota of the day is ignored. */
const quotaMaxAgeMillis = 30 * 60_000
/** The maximum number of accounts. Above it, the accounts that were used least recently are removed. */
const maxAccounts = 10_000

/**
 * Enforces a provider's rate limit per account in this process. Requests wait for a free place in a sliding window. If
 * a response requests a wait, all requests of the account wait. Several servers share the limit without coordination
 * and rely on the provider's 429.
 */
export const makePacing = ({ account: what, maxWaitMillis, requests, service, windowMillis }: Pace) => {
  const windows = new Map<string, Window>()
  const windowOf = (account: string): Window => {
    const window = windows.get(account) ?? { times: [], pausedUntil: 0, left: null }
    windows.delete(account)
    windows.set(account, window)
    if (windows.size > maxAccounts)
      for (const [oldest] of [...windows].slice(0, maxAccounts / 10)) windows.delete(oldest)
    return window
  }
  const waitForSlot = (account: string): Effect.Effect<void, ProviderFailure> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const window = windowOf(account)
      const before = window.times.length < requests ? 0 : (window.times[0] ?? 0) + windowMillis
      const at = Math.max(now, before, window.pausedUntil)
      if (at - now > maxWaitMillis) {
        const retryAfterMillis = at - now
        const detail = `too many requests for this ${what}`
        return yield* unavailable(service, detail, { code: clientCodes.heldBack, retryAfterMillis })
      }
      if (window.times.length >= requests) window.times.shift()
      window.times.push(at)
      if (at > now) yield* Effect.sleep(at - now)
    })
  return {
    /** Stores the remaining requests of the day. */
    noteLeft: (account: string, left: number): Effect.Effect<void> =>
      Effect.map(Clock.currentTimeMillis, (saidAt) => {
        windowOf(account).left = { requests: left, saidAt }
      }),
    /** Returns the remaining requests of the day; null when no recent value is known. */
    left: (account: string): Effect.Effect<number | null> =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const { left } = windowOf(account)
        return left === null || now - left.saidAt > quotaMaxAgeMillis ? null : left.requests
      }),
    /** Sends a request when the rate limit permits it. */
    paced: <A>(account: string, request: Effect.Effect<A, ProviderFailure>): Effect.Effect<A, ProviderFailure> =>
      Effect.andThen(
        waitForSlot(account),
        Effect.tapError(request, (failure) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const wait = requestedWait(failure)
            if (wait === null) return
            const window = windowOf(account)
            window.pausedUntil = Math.max(window.pausedUntil, now + wait)
          })
        )
      )
  }
}

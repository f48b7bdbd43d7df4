import { TaggedError } from "../TaggedError.ts"
import type { RateLimitResult } from "../access/RateLimit.ts"

/** The maximum number of emails of a tenant in one hour (specification, Limits). */
export const maxSendsPerHour = 50
/** The length of the sliding window, in milliseconds. `nextSlot` needs the slots of this period. */
export const hourMillis = 3_600_000

/** The tenant has reached the limit of emails in the last hour. */
export class SendLimitReached extends TaggedError("SendLimitReached")<{ readonly rate: RateLimitResult }> {}

/** The slot of a send in the hourly limit. `slotAt` is the earliest time of the handover. */
export interface SendSlot {
  readonly slotAt: number
  /** The rate limit for a send at the present time. `allowed` is true when `slotAt` is not in the future. */
  readonly rate: RateLimitResult
}

/** Returns the current rate limit for the response to a request that sends nothing. */
export const sendLimitResult = ({ rate }: SendSlot): RateLimitResult => ({
  ...rate,
  allowed: true,
  remaining: rate.remaining + (rate.allowed ? 1 : 0),
  retryAfterSeconds: 0
})

/**
 * Returns the earliest slot for another send. `newestSlots` contains the newest `maxSendsPerHour` slots of the last
 * hour and of the future, newest first. The limit applies to a sliding hour: a slot becomes free exactly one hour after
 * its time. A new slot is never earlier than an existing one, so postponed sends keep their order.
 */
export const nextSlot = (newestSlots: ReadonlyArray<number>, now: number): SendSlot => {
  const last = newestSlots[maxSendsPerHour - 1]
  const slotAt = last === undefined ? now : Math.max(now, last + hourMillis)
  const allowed = slotAt <= now
  const inHour = newestSlots.filter((slot) => slot > now - hourMillis)
  const oldest = inHour.at(-1) ?? now
  return {
    slotAt,
    rate: {
      allowed,
      limit: maxSendsPerHour,
      remaining: Math.max(0, maxSendsPerHour - inHour.length - (allowed ? 1 : 0)),
      resetAtSeconds: Math.ceil((oldest + hourMillis) / 1000),
      retryAfterSeconds: allowed ? 0 : Math.max(1, Math.ceil((slotAt - now) / 1000))
    }
  }
}

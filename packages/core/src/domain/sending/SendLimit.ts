import { Data } from "effect"
import type { RateLimitResult } from "../access/RateLimit.ts"

/** Emails that a tenant may send in any hour (specification, Limits). */
export const maxSendsPerHour = 50
/** What `nextSlot` has to know: the slots of this long, milliseconds. */
export const hourMillis = 3_600_000

/** The tenant has sent as many emails in the last hour as it may. */
export class SendLimitReached extends Data.TaggedError("SendLimitReached")<{ readonly rate: RateLimitResult }> {}

/** The place of a send in the hours: `slotAt` is the earliest time at which it may go out. */
export interface SendSlot {
  readonly slotAt: number
  /** What a send at this moment is told; `allowed` exactly when `slotAt` is not in the future. */
  readonly rate: RateLimitResult
}

/** What a request is told that sends nothing: where the tenant stands. */
export const sendLimitResult = ({ rate }: SendSlot): RateLimitResult => ({
  ...rate,
  allowed: true,
  remaining: rate.remaining + (rate.allowed ? 1 : 0),
  retryAfterSeconds: 0
})

/**
 * The earliest slot for one more send, given the newest `maxSendsPerHour` slots of the tenant's last hour and of
 * the time to come, newest first. The hour
 * slides: a slot is free again exactly an hour after it was taken. Slots never go back in time, so what was put off to a
 * later one keeps its place before those who ask afterwards.
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

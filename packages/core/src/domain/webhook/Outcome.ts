import { type Attempt, maxStoredAttempts, type DeliveryRow, type StoredAttempt } from "./Delivery.ts"
import { type DeliveryMode, maxConsecutiveFailures, jittered, probeWait, triesHeldBack, waitAfter } from "./Schedule.ts"
import { never, type Subscription } from "./Subscription.ts"

/** The delivery mode and the jitter of retries. */
export interface Terms {
  readonly mode: DeliveryMode
  /** A random number from 0 to 1 for the jitter of waits. */
  readonly chance: number
}

/** A receiver that takes longer than this is slow. */
export const slowMillis = 2_000

/** HTTP 410: the receiver has permanently gone (Standard Webhooks, "Delivery success"). */
const gone = 410

/** Returns true for a successful attempt. */
export const succeeded = ({ error }: Pick<Attempt, "error">): boolean => error === null

const kept = ({ at, error, millis, response, status }: Attempt): StoredAttempt => ({
  at,
  status,
  millis,
  error,
  response
})

const pausedAt = (mode: DeliveryMode, now: number, chance: number): number =>
  mode === "once" ? never : now + jittered(probeWait, chance)

/**
 * Applies an attempt to its subscription. A success resets the failures and ends a pause after failures. The tenth
 * failure in a row pauses the subscription. 410 disables it. `row` is the new state of the delivery.
 */
export const afterAttempt = (
  subscription: Subscription,
  attempt: Attempt,
  row: DeliveryRow | null,
  { chance, mode }: Terms
): Subscription => {
  const { at, millis, status: answered } = attempt
  const ended = at + millis
  if (succeeded(attempt)) {
    const back = subscription.inactiveReason === "failures"
    return {
      ...subscription,
      status: back ? "active" : subscription.status,
      inactiveReason: back ? null : subscription.inactiveReason,
      consecutiveFailures: 0,
      ailing: millis > slowMillis,
      nextAt: back ? 0 : subscription.nextAt,
      lastSuccessAt: ended
    }
  }
  const consecutiveFailures = subscription.consecutiveFailures + 1
  const failed = { ...subscription, consecutiveFailures, ailing: true, lastFailureAt: ended }
  if (answered === gone) return { ...failed, status: "disabled", inactiveReason: "gone", nextAt: never }
  if (failed.status === "active" && consecutiveFailures >= maxConsecutiveFailures) {
    return { ...failed, status: "paused", inactiveReason: "failures", nextAt: pausedAt(mode, ended, chance) }
  }
  if (failed.inactiveReason === "failures") return { ...failed, nextAt: pausedAt(mode, ended, chance) }
  const holds =
    failed.status === "active" && failed.maxInFlight === 1 && row?.status === "pending" && row.tries < triesHeldBack
  return holds ? { ...failed, nextAt: Math.max(failed.nextAt, row.dueAt) } : failed
}

/** Creates a delivery without attempts. */
export const untried = (
  { tenantId, webhookId }: Pick<Subscription, "tenantId" | "webhookId">,
  sequence: number
): DeliveryRow => ({
  tenantId,
  webhookId,
  sequence,
  status: "pending",
  dueAt: 0,
  tries: 0,
  attempts: [],
  updatedAt: 0
})

/**
 * Applies an attempt to its delivery. Manual attempts, and attempts while the subscription is paused, do not count for
 * the schedule. When the subscription was disabled during the attempt, the delivery fails. A delivered row stays
 * delivered, even if a later attempt fails.
 */
export const afterTry = (
  row: DeliveryRow,
  subscription: Pick<Subscription, "status">,
  attempt: Attempt,
  { byHand, chance, mode }: Terms & { readonly byHand: boolean }
): DeliveryRow => {
  const ended = attempt.at + attempt.millis
  const noted = { ...row, attempts: [...row.attempts, kept(attempt)].slice(-maxStoredAttempts), updatedAt: ended }
  if (row.status === "delivered") return noted
  if (succeeded(attempt)) return { ...noted, status: "delivered", dueAt: never }
  const isOver = attempt.status === gone || mode === "once" || subscription.status === "disabled"
  if (isOver) return { ...noted, status: "failed", dueAt: never }
  if (byHand || subscription.status !== "active") return noted
  const wait = waitAfter(row.tries + 1, attempt, chance)
  return wait === null
    ? { ...noted, status: "failed", tries: row.tries + 1, dueAt: never }
    : { ...noted, tries: row.tries + 1, dueAt: ended + wait }
}

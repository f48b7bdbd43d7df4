import { Clock, Effect } from "effect"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import type { Attempt, DeliveryRow, LogEntry } from "../../domain/webhook/Delivery.ts"
import { DeliveryPolicy } from "../../domain/webhook/Schedule.ts"
import { afterAttempt, afterTry, succeeded, type Terms, untried } from "../../domain/webhook/Outcome.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"

/** An attempt to deliver the event with this number. */
export interface NumberedAttempt {
  readonly sequence: number
  readonly attempt: Attempt
  /** The row of the delivery if one was read; the stored row takes precedence. */
  readonly row: DeliveryRow | null
}

/** The progress and origin of recorded attempts. */
export interface AttemptNotes {
  /** All events up to this number are done; null leaves the position unchanged. */
  readonly position: number | null
  /** A person requested the attempts, so they do not affect the retry schedule. */
  readonly byHand: boolean
}

/** A random number from 0 to 1. */
export const randomFraction = Effect.map(Randomness, ({ bytes }) => {
  const [high = 0, low = 0] = bytes(2)
  return (high * 256 + low) / 65_535
})

const entryOf = ({ attempt: { at, millis, status }, sequence }: NumberedAttempt): LogEntry => ({
  sequence,
  at,
  millis,
  status: status ?? 0
})

/** Applies attempts in order. Writes the rows and the log, and returns the updated subscription. */
const goThrough = Effect.fnUntraced(function* (
  before: Subscription,
  tried: ReadonlyArray<NumberedAttempt>,
  { byHand, ...terms }: Terms & Pick<AttemptNotes, "byHand">
) {
  const deliveries = yield* Deliveries
  const delivered: Array<LogEntry> = []
  let after = before
  let touched = false
  for (const one of tried) {
    const { attempt, sequence } = one
    if (one.row === null && succeeded(attempt)) {
      delivered.push(entryOf(one))
      after = afterAttempt(after, attempt, null, terms)
      continue
    }
    const known = (yield* deliveries.find(before, sequence)) ?? one.row ?? untried(before, sequence)
    const row = afterTry(known, after, attempt, { ...terms, byHand })
    yield* deliveries.put(row)
    touched = true
    after = afterAttempt(after, attempt, row, terms)
  }
  yield* deliveries.log(before, delivered)
  return { after, touched }
})

/**
 * Records attempts in the order in which they were made, and their effect on the subscription. Runs inside the unit of
 * work that read `before`. Returns the updated subscription.
 */
export const recordAttempts = Effect.fnUntraced(function* (
  before: Subscription,
  tried: ReadonlyArray<NumberedAttempt>,
  { byHand, position }: AttemptNotes
) {
  const deliveries = yield* Deliveries
  const { mode } = yield* DeliveryPolicy
  const terms = { mode, chance: yield* randomFraction, byHand }
  const moved = position === null ? before : { ...before, position: Math.max(before.position, position) }
  const { after, touched } = yield* goThrough(moved, tried, terms)
  const now = yield* Clock.currentTimeMillis
  if (before.status === "paused" && after.status === "active") yield* deliveries.restart(before, now)
  if (before.status !== "disabled" && after.status === "disabled") yield* deliveries.giveUp(before, now)
  const looks = touched || after.status !== before.status || before.retryAt <= now
  const next = { ...after, retryAt: looks ? yield* deliveries.nextDue(before) : before.retryAt }
  yield* (yield* Subscriptions).update(next)
  return next
})

import { Clock, Effect } from "effect"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Randomness } from "../../port/system/Ids.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import type { Attempt, DeliveryRow, LogEntry } from "../../domain/webhook/Delivery.ts"
import { DeliveryPolicy } from "../../domain/webhook/Schedule.ts"
import { afterAttempt, afterTry, succeeded, type Terms, untried } from "../../domain/webhook/Outcome.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"

/** An attempt at the event of a number. */
export interface NumberedAttempt {
  readonly sequence: number
  readonly attempt: Attempt
  /** The row of the delivery, where it is known to have one; what stands in the database by now counts. */
  readonly row: DeliveryRow | null
}

/** What else there is to write down. */
export interface AttemptNotes {
  /** Events up to here are done with; null: as far as before. */
  readonly position: number | null
  /** Somebody asked for these attempts: they take nothing from the schedule. */
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

/** Goes through the attempts in turn: what becomes of the subscription, and which rows are written. */
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
 * Writes down what came of attempts, in the order in which they were made, and what it means for the subscription. Within
 * the unit of work that has read `before`; answers what the subscription is then.
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

import { Clock, Effect } from "effect"
import type { Attempt, DeliveryRow } from "../../domain/webhook/Delivery.ts"
import { type DeliveryEvent, succeeded, transition } from "../../domain/webhook/DeliveryState.ts"
import { DeliveryPolicy } from "../../domain/webhook/Schedule.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Randomness } from "../../port/system/Ids.ts"

/** An attempt to deliver the event with this number. */
export interface NumberedAttempt {
  readonly sequence: number
  readonly attempt: Attempt
  /** The row of the delivery if one was read; the stored row takes precedence. */
  readonly row: DeliveryRow | null
}

/** A random number from 0 to 1. */
const randomFraction = Effect.map(Randomness, ({ bytes }) => {
  const [high = 0, low = 0] = bytes(2)
  return (high * 256 + low) / 65_535
})

/**
 * Applies events to a subscription and stores the result. Runs inside the unit of work that read `before`. Returns the
 * updated subscription.
 */
export const applyDeliveryEvents = Effect.fnUntraced(function* (
  before: Subscription,
  events: ReadonlyArray<DeliveryEvent>
) {
  const deliveries = yield* Deliveries
  const { mode } = yield* DeliveryPolicy
  const now = yield* Clock.currentTimeMillis
  const terms = { mode, now, chance: yield* randomFraction }
  const { findsRetry, log, pending, rows, subscription } = transition(before, events, terms)
  for (const row of rows) yield* deliveries.put(row)
  yield* deliveries.log(before, log)
  if (pending === "restart") yield* deliveries.restart(before, now)
  if (pending === "giveUp") yield* deliveries.giveUp(before, now)
  const after = findsRetry ? { ...subscription, retryAt: yield* deliveries.nextDue(before) } : subscription
  yield* (yield* Subscriptions).update(after)
  return after
})

/**
 * Records attempts in the order in which they were made, and their effect on the subscription. `position`: all events
 * up to this number are done. `byHand`: a person requested the attempts, so they do not affect the retry schedule.
 */
export const recordAttempts = Effect.fnUntraced(function* (
  before: Subscription,
  tried: ReadonlyArray<NumberedAttempt>,
  { byHand, position = null }: { readonly byHand: boolean; readonly position?: number | null }
) {
  const { find } = yield* Deliveries
  const events: Array<DeliveryEvent> = position === null ? [] : [{ _tag: "Passed", position }]
  for (const { attempt, row, sequence } of tried) {
    const isFirst = row === null && succeeded(attempt)
    const stored = isFirst ? null : ((yield* find(before, sequence)) ?? row)
    events.push({ _tag: "Attempted", sequence, attempt, row: stored, byHand })
  }
  return yield* applyDeliveryEvents(before, events)
})

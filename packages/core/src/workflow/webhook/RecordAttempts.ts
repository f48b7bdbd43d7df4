import { Clock, Effect } from "effect"
import type { Attempt, DeliveryRow } from "../../domain/webhook/Delivery.ts"
import { type DeliveryEvent, succeeded, transition } from "../../domain/webhook/DeliveryState.ts"
import { DeliveryPolicy } from "../../domain/webhook/Schedule.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Randomness } from "../../port/system/Ids.ts"

/** An attempt to deliver the event with this sequence number. */
export interface NumberedAttempt {
  readonly sequence: number
  readonly attempt: Attempt
  /**
   * The row of the delivery as it was read before the attempt; null if none was read. If a row is stored now, that row
   * is used.
   */
  readonly row: DeliveryRow | null
}

/** A random number from 0 to 1. */
export const randomFraction = Effect.map(Randomness, ({ bytes }) => {
  const [high = 0, low = 0] = bytes(2)
  return (high * 256 + low) / 65_535
})

/**
 * Applies delivery events to a subscription, and stores the result. Returns the updated subscription. Runs inside the
 * unit of work that has read `before`.
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
 * Records attempts in their order, and applies them to the subscription. `position` is the sequence number up to which
 * all events are done; null if it has not changed. `byHand` is true if a person requested the attempts, which then do
 * not affect the retry schedule.
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

import { Clock, Effect } from "effect"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { attemptDelivery } from "./AttemptDelivery.ts"
import type { DeliveryRow } from "../../domain/webhook/Delivery.ts"
import type { EncodedEvent } from "./DeliveryRequest.ts"
import { recordAttempts, randomFraction, type NumberedAttempt } from "./RecordAttempts.ts"
import { succeeded } from "../../domain/webhook/Outcome.ts"
import { eventsPerPage, encodeEvent, type ReadEncodedEvents } from "./EncodedEvents.ts"
import { jittered, probeWait } from "../../domain/webhook/Schedule.ts"
import { matches, never, type Subscription } from "../../domain/webhook/Subscription.ts"

/** How long a worker has a subscription to itself without saying anything: a time-out and some. */
export const leaseMillis = 20_000

/** How long one subscription is served while others may be waiting. */
const timeSliceMillis = 2_000

/** How long a delivery that was made waits for the others of its page to be noted with them. */
const noteMillis = 1_000

/** What a worker delivers to a subscription with. */
export interface DeliveryContext {
  /** What the subscription is held under. */
  readonly lease: string
  readonly encodedEvents: ReadEncodedEvents
  /** The worker wants to stop. */
  readonly isClosing: () => boolean
}

/** Whether something may go out to a subscription now; to a paused one only to see whether its receiver is back. */
const maySend = ({ inactiveReason, nextAt, status }: Subscription, now: number): boolean =>
  nextAt <= now && (status === "active" || (status === "paused" && inactiveReason === "failures"))

/** Writes down what was done; null: somebody else has the subscription now, or it is gone, or this was the end. */
const note = Effect.fnUntraced(function* (
  { lease }: DeliveryContext,
  held: Subscription,
  tried: ReadonlyArray<NumberedAttempt>,
  position: number | null,
  last = false
) {
  const now = yield* Clock.currentTimeMillis
  return yield* (yield* Transactions).atomically(
    held.tenantId,
    Effect.gen(function* () {
      const before = yield* (yield* Subscriptions).renew(held, lease, last ? now : now + leaseMillis)
      if (before === null) return null
      const after = yield* recordAttempts(before, tried, { position, byHand: false })
      return last ? null : after
    })
  )
})

const attempt = (subscription: Subscription, encoded: EncodedEvent, row: DeliveryRow | null) =>
  Effect.map(attemptDelivery(subscription, encoded), (made): NumberedAttempt => ({
    sequence: encoded.sequence,
    attempt: made,
    row
  }))

/** Tries an event again that has a row. */
const tryAgain = Effect.fnUntraced(function* (context: DeliveryContext, subscription: Subscription, row: DeliveryRow) {
  const [found] = yield* (yield* Events).pick(subscription.tenantId, [row.sequence])
  if (found !== undefined)
    return yield* note(context, subscription, [yield* attempt(subscription, encodeEvent(found), row)], null)
  // Its event is kept no longer.
  yield* (yield* Deliveries).put({ ...row, status: "failed", dueAt: never })
  return yield* note(context, subscription, [], null)
})

/** Tries what is due of what was set aside, the lowest number first. */
const tryDue = Effect.fnUntraced(function* (context: DeliveryContext, subscription: Subscription) {
  const row = yield* (yield* Deliveries).due(subscription, yield* Clock.currentTimeMillis)
  return row === null ? yield* note(context, subscription, [], null) : yield* tryAgain(context, subscription, row)
})

/** Where there is nothing after a position that the tenant's last number says there should be: it expired. */
const skipExpired = Effect.fnUntraced(function* (context: DeliveryContext, subscription: Subscription) {
  const { first } = yield* (yield* Events).range(subscription.tenantId)
  return yield* note(context, subscription, [], first - 1, true)
})

/** Sends events in order, `maxInFlight` at once, and stops after the first failure that holds back the others. */
const sendPage = Effect.fnUntraced(function* (
  context: DeliveryContext,
  held: Subscription,
  page: ReadonlyArray<EncodedEvent>,
  whole: boolean
) {
  let subscription = held
  let tried: Array<NumberedAttempt> = []
  let notedAt = yield* Clock.currentTimeMillis
  const wanted = page.filter(({ event }) => matches(held, event.type))
  for (let from = 0; from < wanted.length && !context.isClosing(); from += held.maxInFlight) {
    const chunk = wanted.slice(from, from + held.maxInFlight)
    const made = yield* Effect.forEach(chunk, (encoded) => attempt(subscription, encoded, null), {
      concurrency: held.maxInFlight
    })
    tried.push(...made)
    const position = chunk.at(-1)?.sequence ?? subscription.position
    const now = yield* Clock.currentTimeMillis
    const failed = made.some((one) => !succeeded(one.attempt))
    if (from + held.maxInFlight >= wanted.length && !failed) break
    if (!failed && now - notedAt < noteMillis && !context.isClosing()) continue
    const noted = yield* note(context, subscription, tried, position)
    if (noted === null || !maySend(noted, now) || noted.status !== "active") return noted
    subscription = noted
    tried = []
    notedAt = now
  }
  if (context.isClosing() && tried.length === 0) return subscription
  const position = context.isClosing() ? (tried.at(-1)?.sequence ?? null) : (page.at(-1)?.sequence ?? null)
  return yield* note(context, subscription, tried, position, whole)
})

/** Sends what comes after the position. The last page of all ends the delivery. */
const sendNew = Effect.fnUntraced(function* (context: DeliveryContext, subscription: Subscription) {
  const page = yield* context.encodedEvents(subscription.tenantId, subscription.position)
  const [first] = page
  if (first === undefined) return yield* skipExpired(context, subscription)
  const isLast = (page.at(-1)?.sequence ?? 0) % eventsPerPage !== 0
  return yield* sendPage(context, subscription, page, isLast)
})

/** Sees whether a receiver is back: with the oldest event that has not arrived, else with the next one. */
const probe = Effect.fnUntraced(function* (context: DeliveryContext, subscription: Subscription) {
  const row = yield* (yield* Deliveries).due(subscription, never)
  if (row !== null) return yield* tryAgain(context, subscription, row)
  const page = yield* context.encodedEvents(subscription.tenantId, subscription.position)
  const next = page.find(({ event }) => matches(subscription, event.type))
  if (next !== undefined)
    return yield* note(context, subscription, [yield* attempt(subscription, next, null)], next.sequence)
  const passed = page.at(-1)
  // None of these is for it; the next one that is may be behind them.
  if (passed !== undefined) return yield* note(context, subscription, [], passed.sequence)
  const nextAt = (yield* Clock.currentTimeMillis) + jittered(probeWait, yield* randomFraction)
  yield* (yield* Transactions).atomically(
    subscription.tenantId,
    Effect.gen(function* () {
      const subscriptions = yield* Subscriptions
      const before = yield* subscriptions.renew(subscription, context.lease, 0)
      if (before !== null) yield* subscriptions.update({ ...before, nextAt })
    })
  )
  return null
})

const nextStep = (context: DeliveryContext, subscription: Subscription, now: number) => {
  if (subscription.status === "paused") return probe(context, subscription)
  return subscription.retryAt <= now ? tryDue(context, subscription) : sendNew(context, subscription)
}

/**
 * Serves a subscription for a while: what is due of what was set aside, then what is new, in the order of the numbers. It
 * ends when there is nothing more, when something failed that holds back the rest, or when the time slice is over.
 */
export const deliverToSubscription = Effect.fnUntraced(function* (context: DeliveryContext, claimed: Subscription) {
  const until = (yield* Clock.currentTimeMillis) + timeSliceMillis
  let subscription: Subscription | null = claimed
  for (;;) {
    const now: number = yield* Clock.currentTimeMillis
    if (context.isClosing() || now >= until || !maySend(subscription, now)) break
    subscription = yield* nextStep(context, subscription, now)
    if (subscription === null) return
  }
  yield* note(context, subscription, [], null, true)
})

/**
 * Delivers outbound events to the webhooks of partners, and manages their subscriptions. Creating events does not
 * belong here; each workflow appends its own. Requests leave through the port `Egress`.
 *
 * Tests: `packages/testkit/src/suite/webhook`, `packages/core/test/workflow/delivery`,
 * `packages/core/test/domain/webhook`.
 */
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

/** The lease of a subscription without a renewal; slightly longer than the timeout of a request. */
export const leaseMillis = 20_000

/** The maximum time for one subscription while others may be waiting. */
const timeSliceMillis = 2_000

/** Finished deliveries of a page are recorded together, after at most this time. */
const noteMillis = 1_000

/** The tools of a worker for one subscription. */
export interface DeliveryContext {
  /** The lease under which the worker holds the subscription. */
  readonly lease: string
  readonly encodedEvents: ReadEncodedEvents
  /** True when the worker is shutting down. */
  readonly isClosing: () => boolean
}

/**
 * Returns whether an attempt may be made now. A subscription that paused after failures gets only probes of its
 * receiver.
 */
const maySend = ({ inactiveReason, nextAt, status }: Subscription, now: number): boolean =>
  nextAt <= now && (status === "active" || (status === "paused" && inactiveReason === "failures"))

/**
 * Records attempts and renews the lease. Returns null when another worker holds the subscription, when it was deleted,
 * and after the last call.
 */
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

/** Retries an event that has a delivery row. */
const tryAgain = Effect.fnUntraced(function* (context: DeliveryContext, subscription: Subscription, row: DeliveryRow) {
  const [found] = yield* (yield* Events).pick(subscription.tenantId, [row.sequence])
  if (found !== undefined)
    return yield* note(context, subscription, [yield* attempt(subscription, encodeEvent(found), row)], null)
  // The event has expired.
  yield* (yield* Deliveries).put({ ...row, status: "failed", dueAt: never })
  return yield* note(context, subscription, [], null)
})

/** Retries the due delivery with the lowest number. */
const tryDue = Effect.fnUntraced(function* (context: DeliveryContext, subscription: Subscription) {
  const row = yield* (yield* Deliveries).due(subscription, yield* Clock.currentTimeMillis)
  return row === null ? yield* note(context, subscription, [], null) : yield* tryAgain(context, subscription, row)
})

/** Moves the position past expired events. They are missing although the tenant's last number is higher. */
const skipExpired = Effect.fnUntraced(function* (context: DeliveryContext, subscription: Subscription) {
  const { first } = yield* (yield* Events).range(subscription.tenantId)
  return yield* note(context, subscription, [], first - 1, true)
})

/** Sends events in order, `maxInFlight` at once. Stops after the first failure that blocks the others. */
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

/** Sends the events after the position. The last page ends the delivery. */
const sendNew = Effect.fnUntraced(function* (context: DeliveryContext, subscription: Subscription) {
  const page = yield* context.encodedEvents(subscription.tenantId, subscription.position)
  const [first] = page
  if (first === undefined) return yield* skipExpired(context, subscription)
  const isLast = (page.at(-1)?.sequence ?? 0) % eventsPerPage !== 0
  return yield* sendPage(context, subscription, page, isLast)
})

/** Checks whether a receiver is available again, with the oldest undelivered event, else with the next one. */
const probe = Effect.fnUntraced(function* (context: DeliveryContext, subscription: Subscription) {
  const row = yield* (yield* Deliveries).due(subscription, never)
  if (row !== null) return yield* tryAgain(context, subscription, row)
  const page = yield* context.encodedEvents(subscription.tenantId, subscription.position)
  const next = page.find(({ event }) => matches(subscription, event.type))
  if (next !== undefined)
    return yield* note(context, subscription, [yield* attempt(subscription, next, null)], next.sequence)
  const passed = page.at(-1)
  // No event on this page matches the subscription; a later page may have one.
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
 * Delivers to a subscription for one time slice: first due retries, then new events, in the order of their numbers.
 * Ends early when nothing is left or a failure blocks the rest.
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

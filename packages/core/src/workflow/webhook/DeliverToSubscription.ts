/**
 * Delivers outbound events to the subscriptions of partners, and manages these subscriptions. Creating events does not
 * belong here: each workflow records its own events (`recordEvents`). Requests use the port `Egress`. Tests:
 * `packages/testkit/src/suite/webhook`, `packages/core/test/domain/webhook`.
 */
import { Clock, Effect, type Exit } from "effect"
import type { DeliveryRow } from "../../domain/webhook/Delivery.ts"
import { stateOf, succeeded } from "../../domain/webhook/DeliveryState.ts"
import { matches, never, type Subscription } from "../../domain/webhook/Subscription.ts"
import { Deliveries } from "../../port/repository/webhook/Deliveries.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { UnsealFailed } from "../../port/system/Vault.ts"
import { attemptDelivery } from "./AttemptDelivery.ts"
import type { EncodedEvent } from "./DeliveryRequest.ts"
import { encodeEvent, eventsPerPage, type ReadEncodedEvents } from "./EncodedEvents.ts"
import { applyDeliveryEvents, type NumberedAttempt, recordAttempts } from "./RecordAttempts.ts"
import { openSigners, type Signers } from "./Signers.ts"

/** The lease of a subscription. It is slightly longer than the timeout of a request. */
export const leaseMillis = 20_000

/** The maximum time that a worker spends on one subscription before it serves another one. */
const timeSliceMillis = 2_000

/**
 * The maximum time after which finished deliveries of a page are recorded. Recording several together saves commits.
 */
const noteMillis = 1_000

/** The context in which a worker serves one subscription. */
export interface DeliveryContext {
  /** The lease under which the worker has claimed the subscription. */
  readonly lease: string
  readonly encodedEvents: ReadEncodedEvents
  /** Returns true when the worker is shutting down. */
  readonly isClosing: () => boolean
}

/** A claimed subscription with its opened secrets. */
interface Held {
  readonly subscription: Subscription
  readonly signers: Exit.Exit<Signers, UnsealFailed>
}

/** Opens the secrets of a subscription. If they have not changed since `earlier`, its opened secrets are used again. */
const hold = (subscription: Subscription, earlier: Held | null) => {
  const { formerSecret, formerSecretUntil, secret } = subscription
  const known = earlier?.subscription
  return earlier !== null &&
    known?.secret === secret &&
    known.formerSecret === formerSecret &&
    known.formerSecretUntil === formerSecretUntil
    ? Effect.succeed<Held>({ subscription, signers: earlier.signers })
    : Effect.map(Effect.exit(openSigners(subscription)), (signers): Held => ({ subscription, signers }))
}

/**
 * Records attempts, and renews the lease. Returns null when another worker has claimed the subscription, when it was
 * deleted, and if `last` is true.
 */
const note = Effect.fnUntraced(function* (
  { lease }: DeliveryContext,
  held: Held,
  tried: ReadonlyArray<NumberedAttempt>,
  position: number | null,
  last = false
) {
  const now = yield* Clock.currentTimeMillis
  const after = yield* (yield* Transactions).atomically(
    held.subscription.tenantId,
    Effect.gen(function* () {
      const before = yield* (yield* Subscriptions).renew(held.subscription, lease, last ? now : now + leaseMillis)
      return before === null ? null : yield* recordAttempts(before, tried, { position, byHand: false })
    })
  )
  return after === null || last ? null : yield* hold(after, held)
})

const attempt = ({ signers, subscription }: Held, encoded: EncodedEvent, row: DeliveryRow | null) =>
  Effect.map(attemptDelivery(subscription, encoded, signers), (made): NumberedAttempt => ({
    sequence: encoded.sequence,
    attempt: made,
    row
  }))

/** Retries a delivery that has a row. */
const tryAgain = Effect.fnUntraced(function* (context: DeliveryContext, held: Held, row: DeliveryRow) {
  const [found] = yield* (yield* Events).pick(held.subscription.tenantId, [row.sequence])
  if (found !== undefined) return yield* note(context, held, [yield* attempt(held, encodeEvent(found), row)], null)
  // The event was deleted after its retention, so the delivery fails.
  yield* (yield* Deliveries).put({ ...row, status: "failed", dueAt: never })
  return yield* note(context, held, [], null)
})

/** Retries the due delivery with the lowest sequence number. */
const tryDue = Effect.fnUntraced(function* (context: DeliveryContext, held: Held) {
  const row = yield* (yield* Deliveries).due(held.subscription, yield* Clock.currentTimeMillis)
  return row === null ? yield* note(context, held, [], null) : yield* tryAgain(context, held, row)
})

/**
 * Sends events in order, up to `maxInFlight` concurrently. Stops after the first failure that blocks the following
 * events.
 */
const sendPage = Effect.fnUntraced(function* (
  context: DeliveryContext,
  claimed: Held,
  page: ReadonlyArray<EncodedEvent>,
  whole: boolean
) {
  let held = claimed
  let tried: Array<NumberedAttempt> = []
  let notedAt = yield* Clock.currentTimeMillis
  const { maxInFlight, position: start } = claimed.subscription
  const wanted = page.filter(({ event }) => matches(claimed.subscription, event.type))
  for (let from = 0; from < wanted.length && !context.isClosing(); from += maxInFlight) {
    const chunk = wanted.slice(from, from + maxInFlight)
    const made = yield* Effect.forEach(chunk, (encoded) => attempt(held, encoded, null), { concurrency: maxInFlight })
    tried.push(...made)
    const now = yield* Clock.currentTimeMillis
    const failed = made.some((one) => !succeeded(one.attempt))
    if (from + maxInFlight >= wanted.length && !failed) break
    if (!failed && now - notedAt < noteMillis && !context.isClosing()) continue
    const noted = yield* note(context, held, tried, chunk.at(-1)?.sequence ?? start)
    if (noted === null) return null
    const { _tag } = stateOf(noted.subscription, now)
    if (_tag !== "Delivering" && _tag !== "Retrying") return noted
    held = noted
    tried = []
    notedAt = now
  }
  if (context.isClosing() && tried.length === 0) return held
  const position = context.isClosing() ? (tried.at(-1)?.sequence ?? null) : (page.at(-1)?.sequence ?? null)
  return yield* note(context, held, tried, position, whole)
})

/** Sends the events after the subscription's position. If no events are left after the page, the delivery ends. */
const sendNew = Effect.fnUntraced(function* (context: DeliveryContext, held: Held) {
  const { position, tenantId } = held.subscription
  const page = yield* context.encodedEvents(tenantId, position)
  const last = page.at(-1)
  if (last !== undefined) return yield* sendPage(context, held, page, last.sequence % eventsPerPage !== 0)
  // There may be no events because those after the position were deleted. The position then moves to the event before
  // the first stored one.
  const { first } = yield* (yield* Events).range(tenantId)
  return yield* note(context, held, [], first - 1, true)
})

/** Probes a receiver, with the oldest undelivered event. If there is none, with the next event. */
const probe = Effect.fnUntraced(function* (context: DeliveryContext, held: Held) {
  const { subscription } = held
  const row = yield* (yield* Deliveries).due(subscription, never)
  if (row !== null) return yield* tryAgain(context, held, row)
  const page = yield* context.encodedEvents(subscription.tenantId, subscription.position)
  const next = page.find(({ event }) => matches(subscription, event.type))
  if (next !== undefined) return yield* note(context, held, [yield* attempt(held, next, null)], next.sequence)
  const passed = page.at(-1)
  // No event on this page matches the subscription. A later page may contain one.
  if (passed !== undefined) return yield* note(context, held, [], passed.sequence)
  return yield* (yield* Transactions).atomically(
    subscription.tenantId,
    Effect.gen(function* () {
      const before = yield* (yield* Subscriptions).renew(subscription, context.lease, 0)
      if (before !== null) yield* applyDeliveryEvents(before, [{ _tag: "ProbedNothing" }])
      return null
    })
  )
})

/**
 * Delivers events to a subscription for one time slice: due retries first, then new events. Each group is sent in the
 * order of its sequence numbers. Ends early when nothing is left, or when a failure blocks the following events.
 */
export const deliverToSubscription = Effect.fnUntraced(function* (context: DeliveryContext, claimed: Subscription) {
  const until = (yield* Clock.currentTimeMillis) + timeSliceMillis
  let held: Held | null = yield* hold(claimed, null)
  while (held !== null) {
    const now: number = yield* Clock.currentTimeMillis
    const state = context.isClosing() || now >= until ? null : stateOf(held.subscription, now)
    if (state?._tag === "Probing") held = yield* probe(context, held)
    else if (state?._tag === "Retrying") held = yield* tryDue(context, held)
    else if (state?._tag === "Delivering") held = yield* sendNew(context, held)
    // The last call ends the lease, so that another worker can continue.
    else held = yield* note(context, held, [], null, true)
  }
})

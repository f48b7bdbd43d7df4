/**
 * Delivers outbound events to the webhooks of partners, and manages their subscriptions. Creating events does not
 * belong here; each workflow appends its own. Requests leave through the port `Egress`.
 *
 * Tests: `packages/testkit/src/suite/webhook`, `packages/core/test/domain/webhook`.
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

/** A subscription under the lease of the worker, with its opened secrets. */
interface Held {
  readonly subscription: Subscription
  readonly signers: Exit.Exit<Signers, UnsealFailed>
}

/** Opens the secrets of a subscription, unless they are those of `earlier`. */
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
 * Records attempts and renews the lease. Returns null when another worker holds the subscription, when it was deleted,
 * and after the last call.
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

/** Retries an event that has a delivery row. */
const tryAgain = Effect.fnUntraced(function* (context: DeliveryContext, held: Held, row: DeliveryRow) {
  const [found] = yield* (yield* Events).pick(held.subscription.tenantId, [row.sequence])
  if (found !== undefined) return yield* note(context, held, [yield* attempt(held, encodeEvent(found), row)], null)
  // The event has expired.
  yield* (yield* Deliveries).put({ ...row, status: "failed", dueAt: never })
  return yield* note(context, held, [], null)
})

/** Retries the due delivery with the lowest number. */
const tryDue = Effect.fnUntraced(function* (context: DeliveryContext, held: Held) {
  const row = yield* (yield* Deliveries).due(held.subscription, yield* Clock.currentTimeMillis)
  return row === null ? yield* note(context, held, [], null) : yield* tryAgain(context, held, row)
})

/** Sends events in order, `maxInFlight` at once. Stops after the first failure that blocks the others. */
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

/** Sends the events after the position. The last page ends the delivery. */
const sendNew = Effect.fnUntraced(function* (context: DeliveryContext, held: Held) {
  const { position, tenantId } = held.subscription
  const page = yield* context.encodedEvents(tenantId, position)
  const last = page.at(-1)
  if (last !== undefined) return yield* sendPage(context, held, page, last.sequence % eventsPerPage !== 0)
  // The events after the position have expired. They are missing although the tenant's last number is higher.
  const { first } = yield* (yield* Events).range(tenantId)
  return yield* note(context, held, [], first - 1, true)
})

/** Checks whether a receiver is available again, with the oldest undelivered event, else with the next one. */
const probe = Effect.fnUntraced(function* (context: DeliveryContext, held: Held) {
  const { subscription } = held
  const row = yield* (yield* Deliveries).due(subscription, never)
  if (row !== null) return yield* tryAgain(context, held, row)
  const page = yield* context.encodedEvents(subscription.tenantId, subscription.position)
  const next = page.find(({ event }) => matches(subscription, event.type))
  if (next !== undefined) return yield* note(context, held, [yield* attempt(held, next, null)], next.sequence)
  const passed = page.at(-1)
  // No event on this page matches the subscription; a later page may have one.
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
 * Delivers to a subscription for one time slice: first due retries, then new events, in the order of their numbers.
 * Ends early when nothing is left or a failure blocks the rest.
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
    // Another worker continues later: the last call ends the lease.
    else held = yield* note(context, held, [], null, true)
  }
})

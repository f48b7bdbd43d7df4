import { Cause, Clock, Effect, FiberSet, Latch } from "effect"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { makeEncodedEventReader } from "./EncodedEvents.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"
import { leaseMillis, deliverToSubscription, type DeliveryContext } from "./DeliverToSubscription.ts"

/** The maximum number of subscriptions that a server serves at once. */
const slots = 256

/**
 * The maximum number of these slots for receivers that recently failed or were slow. The rest stays free for healthy
 * ones.
 */
const ailingSlots = 64

/** The number of subscriptions to claim at once. */
const batch = 64

/** The wait when nothing is due. A new event wakes the worker immediately. */
const idleMillis = 1_000

/** The pause after a claim that returned nothing. */
const pauseMillis = 5

/** The wait while the store is unavailable. */
const outageMillis = 1_000

/** Delivers to one subscription. After a defect, the lease expires and another worker claims the subscription. */
const serve = (context: DeliveryContext, subscription: Subscription) =>
  deliverToSubscription(context, subscription).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logError("failed to serve a webhook subscription", cause)
    ),
    // The event-loop watchdog reads the tenant from here.
    Effect.annotateLogs({ tenant: subscription.tenantId, webhook: subscription.webhookId })
  )

/** Claims subscriptions under a new lease. A new id per claim also invalidates this worker's own older claim. */
const claim = Effect.fnUntraced(function* (limit: number, ailing: number) {
  const now = yield* Clock.currentTimeMillis
  const lease: string = yield* (yield* Ids).next("dlv")
  const claimed = yield* (yield* Subscriptions).claim({ limit, ailing, now, lease, leaseUntil: now + leaseMillis })
  return { lease, claimed }
})

/** Delivers once to every subscription with due work. Returns their number. */
export const deliverDue = Effect.fnUntraced(function* () {
  const { lease, claimed } = yield* claim(slots, slots)
  const context = { lease, encodedEvents: makeEncodedEventReader(), isClosing: () => false }
  yield* Effect.forEach(claimed, (subscription) => serve(context, subscription), { concurrency: slots, discard: true })
  return claimed.length
})

/**
 * Delivers outbound events until `closing` opens, then completes after the running deliveries. Subscriptions are served
 * concurrently, so a slow receiver delays no other.
 */
export const workDeliveries = Effect.fnUntraced(function* (closing: Latch.Latch) {
  const wait = yield* (yield* Events).watch(null)
  const running = yield* FiberSet.make<void>()
  const over = Latch.makeUnsafe(false)
  const busy = { all: 0, ailing: 0 }
  let closed = false
  yield* Effect.forkScoped(
    Effect.andThen(
      closing.await,
      Effect.sync(() => void (closed = true))
    )
  )
  const encodedEvents = makeEncodedEventReader()
  const begin = (lease: string, subscription: Subscription) =>
    Effect.suspend(() => {
      const ailing = subscription.ailing ? 1 : 0
      busy.all += 1
      busy.ailing += ailing
      const end = Effect.sync(() => {
        busy.all -= 1
        busy.ailing -= ailing
        over.openUnsafe()
      })
      const context = { lease, encodedEvents, isClosing: () => closed }
      return FiberSet.run(running, Effect.ensuring(serve(context, subscription), end))
    })
  const look = Effect.gen(function* () {
    over.closeUnsafe()
    const { lease, claimed } = yield* claim(Math.min(batch, slots - busy.all), ailingSlots - busy.ailing)
    yield* Effect.forEach(claimed, (subscription) => begin(lease, subscription), { discard: true })
    if (claimed.length > 0) return
    yield* Effect.raceAllFirst([wait(idleMillis), over.await, closing.await])
    yield* Effect.sleep(pauseMillis)
  }).pipe(
    Effect.catchTag("StoreUnavailable", (error) =>
      Effect.andThen(Effect.logWarning("the store is unavailable", error.reason), Effect.sleep(outageMillis))
    )
  )
  yield* Effect.repeat(look, { while: () => !closed })
  yield* FiberSet.awaitEmpty(running)
}, Effect.scoped)

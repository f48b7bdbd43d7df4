import { Cause, Clock, Effect, FiberSet, Latch } from "effect"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { makeEncodedEventReader } from "./EncodedEvents.ts"
import type { Subscription } from "../../domain/webhook/Subscription.ts"
import { leaseMillis, deliverToSubscription, type DeliveryContext } from "./DeliverToSubscription.ts"

/** Subscriptions that a server serves at once. */
const slots = 256

/** Of these, those whose receivers failed or were slow the last time, at most: the others have room in any case. */
const ailingSlots = 64

/** Subscriptions taken at once. */
const batch = 64

/** How long to wait when nothing is to be sent; a new event wakes the worker at once. */
const idleMillis = 1_000

/** Between two looks for work of which the first found none. */
const pauseMillis = 5

/** How long to wait when the store does not answer. */
const outageMillis = 1_000

/** Delivers to one subscription; whatever breaks, the lease ends and a worker claims the subscription again. */
const serve = (context: DeliveryContext, subscription: Subscription) =>
  deliverToSubscription(context, subscription).pipe(
    Effect.catchCause((cause) =>
      Cause.hasInterruptsOnly(cause)
        ? Effect.failCause(cause)
        : Effect.logError("A webhook subscription could not be served", cause)
    ),
    // The event-loop watchdog reads the tenant from here.
    Effect.annotateLogs({ tenant: subscription.tenantId, webhook: subscription.webhookId })
  )

/** Takes subscriptions under a lease that nobody had before, also not this worker when it has slept for long. */
const claim = Effect.fnUntraced(function* (limit: number, ailing: number) {
  const now = yield* Clock.currentTimeMillis
  const lease: string = yield* (yield* Ids).next("dlv")
  const claimed = yield* (yield* Subscriptions).claim({ limit, ailing, now, lease, leaseUntil: now + leaseMillis })
  return { lease, claimed }
})

/** Delivers once to every subscription that has something to send; answers how many those were. */
export const deliverDue = Effect.fnUntraced(function* () {
  const { lease, claimed } = yield* claim(slots, slots)
  const context = { lease, encodedEvents: makeEncodedEventReader(), isClosing: () => false }
  yield* Effect.forEach(claimed, (subscription) => serve(context, subscription), { concurrency: slots, discard: true })
  return claimed.length
})

/**
 * Delivers outbound events until `closing` is opened; then completes when the deliveries that it has begun are over.
 * Subscriptions are served concurrently, so none waits for another's receiver.
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
      Effect.andThen(Effect.logWarning("The store does not answer", error.reason), Effect.sleep(outageMillis))
    )
  )
  yield* Effect.repeat(look, { while: () => !closed })
  yield* FiberSet.awaitEmpty(running)
}, Effect.scoped)

import { Effect } from "effect"
import type { Subscription } from "../../domain/webhook/Subscription.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Ids } from "../../port/system/Ids.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { deliverToSubscription, leaseMillis } from "./DeliverToSubscription.ts"
import { makeEncodedEventReader } from "./EncodedEvents.ts"

/** The maximum number of subscriptions that a server serves concurrently. */
const slots = 256

/**
 * The maximum number of these slots for subscriptions whose receiver recently failed or was slow. The other slots stay
 * free for healthy ones.
 */
const ailingSlots = 64

/** A claimed subscription, and the lease under which the worker has claimed it. */
interface Held {
  readonly subscription: Subscription
  readonly lease: string
}

const open = Effect.gen(function* () {
  const subscriptions = yield* Subscriptions
  const ids = yield* Ids
  const wait = yield* (yield* Events).watch(null)
  const encodedEvents = makeEncodedEventReader()
  let ailing = 0
  return {
    /** Claims subscriptions. Each claim has a new lease id, which also invalidates older claims of this worker. */
    claim: Effect.fnUntraced(function* (limit: number, now: number) {
      const lease: string = yield* ids.next("dlv")
      const most = { limit, ailing: ailingSlots - ailing }
      const claimed = yield* subscriptions.claim({ ...most, now, lease, leaseUntil: now + leaseMillis })
      ailing += claimed.filter((one) => one.ailing).length
      return claimed.map((subscription): Held => ({ subscription, lease }))
    }),
    run: ({ lease, subscription }: Held, isClosing: () => boolean) =>
      deliverToSubscription({ lease, encodedEvents, isClosing }, subscription).pipe(
        Effect.ensuring(Effect.sync(() => void (ailing -= subscription.ailing ? 1 : 0))),
        Effect.as(null)
      ),
    wait
  }
})

/**
 * The queue of subscriptions that have events to deliver. They are served concurrently, each for one time slice, so a
 * slow receiver does not delay others.
 */
export const deliveryQueue: Queue<
  Held,
  Effect.Services<typeof open> | Effect.Services<ReturnType<typeof deliverToSubscription>>
> = {
  ...defaults,
  name: "deliveries",
  workers: 1,
  slots,
  batch: 64,
  refill: 1,
  settleMillis: 5,
  failure: "failed to deliver events to a webhook subscription",
  about: ({ subscription: { tenantId, webhookId } }) => ({ tenant: tenantId, webhook: webhookId }),
  open
}

/** Delivers due events to every subscription once. Returns the number of these subscriptions. */
export const deliverDue = () => workOnce(deliveryQueue)

import { Effect } from "effect"
import type { Subscription } from "../../domain/webhook/Subscription.ts"
import { Events } from "../../port/repository/webhook/Events.ts"
import { Subscriptions } from "../../port/repository/webhook/Subscriptions.ts"
import { Ids } from "../../port/system/Ids.ts"
import { defaults, type Queue, workOnce } from "../worker/Worker.ts"
import { deliverToSubscription, leaseMillis } from "./DeliverToSubscription.ts"
import { makeEncodedEventReader } from "./EncodedEvents.ts"

/** The maximum number of subscriptions that a server serves at once. */
const slots = 256

/**
 * The maximum number of these slots for receivers that recently failed or were slow. The rest stays free for healthy
 * ones.
 */
const ailingSlots = 64

/** A claimed subscription and the lease under which the worker holds it. */
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
    /** A new id per claim also invalidates this worker's own older claim. */
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
 * The queue of subscriptions with events to deliver. They are served concurrently, each for a time slice, so a slow
 * receiver delays no other.
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
  failure: "failed to serve a webhook subscription",
  about: ({ subscription: { tenantId, webhookId } }) => ({ tenant: tenantId, webhook: webhookId }),
  open
}

/** Delivers once to every subscription with due work. Returns their number. */
export const deliverDue = () => workOnce(deliveryQueue)

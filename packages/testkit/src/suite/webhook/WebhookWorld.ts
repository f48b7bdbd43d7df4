import type { Receivers } from "../../memory/Receivers.ts"
import { Ids } from "@leadloom/core/internal/port/system/Ids"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import {
  createSubscription,
  type SubscriptionChange,
  type SubscriptionRequest,
  updateSubscription
} from "@leadloom/core/internal/workflow/webhook/Subscriptions"
import type { DeliveryStatus } from "@leadloom/core/internal/domain/webhook/Delivery"
import type { EventType } from "@leadloom/core/internal/domain/webhook/Event"
import { exampleData } from "@leadloom/core/internal/domain/webhook/ExampleData"
import { listDeliveries } from "@leadloom/core/internal/workflow/webhook/ListDeliveries"
import { deliverDue } from "@leadloom/core/internal/workflow/webhook/WorkDeliveries"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { acme, scenesOn, type Services } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** The URL of the test receiver. */
export const here = "https://receiver.example/hooks"

const tenantId = "acme"

/** The steps of a tenant with webhooks. */
export const webhooks = {
  tenantId,
  /** Returns the subscription with its secret. */
  subscribe: (request: Partial<SubscriptionRequest> = {}) =>
    Effect.map(
      createSubscription(tenantId, { url: here, events: [], description: null, maxInFlight: 1, ...request }),
      ({ shown, subscription }) => ({ ...subscription, shown })
    ),
  change: (webhookId: string, change: SubscriptionChange) => updateSubscription(tenantId, webhookId, change),
  get: (webhookId: string) => Effect.flatMap(Subscriptions, (subscriptions) => subscriptions.get(tenantId, webhookId)),
  /** Appends events in one unit of work. */
  happen: Effect.fnUntraced(function* (count: number, type: EventType = "contact.updated") {
    const ids = yield* Ids
    const timestamp = yield* Clock.currentTimeMillis
    const all = yield* Effect.replicateEffect(
      Effect.map(ids.next("evt"), (eventId) => ({ eventId, type, tenantId, timestamp, data: exampleData[type] })),
      count
    )
    const events = yield* Events
    yield* (yield* Transactions).atomically(tenantId, events.append(tenantId, all))
  }),
  /** Lists deliveries with number, status and attempts, newest first. */
  deliveries: (webhookId: string, status: DeliveryStatus | null = null) =>
    Effect.map(listDeliveries(tenantId, webhookId, status, { limit: 100, cursor: null }), ({ items }) => items)
}

/** Delivers until nothing is due. */
export const deliverAll = Effect.gen(function* () {
  while ((yield* deliverDue()) > 0);
})

/** Advances the clock in steps. Makes all due deliveries after each step. */
export const pass = Effect.fnUntraced(function* (minutes: number, step = 1) {
  for (let passed = 0; passed < minutes; passed += step) {
    yield* TestClock.adjust(`${step} minutes`)
    yield* deliverAll
  }
})

/** Returns the numbers from `from` to `to`, both included. */
export const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Adds tests of a tenant with webhooks. */
export const webhookScenesOn = (store: StoreLayer) => {
  const scene = scenesOn(store)
  return (
    title: string,
    test: (world: typeof webhooks, receivers: Receivers) => Effect.Effect<void, unknown, Services>
  ): void => scene(title, ({ receivers }) => Effect.andThen(acme.open(), test(webhooks, receivers)))
}

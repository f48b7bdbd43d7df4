/** Delivers outbound events from a separate database, for measurements. */
import * as NodeEgress from "@leadloom/connectors/internal/egress/NodeEgress"
import * as NodeHmac from "@leadloom/connectors/internal/hmac/NodeHmac"
import * as NodeVault from "@leadloom/connectors/internal/vault/NodeVault"
import { Secrets } from "@leadloom/core/internal/domain/access/Secrets"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Ids, Randomness } from "@leadloom/core/internal/port/system/Ids"
import { Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { createSubscription } from "@leadloom/core/internal/workflow/webhook/Subscriptions"
import { DeliveryPolicy } from "@leadloom/core/internal/domain/webhook/Schedule"
import { exampleData } from "@leadloom/core/internal/domain/webhook/ExampleData"
import { deliveryQueue } from "@leadloom/core/internal/workflow/webhook/WorkDeliveries"
import { work } from "@leadloom/core/internal/workflow/worker/Worker"
import * as Store from "@leadloom/store/internal/Store"
import { Effect, Fiber, Latch, Layer, ManagedRuntime } from "effect"
import { randomPool } from "../src/startup/RandomPool.ts"

/** The receiver of the events. Each subscription has its own path on it. */
export interface Reporting {
  readonly base: string
  readonly port: number
  readonly subscriptions: number
}

const random = randomPool()
const around = (port: number) =>
  Layer.mergeAll(
    Ids.layer(random),
    Randomness.layer(random),
    NodeHmac.layer,
    NodeVault.layer("a-secret-key-for-measurements-only"),
    NodeEgress.layer({ policy: { allowHosts: [{ host: "127.0.0.1", port }] } }),
    Layer.succeed(DeliveryPolicy, { mode: "durable" }),
    Layer.succeed(Secrets, { adminKeys: [], sessionKeys: [], pepper: new Uint8Array(32) })
  )

const appendEvents = Effect.fnUntraced(function* (tenantId: string, number: number) {
  const [events, ids] = [yield* Events, yield* Ids]
  for (let left = number; left > 0; left -= 500) {
    const next = Effect.map(ids.next("evt"), (eventId) => ({
      eventId,
      type: "lead.scored" as const,
      tenantId,
      timestamp: Date.now(),
      data: exampleData["lead.scored"]
    }))
    yield* events.append(tenantId, yield* Effect.replicateEffect(next, Math.min(left, 500)))
  }
})

/** Creates a tenant with its subscriptions and the given number of events for each. */
const fill = Effect.fnUntraced(function* ({ base, subscriptions }: Reporting, tenantId: string, events: number) {
  yield* createTenant({ tenantId, name: "Acme", domain: `${tenantId}.example`, preset: null, hipaa: false })
  for (let number = 0; number < subscriptions; number++) {
    const url = `${base}/${tenantId}-${number}`
    yield* createSubscription(tenantId, { url, events: [], description: null, maxInFlight: 1 })
  }
  yield* appendEvents(tenantId, events)
})

/** Delivers until every subscription has received all events. */
const drain = Effect.fnUntraced(function* (tenantId: string, events: number) {
  const closing = yield* Latch.make(false)
  const worker = yield* Effect.forkChild(work(deliveryQueue, closing))
  const subscriptions = yield* Subscriptions
  for (const { webhookId } of yield* subscriptions.list(tenantId)) {
    while ((yield* subscriptions.get(tenantId, webhookId)).position < events) yield* Effect.sleep(10)
  }
  yield* closing.open
  yield* Fiber.join(worker)
})

/** Returns the delivery from one database; pass a new `tenantId` in each round. */
export const deliveringFrom = (url: string, telling: Reporting) => {
  const runtime = ManagedRuntime.make(Layer.provideMerge(around(telling.port), Store.layer({ url })))
  return {
    fill: (tenantId: string, events: number) => runtime.runPromise(fill(telling, tenantId, events)),
    drain: (tenantId: string, events: number) => runtime.runPromise(drain(tenantId, events)),
    close: () => runtime.dispose()
  }
}

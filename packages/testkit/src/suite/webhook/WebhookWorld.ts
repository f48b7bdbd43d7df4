import { inMemoryEgress } from "../../memory/Egress.ts"
import { type EgressAnswer, EgressFailed } from "@leadloom/core/port/system/Egress"
import { Ids } from "@leadloom/core/port/system/Ids"
import { Events } from "@leadloom/core/port/repository/webhook/Events"
import { Subscriptions } from "@leadloom/core/port/repository/webhook/Subscriptions"
import { Transactions } from "@leadloom/core/port/system/Transactions"
import {
  createSubscription,
  type SubscriptionChange,
  type SubscriptionRequest,
  updateSubscription
} from "@leadloom/core/workflow/webhook/Subscriptions"
import type { DeliveryStatus } from "@leadloom/core/domain/webhook/Delivery"
import { type DeliveryMode, DeliveryPolicy } from "@leadloom/core/domain/webhook/Schedule"
import type { EventType } from "@leadloom/core/domain/webhook/Event"
import { exampleData } from "@leadloom/core/domain/webhook/ExampleData"
import { listDeliveries } from "@leadloom/core/workflow/webhook/ListDeliveries"
import { deliverDue } from "@leadloom/core/workflow/webhook/WorkDeliveries"
import { layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { freshTenant } from "../Records.ts"
import { around } from "../Doubles.ts"
import { inTenant } from "../Scene.ts"
import type { Store, StoreLayer } from "../StoreLayer.ts"

/** A request to a receiver. */
export interface ReceivedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly sequence: number
}

/** The response of a receiver: a status, which may have headers and a body. `dead`: no response. */
export type Answer =
  | number
  | "dead"
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body?: string }

/** Receivers that record requests and respond as a test configures. */
export const receivers = (mode: DeliveryMode = "durable") => {
  const got: Array<ReceivedRequest> = []
  const answers = new Map<string, (request: ReceivedRequest) => Answer>()
  const answerOf = (answer: Answer): Effect.Effect<EgressAnswer, EgressFailed> => {
    if (answer === "dead") {
      return Effect.fail(new EgressFailed({ kind: "connection", reason: "Nobody answers there.", millis: 3 }))
    }
    const {
      body = "no thanks",
      headers,
      status
    } = typeof answer === "number" ? { status: answer, headers: {} } : answer
    return Effect.succeed({ status, headers, body: new TextEncoder().encode(body), millis: 7 })
  }
  const egress = inMemoryEgress((request) =>
    Effect.suspend(() => {
      const { body, headers, url } = request
      const text = typeof body === "string" ? body : new TextDecoder().decode(body)
      const one = { url, headers, body: text, sequence: Number(headers["x-webhook-sequence"]) }
      got.push(one)
      return answerOf(answers.get(url)?.(one) ?? 204)
    })
  )
  return {
    layer: Layer.mergeAll(around, egress, Layer.succeed(DeliveryPolicy, { mode })),
    got,
    /** Sets the responses of a receiver to later requests. */
    answer: (url: string, how: (request: ReceivedRequest) => Answer) => void answers.set(url, how),
    /** Returns the event numbers that a receiver got since the previous call. */
    taken: (url: string): ReadonlyArray<number> => {
      const mine = got.filter((one) => one.url === url)
      for (const one of mine) got.splice(got.indexOf(one), 1)
      return mine.map(({ sequence }) => sequence)
    }
  }
}

/** The URL of the test receiver. */
export const here = "https://receiver.example/hooks"

/** The actions of a test in its own tenant. */
export const tenantWorld = (tenantId: string) => ({
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
    Effect.map(listDeliveries(tenantId, webhookId, status, { limit: 100, cursor: null }), ({ items }) => items),
  /** Removes all subscriptions of this tenant. */
  leave: Effect.gen(function* () {
    const subscriptions = yield* Subscriptions
    const all = yield* subscriptions.list(tenantId)
    yield* Effect.forEach(all, ({ webhookId }) => subscriptions.remove(tenantId, webhookId))
  })
})

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

/** The tenant of a test. */
export type World = ReturnType<typeof tenantWorld>
/** The receivers of a test. */
export type Receivers = ReturnType<typeof receivers>

/** Returns the numbers from `from` to `to`, both included. */
export const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/**
 * Creates a suite in which each test has its own tenant. After a test, its subscriptions are removed, so that the next
 * test has no deliveries of it.
 */
export const scenes = (title: string, store: StoreLayer, write: (scene: Scene) => void): void =>
  layer(store)(title, (it) => {
    write((what, test, mode = "durable") =>
      it.effect(what, () => {
        const world = tenantWorld(freshTenant())
        const receiver = receivers(mode)
        return Effect.andThen(inTenant(world.tenantId).open(), test(world, receiver)).pipe(
          Effect.ensuring(Effect.orDie(world.leave)),
          Effect.provide(receiver.layer)
        )
      })
    )
  })

/** The services of a test. */
export type Services = Store | Layer.Success<Receivers["layer"]>
/** Adds a test. */
export type Scene = (
  what: string,
  test: (world: World, receivers: Receivers) => Effect.Effect<void, unknown, Services>,
  mode?: DeliveryMode
) => void

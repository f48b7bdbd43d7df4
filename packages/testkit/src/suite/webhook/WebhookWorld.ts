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
} from "@leadloom/core/workflow/delivery/Subscriptions"
import type { DeliveryStatus } from "@leadloom/core/domain/webhook/Delivery"
import { type DeliveryMode, DeliveryPolicy } from "@leadloom/core/domain/webhook/Schedule"
import type { EventType } from "@leadloom/core/domain/webhook/Event"
import { exampleData } from "@leadloom/core/domain/webhook/ExampleData"
import { listDeliveries } from "@leadloom/core/workflow/delivery/ListDeliveries"
import { deliverDue } from "@leadloom/core/workflow/delivery/WorkDeliveries"
import { layer } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { freshTenant } from "../Records.ts"
import { around, openTenant, type Store, type StoreLayer } from "../World.ts"

/** A request that a receiver got. */
export interface ReceivedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly sequence: number
}

/** How a receiver answers: a status, maybe with headers and a body, or `dead`: not at all. */
export type Answer =
  | number
  | "dead"
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body?: string }

/** Receivers that note what they get and answer as they are told to. */
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
    /** What a receiver answers from now on. */
    answer: (url: string, how: (request: ReceivedRequest) => Answer) => void answers.set(url, how),
    /** The numbers of the events that a receiver got since the last time somebody asked. */
    taken: (url: string): ReadonlyArray<number> => {
      const mine = got.filter((one) => one.url === url)
      for (const one of mine) got.splice(got.indexOf(one), 1)
      return mine.map(({ sequence }) => sequence)
    }
  }
}

/** Where the receiver of tests is. */
export const here = "https://receiver.example/hooks"

/** What a test does in a tenant of its own. */
export const tenantWorld = (tenantId: string) => ({
  tenantId,
  /** With its secret as it was shown. */
  subscribe: (request: Partial<SubscriptionRequest> = {}) =>
    Effect.map(
      createSubscription(tenantId, { url: here, events: [], description: null, maxInFlight: 1, ...request }),
      ({ shown, subscription }) => ({ ...subscription, shown })
    ),
  change: (webhookId: string, change: SubscriptionChange) => updateSubscription(tenantId, webhookId, change),
  get: (webhookId: string) => Effect.flatMap(Subscriptions, (subscriptions) => subscriptions.get(tenantId, webhookId)),
  /** So many events happen, in one unit of work. */
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
  /** What the list of deliveries shows: number, status and attempts, the newest first. */
  deliveries: (webhookId: string, status: DeliveryStatus | null = null) =>
    Effect.map(listDeliveries(tenantId, webhookId, status, { limit: 100, cursor: null }), ({ items }) => items),
  /** Nothing of this tenant is delivered any more. */
  leave: Effect.gen(function* () {
    const subscriptions = yield* Subscriptions
    const all = yield* subscriptions.list(tenantId)
    yield* Effect.forEach(all, ({ webhookId }) => subscriptions.remove(tenantId, webhookId))
  })
})

/** Delivers until there is nothing more to do now. */
export const deliverAll = Effect.gen(function* () {
  while ((yield* deliverDue()) > 0);
})

/** Lets time pass in steps, and delivers after each. */
export const pass = Effect.fnUntraced(function* (minutes: number, step = 1) {
  for (let passed = 0; passed < minutes; passed += step) {
    yield* TestClock.adjust(`${step} minutes`)
    yield* deliverAll
  }
})

/** A tenant of a test. */
export type World = ReturnType<typeof tenantWorld>
/** The receivers of a test. */
export type Receivers = ReturnType<typeof receivers>

/** `from` to `to`, both included. */
export const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** A suite whose tests have a tenant each and leave nothing behind that the next one would deliver. */
export const scenes = (title: string, store: StoreLayer, write: (scene: Scene) => void): void =>
  layer(store)(title, (it) => {
    write((what, test, mode = "durable") =>
      it.effect(what, () => {
        const world = tenantWorld(freshTenant())
        const reported = receivers(mode)
        return Effect.andThen(openTenant(world.tenantId), test(world, reported)).pipe(
          Effect.ensuring(Effect.orDie(world.leave)),
          Effect.provide(reported.layer)
        )
      })
    )
  })

/** What a test has around it. */
export type Services = Store | Layer.Success<Receivers["layer"]>
/** Writes a test. */
export type Scene = (
  what: string,
  test: (world: World, reported: Receivers) => Effect.Effect<void, unknown, Services>,
  mode?: DeliveryMode
) => void

import { assert, layer } from "@effect/vitest"
import { Deliveries } from "@leadloom/core/internal/port/repository/webhook/Deliveries"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { type Claim, Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import { untried } from "@leadloom/core/internal/domain/webhook/DeliveryState"
import { never, type Subscription } from "@leadloom/core/internal/domain/webhook/Subscription"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { eventRecord, freshTenant, idOf, noon } from "../Records.ts"

/** A healthy subscription without undelivered events. */
export const subscriptionRecord = (
  tenantId: string,
  number: number,
  parts: Partial<Subscription> = {}
): Subscription => ({
  tenantId,
  webhookId: idOf("whk", number),
  url: `https://receiver.example/${number}`,
  description: "Töpfe & Pfannen",
  eventTypes: [],
  maxInFlight: 1,
  status: "active",
  inactiveReason: null,
  secret: "v1.sealed",
  formerSecret: null,
  formerSecretUntil: null,
  consecutiveFailures: 0,
  ailing: false,
  position: 0,
  retryAt: never,
  nextAt: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  createdAt: noon,
  updatedAt: noon,
  ...parts
})

const claimOf = (now: number, parts: Partial<Claim> = {}): Claim => ({
  limit: 10,
  ailing: 10,
  now,
  lease: "one",
  leaseUntil: now + 20,
  ...parts
})

/** Claims due subscriptions. Returns the numbers in their ids. */
const taken = (now: number, parts: Partial<Claim> = {}) =>
  Effect.map(
    Effect.flatMap(Subscriptions, ({ claim }) => claim(claimOf(now, parts))),
    (all) => all.map(({ webhookId }) => Number(webhookId.slice(-4))).toSorted((one, other) => one - other)
  )

const append = (tenantId: string, ...numbers: ReadonlyArray<number>) =>
  Effect.flatMap(Events, (events) =>
    events.append(
      tenantId,
      numbers.map((number) => eventRecord(tenantId, number))
    )
  )

/** Creates a tenant with subscriptions and then one event, so that all subscriptions have work. */
const behind = Effect.fnUntraced(function* (...parts: ReadonlyArray<Partial<Subscription>>) {
  const tenantId = freshTenant()
  const { insert } = yield* Subscriptions
  yield* Effect.forEach(parts, (part, index) => insert(subscriptionRecord(tenantId, index + 1, part)))
  yield* append(tenantId, 1)
  return tenantId
})

/** Removes the subscriptions of a test, because a later test would claim them. */
const leave = (tenantId: string) =>
  Effect.flatMap(Subscriptions, ({ list, remove }) =>
    Effect.flatMap(list(tenantId), (all) => Effect.forEach(all, ({ webhookId }) => remove(tenantId, webhookId)))
  )

/** Tests the storage of `Subscriptions` on a store. */
const keptSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`Subscriptions on ${name}`, (it) => {
    it.effect("returns subscriptions as stored, oldest first, to their tenant only", () =>
      Effect.gen(function* () {
        const { get, insert, list, update } = yield* Subscriptions
        const [one, other] = [freshTenant(), freshTenant()]
        const late = subscriptionRecord(one, 1, { createdAt: noon + 2, eventTypes: ["lead.scored"], ailing: true })
        const early = subscriptionRecord(one, 2, { createdAt: noon + 1, formerSecret: "v1.old", formerSecretUntil: 9 })
        yield* insert(late)
        yield* insert(early)
        yield* insert(subscriptionRecord(other, 1))
        assert.deepStrictEqual(yield* list(one), [early, late])
        const changed = { ...late, status: "paused", inactiveReason: "failures", position: 7, nextAt: 5 } as const
        yield* update(changed)
        assert.deepStrictEqual(yield* get(one, late.webhookId), changed)
        assert.deepStrictEqual(yield* get(other, late.webhookId), subscriptionRecord(other, 1))
        assert.strictEqual((yield* Effect.flip(get(other, early.webhookId)))._tag, "SubscriptionNotFound")
        yield* Effect.forEach([one, other], leave)
      })
    )
    it.effect("removes a subscription and only its own deliveries", () =>
      Effect.gen(function* () {
        const { insert, remove } = yield* Subscriptions
        const deliveries = yield* Deliveries
        const tenantId = freshTenant()
        const both = [subscriptionRecord(tenantId, 1), subscriptionRecord(tenantId, 2)] as const
        for (const one of both) {
          yield* insert(one)
          yield* deliveries.put(untried(one, 1))
          yield* deliveries.log(one, [{ sequence: 2, at: noon, status: 204, millis: 3 }])
        }
        const [gone, stays] = both
        assert.isTrue(yield* remove(tenantId, gone.webhookId))
        assert.isFalse(yield* remove(tenantId, gone.webhookId))
        assert.isNull(yield* deliveries.find(gone, 1))
        assert.deepStrictEqual(yield* deliveries.logged(gone, { before: 9, limit: 9 }), [])
        assert.strictEqual((yield* deliveries.find(stays, 1))?.sequence, 1)
        assert.strictEqual((yield* deliveries.logged(stays, { before: 9, limit: 9 })).length, 1)
        yield* leave(tenantId)
      })
    )
  })

/** Tests the claims of `Subscriptions` on a store. */
const claimSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`Claims of subscriptions on ${name}`, (it) => {
    it.effect("claims subscriptions with undelivered events, once, until the lease ends", () =>
      Effect.gen(function* () {
        const { update } = yield* Subscriptions
        const tenantId = yield* behind({}, { position: 1 }, { position: 1, retryAt: 100 })
        assert.deepStrictEqual(yield* taken(50), [1])
        assert.deepStrictEqual(yield* taken(60), [])
        assert.deepStrictEqual(yield* taken(100), [1, 3])
        yield* update(subscriptionRecord(tenantId, 1, { position: 1 }))
        yield* update(subscriptionRecord(tenantId, 3, { position: 1 }))
        assert.deepStrictEqual(yield* taken(200), [])
        yield* append(tenantId, 2)
        assert.deepStrictEqual(yield* taken(300), [1, 2, 3])
        yield* leave(tenantId)
      })
    )
    it.effect("does not claim an inactive subscription, but claims a paused one at its check time", () =>
      Effect.gen(function* () {
        const { update } = yield* Subscriptions
        const person = { status: "paused", inactiveReason: "person", nextAt: never } as const
        const tenantId = yield* behind(
          { status: "disabled", inactiveReason: "gone", nextAt: never },
          person,
          { status: "paused", inactiveReason: "failures", nextAt: 100, position: 1 },
          { nextAt: 200 }
        )
        assert.deepStrictEqual(yield* taken(99), [])
        assert.deepStrictEqual(yield* taken(100), [3])
        assert.deepStrictEqual(yield* taken(200), [3, 4])
        yield* update(subscriptionRecord(tenantId, 4, { position: 1 }))
        yield* update(subscriptionRecord(tenantId, 2, person))
        assert.deepStrictEqual(yield* taken(300), [3])
        // After a reactivation, the subscription receives the events that it missed.
        yield* update(subscriptionRecord(tenantId, 2, { position: 0 }))
        assert.deepStrictEqual(yield* taken(400), [2, 3])
        yield* leave(tenantId)
      })
    )
    it.effect("claims in order of waiting time, and at most the permitted number of ailing subscriptions", () =>
      Effect.gen(function* () {
        const tenantId = yield* behind({ ailing: true }, { ailing: true }, {}, {})
        assert.deepStrictEqual(yield* taken(1, { ailing: 1, limit: 2 }), [1, 3])
        assert.deepStrictEqual(yield* taken(21, { ailing: 0 }), [3, 4])
        assert.deepStrictEqual(yield* taken(41, { limit: 2 }), [1, 2])
        assert.deepStrictEqual(yield* taken(61, { limit: 0 }), [])
        yield* leave(tenantId)
      })
    )
    it.effect("finds healthy subscriptions after any number of ailing ones", () =>
      Effect.gen(function* () {
        const ailing = Array.from({ length: 30 }, () => ({ ailing: true }))
        const tenantId = yield* behind(...ailing, {}, {})
        assert.deepStrictEqual(yield* taken(1, { ailing: 0, limit: 2 }), [31, 32])
        yield* leave(tenantId)
      })
    )
    it.effect("extends a lease only for its holder, and returns the current subscription", () =>
      Effect.gen(function* () {
        const { renew, update } = yield* Subscriptions
        const tenantId = yield* behind({})
        const held = subscriptionRecord(tenantId, 1)
        yield* taken(10, { lease: "mine" })
        assert.isNull(yield* renew(held, "another's", 50))
        yield* update({ ...held, description: "changed" })
        assert.strictEqual((yield* renew(held, "mine", 50))?.description, "changed")
        assert.deepStrictEqual(yield* taken(49), [])
        assert.deepStrictEqual(yield* taken(50, { lease: "yours" }), [1])
        assert.isNull(yield* renew(held, "mine", 90))
        yield* leave(tenantId)
        assert.isNull(yield* renew(held, "yours", 90))
      })
    )
  })

/** Tests the port `Subscriptions` on a store. */
export const subscriptionsSuite = (name: string, store: StoreLayer): void => {
  keptSuite(name, store)
  claimSuite(name, store)
}

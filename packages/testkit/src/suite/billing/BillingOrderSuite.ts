import type { PaymentsInMemory } from "../../memory/Payments.ts"
import { assert, describe } from "@effect/vitest"
import type { BillingFact, BillingEvent } from "@leadloom/core/internal/domain/billing/BillingEvent"
import { type PaidSubscription, subscriptionStatuses } from "@leadloom/core/internal/domain/billing/Payment"
import { receiveBillingEvent } from "@leadloom/core/internal/workflow/billing/ReceiveBillingEvent"
import { plans } from "@leadloom/core/internal/domain/billing/Plan"
import { createTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { day, billingEvent, billingState, subscribed } from "./BillingWorld.ts"
import { drainJobs, scenesOn, type Services, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** An event at the payment provider. It concerns one of two subscriptions or one of three purchases of credits. */
const event = fc.oneof(
  fc.record({
    subscription: fc.nat({ max: 1 }),
    status: fc.constantFrom(...subscriptionStatuses),
    plan: fc.constantFrom("starter" as const, "growth" as const, "scale" as const, null),
    invoicedDaysAgo: fc.nat({ max: 10 }),
    cancelAtPeriodEnd: fc.boolean()
  }),
  fc.record({ bought: fc.nat({ max: 2 }), credits: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ paidBack: fc.nat({ max: 2 }), cents: fc.integer({ min: 1, max: 400 }) })
)

type Event = typeof event extends fc.Arbitrary<infer A> ? A : never

/** Delivers each provider event twice, in random order, and runs jobs after some of them. */
const replay = (count: number) =>
  fc.record({
    order: fc.shuffledSubarray([...Array(count * 2).keys()], { minLength: count * 2 }),
    work: fc.array(fc.boolean(), { minLength: count * 2, maxLength: count * 2 })
  })

const histories = fc
  .array(event, { minLength: 1, maxLength: 10 })
  .chain((events) => fc.record({ events: fc.constant(events), replay: replay(events.length) }))

const price = 1_000

/** Returns the provider events of a history, and the final state of its subscriptions and payments. */
const history = (tenantId: string, events: ReadonlyArray<Event>) => {
  const subscriptions = new Map<number, PaidSubscription>()
  const payments = new Map<number, { readonly credits: number; readonly refunded: number }>()
  const factOf = (one: Event): BillingFact => {
    if ("subscription" in one) {
      const { invoicedDaysAgo, subscription, ...said } = one
      // At the provider, a paid subscription never returns to a state before its first payment.
      const former = subscriptions.get(subscription)?.status
      const began = former !== undefined && !former.startsWith("incomplete")
      const changes = began && said.status.startsWith("incomplete") ? { ...said, status: former } : said
      const subscriptionId = `sub_${subscription}`
      const invoicedAt = start - invoicedDaysAgo * day
      subscriptions.set(subscription, subscribed({ ...changes, subscriptionId, invoicedAt, createdAt: subscription }))
      return { _tag: "Look" }
    }
    const number = "bought" in one ? one.bought : one.paidBack
    const known = payments.get(number)
    if ("bought" in one) {
      const credits = known?.credits ?? one.credits
      payments.set(number, known ?? { credits, refunded: 0 })
      const checkout = { checkoutId: `cs_${number}`, tenantIds: [tenantId], customerId: null, paidCredits: credits }
      return { _tag: "CheckoutEnded", checkout }
    }
    if (known === undefined || known.refunded === price) return { _tag: "Look" }
    const refunded = Math.min(price, known.refunded + one.cents)
    payments.set(number, { ...known, refunded })
    const { credits, refunded: refundedBefore } = known
    return { _tag: "PaidBack", payment: { chargeId: `ch_${number}`, credits, amount: price, refunded, refundedBefore } }
  }
  const customerId = `cus_${tenantId}`
  const providerEvents = events.map((one, index): BillingEvent =>
    billingEvent(`evt_${index}`, factOf(one), { tenantId, customerId })
  )
  return { customerId, providerEvents, subscriptions: [...subscriptions.values()], payments: [...payments.values()] }
}

/** Tests that a tenant reaches the same state for any order and repetition of provider events. */
export const billingOrderSuite = (name: string, store: StoreLayer, numRuns: number): void => {
  const scene = scenesOn(store, "payments")
  describe(`provider events of payments on ${name}`, () => {
    const open = (tenantId: string) =>
      createTenant({ tenantId, name: tenantId, domain: null, preset: null, hipaa: false })

    const play = Effect.fnUntraced(function* (
      there: PaymentsInMemory,
      tenantId: string,
      events: ReadonlyArray<Event>,
      { order, work }: { readonly order: ReadonlyArray<number>; readonly work: ReadonlyArray<boolean> }
    ) {
      yield* open(tenantId)
      const { customerId, providerEvents, payments, subscriptions } = history(tenantId, events)
      there.customers.set(customerId, tenantId)
      for (const [step, place] of order.entries()) {
        // Before the last event, the provider returns an earlier state, with only some of the subscriptions.
        const seen = subscriptions.slice(0, step % (subscriptions.length + 1))
        const isLast = step === order.length - 1
        there.subscriptions.set(customerId, isLast ? subscriptions : seen)
        const providerEvent = providerEvents[place % providerEvents.length]
        if (providerEvent !== undefined) yield* receiveBillingEvent("stripe", providerEvent)
        if (work[step] === true && !isLast) yield* drainJobs
      }
      // The last event reports the final state of the provider.
      yield* receiveBillingEvent("stripe", billingEvent("evt_last", { _tag: "Look" }, { tenantId, customerId }))
      yield* drainJobs
      const stands = yield* billingState(tenantId)
      return { stands: JSON.parse(JSON.stringify(stands).replaceAll(tenantId, "tenant")), payments }
    })

    scene("result in the same state in any order and with repetitions", ({ payments: there }) =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        const context = yield* Effect.context<Services>()
        let run = 0
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(histories, async ({ events, replay: shuffled }) => {
              run += 1
              const inOrder = { order: [...events.keys()], work: events.map(() => true) }
              const both = Effect.all([
                play(there, `straight${run}`, events, inOrder),
                play(there, `shuffled${run}`, events, shuffled)
              ])
              const [straight, other] = await Effect.runPromise(Effect.provideContext(both, context))
              assert.deepStrictEqual(other.stands, straight.stands)
              const left = straight.payments.reduce(
                (sum, { credits, refunded }) => sum + credits - Math.floor((credits * refunded) / price),
                0
              )
              assert.strictEqual(straight.stands.balance, left)
              assert.isTrue(plans.includes(straight.stands.plan))
            }),
            { numRuns }
          )
        )
      })
    )
  })
}

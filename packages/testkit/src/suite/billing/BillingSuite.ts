/**
 * Suites of billing: plans, payments and credits. The payment provider is in memory; the real API is tested in
 * `packages/connectors/test/stripe`.
 */
import { assert } from "@effect/vitest"
import { activatePlan } from "@leadloom/core/internal/workflow/billing/ActivatePlan"
import { readCreditBalance } from "@leadloom/core/internal/workflow/billing/ListCredits"
import { readBilling } from "@leadloom/core/internal/workflow/billing/ReadBilling"
import { refreshBilling } from "@leadloom/core/internal/workflow/billing/RefreshBilling"
import { startCheckout } from "@leadloom/core/internal/workflow/billing/Checkout"
import { receiveBillingEvent } from "@leadloom/core/internal/workflow/billing/ReceiveBillingEvent"
import { consumeUsage } from "@leadloom/core/internal/workflow/billing/Usage"
import { BillingAccounts } from "@leadloom/core/internal/port/repository/tenant/BillingAccounts"
import { Payments } from "@leadloom/core/internal/port/provider/Payments"
import { archiveTenant, updateTenant } from "@leadloom/core/internal/workflow/tenant/Tenants"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { day, billingEvent, refused, billingState, subscribed, reportSubscription, useUp } from "./BillingWorld.ts"
import { acme, drainJobs, inTenant, type Scene, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** Tests the effect of provider events on billing accounts. */
const accountScenes = (scene: Scene): void => {
  scene("grants a paid plan at once, and removes it when it ends", ({ payments: there }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* useUp
      yield* reportSubscription(there, "evt_1", subscribed())
      yield* consumeUsage("acme", "actions")
      assert.strictEqual((yield* readBilling("acme")).plan, "growth")
      yield* reportSubscription(there, "evt_2", subscribed({ cancelAtPeriodEnd: true }))
      const ending = yield* readBilling("acme")
      assert.deepStrictEqual([ending.plan, ending.account.cancelAtPeriodEnd], ["growth", true])
      yield* reportSubscription(there, "evt_3", subscribed({ status: "canceled" }))
      assert.strictEqual((yield* refused)._tag, "UsageCapReached")
      assert.strictEqual((yield* readBilling("acme")).status, "canceled")
    })
  )

  scene(
    "keeps the plan for seven days after a failed payment, and restores it after the payment",
    ({ payments: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const failing = subscribed({ status: "past_due", invoicedAt: start - day })
        yield* reportSubscription(there, "evt_1", subscribed())
        yield* reportSubscription(there, "evt_2", failing)
        const report = yield* readBilling("acme")
        assert.deepStrictEqual([report.plan, report.graceEndsAt], ["growth", start + 6 * day])
        yield* TestClock.adjust(6 * day - 1)
        yield* drainJobs
        assert.strictEqual((yield* readBilling("acme")).plan, "growth")
        yield* TestClock.adjust(1)
        yield* drainJobs
        assert.strictEqual((yield* readBilling("acme")).plan, "trial")
        yield* reportSubscription(there, "evt_3", subscribed())
        assert.strictEqual((yield* readBilling("acme")).plan, "growth")
      })
  )

  scene("checks the provider at the end of a period without an event", ({ payments: there }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* reportSubscription(there, "evt_1", subscribed())
      there.subscriptions.set("cus_acme", [subscribed({ status: "canceled" })])
      yield* TestClock.adjust(30 * day)
      yield* drainJobs
      assert.strictEqual((yield* readBilling("acme")).plan, "growth")
      yield* TestClock.adjust(day)
      yield* drainJobs
      assert.strictEqual((yield* readBilling("acme")).plan, "trial")
    })
  )

  scene("keeps the operator's plan until another one is paid", ({ payments: there }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* updateTenant("acme", { plan: "starter" })
      yield* reportSubscription(there, "evt_1", subscribed({ status: "incomplete" }))
      assert.strictEqual((yield* readBilling("acme")).plan, "starter")
      yield* reportSubscription(there, "evt_2", subscribed())
      yield* updateTenant("acme", { plan: "scale" })
      yield* reportSubscription(there, "evt_3", subscribed({ periodEndsAt: start + 60 * day }))
      assert.strictEqual((yield* readBilling("acme")).plan, "scale")
    })
  )

  scene(
    "rejects a provider event with contradictory tenants, or with a tenant that only a browser named",
    ({ payments: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* inTenant("other").open()
        yield* reportSubscription(there, "evt_1", subscribed())
        const before = yield* billingState("acme")
        const bought = (checkoutId: string) =>
          ({
            _tag: "CheckoutEnded",
            checkout: { checkoutId, tenantIds: [], customerId: null, paidCredits: 7 }
          }) as const
        for (const changes of [
          { tenantId: "other" },
          { tenantId: null, claimedTenantId: "other" },
          { tenantId: "acme", customerId: "cus_of_somebody" },
          { tenantId: "other", claimedTenantId: "acme", customerId: null },
          { tenantId: null, claimedTenantId: "other", customerId: "cus_unknown" },
          { tenantId: "nobody", customerId: "cus_unknown" }
        ]) {
          yield* receiveBillingEvent("stripe", billingEvent(`evt_${JSON.stringify(changes)}`, bought("cs_1"), changes))
        }
        yield* drainJobs
        assert.deepStrictEqual(yield* billingState("acme"), before)
        assert.strictEqual(yield* readCreditBalance("other"), 0)
        assert.isNull(yield* (yield* BillingAccounts).find("other"))
      })
  )

  scene("keeps the state of the later look if an earlier one returns after it", ({ payments: there }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* reportSubscription(there, "evt_1", subscribed({ plan: "starter" }))
      const payments = yield* Payments
      const seen = yield* Deferred.make<void>()
      const onItsWay = yield* Deferred.make<void>()
      const slow = Payments.of({
        ...payments,
        subscriptions: (customerId) =>
          Effect.tap(payments.subscriptions(customerId), () =>
            Effect.andThen(Deferred.succeed(onItsWay, undefined), Deferred.await(seen))
          )
      })
      const earlier = yield* Effect.forkChild(Effect.provideService(refreshBilling("acme"), Payments, slow))
      yield* Deferred.await(onItsWay)
      yield* reportSubscription(there, "evt_2", subscribed({ plan: "scale" }))
      yield* Deferred.succeed(seen, undefined)
      yield* Fiber.join(earlier)
      const report = yield* readBilling("acme")
      assert.deepStrictEqual([report.plan, report.account.plan], ["scale", "scale"])
    })
  )

  scene("cancels the subscription of an archived tenant", ({ payments: there }) =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* reportSubscription(there, "evt_1", subscribed())
      yield* archiveTenant("acme")
      yield* drainJobs
      assert.strictEqual(there.subscriptions.get("cus_acme")?.[0]?.status, "canceled")
      assert.strictEqual((yield* (yield* BillingAccounts).find("acme"))?.status, "canceled")
    })
  )

  scene(
    "subscribes to a plan through a checkout page first, and later by a change of the subscription",
    ({ payments: there }) =>
      Effect.gen(function* () {
        yield* acme.open()
        const first = yield* activatePlan("acme", null, "once")
        assert.strictEqual((yield* activatePlan("acme", null, "once")).checkout?.checkoutId, first.checkout?.checkoutId)
        assert.strictEqual(there.customers.size, 1)
        const customerId = [...there.customers.keys()][0] ?? ""
        there.subscriptions.set(customerId, [
          subscribed({ status: "trialing", plan: "starter", trialEndsAt: start + day })
        ])
        const paid = yield* activatePlan("acme", "scale", null)
        assert.deepStrictEqual([paid.checkout, paid.report.plan, paid.report.status], [null, "scale", "active"])
        const plan = { _tag: "PlanPurchase", plan: "scale" } as const
        assert.strictEqual((yield* Effect.flip(startCheckout("acme", plan, null)))._tag, "SubscriptionExists")
        there.customers.clear()
        yield* startCheckout("acme", { _tag: "CreditPurchase", credits: 5 }, null)
        assert.strictEqual(there.customers.size, 1)
      })
  )
}

/** Tests billing with a payment provider on a store. */
export const billingSuite = (_: string, store: StoreLayer): void => accountScenes(scenesOn(store, "payments"))

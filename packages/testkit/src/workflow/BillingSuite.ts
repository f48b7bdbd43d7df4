import { assert, layer } from "@effect/vitest"
import { activatePlan } from "@leadloom/core/billing/ActivatePlan"
import { grantCredits } from "@leadloom/core/billing/GrantCredits"
import { creditBalance, listCredits } from "@leadloom/core/billing/ListCredits"
import { giveBackUse } from "@leadloom/core/billing/PayUse"
import { readBilling } from "@leadloom/core/billing/ReadBilling"
import { startCheckout } from "@leadloom/core/billing/StartCheckout"
import { takeBillingNotice } from "@leadloom/core/billing/TakeBillingNotice"
import { planCaps } from "@leadloom/core/limit/Plan"
import { usageMonth } from "@leadloom/core/limit/Usage"
import { consumeUsage } from "@leadloom/core/pipeline/ConsumeUsage"
import { BillingAccounts } from "@leadloom/core/port/BillingAccounts"
import { Payments, type PaymentsInMemory, paymentsInMemory } from "@leadloom/core/port/Payments"
import { Tenants } from "@leadloom/core/port/Tenants"
import { Usages } from "@leadloom/core/port/Usages"
import { archiveTenant } from "@leadloom/core/tenant/ArchiveTenant"
import { updateTenant } from "@leadloom/core/tenant/UpdateTenant"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { day, noticed, standing, subscribed, told, workBilling } from "./BillingWorld.ts"
import { around, openTenant, start, type Store, type StoreLayer } from "./World.ts"

type Within = Layer.Success<typeof around> | Store

const makeScene =
  (store: StoreLayer) =>
  (title: string, test: (there: PaymentsInMemory) => Effect.Effect<void, unknown, Within>): void => {
    const there = paymentsInMemory()
    const world = Layer.mergeAll(Layer.fresh(store), around, Payments.memory(there))
    layer(world)((it) => it.effect(title, () => test(there)))
  }

const month = usageMonth(start)

/** Uses the plan up. */
const useUp = Effect.flatMap(Usages, (usages) => usages.set("acme", "actions", month, planCaps.trial.actions))

const refused = Effect.flip(consumeUsage("acme", "actions"))

const grant = (amount: number, reference = "contract") =>
  grantCredits("acme", { kind: amount > 0 ? "grant" : "adjustment", amount, reference, note: null })

/** The ledger of credits. */
const creditScenes = (scene: ReturnType<typeof makeScene>): void => {
  scene("pays what is beyond the plan with credits, and refuses when they are gone", () =>
    Effect.gen(function* () {
      yield* openTenant()
      yield* useUp
      assert.strictEqual((yield* refused)._tag, "UsageCapReached")
      yield* grant(2)
      yield* consumeUsage("acme", "actions")
      yield* consumeUsage("acme", "actions")
      assert.strictEqual((yield* refused)._tag, "UsageCapReached")
      assert.strictEqual((yield* (yield* Usages).read("acme", month)).actions, planCaps.trial.actions + 2)
      const { items } = yield* listCredits("acme", { limit: 10, cursor: null })
      assert.deepStrictEqual(
        items.map(({ amount, balance, kind }) => [kind, amount, balance]),
        [
          ["use", -1, 0],
          ["use", -1, 1],
          ["grant", 2, 2]
        ]
      )
    })
  )

  scene("gives a use back once, to what paid for it", () =>
    Effect.gen(function* () {
      yield* openTenant()
      const planned = yield* consumeUsage("acme", "actions")
      yield* giveBackUse(planned)
      assert.strictEqual((yield* (yield* Usages).read("acme", month)).actions, 0)
      yield* useUp
      yield* grant(1)
      const paid = yield* consumeUsage("acme", "actions")
      yield* giveBackUse(paid)
      yield* giveBackUse(paid)
      assert.strictEqual(yield* creditBalance("acme"), 1)
      assert.strictEqual((yield* (yield* Usages).read("acme", month)).actions, planCaps.trial.actions)
    })
  )

  scene("keeps what is closed closed, whatever credits there are", () =>
    Effect.gen(function* () {
      const tenant = yield* openTenant()
      yield* (yield* Tenants).update({ ...tenant, capOverrides: { actions: 0, ai_calls: null } })
      yield* grant(5)
      assert.strictEqual((yield* refused)._tag, "UsageCapReached")
      assert.strictEqual(yield* creditBalance("acme"), 5)
    })
  )

  scene("books what the operator gives once a reference", () =>
    Effect.gen(function* () {
      yield* openTenant()
      const first = yield* grant(10)
      const again = yield* grant(10)
      assert.deepStrictEqual([again.isNew, again.line], [false, first.line])
      assert.strictEqual((yield* Effect.flip(grant(11)))._tag, "CreditReferenceTaken")
      yield* grant(-4, "a correction")
      assert.strictEqual(yield* creditBalance("acme"), 6)
    })
  )

  scene("lets so many use the last credits as there are, of those who come at once", () =>
    Effect.gen(function* () {
      yield* openTenant()
      yield* useUp
      yield* grant(3)
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => Effect.exit(consumeUsage("acme", "actions"))),
        { concurrency: 8 }
      )
      assert.strictEqual(all.filter(({ _tag }) => _tag === "Success").length, 3)
      assert.strictEqual(yield* creditBalance("acme"), 0)
    })
  )
}

/** What the provider tells, and what becomes of it. */
const accountScenes = (scene: ReturnType<typeof makeScene>): void => {
  scene("gives the plan that is paid at once, and takes it when it is over", (there) =>
    Effect.gen(function* () {
      yield* openTenant()
      yield* useUp
      yield* told(there, "evt_1", subscribed())
      yield* consumeUsage("acme", "actions")
      assert.strictEqual((yield* readBilling("acme")).plan, "growth")
      yield* told(there, "evt_2", subscribed({ cancelAtPeriodEnd: true }))
      const ending = yield* readBilling("acme")
      assert.deepStrictEqual([ending.plan, ending.account.cancelAtPeriodEnd], ["growth", true])
      yield* told(there, "evt_3", subscribed({ status: "canceled" }))
      assert.strictEqual((yield* refused)._tag, "UsageCapReached")
      assert.strictEqual((yield* readBilling("acme")).status, "canceled")
    })
  )

  scene("keeps the plan for seven days after a payment has failed, and gives it back when it is made", (there) =>
    Effect.gen(function* () {
      yield* openTenant()
      const failing = subscribed({ status: "past_due", invoicedAt: start - day })
      yield* told(there, "evt_1", subscribed())
      yield* told(there, "evt_2", failing)
      const report = yield* readBilling("acme")
      assert.deepStrictEqual([report.plan, report.graceEndsAt], ["growth", start + 6 * day])
      yield* TestClock.adjust(6 * day - 1)
      yield* workBilling
      assert.strictEqual((yield* readBilling("acme")).plan, "growth")
      yield* TestClock.adjust(1)
      yield* workBilling
      assert.strictEqual((yield* readBilling("acme")).plan, "trial")
      yield* told(there, "evt_3", subscribed())
      assert.strictEqual((yield* readBilling("acme")).plan, "growth")
    })
  )

  scene("looks by itself when a period has ended and nobody has told", (there) =>
    Effect.gen(function* () {
      yield* openTenant()
      yield* told(there, "evt_1", subscribed())
      there.subscriptions.set("cus_acme", [subscribed({ status: "canceled" })])
      yield* TestClock.adjust(30 * day)
      yield* workBilling
      assert.strictEqual((yield* readBilling("acme")).plan, "growth")
      yield* TestClock.adjust(day)
      yield* workBilling
      assert.strictEqual((yield* readBilling("acme")).plan, "trial")
    })
  )

  scene("leaves the plan that the operator has given until something is paid otherwise", (there) =>
    Effect.gen(function* () {
      yield* openTenant()
      yield* updateTenant("acme", { plan: "starter" })
      yield* told(there, "evt_1", subscribed({ status: "incomplete" }))
      assert.strictEqual((yield* readBilling("acme")).plan, "starter")
      yield* told(there, "evt_2", subscribed())
      yield* updateTenant("acme", { plan: "scale" })
      yield* told(there, "evt_3", subscribed({ periodEndsAt: start + 60 * day }))
      assert.strictEqual((yield* readBilling("acme")).plan, "scale")
    })
  )

  scene("believes no notice whose names contradict each other, nor one that only a browser has named", (there) =>
    Effect.gen(function* () {
      yield* openTenant()
      yield* openTenant("other")
      yield* told(there, "evt_1", subscribed())
      const before = yield* standing("acme")
      const bought = (checkoutId: string) =>
        ({ _tag: "CheckoutEnded", checkout: { checkoutId, tenantIds: [], customerId: null, paidCredits: 7 } }) as const
      for (const changes of [
        { tenantId: "other" },
        { tenantId: null, claimedTenantId: "other" },
        { tenantId: "acme", customerId: "cus_of_somebody" },
        { tenantId: "other", claimedTenantId: "acme", customerId: null },
        { tenantId: null, claimedTenantId: "other", customerId: "cus_unknown" },
        { tenantId: "nobody", customerId: "cus_unknown" }
      ]) {
        yield* takeBillingNotice("stripe", noticed(`evt_${JSON.stringify(changes)}`, bought("cs_1"), changes))
      }
      yield* workBilling
      assert.deepStrictEqual(yield* standing("acme"), before)
      assert.strictEqual(yield* creditBalance("other"), 0)
      assert.isNull(yield* (yield* BillingAccounts).find("other"))
    })
  )

  scene("ends what an archived tenant pays", (there) =>
    Effect.gen(function* () {
      yield* openTenant()
      yield* told(there, "evt_1", subscribed())
      yield* archiveTenant("acme")
      yield* workBilling
      assert.strictEqual(there.subscriptions.get("cus_acme")?.[0]?.status, "canceled")
      assert.strictEqual((yield* (yield* BillingAccounts).find("acme"))?.status, "canceled")
    })
  )

  scene("takes a plan: by a page first, then by changing what is paid", (there) =>
    Effect.gen(function* () {
      yield* openTenant()
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

/** Plans and credits without a provider of payments. */
const localSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.mergeAll(Layer.fresh(store), around))(`billing without a provider on ${name}`, (it) => {
    it.effect("moves the plan here, and caps with it", () =>
      Effect.gen(function* () {
        yield* openTenant()
        yield* useUp
        const report = yield* readBilling("acme")
        assert.deepStrictEqual([report.plan, report.status, report.paidAtProvider], ["trial", "trialing", false])
        const taken = yield* activatePlan("acme", null, null)
        assert.deepStrictEqual([taken.checkout, taken.report.plan, taken.report.status], [null, "starter", "active"])
        yield* consumeUsage("acme", "actions")
        assert.strictEqual((yield* activatePlan("acme", "scale", null)).report.plan, "scale")
        const page = startCheckout("acme", { _tag: "PlanPurchase", plan: "scale" }, null)
        assert.strictEqual((yield* Effect.flip(page))._tag, "PaymentsNotConfigured")
      })
    )
  })

/** Billing on any store. */
export const billingSuite = (name: string, store: StoreLayer): void => {
  localSuite(name, store)
  creditScenes(makeScene(store))
  accountScenes(makeScene(store))
}

import { describe, assert } from "@effect/vitest"
import { kindOf } from "../../FailureKind.ts"
import { activatePlan } from "@leadloom/core/internal/workflow/billing/ActivatePlan"
import { grantCredits } from "@leadloom/core/internal/workflow/billing/GrantCredits"
import { readCreditBalance, listCredits } from "@leadloom/core/internal/workflow/billing/ListCredits"
import { refundUsage } from "@leadloom/core/internal/workflow/billing/PayWithCredits"
import { readBilling } from "@leadloom/core/internal/workflow/billing/ReadBilling"
import { startCheckout } from "@leadloom/core/internal/workflow/billing/Checkout"
import { planCaps } from "@leadloom/core/internal/domain/billing/Plan"
import { consumeUsage } from "@leadloom/core/internal/workflow/billing/Usage"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { Effect } from "effect"
import { month, refused, useUp } from "./BillingWorld.ts"
import { acme, type Scene, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const grant = (amount: number, reference = "contract") =>
  grantCredits("acme", { kind: amount > 0 ? "grant" : "adjustment", amount, reference, note: null })

/** Tests the ledger of credits. */
const creditScenes = (scene: Scene): void => {
  scene("pays usage beyond the plan with credits, and refuses it when they run out", () =>
    Effect.gen(function* () {
      yield* acme.open()
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

  scene("refunds a use once, to its source", () =>
    Effect.gen(function* () {
      yield* acme.open()
      const planned = yield* consumeUsage("acme", "actions")
      yield* refundUsage(planned)
      assert.strictEqual((yield* (yield* Usages).read("acme", month)).actions, 0)
      yield* useUp
      yield* grant(1)
      const paid = yield* consumeUsage("acme", "actions")
      yield* refundUsage(paid)
      yield* refundUsage(paid)
      assert.strictEqual(yield* readCreditBalance("acme"), 1)
      assert.strictEqual((yield* (yield* Usages).read("acme", month)).actions, planCaps.trial.actions)
    })
  )

  scene("blocks usage with a cap of zero, for any number of credits", () =>
    Effect.gen(function* () {
      const tenant = yield* acme.open()
      yield* (yield* Tenants).update({ ...tenant, capOverrides: { actions: 0, ai_calls: null } })
      yield* grant(5)
      assert.strictEqual((yield* refused)._tag, "UsageCapReached")
      assert.strictEqual(yield* readCreditBalance("acme"), 5)
    })
  )

  scene("books credits of the operator once per reference", () =>
    Effect.gen(function* () {
      yield* acme.open()
      const first = yield* grant(10)
      const again = yield* grant(10)
      assert.deepStrictEqual([again.isNew, again.line], [false, first.line])
      assert.strictEqual((yield* Effect.flip(grant(11)))._tag, "CreditReferenceTaken")
      yield* grant(-4, "a correction")
      assert.strictEqual(yield* readCreditBalance("acme"), 6)
    })
  )

  scene("grants the last credits to as many concurrent uses as they cover", () =>
    Effect.gen(function* () {
      yield* acme.open()
      yield* useUp
      yield* grant(3)
      const all = yield* Effect.all(
        Array.from({ length: 8 }, () => Effect.exit(consumeUsage("acme", "actions"))),
        { concurrency: 8 }
      )
      assert.strictEqual(all.filter(({ _tag }) => _tag === "Success").length, 3)
      assert.strictEqual(yield* readCreditBalance("acme"), 0)
    })
  )
}

/** Tests plans and credits without a payment provider. */
const localSuite = (name: string, store: StoreLayer): void => {
  describe(`billing without a provider on ${name}`, () => {
    const scene = scenesOn(store)

    scene("changes the plan without a payment, and with the plan the caps", () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* useUp
        const report = yield* readBilling("acme")
        assert.deepStrictEqual([report.plan, report.status, report.paidAtProvider], ["trial", "trialing", false])
        const taken = yield* activatePlan("acme", null, null)
        assert.deepStrictEqual([taken.checkout, taken.report.plan, taken.report.status], [null, "starter", "active"])
        yield* consumeUsage("acme", "actions")
        assert.strictEqual((yield* activatePlan("acme", "scale", null)).report.plan, "scale")
        const page = startCheckout("acme", { _tag: "PlanPurchase", plan: "scale" }, null)
        assert.strictEqual(kindOf(yield* Effect.flip(page)), "NotConfigured")
      })
    )
  })
}

/** Tests credits and plans without a provider on a store. */
export const creditSuite = (name: string, store: StoreLayer): void => {
  localSuite(name, store)
  creditScenes(scenesOn(store, "payments"))
}

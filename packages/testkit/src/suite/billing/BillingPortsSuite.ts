import { assert, layer } from "@effect/vitest"
import { type BillingAccount, newAccount } from "@leadloom/core/internal/domain/billing/Account"
import type { CreditTransaction } from "@leadloom/core/internal/domain/billing/Credit"
import { BillingAccounts, Credits } from "@leadloom/core/internal/port/repository/tenant/BillingAccounts"
import { Effect, Layer } from "effect"
import type { StoreLayer } from "../StoreLayer.ts"
import { idOf } from "../Records.ts"

const full: BillingAccount = {
  tenantId: "full",
  plan: "growth",
  status: "past_due",
  trialEndsAt: 1_772_442_000_001,
  periodStartsAt: 1_772_442_000_002,
  periodEndsAt: 1_772_442_000_003,
  cancelAtPeriodEnd: true,
  unpaidSince: 1_772_442_000_004,
  customerId: "cus_full",
  subscriptionId: "sub_1",
  givenPlan: "starter",
  looks: 7,
  lookApplied: 6
}

/** Tests the port `BillingAccounts` on a store. */
export const billingAccountsSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`BillingAccounts on ${name}`, (it) => {
    it.effect("returns the latest version of an account, complete", () =>
      Effect.gen(function* () {
        const accounts = yield* BillingAccounts
        assert.isNull(yield* accounts.find("full"))
        yield* accounts.save(newAccount("full"))
        assert.deepStrictEqual(yield* accounts.find("full"), newAccount("full"))
        yield* accounts.save(full)
        yield* accounts.save({ ...newAccount("another"), looks: 3 })
        assert.deepStrictEqual(yield* accounts.find("full"), full)
      })
    )

    it.effect("finds the tenants of a customer by its exact id", () =>
      Effect.gen(function* () {
        const accounts = yield* BillingAccounts
        for (const tenantId of ["two", "one"]) yield* accounts.save({ ...full, tenantId, customerId: "cus_both" })
        assert.deepStrictEqual(yield* accounts.ofCustomer("cus_both"), ["one", "two"])
        assert.deepStrictEqual(yield* accounts.ofCustomer("CUS_BOTH"), [])
        yield* accounts.save({ ...full, tenantId: "one", customerId: null })
        assert.deepStrictEqual(yield* accounts.ofCustomer("cus_both"), ["two"])
      })
    )
  })

const line = (tenantId: string, number: number, changes: Partial<CreditTransaction> = {}): CreditTransaction => ({
  tenantId,
  number,
  transactionId: idOf("crd", number),
  kind: "grant",
  amount: 5,
  balance: 5 * number,
  reference: `grant:${number}`,
  note: null,
  createdAt: 1_772_442_000_000 + number,
  ...changes
})

/** Tests the port `Credits` on a store. */
export const creditsSuite = (name: string, store: StoreLayer): void =>
  layer(Layer.fresh(store))(`Credits on ${name}`, (it) => {
    it.effect("stores entries, and returns the latest of each tenant", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        assert.isNull(yield* credits.last("acme"))
        const second = line("acme", 2, { kind: "use", amount: -9, balance: -4, note: "a note" })
        yield* credits.insert(line("acme", 1))
        yield* credits.insert(second)
        yield* credits.insert(line("other", 1))
        assert.deepStrictEqual(yield* credits.last("acme"), second)
        assert.deepStrictEqual(yield* credits.ofReference("acme", "grant:1"), line("acme", 1))
        assert.isNull(yield* credits.ofReference("other", "grant:2"))
      })
    )

    it.effect("stores a reference once", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        yield* credits.insert(line("once", 1))
        const again = yield* Effect.exit(credits.insert(line("once", 2, { reference: "grant:1" })))
        assert.strictEqual(again._tag, "Failure")
        assert.strictEqual((yield* credits.last("once"))?.number, 1)
      })
    )

    it.effect("returns pages, newest first", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        for (const number of [1, 2, 3, 4, 5]) yield* credits.insert(line("pages", number))
        const numbers = (lines: ReadonlyArray<CreditTransaction>) => lines.map((each) => each.number)
        assert.deepStrictEqual(numbers(yield* credits.page("pages", 2, null)), [5, 4])
        assert.deepStrictEqual(numbers(yield* credits.page("pages", 2, 4)), [3, 2])
        assert.deepStrictEqual(numbers(yield* credits.page("pages", 2, 2)), [1])
      })
    )
  })

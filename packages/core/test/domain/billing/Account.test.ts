import { describe, expect, it } from "vitest"
import {
  chooseSubscription,
  graceMillis,
  newAccount,
  nextRefreshOf,
  planGivenBy,
  projectSubscription
} from "../../../src/domain/billing/Account.ts"
import { creditsPaidBack, ownerOf } from "../../../src/domain/billing/BillingEvent.ts"
import { type PaidSubscription, subscriptionStatuses } from "../../../src/domain/billing/Payment.ts"
import * as fc from "fast-check"

const now = Date.parse("2026-03-02T09:00:00.000Z")

const paid = (changes: Partial<PaidSubscription> = {}): PaidSubscription => ({
  subscriptionId: "sub_1",
  status: "active",
  plan: "growth",
  itemId: "si_1",
  createdAt: now,
  trialEndsAt: null,
  periodStartsAt: now,
  periodEndsAt: now + 1_000,
  cancelAtPeriodEnd: false,
  invoicedAt: now,
  ...changes
})

const given = (changes: Partial<PaidSubscription>, at = now) =>
  planGivenBy(projectSubscription(newAccount("acme"), paid(changes)), at)

describe("the subscription that counts", () => {
  it.each([
    ["a running one rather than a newer cancelled one", paid(), paid({ status: "canceled", createdAt: now + 1 })],
    ["a running one rather than a newer unpaid one", paid(), paid({ status: "incomplete", createdAt: now + 1 })],
    [
      "a formerly paid one rather than a newer one that was never paid",
      paid({ status: "canceled" }),
      paid({ status: "incomplete", createdAt: now + 1 })
    ],
    [
      "an overdue one rather than a paused one",
      paid({ status: "past_due" }),
      paid({ status: "paused", createdAt: now + 1 })
    ],
    ["the newest running one", paid({ createdAt: now + 1 }), paid()],
    ["always the same one among equally old ones", paid({ subscriptionId: "sub_1" }), paid({ subscriptionId: "sub_2" })]
  ])("is %s", (_, one, other) => {
    expect([chooseSubscription([one, other]), chooseSubscription([other, one])]).toEqual([one, one])
  })

  it("is null without a subscription", () => {
    expect(chooseSubscription([])).toBeNull()
  })
})

describe("the plan of an account", () => {
  it("is the paid plan, else trial, and null when nothing was ever paid", () => {
    expect(Object.fromEntries(subscriptionStatuses.map((status) => [status, given({ status })]))).toEqual({
      trialing: "growth",
      active: "growth",
      past_due: "growth",
      unpaid: "trial",
      paused: "trial",
      canceled: "trial",
      incomplete: null,
      incomplete_expired: null
    })
    expect(planGivenBy(newAccount("acme"), now)).toBeNull()
  })

  it("lasts seven days after an unpaid invoice", () => {
    const late = { status: "past_due", invoicedAt: now - graceMillis } as const
    expect([given(late, now - 1), given(late, now)]).toEqual(["growth", "trial"])
  })

  it("is null for an unknown price, and trial if there was a plan before", () => {
    expect(given({ plan: null })).toBeNull()
    const before = { ...newAccount("acme"), givenPlan: "growth" as const }
    expect(planGivenBy(projectSubscription(before, paid({ plan: null })), now)).toBe("trial")
  })

  it("is refreshed when a grace period or a billing period ends, and not after that", () => {
    const account = (changes: Partial<PaidSubscription>) => projectSubscription(newAccount("acme"), paid(changes))
    expect(nextRefreshOf(account({ status: "past_due", periodEndsAt: now + 100 * graceMillis }), now)).toBe(
      now + graceMillis
    )
    expect(nextRefreshOf(account({}), now)).toBe(now + 1_000 + 3_600_000)
    expect(nextRefreshOf(account({}), now + 2 * 3_600_000)).toBeNull()
    expect(nextRefreshOf(account({ status: "canceled" }), now)).toBeNull()
  })
})

describe("a provider event", () => {
  const names = fc.constantFrom(null, "acme", "other")

  it("belongs to a tenant only if all its references name that tenant and one of them is proved", () => {
    fc.assert(
      fc.property(names, names, names, (tenantId, claimedTenantId, stored) => {
        const all = new Set([tenantId, claimedTenantId, stored].filter((name) => name !== null))
        const owner = ownerOf({ tenantId, claimedTenantId }, stored === null ? [] : [stored])
        expect(owner.contradictory).toBe(all.size > 1)
        expect(owner.tenantId).toBe(all.size === 1 ? (stored ?? tenantId) : null)
      })
    )
  })

  it("about partial refunds up to the full amount removes exactly the purchased credits", () => {
    const parts = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 8 })
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 1_000 }),
        parts,
        (credits, amount, back) => {
          let refunded = 0
          let taken = 0
          for (const part of [...back, amount]) {
            const refundedBefore = refunded
            refunded = Math.min(amount, refunded + part)
            taken += creditsPaidBack({ chargeId: "ch_1", credits, amount, refunded, refundedBefore })
          }
          expect(taken).toBe(credits)
        }
      )
    )
    expect(creditsPaidBack({ chargeId: "ch_1", credits: 5, amount: 0, refunded: 1, refundedBefore: 0 })).toBe(0)
  })
})

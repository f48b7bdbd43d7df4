import type { PaymentsInMemory } from "../../memory/Payments.ts"
import type { BillingAccount } from "@leadloom/core/internal/domain/billing/Account"
import type { BillingFact, BillingEvent } from "@leadloom/core/internal/domain/billing/BillingEvent"
import type { PaidSubscription } from "@leadloom/core/internal/domain/billing/Payment"
import { planCaps, usageMonth } from "@leadloom/core/internal/domain/billing/Plan"
import { consumeUsage } from "@leadloom/core/internal/workflow/billing/Usage"
import { BillingAccounts, Credits } from "@leadloom/core/internal/port/repository/tenant/BillingAccounts"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { receiveBillingEvent } from "@leadloom/core/internal/workflow/billing/ReceiveBillingEvent"
import { Effect } from "effect"
import { drainJobs, start } from "../Scene.ts"

/** A day, milliseconds. */
export const day = 24 * 3_600_000

/** A subscription with a monthly period that starts with the test. */
export const subscribed = (changes: Partial<PaidSubscription> = {}): PaidSubscription => ({
  subscriptionId: "sub_1",
  status: "active",
  plan: "growth",
  itemId: "si_1",
  createdAt: start,
  trialEndsAt: null,
  periodStartsAt: start,
  periodEndsAt: start + 30 * day,
  cancelAtPeriodEnd: false,
  invoicedAt: start,
  ...changes
})

/** A provider event for a customer of a tenant. */
export const billingEvent = (
  providerEventId: string,
  fact: BillingFact,
  changes: Partial<BillingEvent> = {}
): BillingEvent => ({
  providerEventId,
  type: "something",
  tenantId: "acme",
  claimedTenantId: null,
  customerId: "cus_acme",
  fact,
  ...changes
})

/** Adds a subscription at the provider and reports it. */
export const reportSubscription = Effect.fnUntraced(function* (
  there: PaymentsInMemory,
  providerEventId: string,
  ...all: ReadonlyArray<PaidSubscription>
) {
  there.customers.set("cus_acme", "acme")
  there.subscriptions.set("cus_acme", all)
  yield* receiveBillingEvent("stripe", billingEvent(providerEventId, { _tag: "Look" }))
  yield* drainJobs
})

/** Returns the part of a tenant's state that must not depend on the number and order of the events. */
export const billingState = Effect.fnUntraced(function* (tenantId: string) {
  const account: BillingAccount | null = yield* (yield* BillingAccounts).find(tenantId)
  const lines = yield* (yield* Credits).page(tenantId, 1_000, null)
  const { plan } = yield* (yield* Tenants).get(tenantId)
  const booked = lines.map(({ amount, kind, reference }) => JSON.stringify([reference, kind, amount]))
  return {
    plan,
    account: account === null ? null : { ...account, looks: 0, lookApplied: 0, givenPlan: null },
    booked: booked.toSorted(),
    balance: lines[0]?.balance ?? 0
  }
})

/** The month of the test start. */
export const month = usageMonth(start)

/** Uses the whole monthly allowance. */
export const useUp = Effect.flatMap(Usages, (usages) => usages.set("acme", "actions", month, planCaps.trial.actions))

/** Checks that one more action is refused. */
export const refused = Effect.flip(consumeUsage("acme", "actions"))

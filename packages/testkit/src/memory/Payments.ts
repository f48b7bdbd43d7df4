import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect, Layer } from "effect"
import type { CheckoutState, PaidSubscription, Purchase } from "@leadloom/core/internal/domain/billing/Payment"
import { Payments } from "@leadloom/core/internal/port/provider/Payments"

/** The state of a payment provider in memory. */
export interface PaymentsInMemory {
  /** Tenants by customer. */
  readonly customers: Map<string, string>
  /** Subscriptions by customer. */
  readonly subscriptions: Map<string, ReadonlyArray<PaidSubscription>>
  readonly checkouts: Map<string, CheckoutState & { readonly purchase: Purchase }>
  /** Answers by idempotency key. */
  readonly answers: Map<string, string>
}

/** Creates a payment provider without customers. */
export const emptyPayments = (): PaymentsInMemory => ({
  customers: new Map(),
  subscriptions: new Map(),
  checkouts: new Map(),
  answers: new Map()
})

/** Provides `Payments` on a state in memory. */
export const inMemoryPayments = (there: PaymentsInMemory): Layer.Layer<Payments> => {
  const { answers, checkouts, customers, subscriptions } = there
  /** Runs a function once per key. Returns its answer, and whether the answer is a repetition. */
  const once = (key: string, make: () => string) => {
    const known = answers.get(key)
    const answer = known ?? make()
    answers.set(key, answer)
    return { answer, replayed: known !== undefined }
  }
  const change = (id: string, to: (subscription: PaidSubscription) => PaidSubscription): void => {
    for (const [customerId, all] of subscriptions) {
      subscriptions.set(
        customerId,
        all.map((each) => (each.subscriptionId === id ? to(each) : each))
      )
    }
  }
  return Layer.succeed(Payments, {
    configured: true,
    createCustomer: ({ tenantId }, key) =>
      Effect.sync(() => {
        const { answer } = once(key, () => `cus_${tenantId}_${customers.size + 1}`)
        customers.set(answer, tenantId)
        return answer
      }),
    hasCustomer: (customerId) => Effect.sync(() => customers.has(customerId)),
    startCheckout: ({ customerId, tenantId }, purchase, key) =>
      Effect.sync(() => {
        const { answer: checkoutId, replayed } = once(key, () => `cs_${checkouts.size + 1}`)
        if (!replayed) {
          checkouts.set(checkoutId, { checkoutId, tenantIds: [tenantId], customerId, paidCredits: null, purchase })
        }
        return { checkoutId, url: `https://payments.example/${checkoutId}`, expiresAt: 0, replayed }
      }),
    readCheckout: (checkoutId) =>
      Effect.suspend(() => {
        const checkout = checkouts.get(checkoutId)
        return checkout === undefined
          ? Effect.fail(ProviderFailure.gone("payments", "checkout"))
          : Effect.succeed(checkout)
      }),
    openPortal: (customerId) => Effect.succeed(`https://payments.example/portal/${customerId}`),
    subscriptions: (customerId) => Effect.sync(() => subscriptions.get(customerId) ?? []),
    changeSubscription: ({ plan, subscription }, key) =>
      Effect.sync(() => {
        const { replayed } = once(key, () => "changed")
        if (replayed) return
        change(subscription.subscriptionId, (each) => ({
          ...each,
          plan,
          status: each.status === "trialing" ? "active" : each.status,
          trialEndsAt: null,
          cancelAtPeriodEnd: false
        }))
      }),
    cancelSubscription: (subscriptionId) =>
      Effect.sync(() => change(subscriptionId, (each) => ({ ...each, status: "canceled" })))
  })
}

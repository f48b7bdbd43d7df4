import { Context, Effect, Layer } from "effect"
import {
  type CheckoutPage,
  type CheckoutState,
  type PaidPlan,
  type PaidSubscription,
  type PaymentsFailure,
  PaymentsGone,
  PaymentsNotConfigured,
  type Purchase
} from "../../domain/billing/Payment.ts"

/** The provider's customer record of a tenant. */
export interface PaymentCustomer {
  readonly tenantId: string
  readonly customerId: string
}

/** A plan change of a running subscription. */
export interface SubscriptionChange {
  readonly subscription: PaidSubscription
  /** The new plan. */
  readonly plan: PaidPlan
}

/** A provider of payments whose customers are here. */
export interface PaymentsInMemory {
  /** The tenant of each customer. */
  readonly customers: Map<string, string>
  /** By customer. */
  readonly subscriptions: Map<string, ReadonlyArray<PaidSubscription>>
  readonly checkouts: Map<string, CheckoutState & { readonly purchase: Purchase }>
  /** What was answered under each key. */
  readonly answers: Map<string, string>
}

/** One that nobody has paid at yet. */
export const paymentsInMemory = (): PaymentsInMemory => ({
  customers: new Map(),
  subscriptions: new Map(),
  checkouts: new Map(),
  answers: new Map()
})

/**
 * The payment provider. `key` makes a retry safe: the provider executes a request with the same key once and repeats
 * its answer for at least 24 h. A key must be unguessable and at most 255 characters long.
 */
export class Payments extends Context.Service<
  Payments,
  {
    /** False when no payment provider is configured. */
    readonly configured: boolean
    /** Creates the customer of a tenant and returns its id. */
    readonly createCustomer: (
      tenant: { readonly tenantId: string; readonly name: string },
      key: string
    ) => Effect.Effect<string, PaymentsFailure>
    /** Returns false when the provider has deleted the customer. */
    readonly hasCustomer: (customerId: string) => Effect.Effect<boolean, PaymentsFailure>
    readonly startCheckout: (
      payer: PaymentCustomer,
      purchase: Purchase,
      key: string
    ) => Effect.Effect<CheckoutPage, PaymentsFailure>
    readonly readCheckout: (checkoutId: string) => Effect.Effect<CheckoutState, PaymentsFailure>
    /**
     * Returns the URL of the page where a customer sees invoices and changes cards. It is valid for minutes: never
     * store it.
     */
    readonly openPortal: (customerId: string, key: string) => Effect.Effect<string, PaymentsFailure>
    /** Lists all subscriptions of a customer in their current state, ended ones included. */
    readonly subscriptions: (customerId: string) => Effect.Effect<ReadonlyArray<PaidSubscription>, PaymentsFailure>
    /** Moves a subscription to a plan, ends its trial and withdraws its cancellation. */
    readonly changeSubscription: (change: SubscriptionChange, key: string) => Effect.Effect<void, PaymentsFailure>
    /** Ends a subscription immediately. Succeeds when it has already ended. */
    readonly cancelSubscription: (subscriptionId: string) => Effect.Effect<void, PaymentsFailure>
  }
>()("core/port/provider/Payments") {
  /** A server without a payment provider. Every call fails with the name of the missing setting. */
  static readonly closed = (setting: string): Layer.Layer<Payments> => {
    const refuse = () => Effect.fail(new PaymentsNotConfigured({ setting }))
    return Layer.succeed(Payments, {
      configured: false,
      createCustomer: refuse,
      hasCustomer: refuse,
      startCheckout: refuse,
      readCheckout: refuse,
      openPortal: refuse,
      subscriptions: refuse,
      changeSubscription: refuse,
      cancelSubscription: refuse
    })
  }

  /** Takes money from nobody and remembers who owes it. */
  static readonly memory = (there: PaymentsInMemory): Layer.Layer<Payments> => {
    const { answers, checkouts, customers, subscriptions } = there
    /** Does something once a key; the answer, and whether it is an earlier one. */
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
          return checkout === undefined ? Effect.fail(new PaymentsGone({ what: "checkout" })) : Effect.succeed(checkout)
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
}

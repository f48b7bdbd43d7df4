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

/** Somebody at a provider of payments, for a tenant. */
export interface PaymentCustomer {
  readonly tenantId: string
  readonly customerId: string
}

/** What becomes of a running subscription. */
export interface SubscriptionChange {
  readonly subscription: PaidSubscription
  /** The plan from now on. */
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
 * Whoever takes money. `key` makes asking again harmless: the same key with the same request is done once, and answered
 * the same, for at least 24 h. Keys are unguessable and no longer than 255 characters.
 */
export class Payments extends Context.Service<
  Payments,
  {
    /** Whether there is anybody to pay at. */
    readonly configured: boolean
    /** Makes a customer for a tenant; answers its id. */
    readonly createCustomer: (
      tenant: { readonly tenantId: string; readonly name: string },
      key: string
    ) => Effect.Effect<string, PaymentsFailure>
    /** Whether a customer is (still) there. */
    readonly hasCustomer: (customerId: string) => Effect.Effect<boolean, PaymentsFailure>
    readonly startCheckout: (
      payer: PaymentCustomer,
      purchase: Purchase,
      key: string
    ) => Effect.Effect<CheckoutPage, PaymentsFailure>
    readonly readCheckout: (checkoutId: string) => Effect.Effect<CheckoutState, PaymentsFailure>
    /** Where a customer sees invoices and changes cards; good for minutes, never to be stored. */
    readonly openPortal: (customerId: string, key: string) => Effect.Effect<string, PaymentsFailure>
    /** Every subscription that a customer has, also those that are over, as they are now. */
    readonly subscriptions: (customerId: string) => Effect.Effect<ReadonlyArray<PaidSubscription>, PaymentsFailure>
    /** Moves a subscription to a plan, ends its trial and takes its cancelling back. */
    readonly changeSubscription: (change: SubscriptionChange, key: string) => Effect.Effect<void, PaymentsFailure>
    /** Ends a subscription at once. One that is over already is fine. */
    readonly cancelSubscription: (subscriptionId: string) => Effect.Effect<void, PaymentsFailure>
  }
>()("core/port/provider/Payments") {
  /** Nobody takes money: everything fails with the setting that is missing. */
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

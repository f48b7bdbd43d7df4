import { Context, Effect, Layer } from "effect"
import {
  type CheckoutPage,
  type CheckoutState,
  type PaidPlan,
  type PaidSubscription,
  type PaymentsFailure,
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
}

import { Context, Effect, Layer } from "effect"
import type { CheckoutPage, CheckoutState, PaidPlan, PaidSubscription, Purchase } from "../../domain/billing/Payment.ts"
import { notConfigured, type ProviderFailure } from "../../domain/provider/ProviderFailure.ts"
import type { IdempotencyConflict, IdempotencyInProgress } from "../../domain/sending/Reservation.ts"

/**
 * The failures of a payment request. Besides a failure of the provider, the key may belong to another request, or to
 * the same request that is still in progress.
 */
export type PaymentsFailure = ProviderFailure | IdempotencyConflict | IdempotencyInProgress

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

/**
 * The payment provider. `key` makes a retry safe: the provider carries out a request with the same key only once, and
 * repeats its response for at least 24 h. A key must be unguessable, and have at most 255 characters.
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
    readonly hasCustomer: (customerId: string) => Effect.Effect<boolean, ProviderFailure>
    readonly startCheckout: (
      payer: PaymentCustomer,
      purchase: Purchase,
      key: string
    ) => Effect.Effect<CheckoutPage, PaymentsFailure>
    readonly readCheckout: (checkoutId: string) => Effect.Effect<CheckoutState, ProviderFailure>
    /**
     * Returns the URL of the page on which a customer sees invoices and changes cards. Never store the URL, because it
     * expires after minutes.
     */
    readonly openPortal: (customerId: string, key: string) => Effect.Effect<string, PaymentsFailure>
    /** Lists all subscriptions of a customer in their current state. The list includes ended subscriptions. */
    readonly subscriptions: (customerId: string) => Effect.Effect<ReadonlyArray<PaidSubscription>, ProviderFailure>
    /** Moves a subscription to a plan, ends its trial and withdraws its cancellation. */
    readonly changeSubscription: (change: SubscriptionChange, key: string) => Effect.Effect<void, PaymentsFailure>
    /** Ends a subscription immediately. Succeeds when it has already ended. */
    readonly cancelSubscription: (subscriptionId: string) => Effect.Effect<void, ProviderFailure>
  }
>()("core/port/provider/Payments") {
  /** The layer of a server without a payment provider. Every call fails with the name of the missing setting. */
  static readonly closed = (setting: string): Layer.Layer<Payments> => {
    const refuse = () => Effect.fail(notConfigured("payments", setting))
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

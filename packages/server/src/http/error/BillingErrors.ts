import {
  Conflict,
  IdempotencyConflict as KeyConflict,
  IdempotencyInProgress as KeyInProgress,
  ProviderError,
  ServiceUnavailable
} from "@leadloom/api/errors"
import type { CreditInvalid, CreditReferenceTaken } from "@leadloom/core/domain/billing/Credit"
import type {
  NoCustomer,
  PaymentsGone,
  PaymentsKeyInUse,
  PaymentsKeyReused,
  PaymentsNotConfigured,
  PaymentsRefused,
  PaymentsUnavailable,
  PaymentsUncertain,
  SubscriptionExists
} from "@leadloom/core/domain/billing/Payment"
import { field } from "./Field.ts"

/** Maps errors about plans, credits and payments to wire errors. */
export const billingErrors = {
  PaymentsNotConfigured: ({ setting }: PaymentsNotConfigured) =>
    ServiceUnavailable.of(
      `Payments are disabled on this server: ${setting} is not set. Change plans with POST /api/v1/billing/activate`
    ),
  PaymentsUnavailable: ({ reason }: PaymentsUnavailable) =>
    ProviderError.of(`The request to the payment provider failed: ${reason}. Try again.`),
  PaymentsRefused: ({ reason }: PaymentsRefused) =>
    ProviderError.of(`The payment provider rejected the request: ${reason}`),
  PaymentsGone: ({ what }: PaymentsGone) => ProviderError.of(`The payment provider no longer has this ${what}.`),
  PaymentsUncertain: ({ reason }: PaymentsUncertain) =>
    ProviderError.of(
      `It is unknown whether the payment provider carried out the request: ${reason}. Repeat the request with the same Idempotency-Key; it is carried out only once.`
    ),
  PaymentsKeyReused: (_: PaymentsKeyReused) =>
    KeyConflict.of("This Idempotency-Key was used for another request. Use a new key for a new request."),
  PaymentsKeyInUse: (_: PaymentsKeyInUse) =>
    KeyInProgress.of("The first request with this Idempotency-Key is still running. Try again in a moment."),
  SubscriptionExists: ({ plan, tenantId }: SubscriptionExists) =>
    Conflict.of(
      `${tenantId} already pays for ${plan ?? "a plan"}. To change the plan: POST /api/v1/billing/activate?tenant_id=${tenantId}`,
      { plan }
    ),
  NoCustomer: ({ tenantId }: NoCustomer) =>
    Conflict.of(`${tenantId} has no payment yet. Start with POST /api/v1/billing/checkout?tenant_id=${tenantId}`),
  CreditInvalid: (error: CreditInvalid) => field(error.field, error.reason),
  CreditReferenceTaken: ({ reference, transactionId }: CreditReferenceTaken) =>
    Conflict.of(
      `The reference ${reference} belongs to another booking of credits. Use a new reference for each booking.`,
      {
        transaction_id: transactionId
      }
    )
} as const

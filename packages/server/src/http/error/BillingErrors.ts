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

/** Errors about plans, credits and payments, in the words of the wire. */
export const billingErrors = {
  PaymentsNotConfigured: ({ setting }: PaymentsNotConfigured) =>
    ServiceUnavailable.of(
      `Nothing can be paid on this server: ${setting} is not set. Plans are moved with POST /api/v1/billing/activate`
    ),
  PaymentsUnavailable: ({ reason }: PaymentsUnavailable) =>
    ProviderError.of(`The provider of payments does not answer as it should: ${reason}. Try again.`),
  PaymentsRefused: ({ reason }: PaymentsRefused) => ProviderError.of(`The provider of payments refused: ${reason}`),
  PaymentsGone: ({ what }: PaymentsGone) =>
    ProviderError.of(`The provider of payments knows no such ${what} any more.`),
  PaymentsUncertain: ({ reason }: PaymentsUncertain) =>
    ProviderError.of(
      `It is not known whether the provider of payments has done it: ${reason}. Send the same Idempotency-Key again: it is done once.`
    ),
  PaymentsKeyReused: (_: PaymentsKeyReused) =>
    KeyConflict.of("This Idempotency-Key came before with another request. Use a new key for a new request."),
  PaymentsKeyInUse: (_: PaymentsKeyInUse) =>
    KeyInProgress.of("The first request under this Idempotency-Key is still being carried out. Ask again in a moment."),
  SubscriptionExists: ({ plan, tenantId }: SubscriptionExists) =>
    Conflict.of(
      `${tenantId} pays for ${plan ?? "a plan"} already. Change it: POST /api/v1/billing/activate?tenant_id=${tenantId}`,
      { plan }
    ),
  NoCustomer: ({ tenantId }: NoCustomer) =>
    Conflict.of(`${tenantId} has paid nothing yet. Begin with POST /api/v1/billing/checkout?tenant_id=${tenantId}`),
  CreditInvalid: (error: CreditInvalid) => field(error.field, error.reason),
  CreditReferenceTaken: ({ reference, transactionId }: CreditReferenceTaken) =>
    Conflict.of(`Something else has been booked as ${reference}. Use a reference of its own for each booking.`, {
      transaction_id: transactionId
    })
} as const

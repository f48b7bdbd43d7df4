import { Conflict } from "@leadloom/api/internal/errors"
import type { CreditInvalid, CreditReferenceTaken } from "@leadloom/core/internal/domain/billing/Credit"
import type { NoCustomer, SubscriptionExists } from "@leadloom/core/internal/domain/billing/Payment"
import { field } from "./Field.ts"

/** Maps errors about plans, credits and payments to wire errors. */
export const billingErrors = {
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
      `The reference ${reference} was already used for another change of credits. Use a new reference for each change.`,
      {
        transaction_id: transactionId
      }
    )
} as const

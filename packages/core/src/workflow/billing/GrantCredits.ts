import { Effect } from "effect"
import { recordAuditChange } from "../access/Audited.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { recordCredits } from "./RecordCredits.ts"
import { CreditInvalid, CreditReferenceTaken } from "../../domain/billing/Credit.ts"
import { withSpan } from "../WithSpan.ts"

/** A credit entry that the operator makes manually. */
export interface ManualCreditEntry {
  readonly kind: "grant" | "adjustment" | "expire"
  readonly amount: number
  /**
   * The operator's reference, such as a contract or ticket number. A second entry with the same reference has no
   * effect.
   */
  readonly reference: string
  readonly note: string | null
}

const wrongAmount = ({ amount, kind }: ManualCreditEntry): string | null => {
  if (amount === 0) return "The amount is 0. Send an amount other than 0."
  if (kind === "grant" && amount < 0)
    return "A grant must be above 0. To remove credits, send the kind `adjustment` or `expire`."
  return kind === "expire" && amount > 0 ? "An expiry must be below 0. Send a negative amount." : null
}

/**
 * Adds credits to a tenant, or removes some. A second entry with the same reference returns the existing transaction.
 */
export const grantCredits = Effect.fnUntraced(function* (tenantId: string, booking: ManualCreditEntry) {
  const wrong = wrongAmount(booking)
  if (wrong !== null) return yield* new CreditInvalid({ field: "amount", reason: wrong })
  yield* (yield* Tenants).get(tenantId)
  const { amount, kind, note } = booking
  const reference = `grant:${booking.reference}`
  yield* recordAuditChange({ before: null, after: { kind, amount, reference } }, tenantId)
  const booked = yield* recordCredits({ tenantId, kind, amount, reference, note })
  const { isNew, line } = booked
  if (!isNew && (line.amount !== booking.amount || line.kind !== booking.kind)) {
    return yield* new CreditReferenceTaken({ reference: booking.reference, transactionId: line.transactionId })
  }
  return booked
}, withSpan("grantCredits"))

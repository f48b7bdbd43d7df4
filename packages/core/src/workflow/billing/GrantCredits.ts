import { Effect } from "effect"
import { recordAuditChange } from "../access/Audited.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { recordCredits } from "./RecordCredits.ts"
import { CreditInvalid, CreditReferenceTaken } from "../../domain/billing/Credit.ts"

/** What the operator books by hand. */
export interface ManualCreditEntry {
  readonly kind: "grant" | "adjustment" | "expire"
  readonly amount: number
  /** Of the operator: a contract, a ticket. The same counts once. */
  readonly reference: string
  readonly note: string | null
}

const wrongAmount = ({ amount, kind }: ManualCreditEntry): string | null => {
  if (amount === 0) return "Nothing comes of 0 credits."
  if (kind === "grant" && amount < 0) return "A grant is above 0. To take credits away send kind adjustment or expire."
  return kind === "expire" && amount > 0 ? "What expires goes: send an amount below 0." : null
}

/** Gives a tenant credits or takes some. The same booking again answers with the line that is there. */
export const grantCredits = Effect.fn("grantCredits")(function* (tenantId: string, booking: ManualCreditEntry) {
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
})

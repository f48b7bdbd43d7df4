import { Effect } from "effect"
import type { CappedKind } from "../../domain/billing/Plan.ts"
import { Credits } from "../../port/repository/tenant/BillingAccounts.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { Usages } from "../../port/repository/tenant/Usages.ts"
import { recordCredits } from "./RecordCredits.ts"
import { type CreditTransaction, creditsPerUse } from "../../domain/billing/Credit.ts"

/** A use that was counted, and its payment. Both are needed to refund the use. */
export interface CountedUsage {
  readonly tenantId: string
  readonly kind: CappedKind
  /** The month as `YYYY-MM`, in UTC. */
  readonly month: string
  /** The credit transaction that paid for the use. Null when the plan covered the use. */
  readonly paidBy: CreditTransaction | null
}

/**
 * Pays for one use beyond the plan's cap with credits, and counts the use, in one unit of work. Returns null when the
 * balance is too low. The count includes paid uses, so it can exceed the cap.
 */
export const payWithCredits = Effect.fnUntraced(function* (tenantId: string, kind: CappedKind, month: string) {
  const unit = Effect.gen(function* () {
    const price = creditsPerUse[kind]
    const balance = (yield* (yield* Credits).last(tenantId))?.balance ?? 0
    if (balance < price) return null
    const reference = `use:${yield* (yield* Ids).next("crd")}`
    const { line } = yield* recordCredits({
      tenantId,
      kind: "use",
      amount: -price,
      reference,
      note: `${kind} ${month}`
    })
    yield* (yield* Usages).add(tenantId, kind, month, 1)
    return line
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
})

/**
 * Refunds a use that had no effect. A use that the plan covered is subtracted from the count. For a paid use, the
 * credits are returned; a second refund of the same payment has no effect.
 */
export const refundUsage = Effect.fnUntraced(function* ({ kind, month, paidBy, tenantId }: CountedUsage) {
  const usages = yield* Usages
  if (paidBy === null) return yield* usages.giveBack(tenantId, kind, month)
  const { amount, transactionId } = paidBy
  const reference = `back:${transactionId}`
  const unit = Effect.gen(function* () {
    const { isNew } = yield* recordCredits({ tenantId, kind: "refund", amount: -amount, reference, note: null })
    if (isNew) yield* usages.giveBack(tenantId, kind, month)
  })
  yield* (yield* Transactions).atomically(tenantId, unit)
})

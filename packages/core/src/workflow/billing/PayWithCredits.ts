import { Effect } from "effect"
import type { CappedKind } from "../../domain/billing/Plan.ts"
import { Credits } from "../../port/repository/tenant/BillingAccounts.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { Usages } from "../../port/repository/tenant/Usages.ts"
import { recordCredits } from "./RecordCredits.ts"
import { type CreditTransaction, creditsPerUse } from "../../domain/billing/Credit.ts"

/** A use that has been counted, and what it was paid by, so that it can be given back. */
export interface CountedUsage {
  readonly tenantId: string
  readonly kind: CappedKind
  /** `YYYY-MM`, UTC. */
  readonly month: string
  /** The line that it was paid by; null: the plan had it. */
  readonly paidBy: CreditTransaction | null
}

/**
 * Pays one use beyond the plan's cap with credits and counts it, both or none; null: there are not enough of them. The use
 * is counted like any other, so that more can be used than the cap.
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

/** Gives a use back that came to nothing, to the plan or to the credits that it was paid by. Once, however often it is asked. */
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

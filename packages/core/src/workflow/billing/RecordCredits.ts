import { Clock, Effect } from "effect"
import { Credits } from "../../port/repository/tenant/BillingAccounts.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { CreditEntry, CreditTransaction } from "../../domain/billing/Credit.ts"

/** A transaction of the credit ledger. `isNew` is false when it already existed. */
export interface RecordedCredits {
  readonly line: CreditTransaction
  readonly isNew: boolean
}

/** Records a credit entry. If an entry with the same reference exists, returns its transaction unchanged. */
export const recordCredits = Effect.fnUntraced(function* (entry: CreditEntry) {
  const { tenantId } = entry
  const unit = Effect.gen(function* () {
    const credits = yield* Credits
    const known = yield* credits.ofReference(tenantId, entry.reference)
    if (known !== null) return { line: known, isNew: false } satisfies RecordedCredits
    const last = yield* credits.last(tenantId)
    const line: CreditTransaction = {
      ...entry,
      transactionId: yield* (yield* Ids).next("crd"),
      number: (last?.number ?? 0) + 1,
      balance: (last?.balance ?? 0) + entry.amount,
      createdAt: yield* Clock.currentTimeMillis
    }
    yield* credits.insert(line)
    return { line, isNew: true } satisfies RecordedCredits
  })
  return yield* (yield* Transactions).atomically(tenantId, unit)
})

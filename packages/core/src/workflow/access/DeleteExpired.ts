import { Clock, Effect } from "effect"
import { IdempotencyRecords } from "../../port/repository/tenant/IdempotencyRecords.ts"
import { ProviderEvents } from "../../port/repository/webhook/ProviderEvents.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { keyMillis } from "../../domain/access/IdempotencyRecord.ts"

/** For how long a provider may repeat what it has told; none does so for more than three weeks. */
const providerEventRetentionMillis = 35 * 86_400_000

/** Rows that one statement removes, so that nobody waits for it. */
const batch = 500

const removeAll = Effect.fnUntraced(function* (remove: Effect.Effect<number, StoreUnavailable>) {
  let removed = 0
  for (;;) {
    const gone = yield* remove
    removed += gone
    if (gone < batch) return removed
  }
})

/** Removes what was only kept to recognise repetitions and has served its time; answers how many rows. */
export const deleteExpired = Effect.fn("deleteExpired")(function* () {
  const records = yield* IdempotencyRecords
  const providerEvents = yield* ProviderEvents
  const now = yield* Clock.currentTimeMillis
  const served = yield* (yield* Tenants).list
  let removed = 0
  for (const tenantId of ["", ...served.map((tenant) => tenant.tenantId)]) {
    removed += yield* removeAll(records.expire(tenantId, now - keyMillis, batch))
    removed += yield* removeAll(providerEvents.expire(tenantId, now - providerEventRetentionMillis, batch))
  }
  return removed
})

import { Clock, Effect } from "effect"
import { IdempotencyRecords } from "../../port/repository/tenant/IdempotencyRecords.ts"
import { ProviderEvents } from "../../port/repository/webhook/ProviderEvents.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { keyMillis } from "../../domain/access/IdempotencyRecord.ts"
import { withSpan } from "../WithSpan.ts"

/** The retention of the ids of provider events: 35 days. No provider repeats an event after more than three weeks. */
const providerEventRetentionMillis = 35 * 86_400_000

/** The maximum number of rows that one statement deletes, so that other writes do not wait long. */
const batch = 500

const removeAll = Effect.fnUntraced(function* (remove: Effect.Effect<number, StoreUnavailable>) {
  let removed = 0
  for (;;) {
    const gone = yield* remove
    removed += gone
    if (gone < batch) return removed
  }
})

/** Deletes expired idempotency records and provider events. Returns the number of deleted rows. */
export const deleteExpired = Effect.fnUntraced(function* () {
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
}, withSpan("deleteExpired"))

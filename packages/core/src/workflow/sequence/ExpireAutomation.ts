import { Clock, Effect } from "effect"
import { automationRetentionDays } from "../../domain/sequence/Sequence.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { Enrolments } from "../../port/repository/sequence/Enrolments.ts"
import { Sequences } from "../../port/repository/sequence/Sequences.ts"
import { TrackedLinks } from "../../port/repository/sequence/TrackedLinks.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { StoreUnavailable } from "../../port/system/Transactions.ts"
import { withSpan } from "../WithSpan.ts"

/** The maximum number of rows that one statement deletes, so that other writes do not wait long. */
const batch = 500

const removeAll = Effect.fnUntraced(function* (remove: Effect.Effect<number, StoreUnavailable>) {
  let removed = 0
  for (;;) {
    const gone = yield* remove
    removed += gone
    if (gone < batch) return removed
    // Other fibers get a turn between two pieces.
    yield* Effect.yieldNow
  }
})

/**
 * Deletes enrolments and trigger runs that ended before `automationRetentionDays`, and counts and tracked links of messages from that time.
 * Those of archived tenants stay until the tenant is restored or deleted. Returns the number of deleted rows.
 */
export const expireAutomation = Effect.fnUntraced(function* () {
  const before = (yield* Clock.currentTimeMillis) - automationRetentionDays * 86_400_000
  const enrolments = yield* Enrolments
  const runs = yield* TriggerRuns
  const sequences = yield* Sequences
  const links = yield* TrackedLinks
  let removed = 0
  for (const { tenantId } of yield* (yield* Tenants).list) {
    removed += yield* removeAll(enrolments.expire(tenantId, before, batch))
    removed += yield* removeAll(runs.expire(tenantId, before, batch))
    removed += yield* removeAll(sequences.expireCounts(tenantId, before, batch))
    removed += yield* removeAll(links.expire(tenantId, before, batch))
  }
  return removed
}, withSpan("expireAutomation"))

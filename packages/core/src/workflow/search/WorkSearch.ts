import { Effect, Schedule } from "effect"
import { Search } from "../../port/repository/contact/Search.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { defaults, type Queue } from "../worker/Worker.ts"
import { log } from "../LogEvents.ts"

/**
 * The maximum number of rows of each kind that one unit of work indexes. This takes some tens of milliseconds.
 */
export const catchUpLimit = 128

/**
 * Indexes new data of a tenant. Returns true when nothing is left to index. A search starts with the newest data, so
 * that it finds recent messages. Workers start with the oldest data, so that an import is indexed in its order. Without
 * new data, the call costs one query and no unit of work.
 */
export const catchUp = Effect.fnUntraced(function* (tenantId: string, from: "newest" | "oldest") {
  const search = yield* Search
  if (yield* search.isCaughtUp(tenantId)) return true
  return yield* (yield* Transactions).atomically(tenantId, search.catchUp(tenantId, catchUpLimit, from))
})

/**
 * Writes a missing summary of the index. Returns true when none is missing; this costs one query and no unit of work.
 */
export const summarize = Effect.fnUntraced(function* (tenantId: string) {
  const search = yield* Search
  if (!(yield* search.hasUnsummarized(tenantId))) return true
  yield* (yield* Transactions).atomically(tenantId, search.summarize(tenantId))
  return false
})

/** The delay after a failure, so that an unavailable database is not queried constantly. */
const failurePause = "5 seconds"

/**
 * Indexes new data of a tenant, and writes a summary. Waits after a failure, because a tenant has no lease and would
 * otherwise be claimed again immediately.
 */
const run = (tenantId: string) =>
  Effect.andThen(catchUp(tenantId, "oldest"), summarize(tenantId)).pipe(
    Effect.tapDefect(() => Effect.sleep(failurePause)),
    Effect.catchTag("StoreUnavailable", ({ reason }) =>
      Effect.andThen(log("search.failed", { reason }), Effect.sleep(failurePause))
    ),
    Effect.as(null)
  )

/**
 * The queue of tenants that have new data for the search index. The tenants alternate, and one item is a small part of
 * a tenant's data.
 */
export const searchQueue: Queue<string, Search | Transactions> = {
  ...defaults,
  name: "search",
  // One worker suffices, because its work consists of writes, and writes are serialised.
  workers: 1,
  slots: 1,
  batch: 1,
  refill: 1,
  backoff: Schedule.spaced(failurePause),
  failure: "failed to update the search index",
  about: (tenantId) => ({ tenant: tenantId }),
  open: Effect.map(Search, ({ behind, rest }) => ({
    claim: () => Effect.map(behind, (tenantId) => (tenantId === null ? [] : [tenantId])),
    run,
    wait: rest
  }))
}

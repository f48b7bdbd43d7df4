import { Effect, Schedule } from "effect"
import { Search } from "../../port/repository/contact/Search.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { defaults, type Queue } from "../worker/Worker.ts"

/** The number of messages, and of contacts, to index per unit of work; some tens of milliseconds. */
export const catchUpLimit = 128

/**
 * Indexes new data of a tenant. Returns true when nothing is left. A search starts with the newest data, so that it
 * finds recent messages; workers start with the oldest, so that an import is indexed in order. Without new data it
 * costs one query and no unit of work.
 */
export const catchUp = Effect.fnUntraced(function* (tenantId: string, from: "newest" | "oldest") {
  const search = yield* Search
  if (yield* search.isCaughtUp(tenantId)) return true
  return yield* (yield* Transactions).atomically(tenantId, search.catchUp(tenantId, catchUpLimit, from))
})

/** The wait after a failure, so that an unavailable database is not queried constantly. */
const failurePause = "5 seconds"

/** Indexes new data of a tenant. Waits after a failure: a tenant has no lease and would be claimed again at once. */
const run = (tenantId: string) =>
  catchUp(tenantId, "oldest").pipe(
    Effect.tapDefect(() => Effect.sleep(failurePause)),
    Effect.catchTag("StoreUnavailable", ({ reason }) =>
      Effect.andThen(Effect.logWarning("failed to update the search index", { reason }), Effect.sleep(failurePause))
    ),
    Effect.as(null)
  )

/** The queue of tenants with new data for the search index, in turn. One item is a small portion of a tenant's data. */
export const searchQueue: Queue<string, Search | Transactions> = {
  ...defaults,
  name: "search",
  // One worker, because its work is writing, and writes are serialised.
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

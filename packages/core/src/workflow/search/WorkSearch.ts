import { Effect } from "effect"
import { Search } from "../../port/repository/contact/Search.ts"
import { Transactions } from "../../port/system/Transactions.ts"

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

/** The wait between two checks without any work. */
const restMillis = 1_000
/** The wait after a failure, so that an unavailable database is not queried constantly. */
const failureSeconds = 5

/** Indexes new data of all tenants in turn, in small portions, until it is interrupted. */
export const workSearch = Effect.gen(function* () {
  const search = yield* Search
  const tenantId = yield* search.behind
  if (tenantId === null) yield* search.rest(restMillis)
  else yield* Effect.annotateLogs(catchUp(tenantId, "oldest"), { tenant: tenantId })
}).pipe(
  Effect.catchTag("StoreUnavailable", ({ reason }) =>
    Effect.andThen(
      Effect.logWarning("failed to update the search index", { reason }),
      Effect.sleep(`${failureSeconds} seconds`)
    )
  ),
  Effect.forever
)

import { Effect } from "effect"
import { Search } from "../../port/repository/contact/Search.ts"
import { Transactions } from "../../port/system/Transactions.ts"

/** Messages, and contacts, that one unit of work brings into the index: some tens of milliseconds. */
export const catchUpLimit = 128

/**
 * Brings what a tenant has written since into the index; tells whether nothing is left. A search begins with the newest,
 * so that it finds what has just been stored; workers with the oldest, so that an import is indexed in its order. Who
 * finds nothing to do pays for a look and no unit of work.
 */
export const catchUp = Effect.fnUntraced(function* (tenantId: string, from: "newest" | "oldest") {
  const search = yield* Search
  if (yield* search.isCaughtUp(tenantId)) return true
  return yield* (yield* Transactions).atomically(tenantId, search.catchUp(tenantId, catchUpLimit, from))
})

/** Between two looks for something to bring into the index, once there was nothing. */
const restMillis = 1_000
/** After a failure, so that a database that is away is not asked all the time. */
const failureSeconds = 5

/** Brings what is written into the index, tenant by tenant and a little of each, for as long as it runs. */
export const workSearch = Effect.gen(function* () {
  const search = yield* Search
  const tenantId = yield* search.behind
  if (tenantId === null) yield* search.rest(restMillis)
  else yield* Effect.annotateLogs(catchUp(tenantId, "oldest"), { tenant: tenantId })
}).pipe(
  Effect.catchTag("StoreUnavailable", ({ reason }) =>
    Effect.andThen(
      Effect.logWarning("the search index cannot be brought up to date", { reason }),
      Effect.sleep(`${failureSeconds} seconds`)
    )
  ),
  Effect.forever
)

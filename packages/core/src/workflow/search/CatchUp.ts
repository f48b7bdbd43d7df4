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

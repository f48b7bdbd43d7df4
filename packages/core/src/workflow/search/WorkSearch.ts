import { Effect } from "effect"
import { Search } from "../../port/repository/contact/Search.ts"
import { catchUp } from "./CatchUp.ts"

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

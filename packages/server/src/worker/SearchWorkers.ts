import { Search } from "@leadloom/core/port/repository/contact/Search"
import { workSearch } from "@leadloom/core/workflow/search/WorkSearch"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"
import { closableQueue, runWorkers } from "./Workers.ts"

/** One worker, because its work is writing, and writes are serialised. */
export const workerCount = 1

/** Updates the search index while the server runs. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const search = yield* Search
    const { claim, close, wait } = yield* closableQueue({ claim: () => search.behind, wait: search.rest }, workerCount)
    const index = Search.of({ ...search, behind: Effect.suspend(() => claim(1, 0, 0)), rest: wait })
    yield* runWorkers(Effect.provideService(workSearch, Search, index), workerCount, close).pipe(
      Effect.provideService(CurrentWorker, "worker.search")
    )
  })
)

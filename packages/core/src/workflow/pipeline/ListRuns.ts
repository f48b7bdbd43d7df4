import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Runs } from "../../port/repository/pipeline/Runs.ts"
import type { RunQuery } from "../../domain/run/Run.ts"

const readKey = ([signalId]: CursorKey): string | null => (typeof signalId === "string" ? signalId : null)

/** A page of runs, those of the newest messages first. */
export const listRuns = Effect.fn("listRuns")(function* (tenantId: string, query: RunQuery, page: PageRequest) {
  const runs = yield* Runs
  return yield* readPage(
    {
      scope: { tenantId, list: "runs", filters: { ...query } },
      fetch: (limit, before: string | null) => runs.page(tenantId, query, limit, before),
      keyOf: ({ signalId }) => [signalId],
      readKey
    },
    page
  )
})

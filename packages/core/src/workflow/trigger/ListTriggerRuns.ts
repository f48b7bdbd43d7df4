import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { isId } from "../../domain/Id.ts"
import type { TriggerRunFilter } from "../../domain/run/TriggerRun.ts"
import { TriggerRuns } from "../../port/repository/pipeline/TriggerRuns.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { withSpan } from "../WithSpan.ts"

const readKey = ([id]: CursorKey): string | null => (typeof id === "string" && isId("trg", id) ? id : null)

/** Returns a page of trigger runs, newest first. Fails for an unknown tenant. */
export const listTriggerRuns = Effect.fnUntraced(function* (
  tenantId: string,
  filter: TriggerRunFilter,
  page: PageRequest
) {
  yield* (yield* Tenants).get(tenantId)
  const runs = yield* TriggerRuns
  return yield* readPage(
    {
      scope: { tenantId, list: "trigger_runs", filters: { ...filter } },
      fetch: (limit, before: string | null) => runs.page(tenantId, filter, limit, before),
      keyOf: ({ triggerRunId }) => [triggerRunId],
      readKey
    },
    page
  )
}, withSpan("listTriggerRuns"))

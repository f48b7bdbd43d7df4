import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Calls } from "../../port/repository/conversation/Calls.ts"
import type { CallKey, CallQuery } from "../../domain/call/Call.ts"

const readKey = ([startedAt, callId]: CursorKey): CallKey | null =>
  typeof startedAt === "number" && typeof callId === "string" ? { startedAt, callId } : null

/** A page of calls, newest first. */
export const listCalls = Effect.fn("listCalls")(function* (tenantId: string, query: CallQuery, page: PageRequest) {
  const calls = yield* Calls
  return yield* readPage(
    {
      scope: { tenantId, list: "calls", filters: { ...query } },
      fetch: (limit, after: CallKey | null) => calls.page(tenantId, query, limit, after),
      keyOf: ({ callId, startedAt }) => [startedAt, callId],
      readKey
    },
    page
  )
})

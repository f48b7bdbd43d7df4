import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import type { LeadKey, LeadQuery } from "../../domain/lead/LeadQuery.ts"

const readKey = ([at, leadId]: CursorKey): LeadKey | null =>
  typeof at === "number" && typeof leadId === "string" ? { at, leadId } : null

/**
 * Returns a page of leads. Ordered by creation, a complete reading returns every lead exactly once. Ordered by last
 * message, a lead that gets a message during the reading may be returned twice or only by the next reading.
 */
export const listLeads = Effect.fn("listLeads")(function* (tenantId: string, query: LeadQuery, page: PageRequest) {
  const leads = yield* Leads
  return yield* readPage(
    {
      scope: { tenantId, list: "leads", filters: { ...query } },
      fetch: (limit, after: LeadKey | null) => leads.page(tenantId, query, limit, after),
      keyOf: (lead) => [lead[query.time], lead.leadId],
      readKey
    },
    page
  )
})

import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import type { LeadKey, LeadQuery } from "../../domain/lead/LeadQuery.ts"

const readKey = ([at, leadId]: CursorKey): LeadKey | null =>
  typeof at === "number" && typeof leadId === "string" ? { at, leadId } : null

/**
 * A page of leads. By time of creation every lead that is in the list from the first page to the last is on exactly one
 * of them, whatever happens in between. By last message that holds for leads that nobody writes in meanwhile: one that
 * moves to the end of the list is on a later page again, one that moves to its beginning is there when the list is read
 * the next time.
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

import { Effect } from "effect"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import type { LeadKey, LeadQuery } from "../../domain/lead/LeadQuery.ts"
import { withSpan } from "../WithSpan.ts"

const readKey = ([at, leadId]: CursorKey): LeadKey | null =>
  typeof at === "number" && typeof leadId === "string" ? { at, leadId } : null

/**
 * Returns a page of leads. If the list is ordered by creation, reading all pages returns every lead exactly once. If it
 * is ordered by the last message, a lead that gets a message meanwhile may occur twice, or not at all.
 */
export const listLeads = Effect.fnUntraced(function* (tenantId: string, query: LeadQuery, page: PageRequest) {
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
}, withSpan("listLeads"))

import { Effect } from "effect"
import type { TenantSet } from "../../domain/access/Principal.ts"
import type { CursorKey } from "../../domain/conversation/Cursor.ts"
import { type PageRequest, readPage } from "../../domain/conversation/ReadPage.ts"
import { type Lead, LeadMerged } from "../../domain/lead/Lead.ts"
import { type MessageKey, Messages } from "../../port/repository/conversation/Messages.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { withSpan } from "../WithSpan.ts"

/** Returns the lead to which a merged lead belongs. An unmerged lead is returned unchanged. */
export const resolveMergedLead = Effect.fnUntraced(function* (lead: Lead) {
  const leads = yield* Leads
  let state = lead
  // A lead is merged only into an older one, so the loop ends.
  while (state.mergedInto !== null) {
    state = yield* leads.get(lead.tenantId, state.mergedInto).pipe(Effect.catchTag("LeadNotFound", Effect.die))
  }
  return state
})

/** Returns a lead that may be changed. Fails with `LeadMerged` for a merged lead. Runs inside a unit of work. */
export const requireWritableLead = Effect.fnUntraced(function* (tenantId: string, leadId: string) {
  const lead = yield* (yield* Leads).get(tenantId, leadId)
  if (lead.mergedInto === null) return lead
  return yield* new LeadMerged({ leadId: lead.leadId, mergedInto: (yield* resolveMergedLead(lead)).leadId })
})

/** Returns a lead by its id, without a tenant id. A lead of another tenant than the given ones counts as missing. */
export const findLead = Effect.fnUntraced(function* (tenants: TenantSet, leadId: string) {
  return yield* (yield* Leads).locate(tenants, leadId)
}, withSpan("findLead"))

const readKey = ([timestamp, messageId]: CursorKey): MessageKey | null =>
  typeof timestamp === "number" && typeof messageId === "string" ? { timestamp, messageId } : null

/**
 * Returns a page of a lead's messages, oldest first. For a merged lead, returns the messages of the lead into which it
 * was merged.
 */
export const readLeadConversation = Effect.fnUntraced(function* (
  tenants: TenantSet,
  leadId: string,
  page: PageRequest
) {
  const messages = yield* Messages
  const lead = yield* resolveMergedLead(yield* findLead(tenants, leadId))
  const { tenantId } = lead
  const read = yield* readPage(
    {
      scope: { tenantId, list: "lead conversation", filters: { leadId: lead.leadId } },
      fetch: (limit, after: MessageKey | null) => messages.ofLead(tenantId, lead.leadId, limit, after),
      keyOf: ({ messageId, timestamp }) => [timestamp, messageId],
      readKey
    },
    page
  )
  return { lead, ...read }
}, withSpan("readLeadConversation"))

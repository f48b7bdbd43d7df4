import { Effect } from "effect"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { type Lead, LeadMerged } from "../../domain/lead/Lead.ts"

/** The lead that a lead lives on in: itself unless it was merged. */
export const standingLead = Effect.fnUntraced(function* (lead: Lead) {
  const leads = yield* Leads
  let standing = lead
  // A lead is merged into an older one, so this ends.
  while (standing.mergedInto !== null) {
    standing = yield* leads.get(lead.tenantId, standing.mergedInto).pipe(Effect.catchTag("LeadNotFound", Effect.die))
  }
  return standing
})

/** A lead that may be changed: one that is there and was not merged into another. Runs inside a unit of work. */
export const writableLead = Effect.fnUntraced(function* (tenantId: string, leadId: string) {
  const lead = yield* (yield* Leads).get(tenantId, leadId)
  if (lead.mergedInto === null) return lead
  return yield* new LeadMerged({ leadId: lead.leadId, mergedInto: (yield* standingLead(lead)).leadId })
})

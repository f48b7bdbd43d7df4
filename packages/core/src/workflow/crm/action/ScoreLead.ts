import { Effect } from "effect"
import { createLead } from "../../lead/CreateLead.ts"
import { scoreLead as score } from "../../pipeline/ScoreLead.ts"
import { Leads } from "../../../port/repository/lead/Leads.ts"
import type { ActionAnswer, ActionCall } from "../../../domain/crm/ActionCall.ts"

/** The number of the contact's newest leads among which an open lead is searched. */
const looked = 20

/** Returns the contact's newest open lead. If there is none, creates one. */
const leadOf = Effect.fnUntraced(function* ({ contact, tenant }: ActionCall) {
  const leads = yield* (yield* Leads).ofContact(tenant.tenantId, contact.contactId, looked)
  const open = leads.find(
    ({ mergedInto, state }) => mergedInto === null && !["won", "lost", "archived"].includes(state)
  )
  if (open !== undefined) return { lead: open, begun: false }
  const { contactId } = contact
  const lead = yield* createLead({
    tenant,
    contact: { contactId },
    subject: null,
    channel: "webhook",
    source: "crm",
    fields: {},
    stageId: null,
    message: null,
    runPipeline: false
  })
  return { lead, begun: true }
})

/** Scores the contact's open lead by the contact's last message. Idempotent. */
export const scoreLead = Effect.fnUntraced(function* (call: ActionCall) {
  const { begun, lead } = yield* leadOf(call)
  const scored = yield* score(call.tenant, lead.leadId)
  return {
    contact_id: lead.contactId,
    lead_id: lead.leadId,
    lead_created: begun,
    lead_score: scored.score,
    lead_tier: scored.tier,
    recommended_actions: scored.recommendedActions.join(", ")
  } satisfies ActionAnswer
})

import { isId } from "../Id.ts"
import type { Lead } from "../lead/Lead.ts"
import { leadStates } from "../lead/LeadState.ts"
import type { Activity } from "./Activity.ts"
import { valuesBefore } from "./ContactAt.ts"

const stageOf = (id: unknown) => (typeof id === "string" && isId("stg", id) ? id : null)

/**
 * Returns a lead with its state, stage and custom fields before some entries of the timeline, newest first. An entry about
 * a state does not name the former stage, so the stage is then that of the state.
 */
export const leadBefore = (lead: Lead, later: ReadonlyArray<Activity>): Lead => {
  let { stageId, state } = lead
  const own = later.filter(({ leadId }) => leadId === lead.leadId)
  for (const move of own) {
    const before = leadStates.find((name) => name === move.data["previous_state"])
    if (move.type === "lead_stage_changed") stageId = stageOf(move.data["previous_stage_id"])
    else if (move.type === "lead_state_changed" && before !== undefined) [state, stageId] = [before, null]
  }
  return { ...lead, state, stageId, customFields: valuesBefore(lead.customFields, own) }
}

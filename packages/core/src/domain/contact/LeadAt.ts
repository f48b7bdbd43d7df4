import { isId } from "../Id.ts"
import type { Lead } from "../lead/Lead.ts"
import { leadStates } from "../lead/LeadState.ts"
import type { Activity } from "./Activity.ts"

const stageOf = (id: unknown) => (typeof id === "string" && isId("stg", id) ? id : null)

/**
 * Returns a lead with its state and stage at a time. `moves` are the later entries of the timeline about its state and
 * stage, newest first. An entry about a state does not name the former stage, so the stage is then that of the state.
 */
export const leadAt = (lead: Lead, moves: ReadonlyArray<Activity>, at: number): Lead => {
  let { stageId, state } = lead
  for (const move of moves) {
    if (move.leadId !== lead.leadId || move.at <= at) continue
    const before = leadStates.find((name) => name === move.data["previous_state"])
    if (move.type === "lead_stage_changed") stageId = stageOf(move.data["previous_stage_id"])
    else if (before !== undefined) [state, stageId] = [before, null]
  }
  return { ...lead, state, stageId }
}

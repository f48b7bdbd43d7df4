import { Effect } from "effect"
import type { Actor } from "../../domain/conversation/Message.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import { isSameAssignment } from "../../domain/user/Assignment.ts"
import { recordAssignment } from "./RecordActivity.ts"

/**
 * Records a change of the user or the team of a lead in the timeline, and returns its event. Does nothing when both
 * are the same. Runs inside the unit of work of the change.
 */
export const recordReassignment = Effect.fnUntraced(function* (
  before: Lead,
  after: Lead,
  by: { readonly actor: Actor; readonly reason: string | null },
  now: number
) {
  if (isSameAssignment(before, after)) return []
  yield* recordAssignment(before, after, by, now)
  const { assigneeId, teamId } = after
  const more = {
    assignee_id: assigneeId,
    team_id: teamId,
    previous_assignee_id: before.assigneeId,
    previous_team_id: before.teamId,
    reason: by.reason
  }
  return [leadEvent("lead.assigned", after, more)]
})

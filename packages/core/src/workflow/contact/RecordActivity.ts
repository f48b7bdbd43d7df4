import { Effect } from "effect"
import type { Activity } from "../../domain/contact/Activity.ts"
import type { Actor } from "../../domain/conversation/Message.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { Activities } from "../../port/repository/contact/Contacts.ts"
import type { Change } from "../../domain/webhook/Change.ts"
import { ActingUser, actingUserRecord } from "../ActingUser.ts"
import { Ids } from "../../port/system/Ids.ts"

/**
 * Records an activity in the timeline of its contact. Runs inside the unit of work of the change that it records, and
 * has the time of that change. An activity of a person names the user who makes the request.
 */
export const recordActivity = Effect.fnUntraced(function* (
  happened: Omit<Activity, "activityId" | "userId" | "userName">
) {
  const activityId = yield* (yield* Ids).next("act")
  const user = happened.actor === "agent" ? yield* actingUserRecord : { userId: null, userName: null }
  yield* (yield* Activities).insert({ activityId, ...user, ...happened })
})

/** The changes of contacts and leads that the timeline contains. Other changes have their own entries or records. */
const recordedTypes = ["tag_added", "tag_removed", "field_changed"] as const

/**
 * Records changes of tags and custom fields in the timeline. `isCause` is false for changes by rules with triggers, which
 * cause no runs. Runs inside the unit of work of the changes.
 */
export const recordValueChanges = Effect.fnUntraced(function* (
  tenantId: string,
  changes: ReadonlyArray<Change>,
  isCause: boolean,
  at: number
) {
  const actor = (yield* ActingUser) === null ? "system" : "agent"
  for (const { contactId, field, from, leadId, place, to, type: changed } of changes) {
    const type = recordedTypes.find((name) => name === changed)
    if (type === undefined) continue
    const data = { field, previous: from, value: to, ...(place !== undefined && { place }), causes_rules: isCause }
    yield* recordActivity({ tenantId, contactId, leadId, type, actor, at, data })
  }
})

const about = (lead: Lead, at: number, actor: Actor) => ({
  tenantId: lead.tenantId,
  contactId: lead.contactId,
  leadId: lead.leadId,
  actor,
  at
})

/**
 * Records a change of a lead's state, and its reason, in the timeline. Records nothing when the state has not changed.
 */
export const recordTransition = (
  before: Lead,
  after: Lead,
  by: { readonly actor: Actor; readonly reason: string | null },
  at: number
) =>
  before.state === after.state
    ? Effect.void
    : recordActivity({
        ...about(after, at, by.actor),
        type: "lead_state_changed",
        data: { previous_state: before.state, state: after.state, reason: by.reason }
      })

/** Records a change of a lead's stage without a change of its state, with the data of the outbound events about it. */
export const recordStage = (after: Lead, moves: ReadonlyArray<NewEvent>, actor: Actor, at: number) =>
  Effect.forEach(moves, ({ data }) => {
    const { previous_stage_id, reason, stage_id, stage_name } = data
    const details = { previous_stage_id, stage_id, stage_name, reason }
    return recordActivity({ ...about(after, at, actor), type: "lead_stage_changed", data: details })
  })

/** Records a change of the user or the team of a lead in the timeline. */
export const recordAssignment = (
  before: Lead,
  after: Lead,
  by: { readonly actor: Actor; readonly reason: string | null },
  at: number
) =>
  recordActivity({
    ...about(after, at, by.actor),
    type: "lead_assigned",
    data: {
      assignee_id: after.assigneeId,
      team_id: after.teamId,
      previous_assignee_id: before.assigneeId,
      previous_team_id: before.teamId,
      reason: by.reason
    }
  })

/** Records the score of a lead and its factors in the timeline. */
export const recordScoring = (before: Lead, after: Lead, actor: Actor, at: number) =>
  recordActivity({
    ...about(after, at, actor),
    type: "lead_scored",
    data: { score: after.score, tier: after.tier, previous_tier: before.tier, factors: after.factors }
  })

import { Effect } from "effect"
import type { Activity } from "../../domain/contact/Activity.ts"
import type { Actor } from "../../domain/conversation/Message.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { Activities } from "../../port/repository/contact/Contacts.ts"
import { Ids } from "../../port/system/Ids.ts"

/**
 * Records an activity in the timeline of its contact. Runs inside the unit of work of the change that it records, and
 * has the time of that change.
 */
export const recordActivity = (happened: Omit<Activity, "activityId">) =>
  Effect.flatMap(Ids, (ids) =>
    Effect.flatMap(ids.next("act"), (activityId) =>
      Effect.flatMap(Activities, (activities) => activities.insert({ activityId, ...happened }))
    )
  )

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

/** Records the score of a lead and its factors in the timeline. */
export const recordScoring = (before: Lead, after: Lead, actor: Actor, at: number) =>
  recordActivity({
    ...about(after, at, actor),
    type: "lead_scored",
    data: { score: after.score, tier: after.tier, previous_tier: before.tier, factors: after.factors }
  })

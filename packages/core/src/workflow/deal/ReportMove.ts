import { Effect } from "effect"
import type { Lead } from "../../domain/lead/Lead.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import { stateChanges } from "../../domain/lead/LeadChange.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { recordStage, recordTransition } from "../contact/RecordActivity.ts"
import { stageEvents } from "./LeadPlaces.ts"

/**
 * Records a change of a lead's state or stage in the timeline, and returns the outbound events about it. Empty without a
 * change. Runs inside a unit of work.
 */
export const reportMove = Effect.fnUntraced(function* (
  before: Lead,
  after: Lead,
  by: Parameters<typeof recordTransition>[2],
  at: number
) {
  const moved = yield* stageEvents(before, after, by.reason)
  if (before.state === after.state) {
    yield* recordStage(after, moved, by.actor, at)
    return moved
  }
  yield* recordTransition(before, after, by, at)
  const why = { previous_state: before.state, reason: by.reason }
  const changed: NewEvent = { ...leadEvent("lead.state_changed", after, why), changes: stateChanges(before, after) }
  return [changed, ...moved]
})

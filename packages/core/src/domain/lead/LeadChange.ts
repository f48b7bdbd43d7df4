import { fieldChanges } from "../webhook/FieldChange.ts"
import type { Change } from "../webhook/Change.ts"
import type { Lead } from "./Lead.ts"

/** The fields of a change that name its lead. */
const changeOf = ({ contactId, leadId }: Lead) => ({ contactId, leadId, task: null })

/** Returns the change of the state of a lead. A new lead had none: `before` is null. Empty if the state is the same. */
export const stateChanges = (before: Lead | null, after: Lead): ReadonlyArray<Change> => {
  const from = before?.state ?? null
  if (from === after.state) return []
  return [{ ...changeOf(after), type: "lead_state_changed", field: "state", from, to: after.state }]
}

/** Returns the change of the stage of a lead. A new lead had none: `from` is null. */
export const stageChange = (lead: Lead, from: string | null, to: string): Change => ({
  ...changeOf(lead),
  type: "lead_stage_changed",
  field: "stage_id",
  from,
  to
})

/** Returns the changes of the custom fields of a lead. A new lead had none: `before` is null. */
export const leadFieldChanges = (before: Lead | null, after: Lead): ReadonlyArray<Change> =>
  fieldChanges(changeOf(after), before?.customFields ?? {}, after.customFields)

/** Returns the changes to which rules react when a lead is created. */
export const newLeadChanges = (lead: Lead): ReadonlyArray<Change> => [
  ...stateChanges(null, lead),
  ...leadFieldChanges(null, lead)
]

/** Returns the change of the score of a lead. Empty if the score is the same. */
export const scoreChanges = (before: Lead, after: Lead): ReadonlyArray<Change> =>
  before.score === after.score
    ? []
    : [{ ...changeOf(after), type: "score_reached", field: "score", from: before.score, to: after.score }]

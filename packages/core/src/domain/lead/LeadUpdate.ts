import type { NewEvent } from "../webhook/Event.ts"
import type { Lead } from "./Lead.ts"
import { leadFieldChanges } from "./LeadChange.ts"
import { leadEvent } from "./LeadEvent.ts"

/** The fields of a lead that the event reports. Other events report its score, state, stage and assignment. */
const reported = ({ currency, customFields, expectedCloseOn, lossReason, subject, tags, value }: Lead) => ({
  subject,
  value,
  currency,
  expected_close_on: expectedCloseOn,
  tags,
  loss_reason: lossReason,
  custom_fields: customFields
})

/**
 * Returns the outbound event about new values of the fields of a lead, with the changes to which rules react. Empty if
 * they are the same. A loss reason that begins or ends with a state belongs to the event of the state.
 */
export const leadUpdateEvents = (before: Lead, after: Lead): ReadonlyArray<NewEvent> => {
  const comparable = before.state === after.state ? before : { ...before, lossReason: after.lossReason }
  if (JSON.stringify(reported(comparable)) === JSON.stringify(reported(after))) return []
  return [{ ...leadEvent("lead.updated", after, reported(after)), changes: leadFieldChanges(before, after) }]
}

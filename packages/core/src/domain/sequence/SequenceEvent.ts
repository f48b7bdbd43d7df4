import type { NewEvent } from "../webhook/Event.ts"
import type { Enrolment, EnrolmentEntry } from "./Enrolment.ts"

/** The events about an enrolment. */
export type SequenceEventType = Extract<NewEvent["type"], `sequence.${string}`>

/** Returns the outbound event about an enrolment. `entry` is the step of `sequence.step_sent` and `sequence.step_skipped`. */
export const sequenceEvent = (
  type: SequenceEventType,
  { contactId, enrolmentId, leadId, pauseReason, sequenceId, state, step, stopReason, tenantId, version }: Enrolment,
  entry: EnrolmentEntry | null = null
): NewEvent => ({
  type,
  tenantId,
  data: {
    enrolment_id: enrolmentId,
    sequence_id: sequenceId,
    contact_id: contactId,
    lead_id: leadId,
    version,
    state,
    step: entry?.step ?? step,
    message_id: entry?.messageId ?? null,
    stop_reason: stopReason,
    pause_reason: pauseReason
  }
})

import type { Sequence } from "./Sequence.ts"
import type { NewEvent } from "../webhook/Event.ts"
import type { Enrolment, EnrolmentEntry } from "./Enrolment.ts"

/** The events about a sequence as a whole. */
type PauseEventType = "sequence.paused" | "sequence.resumed"

/** The events about an enrolment. */
export type SequenceEventType = Exclude<Extract<NewEvent["type"], `sequence.${string}`>, PauseEventType>

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

/** Returns the outbound event about the pause or resumption of a sequence. */
export const pauseEvent = (
  type: PauseEventType,
  { name, pauseDetail, pauseReason, sequenceId, tenantId }: Sequence
): NewEvent => ({
  type,
  tenantId,
  data: { sequence_id: sequenceId, name, pause_reason: pauseReason, pause_detail: pauseDetail }
})

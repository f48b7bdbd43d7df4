import { enrolmentPauses, enrolmentStates, enrolmentStops } from "@leadloom/core/internal/domain/sequence/Enrolment"
import { Schema } from "effect"
import { contactId } from "./Ids.ts"

/** The `data` of events about enrolments in sequences. */
export const SequenceData = Schema.Struct({
  enrolment_id: Schema.String.annotate({ description: "Enrolment id (`enr_…`)" }),
  sequence_id: Schema.String.annotate({ description: "Sequence id (`seq_…`)" }),
  contact_id: contactId,
  lead_id: Schema.NullOr(Schema.String).annotate({ description: "The contact's lead at the enrolment; null: none" }),
  version: Schema.Int.annotate({ description: "The version of the sequence that the enrolment follows" }),
  state: Schema.Literals(enrolmentStates).annotate({ description: "The state of the enrolment" }),
  step: Schema.NullOr(Schema.String).annotate({
    description:
      "`sequence.step_sent`, `sequence.step_skipped`: the step that was sent or skipped. Otherwise the next step; null: none is left"
  }),
  message_id: Schema.NullOr(Schema.String).annotate({
    description: "The message of the step; null for the other events"
  }),
  stop_reason: Schema.NullOr(Schema.Literals(enrolmentStops)).annotate({
    description: "Why the enrolment stopped; null: it did not stop"
  }),
  pause_reason: Schema.NullOr(Schema.Literals(enrolmentPauses)).annotate({
    description: "Why the enrolment is paused; null: it is not paused"
  })
})

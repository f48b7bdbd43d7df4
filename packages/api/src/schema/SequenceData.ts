import { enrolmentPauses, enrolmentStates, enrolmentStops } from "@leadloom/core/internal/domain/sequence/Enrolment"
import { sequencePauses } from "@leadloom/core/internal/domain/sequence/SequenceLimits"
import { Schema } from "effect"
import { contactId } from "./Ids.ts"

/** The `data` of events about enrolments in sequences. */
const SequenceData = Schema.Struct({
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

/** The `data` of events about the pause of a sequence. */
const SequencePauseData = Schema.Struct({
  sequence_id: Schema.String.annotate({ description: "Sequence id (`seq_…`)" }),
  name: Schema.String.annotate({ description: "The name of the sequence" }),
  pause_reason: Schema.NullOr(Schema.Literals(sequencePauses)).annotate({
    description: "Why the sequence is paused; null: it was resumed"
  }),
  pause_detail: Schema.NullOr(Schema.String).annotate({
    description: "The person who paused it, or the numbers of the exceeded limit; null: it was resumed"
  })
})

/** The `data` of the event about an opened link. */
const LinkData = Schema.Struct({
  contact_id: contactId,
  message_id: Schema.String.annotate({ description: "The message with the link" }),
  sequence_id: Schema.String.annotate({ description: "Sequence id (`seq_…`)" }),
  enrolment_id: Schema.String.annotate({ description: "Enrolment id (`enr_…`)" }),
  step: Schema.String.annotate({ description: "The step of the sequence" }),
  url: Schema.String.annotate({ description: "The URL of the link" }),
  opened_at: Schema.String.annotate({ description: "The time of the opening (ISO 8601 in UTC)" })
})

/** The `data` of the events about sequences, enrolments and their messages, by type. */
export const sequenceEventData = {
  "sequence.enrolled": SequenceData,
  "sequence.step_sent": SequenceData,
  "sequence.completed": SequenceData,
  "sequence.stopped": SequenceData,
  "sequence.held_out": SequenceData,
  "sequence.enrolment_paused": SequenceData,
  "sequence.enrolment_resumed": SequenceData,
  "sequence.step_skipped": SequenceData,
  "sequence.paused": SequencePauseData,
  "sequence.resumed": SequencePauseData,
  "link.opened": LinkData
}

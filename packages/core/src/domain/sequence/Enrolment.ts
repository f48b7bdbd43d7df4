import { Schema } from "effect"
import { TaggedError } from "../TaggedError.ts"
import { Time, unchecked } from "../Field.ts"
import { ContactId, EnrolmentId, LeadId, type MessageId, SequenceId, type TaskId, UserId } from "../Id.ts"
import type { Lead } from "../lead/Lead.ts"
import type { SequenceStep } from "./Sequence.ts"
import type { StepChannel } from "./StepText.ts"

/** The states of an enrolment. `completed`, `stopped` and `held_out` are final. */
export const enrolmentStates = ["active", "paused", "completed", "stopped", "held_out"] as const
export type EnrolmentState = (typeof enrolmentStates)[number]

/** The reasons why an enrolment stopped. */
export const enrolmentStops = [
  "replied",
  "bounced",
  "opted_out",
  "lead_closed",
  "stage_changed",
  "by_person",
  "by_rule",
  "contact_archived",
  "sequence_deleted",
  "no_date",
  "rule_disabled",
  "enrolled_twice"
] as const
export type EnrolmentStop = (typeof enrolmentStops)[number]

/**
 * The reasons why an enrolment is paused. `defects`: its step has failed too often. `account_unavailable`: its email
 * account could not send for a week.
 */
export const enrolmentPauses = ["by_person", "defects", "account_unavailable"] as const

/** The outcomes of a step. */
export const stepOutcomes = ["sent", "task_created", "waited", "skipped", "refused", "delayed", "failed"] as const

/**
 * The outcome of one step, at a time. A step that is delayed or fails several times has one entry, about the last time.
 * A step that waits for its email account has one entry with the time at which this wait began.
 */
export interface EnrolmentEntry {
  readonly step: string
  readonly version: number
  readonly outcome: (typeof stepOutcomes)[number]
  /** Epoch milliseconds. */
  readonly at: number
  readonly reason: string | null
  /** The time until which the step was delayed (epoch milliseconds). Null for other outcomes. */
  readonly until: number | null
  readonly messageId: MessageId | null
  /** The channel of the message. Absent without a message, and in entries of older releases. */
  readonly channel?: StepChannel
  /** The variant of the text, or `control`. Absent if the step has no variants. */
  readonly variant?: string
  readonly taskId: TaskId | null
}

/** The way of one contact through a version of a sequence. */
export class Enrolment extends Schema.Opaque<Enrolment>()(
  Schema.Struct({
    enrolmentId: EnrolmentId.annotate({ description: "Enrolment id (`enr_…`)" }),
    tenantId: Schema.String,
    sequenceId: SequenceId.annotate({ description: "The sequence" }),
    contactId: ContactId.annotate({ description: "The contact" }),
    leadId: Schema.NullOr(LeadId).annotate({
      description: "The contact's lead at the enrolment; null: the contact had none"
    }),
    /** The place of the lead at the enrolment, from `placeOf`. Null without a lead. */
    leadPlace: Schema.NullOr(Schema.String),
    version: Schema.Int.annotate({ description: "The version of the sequence that the enrolment follows" }),
    state: Schema.Literals(enrolmentStates).annotate({
      description:
        "`active`: the next step runs at `next_at`. `paused`: no step runs, for `pause_reason`. `completed`: no step is left. `held_out`: the contact is in the holdout group and gets no message"
    }),
    stopReason: Schema.NullOr(Schema.Literals(enrolmentStops)).annotate({
      description: "Why the enrolment stopped; null: it did not stop"
    }),
    pauseReason: Schema.NullOr(Schema.Literals(enrolmentPauses)).annotate({
      description:
        "Why the enrolment is paused. `by_person`: a person paused it. `defects`: its step failed five times because of a defect of the server; resume it to try again. `account_unavailable`: its email account could not send for a week. null: it is not paused"
    }),
    step: Schema.NullOr(Schema.String).annotate({ description: "The name of the next step; null: none is left" }),
    nextAt: Schema.NullOr(Time).annotate({
      description: "The planned time of the next step (ISO 8601 in UTC); null: none is left"
    }),
    /** The time from which the delay of the next step counts. */
    baseAt: Time,
    history: Schema.Array(unchecked<EnrolmentEntry>()),
    /** The time of the newest message of this enrolment. */
    lastSentAt: Schema.NullOr(Time),
    /** The time of the first opt-out of the contact within seven days after a message. It counts for the limits once. */
    optedOutAt: Schema.NullOr(Time),
    /** The number of claims by workers. It identifies the current claim. */
    attempts: Schema.Int,
    /** The number of consecutive attempts that ended with a defect. Progress and a resumption set it to 0. */
    defects: Schema.Int,
    /** The time from which a worker can claim the enrolment. */
    dueAt: Time,
    enrolledBy: Schema.String.annotate({ description: "The caller who enrolled the contact" }),
    enrolledByUser: Schema.NullOr(UserId).annotate({ description: "The user who enrolled the contact; null: unknown" }),
    /**
     * The time after which messages of the contact are replies: the acceptance of the message that caused the enrolment.
     * Null without such a message: the time of the enrolment.
     */
    repliesAfter: Schema.NullOr(Time),
    /**
     * The acceptance of the first message of the contact that was stored after the enrolment. The database sets it when it
     * stores the message, so it does not depend on the clocks of servers. Null: none.
     */
    answeredAt: Schema.NullOr(Time),
    createdAt: Time.annotate({ description: "The time of the enrolment (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** Returns whether an enrolment may still run a step. */
export const isRunning = ({ state }: Pick<Enrolment, "state">): boolean => state === "active" || state === "paused"

/** Returns the time after which a message or an opt-out of the contact stops an enrolment. */
export const answersAfter = ({ createdAt, repliesAfter }: Pick<Enrolment, "createdAt" | "repliesAfter">): number =>
  repliesAfter ?? createdAt

/** FROZEN, because keys of sends are stored. Returns the key of the only message of a step. */
export const sequenceKey = (enrolmentId: EnrolmentId, step: string): string => `sequence:${enrolmentId}:${step}`

/** Returns the enrolment that a send belongs to; null for other sends. */
export const enrolmentOfKey = (key: string): EnrolmentId | null => {
  const id = key.startsWith("sequence:") ? (key.split(":")[1] ?? "") : ""
  return id.startsWith("enr_") ? `enr_${id.slice("enr_".length)}` : null
}

/** Returns the place of a lead in its pipeline: the chosen stage, or else the state. */
export const placeOf = ({ pipelineId, stageId, state }: Pick<Lead, "pipelineId" | "stageId" | "state">): string =>
  `${pipelineId}:${stageId ?? state}`

/** Returns whether a step with this outcome has not run, so that it remains the next step. */
const leavesOpen = (outcome: EnrolmentEntry["outcome"]): boolean => outcome === "delayed" || outcome === "failed"

/** Adds an entry to a history. A further delay or failure of the same step replaces the previous one. */
export const withEntry = (
  history: ReadonlyArray<EnrolmentEntry>,
  entry: EnrolmentEntry
): ReadonlyArray<EnrolmentEntry> => {
  const last = history.at(-1)
  const replaces =
    last !== undefined && leavesOpen(entry.outcome) && last.step === entry.step && last.outcome === entry.outcome
  return [...(replaces ? history.slice(0, -1) : history), entry]
}

/**
 * Returns the next step of an enrolment in a version of its sequence: the first one after the last completed step that
 * the version contains. A completed step never runs again. Null if no step is left, and if the version contains none of
 * the completed steps: starting again would repeat messages under new names.
 */
export const nextStep = (
  steps: ReadonlyArray<SequenceStep>,
  history: ReadonlyArray<EnrolmentEntry>
): SequenceStep | null => {
  const completed = new Set(history.filter(({ outcome }) => !leavesOpen(outcome)).map(({ step }) => step))
  const last = steps.findLastIndex(({ name }) => completed.has(name))
  return last === -1 && completed.size > 0 ? null : (steps[last + 1] ?? null)
}

/** The tenant has no such enrolment. */
export class EnrolmentNotFound extends TaggedError("EnrolmentNotFound")<{ readonly enrolmentId: string }> {}

/** The enrolment is completed, stopped or held out, so it cannot change. */
export class EnrolmentEnded extends TaggedError("EnrolmentEnded")<{
  readonly enrolmentId: EnrolmentId
  readonly state: EnrolmentState
}> {}

/** An archived contact cannot be enrolled. */
export class ContactNotEnrollable extends TaggedError("ContactNotEnrollable")<{ readonly contactId: ContactId }> {}

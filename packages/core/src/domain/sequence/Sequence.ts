/**
 * Sequences: messages, tasks and waits that follow one another over days, and the enrolments of contacts in them.
 * Sending and storing belong to `workflow/sequence`. Tests: `packages/core/test/domain/sequence`,
 * `packages/testkit/src/suite/sequence`.
 */
import { Schema } from "effect"
import { cannedReplyVariables } from "../reply/CannedReply.ts"
import { TaggedError } from "../TaggedError.ts"
import { Time } from "../Field.ts"
import { SequenceId } from "../Id.ts"
import { SequenceLimits, sequencePauses } from "./SequenceLimits.ts"
import { WorkingHours } from "../time/WorkingHours.ts"
import { sendFields, variantFields } from "./StepText.ts"
import { WaitUntil } from "./WaitUntil.ts"

/** The maximum number of steps of a sequence. */
export const maxSequenceSteps = 50

/** The maximum number of sequences of one tenant. Archived sequences do not count. */
export const maxSequences = 200

/** The maximum number of versions of a sequence. */
export const maxSequenceVersions = 1_000

/** The variables that the emails of sequences may use. Texts have those of canned replies. */
export const emailStepVariables = [...cannedReplyVariables, "contact.unsubscribe_url"] as const

/** The days for which ended enrolments and ended runs of rules with triggers are kept: 13 months, to compare years. */
export const automationRetentionDays = 400

/** The maximum size of a holdout group, in percent of the contacts. */
export const maxHoldoutPercent = 90

/** The maximum delay of a step, in units of the delay. */
export const maxStepDelay = 366

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

/** The time between a step and the one before it. Days keep the local time of the contact over a clock change. */
export const StepDelay = Schema.Struct({
  amount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxStepDelay })).annotate({
    description: `The number of units, 0 to ${maxStepDelay}`
  }),
  unit: Schema.Literals(["minutes", "hours", "days"]).annotate({
    description: "The unit. Days keep the contact's local time when the clocks change"
  })
}).annotate({
  identifier: "StepDelay",
  description: "The time since the previous step, or since the enrolment for the first step"
})
export type StepDelay = typeof StepDelay.Type

const stepFields = {
  name: Schema.String.check(
    Schema.isPattern(/^[a-z0-9][a-z0-9_-]{0,49}$/u, { message: "Expected lower-case letters, digits, _ and -" })
  ).annotate({
    description:
      "The name of the step, unique in the sequence: lower-case letters, digits, `_` and `-`. A step with this name runs at most once per enrolment, also in a later version"
  }),
  delay: StepDelay,
  /** Absent: every hour. */
  window: Schema.optionalKey(WorkingHours).annotate({
    description: "The hours in which the step may run, in the contact's time zone. Default: all hours"
  })
}

/** One step of a sequence. */
export const SequenceStep = Schema.Union([
  Schema.Struct({
    ...stepFields,
    kind: Schema.Literal("send").annotate({ description: "Sends a message to the contact" }),
    ...sendFields,
    ...variantFields
  }),
  Schema.Struct({
    ...stepFields,
    kind: Schema.Literal("task").annotate({ description: "Creates a task of type `follow_up` for a person" }),
    title: text(200).annotate({ description: "The title of the task; at most 200 characters" })
  }),
  Schema.Struct({
    ...stepFields,
    kind: Schema.Literal("wait").annotate({ description: "Only waits" }),
    until: Schema.optionalKey(WaitUntil).annotate({
      description: "The end of the wait, after `delay`. Default: the end of `delay`"
    })
  })
]).annotate({ identifier: "SequenceStep", description: "One step of a sequence. `kind` selects its fields" })
export type SequenceStep = typeof SequenceStep.Type

/** A step that only waits. */
export type WaitStep = Extract<SequenceStep, { readonly kind: "wait" }>

/** A step that sends a message. */
export type SendStep = Extract<SequenceStep, { readonly kind: "send" }>

/** The optional conditions that stop an enrolment. A reply, a bounce and an opt-out always stop it. */
export const stopConditions = ["lead_closed", "stage_changed"] as const

/** The content of one version of a sequence. */
const versionFields = {
  steps: Schema.NonEmptyArray(SequenceStep)
    .check(Schema.isMaxLength(maxSequenceSteps))
    .annotate({ description: `The steps in their order, 1 to ${maxSequenceSteps}` }),
  stopOn: Schema.Array(Schema.Literals(stopConditions)).check(Schema.isMaxLength(stopConditions.length)).annotate({
    description:
      "Further conditions that stop an enrolment. `lead_closed`: its lead is won, lost or archived; `stage_changed`: its lead is in another stage than at the enrolment. A reply, a bounce and an opt-out always stop it"
  })
}

/** A sequence with its current version. */
export class Sequence extends Schema.Opaque<Sequence>()(
  Schema.Struct({
    sequenceId: SequenceId.annotate({ description: "Sequence id (`seq_…`)" }),
    tenantId: Schema.String,
    name: text(200).annotate({ description: "The name in lists; at most 200 characters" }),
    version: Schema.Int.annotate({
      description: "The number of the current version. A change of its content adds one"
    }),
    ...versionFields,
    holdoutPercent: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: maxHoldoutPercent })).annotate({
      description: `The percentage of contacts that are held out, 0 to ${maxHoldoutPercent}: they get no message, so that the effect of the sequence can be measured. Applies to later enrolments. Default: 0`
    }),
    limits: SequenceLimits,
    pausedAt: Schema.NullOr(Time).annotate({
      description: "The time since which no step runs; null: the sequence is not paused"
    }),
    pauseReason: Schema.NullOr(Schema.Literals(sequencePauses)).annotate({
      description: "Why the sequence is paused: a person, or an exceeded limit; null: it is not paused"
    }),
    pauseDetail: Schema.NullOr(Schema.String).annotate({
      description: "The person who paused it, or the numbers of the exceeded limit; null: it is not paused"
    }),
    /** The time of the last resumption. Earlier messages do not count for the limits. */
    resumedAt: Schema.NullOr(Time),
    /** Enrolments of earlier versions change to this version before their next step. 0: they keep theirs. */
    migratesTo: Schema.Int,
    ruleId: Schema.NullOr(Schema.String).annotate({
      description: "The rule whose messages the sequence sends; null: a sequence that people have created"
    }),
    archivedAt: Schema.NullOr(Time).annotate({ description: "The time of the deletion; null: not deleted" }),
    createdAt: Time.annotate({ description: "The time of creation (ISO 8601 in UTC)" }),
    updatedAt: Time.annotate({ description: "The time of the last change (ISO 8601 in UTC)" })
  })
) {}

/** An earlier version of a sequence, for the enrolments that keep it. */
export class SequenceVersion extends Schema.Opaque<SequenceVersion>()(
  Schema.Struct({
    tenantId: Schema.String,
    sequenceId: SequenceId,
    version: Schema.Int,
    ...versionFields
  })
) {}

/** The state of a sequence that was never paused. */
export const notPaused = { pausedAt: null, pauseReason: null, pauseDetail: null, resumedAt: null } as const

/** The fields of a sequence that a person sets. */
export type SequenceFields = Pick<Sequence, "holdoutPercent" | "limits" | "name" | "steps" | "stopOn">

/** The tenant has no such sequence, or it was deleted. */
export class SequenceNotFound extends TaggedError("SequenceNotFound")<{ readonly sequenceId: string }> {}

/** The tenant has `maxSequences` sequences, or the sequence has `maxSequenceVersions` versions. */
export class SequenceLimitReached extends TaggedError("SequenceLimitReached")<{
  readonly limit: number
  readonly of: "sequences" | "versions"
}> {}

/** A change is based on another version of the sequence than the current one. */
export class SequenceOutdated extends TaggedError("SequenceOutdated")<{ readonly currentVersion: number }> {}

/** A sequence cannot be saved. `issues` names the fields. */
export class SequenceInvalid extends TaggedError("SequenceInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}

import {
  Enrolment as EnrolmentNoun,
  enrolmentStates,
  stepOutcomes
} from "@leadloom/core/internal/domain/sequence/Enrolment"
import { maxSequences, Sequence as Noun, SequenceStep } from "@leadloom/core/internal/domain/sequence/Sequence"
import { maxResultEnrolments } from "@leadloom/core/internal/domain/sequence/StepResults"
import { controlVariant, stepChannels } from "@leadloom/core/internal/domain/sequence/StepText"
import { maxCountedEnrolments } from "@leadloom/core/internal/workflow/sequence/SequenceStatistics"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound, PreconditionFailed } from "../errors.ts"
import {
  cursor,
  IdempotencyKey,
  IfMatch,
  isoTime,
  nextCursor,
  pageSize,
  TenantPath,
  Timestamp
} from "../schema/Field.ts"
import { contactId, leadId } from "../schema/Ids.ts"
import { changeRequest, computed, wire } from "../schema/Wire.ts"

export const { schema: Sequence, toJson: sequenceToJson } = wire(Noun, "Sequence", {
  description: "Messages, tasks and waits that follow one another over days",
  id: "sequenceId",
  omit: ["tenantId", "migratesTo", "archivedAt", "resumedAt"]
})

export const EnrolmentEntry = Schema.Struct({
  step: Schema.String.annotate({ description: "The name of the step" }),
  version: Schema.Int.annotate({ description: "The version of the sequence" }),
  outcome: Schema.Literals(stepOutcomes).annotate({
    description:
      "`delayed`: the step waits until `until`. `failed`: a defect of the server; the enrolment is paused, and the step runs again when it is resumed. The other outcomes complete the step"
  }),
  at: Timestamp.annotate({ description: "The time of the outcome (ISO 8601 in UTC)" }),
  reason: Schema.NullOr(Schema.String).annotate({
    description:
      "Why the step was delayed, failed, was skipped or refused, why earlier channels were refused, or why a wait ended without its date; null: none of these"
  }),
  until: Schema.NullOr(Timestamp).annotate({
    description: "The time until which the step was delayed; null: not delayed"
  }),
  message_id: Schema.NullOr(Schema.String).annotate({
    description: "The message of the step (`msg_…`); its `delivery` shows whether it arrived; null: none"
  }),
  task_id: Schema.NullOr(Schema.String).annotate({ description: "The task of the step (`task_…`); null: none" }),
  channel: Schema.NullOr(Schema.Literals(stepChannels)).annotate({
    description: "The channel of the message; null: none, or a message of an older release"
  }),
  variant: Schema.NullOr(Schema.String).annotate({
    description: `The variant of the text, \`${controlVariant}\` for the own text of the step; null: the step has no variants, or the channel has a text of its own`
  })
}).annotate({ identifier: "EnrolmentEntry", description: "The outcome of one step of an enrolment" })

/** Returns the outcomes of the steps of an enrolment in wire format. */
export const historyToJson = ({ history }: Pick<EnrolmentNoun, "history">): ReadonlyArray<typeof EnrolmentEntry.Type> =>
  history.map(({ at, channel = null, messageId, taskId, until, variant = null, ...entry }) => ({
    ...entry,
    channel,
    variant,
    at: isoTime(at),
    until: until === null ? null : isoTime(until),
    message_id: messageId,
    task_id: taskId
  }))

export const { schema: Enrolment, toJson: enrolmentToJson } = wire(EnrolmentNoun, "Enrolment", {
  description: "The way of one contact through a sequence",
  id: "enrolmentId",
  pick: [
    ...(["enrolmentId", "sequenceId", "contactId", "leadId", "version", "state", "stopReason", "pauseReason"] as const),
    ...(["step", "nextAt", "enrolledBy", "enrolledByUser", "createdAt", "updatedAt"] as const)
  ],
  names: { enrolledByUser: "enrolled_by_user_id" },
  computed: {
    history: computed<EnrolmentNoun, Schema.$Array<typeof EnrolmentEntry>>(
      Schema.Array(EnrolmentEntry).annotate({ description: "The outcomes of the steps so far, oldest first" }),
      historyToJson
    )
  }
})

const change = changeRequest(Noun, "SequenceChange", "The fields of a sequence", {
  name: {},
  steps: {},
  stopOn: {},
  holdoutPercent: {},
  limits: {}
})

export const sequenceChangeOf = change.fromJson

export const CreateSequence = Schema.Struct({
  ...change.schema.fields,
  name: Noun.fields.name,
  steps: Noun.fields.steps
}).annotate({ identifier: "CreateSequence", description: "A new sequence" })

export const UpdateSequence = Schema.Struct({
  ...change.schema.fields,
  migrate: Schema.optionalKey(Schema.Boolean).annotate({
    description:
      "true: running enrolments change to the new version before their next step. They continue after the last step that they have completed. Default: false, running enrolments keep their version"
  })
}).annotate({ identifier: "UpdateSequence", description: "The fields to change. Absent fields stay" })

const PreviewedStep = Schema.Struct({
  step: SequenceStep,
  at: Schema.NullOr(Timestamp).annotate({ description: "The time of the step; null: its hours permit no time" }),
  reason: Schema.NullOr(Schema.String).annotate({
    description: "Why the step runs later than its delay or cannot run; null: no reason"
  }),
  subject: Schema.NullOr(Schema.String).annotate({ description: "The rendered subject; null: none" }),
  body: Schema.NullOr(Schema.String).annotate({ description: "The rendered text; null: the step sends none" }),
  missing: Schema.Array(Schema.String).annotate({ description: "The variables without a value" })
}).annotate({ identifier: "PreviewedStep", description: "A step for a contact that is enrolled now and never answers" })

const GroupNumbers = Schema.Struct({
  contacts: Schema.Int.annotate({ description: "The contacts of the group. A contact counts once" }),
  answered: Schema.Int.annotate({
    description: "The contacts who have written since their enrolment. Automatic mail does not count"
  }),
  won: Schema.Int.annotate({ description: "The contacts whose lead at the enrolment is won now" })
}).annotate({ identifier: "SequenceGroup", description: "What became of the contacts of one group" })

const SequenceStatistics = Schema.Struct({
  enrolled: GroupNumbers.annotate({ description: "The contacts who are or were in the sequence" }),
  last_7_days: Schema.Struct({
    emails: Schema.Int.annotate({ description: "The emails of the sequence" }),
    texts: Schema.Int.annotate({ description: "The texts of the sequence" }),
    bounced: Schema.Int.annotate({ description: "The emails that bounced for good" }),
    complained: Schema.Int.annotate({ description: "The emails that recipients reported as spam" }),
    opted_out: Schema.Int.annotate({ description: "The enrolments whose contact opted out within seven days" })
  }).annotate({
    identifier: "SequenceCounts",
    description: "The messages to which `limits` apply: those of the last seven days, since the last resumption"
  }),
  held_out: GroupNumbers.annotate({ description: "The holdout group, which got no message of the sequence" }),
  since: Schema.NullOr(Timestamp).annotate({
    description: `The time of the oldest counted enrolment; null: none. The newest ${maxCountedEnrolments} enrolments count`
  })
}).annotate({ identifier: "SequenceStatistics", description: "The numbers of a sequence" })

const StepResult = Schema.Struct({
  step: Schema.String.annotate({ description: "The name of the step" }),
  variant: Schema.NullOr(Schema.String).annotate({
    description: `The variant, \`${controlVariant}\` for the own text of the step; null: a text without variants`
  }),
  sent: Schema.Int.annotate({ description: "The number of messages" }),
  answered: Schema.Int.annotate({
    description: "The messages after which the contact wrote, before the next message of the sequence"
  }),
  opened: Schema.Int.annotate({
    description:
      "The emails of which a link was opened, by the contact or by a program that checks links; 0 without `link_tracking` of the tenant"
  })
}).annotate({ identifier: "StepResult", description: "The messages of a step with one text" })

const ofContact = (identifier: string, description: string) =>
  Schema.Struct({ contact_id: contactId }).annotate({ identifier, description })

export const SequencePath = {
  ...TenantPath,
  sequence_id: Schema.String.annotate({ description: "Sequence id (`seq_…`)" })
}
const EnrolmentPath = { ...TenantPath, enrolment_id: Schema.String.annotate({ description: "Enrolment id (`enr_…`)" }) }

const action = <const Name extends "pause" | "resume" | "skip" | "stop">(
  name: Name,
  summary: string,
  description: string
) =>
  HttpApiEndpoint.post(name, `/tenants/:tenant_id/enrolments/:enrolment_id/${name}`, {
    params: EnrolmentPath,
    headers: IdempotencyKey,
    success: Enrolment,
    error: [BadRequest, NotFound, Conflict, ...keyErrors]
  })
    .annotate(OpenApi.Summary, summary)
    .annotate(OpenApi.Description, description)
    .annotate(Gate, gate(`enrolments.${name}`, { limiter: "admin", idempotency: "unit" }))

const control = <const Name extends "pause" | "resume">(name: Name, summary: string, description: string) =>
  HttpApiEndpoint.post(name, `/tenants/:tenant_id/sequences/:sequence_id/${name}`, {
    params: SequencePath,
    headers: IdempotencyKey,
    success: Sequence,
    error: [BadRequest, NotFound, Conflict, ...keyErrors]
  })
    .annotate(OpenApi.Summary, summary)
    .annotate(OpenApi.Description, description)
    .annotate(Gate, gate(`sequences.${name}`, { limiter: "admin", idempotency: "unit" }))

export const SequencesGroup = HttpApiGroup.make("sequences")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/sequences", {
      params: TenantPath,
      query: { cursor, limit: pageSize(100, 50) },
      success: Schema.Struct({
        sequences: Schema.Array(Sequence).annotate({ description: "The sequences, oldest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "SequencePage", description: "A page of sequences" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List sequences, oldest first")
      .annotate(Gate, gate("sequences.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/sequences", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateSequence,
      success: Sequence.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a sequence")
      .annotate(
        OpenApi.Description,
        `Templates are checked like those of canned replies. A tenant has at most ${maxSequences} sequences. Enrol contacts to send messages.`
      )
      .annotate(Gate, gate("sequences.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/sequences/:sequence_id", {
      params: SequencePath,
      success: Sequence,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a sequence")
      .annotate(Gate, gate("sequences.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/sequences/:sequence_id", {
      params: SequencePath,
      headers: IfMatch,
      payload: UpdateSequence,
      success: Sequence,
      error: [BadRequest, NotFound, Conflict, PreconditionFailed]
    })
      .annotate(OpenApi.Summary, "Change a sequence")
      .annotate(
        OpenApi.Description,
        "Changed steps or conditions become a new version. Running enrolments keep theirs, unless `migrate` is true. A changed name `holdout_percent` or `limits` keep the version."
      )
      .annotate(Gate, gate("sequences.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("delete", "/tenants/:tenant_id/sequences/:sequence_id", {
      params: SequencePath,
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Delete a sequence")
      .annotate(OpenApi.Description, "Running enrolments stop at their next step, and nothing more is sent.")
      .annotate(Gate, gate("sequences.delete", { limiter: "admin" })),
    HttpApiEndpoint.get("statistics", "/tenants/:tenant_id/sequences/:sequence_id/statistics", {
      params: SequencePath,
      success: SequenceStatistics,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Compare the contacts of a sequence with its holdout group")
      .annotate(Gate, gate("sequences.statistics", { limiter: "admin" })),
    HttpApiEndpoint.post("preview", "/tenants/:tenant_id/sequences/:sequence_id/preview", {
      params: SequencePath,
      headers: IdempotencyKey,
      payload: ofContact("PreviewSequence", "The contact for whom the steps are planned"),
      success: Schema.Struct({
        steps: Schema.Array(PreviewedStep).annotate({ description: "The steps in their order" })
      }).annotate({ identifier: "SequencePreview", description: "The steps for one contact" }),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Show the times and texts of a sequence for a contact")
      .annotate(OpenApi.Description, "Stores and sends nothing.")
      .annotate(Gate, gate("sequences.preview", { limiter: "admin", idempotency: "repeatable" })),
    control("pause", "Pause a sequence", "No step runs, and a message that waits for its provider is not sent."),
    control(
      "resume",
      "Continue a paused sequence",
      "Only later messages count for `limits`. Steps whose time has passed run within 15 minutes."
    ),
    HttpApiEndpoint.get("results", "/tenants/:tenant_id/sequences/:sequence_id/results", {
      params: SequencePath,
      success: Schema.Struct({
        enrolments: Schema.Int.annotate({ description: "The number of counted enrolments" }),
        results: Schema.Array(StepResult).annotate({ description: "The results by step and variant" })
      }).annotate({ identifier: "SequenceResults", description: "The sent and answered messages of a sequence" }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Count the sent and answered messages of a sequence by step and variant")
      .annotate(
        OpenApi.Description,
        `Counts the newest ${maxResultEnrolments} enrolments. An answer belongs to the newest message before it; automatic mail is no answer.`
      )
      .annotate(Gate, gate("sequences.results", { limiter: "admin" })),
    HttpApiEndpoint.post("enrol", "/tenants/:tenant_id/sequences/:sequence_id/enrolments", {
      params: SequencePath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        contact_id: contactId,
        lead_id: Schema.optionalKey(leadId).annotate({
          description: "The lead that `stop_on` is about. Default: the lead with the contact's newest message"
        })
      }).annotate({ identifier: "EnrolContact", description: "The contact to enrol" }),
      success: Enrolment,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Enrol a contact in a sequence")
      .annotate(
        OpenApi.Description,
        "A contact is in a sequence once at a time: repeating the request returns the running enrolment. 409: the contact is archived or was merged."
      )
      .annotate(Gate, gate("sequences.enrol", { limiter: "admin", idempotency: "unit" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Sequences", description: "Messages and tasks that follow one another over days" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

export const EnrolmentsGroup = HttpApiGroup.make("enrolments")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/enrolments", {
      params: TenantPath,
      query: {
        sequence_id: Schema.optionalKey(Schema.String).annotate({ description: "Only enrolments in this sequence" }),
        contact_id: Schema.optionalKey(contactId).annotate({ description: "Only enrolments of this contact" }),
        state: Schema.optionalKey(Schema.Literals(enrolmentStates)).annotate({
          description: "Only enrolments in this state"
        }),
        cursor,
        limit: pageSize(100, 50)
      },
      success: Schema.Struct({
        enrolments: Schema.Array(Enrolment).annotate({ description: "The enrolments, oldest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "EnrolmentPage", description: "A page of enrolments" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List enrolments, oldest first")
      .annotate(Gate, gate("enrolments.list", { limiter: "admin" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/enrolments/:enrolment_id", {
      params: EnrolmentPath,
      success: Enrolment,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read an enrolment with the outcomes of its steps")
      .annotate(Gate, gate("enrolments.get", { limiter: "admin" })),
    action("pause", "Pause an enrolment", "A message that waits for its provider is not sent either."),
    action("resume", "Continue a paused enrolment", "A step whose time has passed runs at its next permitted time."),
    action("skip", "Skip the next step of an enrolment", "The delay of the step after it counts from now on."),
    action("stop", "Stop an enrolment", "After a successful response, no step runs any more. 409: it is completed.")
  )
  .annotateMerge(OpenApi.annotations({ title: "Enrolments", description: "Contacts in sequences" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

import { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import { Lead as LeadNoun } from "@leadloom/core/internal/domain/lead/Lead"
// Endpoints for the daily work other than conversations and contacts: leads, tasks, users, reports, events and the
// pipeline. Administration is in `../admin`. Tests: `packages/server/test/http`.
import { CalendarDate, LeadValue } from "@leadloom/core/internal/domain/lead/Deal"
import { leadStates } from "@leadloom/core/internal/domain/lead/LeadState"
import { tiers, ScoreRecord } from "@leadloom/core/internal/domain/lead/Score"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { Message } from "../inbox/Conversations.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import {
  Channel,
  IdempotencyKey,
  TenantPath,
  text,
  Time,
  cursor,
  nextCursor,
  pageSize,
  unstated
} from "../schema/Field.ts"
import { CustomFieldChanges } from "../schema/ContactRecord.ts"
import { changeRequest, wire } from "../schema/Wire.ts"
import { AppendEntries, EntriesStored, entry, ImportEntries, RunPipeline } from "../schema/LeadEntries.ts"
import { Classification } from "../schema/PipelineFields.ts"
import { leadId } from "../schema/Ids.ts"

const State = Schema.Literals(leadStates)

export const { schema: Lead, toJson: leadToJson } = wire(LeadNoun, "Lead", {
  description: "One enquiry of a contact, from `open` to `won` or `lost`",
  id: "leadId",
  schemas: { channel: Channel, classification: Schema.NullOr(Classification) }
})

const FirstMessage = Schema.Struct({
  body: entry.body,
  actor: Schema.optionalKey(entry.actor),
  metadata: entry.metadata,
  timestamp: Schema.optionalKey(Time).annotate({ description: "The time of the message (ISO 8601). Default: now" })
})

export const { schema: LeadContact } = changeRequest(
  Contact,
  "LeadContact",
  "The contact of the lead. A contact with the same email address or phone number is reused",
  {
    name: {},
    email: {},
    phone: {},
    company: {}
  }
)

export const { fromJson: leadChangeOf, schema: UpdateLead } = changeRequest(
  LeadNoun,
  "UpdateLead",
  "The fields to change. Absent fields stay; null removes a value",
  {
    subject: {},
    assignee: {},
    assigneeId: {},
    teamId: {},
    value: {},
    currency: {},
    expectedCloseOn: {},
    tags: {},
    lossReason: {},
    customFields: { schema: CustomFieldChanges }
  }
)

const { loss_reason: _lossReason, ...initialFields } = UpdateLead.fields

export const CreateLead = Schema.Struct({
  contact_id: Schema.optionalKey(Schema.String).annotate({
    description: "The contact of the lead. Exactly one of contact_id and contact is required"
  }),
  contact: Schema.optionalKey(LeadContact),
  ...initialFields,
  stage_id: Schema.optionalKey(Schema.String).annotate({
    description: "A stage with the state `open`. Default: the first one of the default pipeline"
  }),
  channel: Schema.optionalKey(Channel),
  source: Schema.optionalKey(text(255)).annotate({
    description: "The origin of the lead, 1 to 255 characters. Default: `api`"
  }),
  message: Schema.optionalKey(FirstMessage).annotate({
    description: "The first message of the lead. Default: no message"
  }),
  run_pipeline: RunPipeline
})
  .check(
    Schema.makeFilter(({ contact, contact_id }) => (contact === undefined) !== (contact_id === undefined), {
      ...unstated,
      message: "Expected either contact_id or contact"
    })
  )
  .annotate({ identifier: "CreateLead", description: "A new lead" })

export const { schema: LeadScore, toJson: scoreToJson } = wire(ScoreRecord, "LeadScore", {
  description: "One scoring of a lead. Later scores do not replace it",
  id: "scoreId",
  omit: ["tenantId"],
  schemas: { classification: Schema.NullOr(Classification) }
})

const lossReason = Schema.optionalKey(LeadNoun.fields.lossReason).annotate({
  description:
    "Why the lead is lost, at most 200 characters. Only for the state `lost`; the configuration can require it and limit it to a list"
})

const LeadPath = { ...TenantPath, lead_id: leadId }

/** The sort orders of the list of leads. */
export const leadSorts = [
  "-created_at",
  "created_at",
  "-last_message_at",
  "last_message_at",
  "-value",
  "value",
  "-expected_close_on",
  "expected_close_on"
] as const

const filters = {
  state: Schema.optionalKey(State).annotate({ description: "Only leads in this state" }),
  tier: Schema.optionalKey(Schema.Literals([...tiers, "none"])).annotate({
    description: "none: leads without a score"
  }),
  contact_id: Schema.optionalKey(Schema.String).annotate({ description: "Only leads of this contact" }),
  assignee: Schema.optionalKey(text(320)).annotate({ description: "Only leads of this person" }),
  assignee_id: Schema.optionalKey(Schema.String).annotate({ description: "Only leads that are assigned to this user" }),
  team_id: Schema.optionalKey(Schema.String).annotate({ description: "Only leads that are assigned to this team" }),
  created_after: Schema.optionalKey(Time).annotate({ description: "Created at or after this time" }),
  created_before: Schema.optionalKey(Time).annotate({ description: "Created before this time (exclusive)" }),
  last_message_after: Schema.optionalKey(Time).annotate({ description: "The newest message is at or after this time" }),
  last_message_before: Schema.optionalKey(Time).annotate({ description: "The newest message is before this time" }),
  pipeline_id: Schema.optionalKey(Schema.String).annotate({ description: "Only leads of this pipeline" }),
  stage_id: Schema.optionalKey(Schema.String).annotate({ description: "Only leads in this stage" }),
  tag: Schema.optionalKey(text(64)).annotate({ description: "Only leads with this tag" }),
  min_value: Schema.optionalKey(LeadValue).annotate({
    description: "Only leads with at least this value, in the smallest unit of their currency"
  }),
  max_value: Schema.optionalKey(LeadValue).annotate({ description: "Only leads with at most this value" }),
  expected_close_from: Schema.optionalKey(CalendarDate).annotate({
    description: "The decision is expected on this date or later (YYYY-MM-DD)"
  }),
  expected_close_until: Schema.optionalKey(CalendarDate).annotate({
    description: "The decision is expected on this date or earlier (YYYY-MM-DD)"
  }),
  sort: Schema.optionalKey(Schema.Literals(leadSorts)).annotate({
    description:
      "`value` and `expected_close_on` list only leads with such a value, and are the default with a range of this field. Filters by pipeline, stage or tag cannot be combined with last_message_at; with these filters, a page can have fewer leads than its limit although next_cursor is not null. A leading minus sorts newest first. Default: -created_at; with a filter on last messages, -last_message_at. With -created_at, the pages together contain every lead exactly once. A time filter requires the sort order of the same field"
  })
}

export const LeadsGroup = HttpApiGroup.make("leads")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/leads", {
      params: TenantPath,
      query: { ...filters, limit: pageSize(100, 50), cursor },
      success: Schema.Struct({
        leads: Schema.Array(Lead).annotate({ description: "The leads in the requested order" }),
        next_cursor: nextCursor
      }).annotate({
        identifier: "LeadPage",
        description: "A page of leads"
      }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List leads by state, tier, contact, assignee, team and date, without merged leads")
      .annotate(OpenApi.Description, "All filters must match. The order is stable while leads change.")
      .annotate(Gate, gate("leads.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/leads", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateLead,
      success: Lead.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a lead of a known or a new contact, with a first message if there is one")
      .annotate(OpenApi.Description, "Without `run_pipeline`, the message is stored but not processed.")
      .annotate(Gate, gate("leads.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/leads/:lead_id", {
      params: LeadPath,
      success: Lead,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a lead")
      .annotate(OpenApi.Description, "A merged lead names its primary lead in `merged_into`.")
      .annotate(Gate, gate("leads.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/leads/:lead_id", {
      params: LeadPath,
      payload: UpdateLead,
      success: Lead,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a lead's subject, assignee, team, value, expected date, tags or loss reason")
      .annotate(
        OpenApi.Description,
        "A value needs a currency. Tags are replaced as a whole. A merged lead is read-only: the status is 409."
      )
      .annotate(Gate, gate("leads.update", { limiter: "admin" })),
    HttpApiEndpoint.post("append", "/tenants/:tenant_id/leads/:lead_id/conversation", {
      params: LeadPath,
      headers: IdempotencyKey,
      payload: AppendEntries,
      success: EntriesStored,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Append up to 100 recent entries from another system; the server stores all entries or none"
      )
      .annotate(OpenApi.Description, "Entries with a known `external_id` are counted as duplicates.")
      .annotate(Gate, gate("leads.append", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.put("import", "/tenants/:tenant_id/leads/:lead_id/conversation/import", {
      params: LeadPath,
      payload: ImportEntries,
      success: EntriesStored,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(
        OpenApi.Summary,
        "Import up to 1,000 old entries; the server stores all entries or none. A repeated request changes nothing"
      )
      .annotate(OpenApi.Description, "The pipeline does not process imported entries.")
      .annotate(Gate, gate("leads.import", { limiter: "admin" })),
    HttpApiEndpoint.post("score", "/tenants/:tenant_id/leads/:lead_id/score", {
      params: LeadPath,
      headers: IdempotencyKey,
      success: LeadScore,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Score a lead now, based on the newest message of its contact")
      .annotate(OpenApi.Description, "Stores a new score. Asks no language model. A merged lead receives 409.")
      .annotate(Gate, gate("leads.score", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("listScores", "/tenants/:tenant_id/leads/:lead_id/scores", {
      params: LeadPath,
      query: { limit: pageSize(100, 50), cursor },
      success: Schema.Struct({
        scores: Schema.Array(LeadScore).annotate({ description: "The scores, newest first" }),
        next_cursor: nextCursor
      }).annotate({
        identifier: "LeadScorePage",
        description: "A page of scores"
      }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List every score of a lead, newest first")
      .annotate(OpenApi.Description, "Scores are never deleted by later ones, so the list shows the development.")
      .annotate(Gate, gate("leads.listScores", { limiter: "admin" })),
    HttpApiEndpoint.post("transition", "/tenants/:tenant_id/leads/:lead_id/transition", {
      params: LeadPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        state: State.annotate({ description: "The new state" }),
        reason: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(500)))).annotate({
          description: "Why the state changes, at most 500 characters; null: no reason"
        }),
        loss_reason: lossReason
      }).annotate({ identifier: "LeadTransition", description: "The change of a lead's state" }),
      success: Lead,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Move a lead to another state. If the change is not permitted, the error with status 409 lists the permitted states"
      )
      .annotate(
        OpenApi.Description,
        "Permitted: open → engaged → qualified → won or lost, any state → archived, and lost or archived → open."
      )
      .annotate(Gate, gate("leads.transition", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.post("move", "/tenants/:tenant_id/leads/:lead_id/stage", {
      params: LeadPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        stage_id: Schema.String.annotate({ description: "The new stage, in any pipeline of the tenant" }),
        reason: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(500)))).annotate({
          description: "Why the stage changes, at most 500 characters; null: no reason"
        }),
        loss_reason: lossReason
      }).annotate({ identifier: "LeadMove", description: "The change of a lead's stage" }),
      success: Lead,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Move a lead to a stage of any pipeline")
      .annotate(
        OpenApi.Description,
        "If the stage has another state, the lead changes its state under the same rules as in `…/transition`."
      )
      .annotate(Gate, gate("leads.move", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("find", "/leads/:lead_id", {
      params: { lead_id: leadId },
      success: Lead,
      error: NotFound
    })
      .annotate(
        OpenApi.Summary,
        "Read a lead by its id, without its tenant; finds leads of all tenants that the credential may access"
      )
      .annotate(OpenApi.Description, "For links that contain only the id of the lead.")
      .annotate(Gate, gate("leads.find", { limiter: "admin" })),
    HttpApiEndpoint.get("conversation", "/leads/:lead_id/conversation", {
      params: { lead_id: leadId },
      query: { limit: pageSize(250, 100), cursor },
      success: Schema.Struct({
        lead_id: Schema.String.annotate({
          description: "The id of the lead; for a merged lead, the id of its primary lead"
        }),
        messages: Schema.Array(Message).annotate({ description: "The messages of the lead, oldest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "LeadConversation", description: "A page of a lead's messages" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the messages of a lead, oldest first; 100 per page by default")
      .annotate(OpenApi.Description, "For links that contain only the id of the lead.")
      .annotate(Gate, gate("leads.conversation", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Leads", description: "Enquiries of contacts" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

import { Contact } from "@leadloom/core/domain/contact/Contact"
import { Lead as LeadNoun } from "@leadloom/core/domain/lead/Lead"
// Endpoints for the daily work: leads, contacts, conversations, tasks, calls and the pipeline. Administration is in
// `../admin`. Tests: `packages/server/test/http`.
import { leadStates } from "@leadloom/core/domain/lead/LeadState"
import { tiers, ScoreRecord } from "@leadloom/core/domain/lead/Score"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { Message } from "./Conversations.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { Channel, IdempotencyKey, TenantPath, text, Time } from "../schema/Field.ts"
import { changeRequest, wire } from "../schema/Wire.ts"
import { AppendEntries, EntriesStored, entry, ImportEntries, RunPipeline } from "../schema/LeadEntries.ts"
import { Classification } from "../schema/PipelineFields.ts"

const State = Schema.Literals(leadStates)

export const { schema: Lead, toJson: leadToJson } = wire(LeadNoun, "Lead", {
  id: "leadId",
  schemas: { channel: Channel, classification: Schema.NullOr(Classification) }
})

const FirstMessage = Schema.Struct({
  body: entry.body,
  actor: Schema.optionalKey(entry.actor),
  metadata: entry.metadata,
  timestamp: Schema.optionalKey(Time)
})

export const { schema: LeadContact } = changeRequest(Contact, "LeadContact", {
  name: {},
  email: {},
  phone: {},
  company: {}
})

export const { schema: UpdateLead } = changeRequest(LeadNoun, "UpdateLead", { subject: {}, assignee: {} })

export const CreateLead = Schema.Struct({
  contact_id: Schema.optionalKey(Schema.String),
  contact: Schema.optionalKey(LeadContact),
  ...UpdateLead.fields,
  channel: Schema.optionalKey(Channel),
  source: Schema.optionalKey(text(255)),
  message: Schema.optionalKey(FirstMessage),
  run_pipeline: RunPipeline
})
  .check(
    Schema.makeFilter(({ contact, contact_id }) => (contact === undefined) !== (contact_id === undefined), {
      message: "Expected either contact_id or contact"
    })
  )
  .annotate({ identifier: "CreateLead" })

export const { schema: LeadScore, toJson: scoreToJson } = wire(ScoreRecord, "LeadScore", {
  id: "scoreId",
  omit: ["tenantId"],
  schemas: { classification: Schema.NullOr(Classification) }
})

const LeadPath = { ...TenantPath, lead_id: Schema.String }

const limit = (maximum: number) => Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum })))
const cursor = Schema.optionalKey(Schema.String)

const filters = {
  state: Schema.optionalKey(State),
  tier: Schema.optionalKey(Schema.Literals([...tiers, "none"])).annotate({
    description: "none: leads without a score"
  }),
  contact_id: Schema.optionalKey(Schema.String),
  assignee: Schema.optionalKey(text(320)),
  created_after: Schema.optionalKey(Time).annotate({ description: "Created at or after this time" }),
  created_before: Schema.optionalKey(Time).annotate({ description: "Created before this time (exclusive)" }),
  last_message_after: Schema.optionalKey(Time).annotate({ description: "The newest message is at or after this time" }),
  last_message_before: Schema.optionalKey(Time).annotate({ description: "The newest message is before this time" }),
  sort: Schema.optionalKey(
    Schema.Literals(["-created_at", "created_at", "-last_message_at", "last_message_at"])
  ).annotate({
    description:
      "A leading minus sorts newest first. Default: -created_at; with a filter on last messages, -last_message_at. With -created_at, the pages together contain every lead exactly once. A time filter requires the sort order of the same field"
  })
}

export const LeadsGroup = HttpApiGroup.make("leads")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/leads", {
      params: TenantPath,
      query: { ...filters, limit: limit(100), cursor },
      success: Schema.Struct({ leads: Schema.Array(Lead), next_cursor: Schema.NullOr(Schema.String) }).annotate({
        identifier: "LeadPage"
      }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List leads by state, tier, contact, assignee and date, without merged leads")
      .annotate(Gate, gate("leads.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/leads", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreateLead,
      success: Lead.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a lead of a known or a new contact, with a first message if there is one")
      .annotate(Gate, gate("leads.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/leads/:lead_id", {
      params: LeadPath,
      success: Lead,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a lead")
      .annotate(Gate, gate("leads.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/leads/:lead_id", {
      params: LeadPath,
      payload: UpdateLead,
      success: Lead,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Change a lead's subject or assignee")
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
      .annotate(Gate, gate("leads.import", { limiter: "admin" })),
    HttpApiEndpoint.post("score", "/tenants/:tenant_id/leads/:lead_id/score", {
      params: LeadPath,
      headers: IdempotencyKey,
      success: LeadScore,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Score a lead now, based on the newest message of its contact")
      .annotate(Gate, gate("leads.score", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("listScores", "/tenants/:tenant_id/leads/:lead_id/scores", {
      params: LeadPath,
      query: { limit: limit(100), cursor },
      success: Schema.Struct({ scores: Schema.Array(LeadScore), next_cursor: Schema.NullOr(Schema.String) }).annotate({
        identifier: "LeadScorePage"
      }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List every score of a lead, newest first")
      .annotate(Gate, gate("leads.listScores", { limiter: "admin" })),
    HttpApiEndpoint.post("transition", "/tenants/:tenant_id/leads/:lead_id/transition", {
      params: LeadPath,
      headers: IdempotencyKey,
      payload: Schema.Struct({
        state: State,
        reason: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(500))))
      }).annotate({ identifier: "LeadTransition" }),
      success: Lead,
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Move a lead to another state. If the change is not permitted, the error with status 409 lists the permitted states"
      )
      .annotate(Gate, gate("leads.transition", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("find", "/leads/:lead_id", {
      params: { lead_id: Schema.String },
      success: Lead,
      error: NotFound
    })
      .annotate(
        OpenApi.Summary,
        "Read a lead by its id, without its tenant; finds leads of all tenants that the credential may access"
      )
      .annotate(Gate, gate("leads.find", { limiter: "admin" })),
    HttpApiEndpoint.get("conversation", "/leads/:lead_id/conversation", {
      params: { lead_id: Schema.String },
      query: { limit: limit(250), cursor },
      success: Schema.Struct({
        lead_id: Schema.String.annotate({
          description: "The id of the lead; for a merged lead, the id of its primary lead"
        }),
        messages: Schema.Array(Message),
        next_cursor: Schema.NullOr(Schema.String)
      }).annotate({ identifier: "LeadConversation" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the messages of a lead, oldest first; 100 per page by default")
      .annotate(Gate, gate("leads.conversation", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Leads", description: "Enquiries of contacts" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ActionValidation, Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import {
  ActionFailed,
  AiLimitReached,
  BadRequest,
  Conflict,
  NotFound,
  UsageLimitReached,
  keyErrors
} from "../errors.ts"
import { Channel, IdempotencyKey, Metadata, open, TenantPath } from "../schema/Field.ts"
import { Classification, Reply, Score } from "../schema/PipelineFields.ts"
import { PipelineRunDetail, PipelineRunPage, RunReplay } from "../schema/Runs.ts"

const Optional = Schema.optionalKey(Schema.NullOr(Schema.String))

/** A message for the pipeline. Additional fields are ignored. */
export const PipelineRequest = open({
  message: Schema.String.check(Schema.isPattern(/\S/u, { message: "Expected a non-empty text" })),
  contact: Schema.optionalKey(
    Schema.NullOr(open({ name: Optional, first_name: Optional, last_name: Optional, email: Optional, phone: Optional }))
  ),
  channel: Schema.optionalKey(Channel),
  source: Schema.optionalKey(Schema.String),
  metadata: Schema.optionalKey(Metadata)
}).annotate({ identifier: "PipelineRequest" })

export const PipelineResult = Schema.Struct({
  signal_id: Schema.String,
  classification: Schema.NullOr(Classification),
  score: Schema.NullOr(Score),
  matched_rules: Schema.Int,
  actions_triggered: Schema.Array(Schema.String).annotate({
    description: "The types of the completed actions. The run lists failed actions with their reasons"
  }),
  reply: Schema.NullOr(Reply)
}).annotate({ identifier: "PipelineResult" })

export const ContactScored = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Struct({
    lead_score: Schema.Finite,
    lead_tier: Schema.String,
    recommended_actions: Schema.Array(Schema.String),
    factors: Schema.Array(Schema.Struct({ name: Schema.String, points: Schema.Finite }))
  })
}).annotate({ identifier: "ContactScored" })

const SignalPath = {
  ...TenantPath,
  signal_id: Schema.String.annotate({ description: "The signal_id of a message, or the event_id of a custom event" })
}

export const PipelineGroup = HttpApiGroup.make("pipeline")
  .add(
    HttpApiEndpoint.post("run", "/webhook/automation/:tenant_id", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PipelineRequest,
      success: PipelineResult,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Store a message and run the whole pipeline on it")
      .annotate(Gate, gate("pipeline.run", { limiter: "webhook", idempotency: "stored" })),
    HttpApiEndpoint.post("dryRun", "/test/:tenant_id", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PipelineRequest,
      success: PipelineResult,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Dry run: classify, score, route and reply; nothing is stored or sent")
      .annotate(Gate, gate("pipeline.dryRun", { limiter: "webhook", idempotency: "repeatable" })),
    HttpApiEndpoint.get("listRuns", "/tenants/:tenant_id/pipeline/runs", {
      params: TenantPath,
      query: {
        contact_id: Schema.optionalKey(Schema.String),
        lead_id: Schema.optionalKey(Schema.String).annotate({ description: "The lead of the run" }),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
        cursor: Schema.optionalKey(Schema.String)
      },
      success: PipelineRunPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List runs, newest message first")
      .annotate(Gate, gate("pipeline.listRuns", { limiter: "admin" })),
    HttpApiEndpoint.get("getRun", "/tenants/:tenant_id/pipeline/runs/:signal_id", {
      params: SignalPath,
      success: PipelineRunDetail,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Show a run with its steps, its inputs and the reason why each rule matched or not")
      .annotate(Gate, gate("pipeline.getRun", { limiter: "admin" })),
    HttpApiEndpoint.post("replayRun", "/tenants/:tenant_id/pipeline/runs/:signal_id/replay", {
      params: SignalPath,
      headers: IdempotencyKey,
      success: RunReplay,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Repeat the decisions of a run from its stored inputs, without model calls and without writes"
      )
      .annotate(Gate, gate("pipeline.replayRun", { limiter: "admin", idempotency: "repeatable" }))
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Pipeline", description: "Runs that classify, score, route, act and reply" })
  )
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

export const ActionsGroup = HttpApiGroup.make("actions")
  .add(
    HttpApiEndpoint.post("scoreContact", "/actions/automation/:tenant_id/score-contact", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PipelineRequest,
      success: ContactScored,
      error: [ActionFailed, NotFound, UsageLimitReached, AiLimitReached, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Score a message and its contact")
      .annotate(Gate, gate("actions.scoreContact", { limiter: "webhook", idempotency: "repeatable" })),
    HttpApiEndpoint.post("classifyConversation", "/actions/automation/:tenant_id/classify-conversation", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PipelineRequest,
      success: Schema.Struct({ success: Schema.Literal(true), data: Classification }).annotate({
        identifier: "ConversationClassified"
      }),
      error: [ActionFailed, NotFound, UsageLimitReached, AiLimitReached, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Classify a message with the configured language model")
      .annotate(Gate, gate("actions.classifyConversation", { limiter: "webhook", idempotency: "repeatable" })),
    HttpApiEndpoint.post("generateReply", "/actions/automation/:tenant_id/generate-reply", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PipelineRequest,
      success: Schema.Struct({ success: Schema.Literal(true), data: Reply }).annotate({ identifier: "ReplyGenerated" }),
      error: [ActionFailed, NotFound, UsageLimitReached, AiLimitReached, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Generate a reply with the configured language model")
      .annotate(Gate, gate("actions.generateReply", { limiter: "webhook", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Actions", description: "Single steps of the pipeline" }))
  .middleware(ActionValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

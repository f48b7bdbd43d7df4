import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
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
import { Channel, IdempotencyKey, Metadata, open, TenantPath, cursor, nextCursor, pageSize } from "../schema/Field.ts"
import { Classification, Reply, Score } from "../schema/PipelineFields.ts"
import { Classification as KnownClassification } from "@leadloom/core/internal/domain/classification/Classification"
import { maxRules, Rule } from "@leadloom/core/internal/domain/rule/Rule"
import { TriggerRun as TriggerRunNoun } from "@leadloom/core/internal/domain/run/TriggerRun"
import { replayConfigs } from "@leadloom/core/internal/workflow/pipeline/ReplayRun"
import { Action, actionToJson, PipelineRunDetail, PipelineRunPage, RuleStory, RunReplay } from "../schema/Runs.ts"
import { signalId } from "../schema/Ids.ts"
import { computed, wire } from "../schema/Wire.ts"

const Optional = Schema.optionalKey(Schema.NullOr(Schema.String))

/** The fields of a message for the pipeline. */
export const pipelineMessage = {
  message: Schema.String.check(Schema.isPattern(/\S/u, { message: "Expected a non-empty text" })).annotate({
    description: "The text of the message; not empty"
  }),
  contact: Schema.optionalKey(
    Schema.NullOr(
      open({
        name: Optional.annotate({ description: "The full name; null: unknown" }),
        first_name: Optional.annotate({ description: "The first name, used without `name`; null: unknown" }),
        last_name: Optional.annotate({ description: "The last name, used without `name`; null: unknown" }),
        email: Optional.annotate({ description: "The email address; null: unknown" }),
        phone: Optional.annotate({
          description:
            "The phone number with its country code, or a national number of the tenant's country; null: unknown"
        })
      })
    )
  ).annotate({ description: "The sender; null: unknown" }),
  channel: Schema.optionalKey(Channel),
  source: Schema.optionalKey(Schema.String).annotate({
    description: "A label of the sending application. Default: `automation`"
  }),
  metadata: Schema.optionalKey(Metadata).annotate({
    description: "Free-form values, at most 32 levels deep. Rules can read them as `metadata.<key>`"
  })
}

/** A message for the pipeline. Additional fields are ignored. */
export const PipelineRequest = open(pipelineMessage).annotate({
  identifier: "PipelineRequest",
  description: "A message for the pipeline. Additional fields are ignored"
})

export const PipelineResult = Schema.Struct({
  signal_id: signalId,
  classification: Schema.NullOr(Classification).annotate({
    description: "The classification; null: the step was skipped or failed"
  }),
  score: Schema.NullOr(Score).annotate({ description: "The score; null: the step was skipped" }),
  matched_rules: Schema.Int.annotate({ description: "The number of matched rules" }),
  actions_triggered: Schema.Array(Schema.String).annotate({
    description: "The types of the completed actions. The run lists failed actions with their reasons"
  }),
  reply: Schema.NullOr(Reply).annotate({
    description: "The generated reply; null: skipped or suppressed. It does not prove delivery"
  })
}).annotate({ identifier: "PipelineResult", description: "The result of a run" })

/** A message for a dry run, and the change to try with it. */
export const DryRunRequest = open({
  ...pipelineMessage,
  rules: Schema.optionalKey(Schema.Array(Rule).check(Schema.isMaxLength(maxRules))).annotate({
    description: "Proposed rules, which replace all rules of the configuration"
  }),
  classification: Schema.optionalKey(
    KnownClassification.annotate({ identifier: "ModelClassification", description: "A classification by the model" })
  ).annotate({
    description:
      "An earlier answer of the language model to use again. With it, no model is called, not even for a reply"
  })
}).annotate({
  identifier: "DryRunRequest",
  description: "A message for a dry run, and the change to try with it. Additional fields are ignored"
})

export const DryRunResult = Schema.Struct({
  ...PipelineResult.fields,
  facts: Schema.Record(Schema.String, Schema.Unknown).annotate({
    description: "The facts that the rules compared, by name"
  }),
  rules: Schema.Array(RuleStory).annotate({ description: "Every rule in the order of evaluation, with its result" })
}).annotate({ identifier: "DryRunResult", description: "The result of a dry run" })

export const ContactScored = Schema.Struct({
  success: Schema.Literal(true).annotate({ description: "Always true" }),
  data: Schema.Struct({
    lead_score: Schema.Finite.annotate({ description: "The score, 0 to 100" }),
    lead_tier: Schema.String.annotate({ description: "The score compared with the tenant's thresholds" }),
    recommended_actions: Schema.Array(Schema.String).annotate({
      description: "Recommended next steps, most urgent first"
    }),
    factors: Schema.Array(
      Schema.Struct({
        name: Schema.String.annotate({ description: "The cue in the message, for example `price_question`" }),
        points: Schema.Finite.annotate({ description: "The points of this factor, possibly negative" })
      })
    ).annotate({ description: "The components of the score" })
  }).annotate({ description: "The score" })
}).annotate({ identifier: "ContactScored", description: "The score of a message" })

const SignalPath = {
  ...TenantPath,
  signal_id: Schema.String.annotate({ description: "The signal_id of a message, or the event_id of a custom event" })
}

export const { schema: TriggerRun, toJson: triggerRunToJson } = wire(TriggerRunNoun, "TriggerRun", {
  description: "The run of a rule with another trigger than messages, for one cause",
  id: "triggerRunId",
  omit: ["tenantId", "cause", "actions", "answeredAt", "attempts", "defects", "dueAt"],
  computed: {
    actions: computed<TriggerRunNoun, Schema.$Array<typeof Action>>(
      Schema.Array(Action).annotate({ description: "The actions with their outcomes; empty unless it `ran`" }),
      ({ actions }) => actions.map(actionToJson)
    )
  }
})

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
      .annotate(
        OpenApi.Description,
        "The request waits for the result. `reply` does not prove delivery: check `requires_approval`."
      )
      .annotate(Gate, gate("pipeline.run", { limiter: "webhook", idempotency: "stored" })),
    HttpApiEndpoint.post("dryRun", "/test/:tenant_id", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: DryRunRequest,
      success: DryRunResult,
      error: [BadRequest, NotFound, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Dry run: classify, score, route and reply; nothing is stored or sent")
      .annotate(
        OpenApi.Description,
        "Uses the current configuration. A configured language model is called and counted."
      )
      .annotate(Gate, gate("pipeline.dryRun", { limiter: "webhook", idempotency: "repeatable" })),
    HttpApiEndpoint.get("listRuns", "/tenants/:tenant_id/pipeline/runs", {
      params: TenantPath,
      query: {
        contact_id: Schema.optionalKey(Schema.String).annotate({
          description: "Only runs for messages of this contact"
        }),
        lead_id: Schema.optionalKey(Schema.String).annotate({ description: "The lead of the run" }),
        limit: pageSize(100, 50),
        cursor
      },
      success: PipelineRunPage,
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List runs, newest message first")
      .annotate(OpenApi.Description, "Each stored message that the pipeline has processed has one run.")
      .annotate(Gate, gate("pipeline.listRuns", { limiter: "admin" })),
    HttpApiEndpoint.get("listTriggerRuns", "/tenants/:tenant_id/pipeline/trigger-runs", {
      params: TenantPath,
      query: {
        rule_id: Schema.optionalKey(Schema.String).annotate({ description: "Only runs of this rule" }),
        contact_id: Schema.optionalKey(Schema.String).annotate({ description: "Only runs for this contact" }),
        limit: pageSize(100, 50),
        cursor
      },
      success: Schema.Struct({
        trigger_runs: Schema.Array(TriggerRun).annotate({ description: "The runs, newest first" }),
        next_cursor: nextCursor
      }).annotate({ identifier: "TriggerRunPage", description: "A page of trigger runs" }),
      error: [BadRequest, NotFound]
    })
      .annotate(OpenApi.Summary, "List the runs of rules with another trigger than messages, newest first")
      .annotate(
        OpenApi.Description,
        "A rule with another trigger than `message_received` has one run for each cause, from the message or change that is the cause until the rule ran or was prevented."
      )
      .annotate(Gate, gate("pipeline.listTriggerRuns", { limiter: "admin" })),
    HttpApiEndpoint.post("startRule", "/tenants/:tenant_id/pipeline/rules/:rule_id/runs", {
      params: { ...TenantPath, rule_id: Schema.String.annotate({ description: "The id of the rule" }) },
      headers: IdempotencyKey,
      payload: Schema.Struct({
        contact_id: Schema.String.annotate({ description: "The contact for which the rule runs" })
      }).annotate({ identifier: "StartRule", description: "The contact for which a rule starts" }),
      success: TriggerRun.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Start a rule with the trigger `manual` for a contact")
      .annotate(
        OpenApi.Description,
        "The run takes place immediately after the response; the list of trigger runs shows its outcome. The condition of the rule still decides. A rule that is disabled or has another trigger receives 409."
      )
      .annotate(Gate, gate("pipeline.startRule", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("getRun", "/tenants/:tenant_id/pipeline/runs/:signal_id", {
      params: SignalPath,
      success: PipelineRunDetail,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Show a run with its steps, its inputs and the reason why each rule matched or not")
      .annotate(OpenApi.Description, "Runs of old servers have no inputs; those fields are null.")
      .annotate(Gate, gate("pipeline.getRun", { limiter: "admin" })),
    HttpApiEndpoint.post("replayRun", "/tenants/:tenant_id/pipeline/runs/:signal_id/replay", {
      params: SignalPath,
      query: {
        config: Schema.optionalKey(Schema.Literals(replayConfigs)).annotate({
          description:
            "`recorded`: the configuration of the run; `current`: the tenant's current one, which shows what the run would decide today. Default: recorded"
        })
      },
      headers: IdempotencyKey,
      success: RunReplay,
      error: [NotFound, Conflict, ...keyErrors]
    })
      .annotate(
        OpenApi.Summary,
        "Repeat the decisions of a run from its stored inputs, without model calls and without writes"
      )
      .annotate(
        OpenApi.Description,
        "With the recorded configuration, proves that a decision follows from its inputs. Stored model responses are reused. A run without stored inputs receives 409."
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
      .annotate(
        OpenApi.Description,
        "Scores with heuristics, without a language model. Nothing is stored. The request counts as one action of the plan."
      )
      .annotate(Gate, gate("actions.scoreContact", { limiter: "webhook", idempotency: "repeatable" })),
    HttpApiEndpoint.post("classifyConversation", "/actions/automation/:tenant_id/classify-conversation", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PipelineRequest,
      success: Schema.Struct({
        success: Schema.Literal(true).annotate({ description: "Always true" }),
        data: Classification
      }).annotate({
        identifier: "ConversationClassified",
        description: "The classification of a message"
      }),
      error: [ActionFailed, NotFound, UsageLimitReached, AiLimitReached, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Classify a message with the configured language model")
      .annotate(
        OpenApi.Description,
        "Answers 400 with an error that starts with `LLM provider not configured` on a server without a language model."
      )
      .annotate(Gate, gate("actions.classifyConversation", { limiter: "webhook", idempotency: "repeatable" })),
    HttpApiEndpoint.post("generateReply", "/actions/automation/:tenant_id/generate-reply", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: PipelineRequest,
      success: Schema.Struct({
        success: Schema.Literal(true).annotate({ description: "Always true" }),
        data: Reply
      }).annotate({
        identifier: "ReplyGenerated",
        description: "A generated reply, which is not sent"
      }),
      error: [ActionFailed, NotFound, UsageLimitReached, AiLimitReached, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Generate a reply with the configured language model")
      .annotate(
        OpenApi.Description,
        "The reply is not sent. Answers 400 with an error that starts with `LLM provider not configured` on a server without a language model."
      )
      .annotate(Gate, gate("actions.generateReply", { limiter: "webhook", idempotency: "repeatable" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Actions", description: "Single steps of the pipeline" }))
  .middleware(ActionValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

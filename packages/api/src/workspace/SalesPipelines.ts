import { Currency } from "@leadloom/core/internal/domain/lead/Deal"
import {
  defaultPipelineId,
  maxStages,
  SalesPipeline as PipelineNoun,
  Stage as StageNoun
} from "@leadloom/core/internal/domain/lead/SalesPipeline"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authorization, Gate, gate, RequestValidation } from "../Access.ts"
import { BadRequest, Conflict, keyErrors, NotFound } from "../errors.ts"
import { IdempotencyKey, TenantPath } from "../schema/Field.ts"
import { computed, wire } from "../schema/Wire.ts"

const { schema: Stage, toJson: stageToJson } = wire(StageNoun, "PipelineStage", {
  description: "A step of a pipeline of leads"
})

export const { schema: SalesPipeline, toJson: pipelineToJson } = wire(PipelineNoun, "SalesPipeline", {
  description: "The ordered stages through which leads pass",
  omit: ["tenantId", "createdAt", "updatedAt", "stages"],
  computed: {
    is_default: computed(
      Schema.Boolean.annotate({ description: "Whether new leads are in this pipeline if the request names no stage" }),
      ({ pipelineId }) => pipelineId === defaultPipelineId
    ),
    stages: computed(
      Schema.Array(Stage).annotate({ description: "The stages in their order; each lead state has at least one" }),
      ({ stages }) => stages.map(stageToJson)
    )
  }
})

const { name, state } = StageNoun.fields

const NewStage = Schema.Struct({ name, state }).annotate({ identifier: "NewStage", description: "A new stage" })

export const ChangedStage = Schema.Struct({
  stage_id: Schema.optionalKey(Schema.String).annotate({ description: "An existing stage. Default: a new stage" }),
  name,
  state
}).annotate({ identifier: "ChangedStage", description: "An existing stage with its new name, or a new stage" })

const atMost = Schema.isMaxLength(maxStages)

const StageMove = Schema.Struct({
  from: Schema.String.annotate({ description: "The removed stage" }),
  to: Schema.String.annotate({ description: "A remaining stage of this pipeline with the same state" })
}).annotate({ identifier: "StageMove", description: "The target of the leads of a removed stage" })

export const CreatePipeline = Schema.Struct({
  name: PipelineNoun.fields.name,
  stages: Schema.optionalKey(Schema.Array(NewStage).check(atMost)).annotate({
    description:
      "The stages in their order. Each lead state without a stage gets one at the end. Default: one per state"
  })
}).annotate({ identifier: "CreatePipeline", description: "A new pipeline" })

export const UpdatePipeline = Schema.Struct({
  name: Schema.optionalKey(PipelineNoun.fields.name),
  stages: Schema.optionalKey(Schema.Array(ChangedStage).check(atMost)).annotate({
    description: "All stages in their new order. A stage that is absent is removed. Default: unchanged"
  }),
  moves: Schema.optionalKey(Schema.Array(StageMove).check(atMost)).annotate({
    description: "The targets of the leads of removed stages. Required for a stage with leads"
  })
}).annotate({ identifier: "UpdatePipeline", description: "The changes of a pipeline. Absent fields stay" })

const BoardStage = Schema.Struct({
  stage_id: Schema.String.annotate({ description: "Stage id (`stg_…`)" }),
  name: Schema.String.annotate({ description: "The name of the stage" }),
  state,
  leads: Schema.Int.annotate({ description: "The exact number of leads, without merged ones" }),
  values: Schema.Array(
    Schema.Struct({
      currency: Currency.annotate({ description: "ISO 4217 currency" }),
      value: Schema.Int.annotate({ description: "The sum in the smallest unit of the currency" })
    })
  ).annotate({ description: "The sums of the values, one per currency; empty: no lead has a value" })
}).annotate({ identifier: "BoardStage", description: "The number and value of the leads in one stage" })

const PipelinePath = {
  ...TenantPath,
  pipeline_id: Schema.String.annotate({ description: "Pipeline id (`pip_…`). Every tenant has `pip_default`" })
}

export const SalesPipelinesGroup = HttpApiGroup.make("pipelines")
  .add(
    HttpApiEndpoint.get("list", "/tenants/:tenant_id/pipelines", {
      params: TenantPath,
      success: Schema.Struct({
        pipelines: Schema.Array(SalesPipeline).annotate({ description: "All pipelines, the default one first" })
      }).annotate({ identifier: "SalesPipelineList", description: "The pipelines of a tenant" }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "List the pipelines of leads with their stages; at most 20")
      .annotate(OpenApi.Description, "The default pipeline exists in every tenant. It has one stage per lead state.")
      .annotate(Gate, gate("pipelines.list", { limiter: "admin" })),
    HttpApiEndpoint.post("create", "/tenants/:tenant_id/pipelines", {
      params: TenantPath,
      headers: IdempotencyKey,
      payload: CreatePipeline,
      success: SalesPipeline.pipe(HttpApiSchema.status(201)),
      error: [BadRequest, NotFound, Conflict, ...keyErrors]
    })
      .annotate(OpenApi.Summary, "Create a pipeline with its stages")
      .annotate(OpenApi.Description, "Each stage has one of the lead states, whose transitions stay binding.")
      .annotate(Gate, gate("pipelines.create", { limiter: "admin", idempotency: "unit" })),
    HttpApiEndpoint.get("get", "/tenants/:tenant_id/pipelines/:pipeline_id", {
      params: PipelinePath,
      success: SalesPipeline,
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read a pipeline")
      .annotate(OpenApi.Description, "The board of the pipeline has the number and value of its leads.")
      .annotate(Gate, gate("pipelines.get", { limiter: "admin" })),
    HttpApiEndpoint.patch("update", "/tenants/:tenant_id/pipelines/:pipeline_id", {
      params: PipelinePath,
      payload: UpdatePipeline,
      success: SalesPipeline,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Rename a pipeline; add, rename, order and remove its stages")
      .annotate(
        OpenApi.Description,
        "A stage with leads can be removed only with a target in `moves`. Its leads move in sets of 500 before the stage is removed; after a failure, repeat the request. The state of a stage never changes."
      )
      .annotate(Gate, gate("pipelines.update", { limiter: "admin" })),
    HttpApiEndpoint.delete("delete", "/tenants/:tenant_id/pipelines/:pipeline_id", {
      params: PipelinePath,
      success: HttpApiSchema.NoContent,
      error: [BadRequest, NotFound, Conflict]
    })
      .annotate(OpenApi.Summary, "Delete a pipeline without leads")
      .annotate(
        OpenApi.Description,
        "The default pipeline stays. Move the leads of the pipeline to other stages first."
      )
      .annotate(Gate, gate("pipelines.delete", { limiter: "admin" })),
    HttpApiEndpoint.get("board", "/tenants/:tenant_id/pipelines/:pipeline_id/board", {
      params: PipelinePath,
      success: Schema.Struct({
        pipeline_id: Schema.String.annotate({ description: "Pipeline id (`pip_…`)" }),
        stages: Schema.Array(BoardStage).annotate({ description: "The stages in their order" })
      }).annotate({ identifier: "Board", description: "The number and value of the leads in each stage" }),
      error: NotFound
    })
      .annotate(OpenApi.Summary, "Read the exact number and value of the leads in each stage of a pipeline")
      .annotate(OpenApi.Description, "`GET …/leads?stage_id=…` lists the leads of a stage page by page.")
      .annotate(Gate, gate("pipelines.board", { limiter: "admin" }))
  )
  .annotateMerge(OpenApi.annotations({ title: "Pipelines", description: "Pipelines of leads and their stages" }))
  .middleware(RequestValidation)
  .middleware(Authorization)
  .prefix("/api/v1")

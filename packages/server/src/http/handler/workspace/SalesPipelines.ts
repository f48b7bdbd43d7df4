import { Api } from "@leadloom/api/internal/Api"
import { type ChangedStage, pipelineToJson } from "@leadloom/api/internal/workspace/SalesPipelines"
import type { NamedStage } from "@leadloom/core/internal/domain/lead/SalesPipeline"
import { readBoard } from "@leadloom/core/internal/workflow/deal/ReadBoard"
import {
  createPipeline,
  listPipelines,
  removePipeline,
  requirePipeline,
  updatePipeline
} from "@leadloom/core/internal/workflow/deal/SalesPipelines"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const stageFromJson = ({ name, stage_id, state }: typeof ChangedStage.Type): NamedStage => ({
  stageId: stage_id ?? null,
  name,
  state
})

/** Endpoints for pipelines of leads. */
export const layer = HttpApiBuilder.group(Api, "pipelines", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ params }) {
      return { pipelines: (yield* answer(listPipelines(params.tenant_id))).map(pipelineToJson) }
    }),
    create: Effect.fnUntraced(function* ({ params, payload: { name, stages = [] } }) {
      return pipelineToJson(yield* answer(createPipeline(params.tenant_id, name, stages.map(stageFromJson))))
    }),
    get: Effect.fnUntraced(function* ({ params }) {
      return pipelineToJson(yield* answer(requirePipeline(params.tenant_id, params.pipeline_id)))
    }),
    update: Effect.fnUntraced(function* ({ params, payload: { moves = [], name, stages } }) {
      const change = {
        ...(name !== undefined && { name }),
        ...(stages !== undefined && { stages: stages.map(stageFromJson) }),
        moves
      }
      return pipelineToJson(yield* answer(updatePipeline(params.tenant_id, params.pipeline_id, change)))
    }),
    delete: ({ params }) => answer(removePipeline(params.tenant_id, params.pipeline_id)),
    board: Effect.fnUntraced(function* ({ params }) {
      const { pipeline, stages } = yield* answer(readBoard(params.tenant_id, params.pipeline_id))
      return {
        pipeline_id: pipeline.pipelineId,
        stages: stages.map(({ leads, stage: { name, stageId, state }, values }) => ({
          stage_id: stageId,
          name,
          state,
          leads,
          values
        }))
      }
    })
  })
)

import { Effect } from "effect"
import { defaultPipelineId } from "../../domain/lead/SalesPipeline.ts"
import { type Row, textOf } from "../../domain/privacy/Record.ts"
import { readPipelines } from "../deal/LeadPlaces.ts"

/**
 * Moves imported leads of pipelines and stages that the tenant does not have to the default pipeline, or to the first
 * stage of their state. Archives contain no pipelines, because they are settings.
 */
export const remapPlaces = Effect.fnUntraced(function* (tenantId: string, leads: ReadonlyArray<Row>) {
  const pipelines = yield* readPipelines(tenantId)
  return leads.map((row): Row => {
    const pipeline = pipelines.find(({ pipelineId }) => pipelineId === textOf(row, "pipeline_id"))
    if (pipeline === undefined) return { ...row, pipeline_id: defaultPipelineId, stage_id: null }
    const [stage, leadState] = [textOf(row, "stage_id"), textOf(row, "state")]
    const isKnown = pipeline.stages.some(({ stageId, state }) => stageId === stage && state === leadState)
    return isKnown ? row : { ...row, stage_id: null }
  })
})

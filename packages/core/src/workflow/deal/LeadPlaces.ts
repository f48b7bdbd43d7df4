import { Effect } from "effect"
import type { Lead } from "../../domain/lead/Lead.ts"
import { leadEvent } from "../../domain/lead/LeadEvent.ts"
import {
  findStage,
  placeOf,
  type SalesPipeline,
  StageNotFound,
  withDefaultPipeline
} from "../../domain/lead/SalesPipeline.ts"
import { stageChange } from "../../domain/lead/LeadChange.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import { SalesPipelines } from "../../port/repository/lead/SalesPipelines.ts"

/** Returns all pipelines of a tenant, the default one first. */
export const readPipelines = Effect.fnUntraced(function* (tenantId: string) {
  return withDefaultPipeline(tenantId, yield* (yield* SalesPipelines).list(tenantId))
})

/** Returns the stage with this id and its pipeline. Fails with `StageNotFound` for an unknown id. */
export const requireStage = Effect.fnUntraced(function* (tenantId: string, stageId: string) {
  return findStage(yield* readPipelines(tenantId), stageId) ?? (yield* new StageNotFound({ stageId }))
})

const placedIn = (pipelines: ReadonlyArray<SalesPipeline>, lead: Lead): Lead => {
  const { pipeline, stage } = placeOf(pipelines, lead)
  return { ...lead, pipelineId: pipeline.pipelineId, stageId: stage.stageId }
}

/** Returns a lead with the pipeline and stage in which it is, for clients. */
export const placeLead = Effect.fnUntraced(function* (lead: Lead) {
  return placedIn(yield* readPipelines(lead.tenantId), lead)
})

/** Returns leads of one tenant with the pipeline and stage in which each of them is, for clients. */
export const withPlaces = Effect.fnUntraced(function* (leads: ReadonlyArray<Lead>) {
  const [first] = leads
  if (first === undefined) return leads
  const pipelines = yield* readPipelines(first.tenantId)
  return leads.map((lead) => placedIn(pipelines, lead))
})

/** Returns the outbound event about the new stage of a changed lead; none if the lead is in the same stage. */
export const stageEvents = Effect.fnUntraced(function* (before: Lead, after: Lead, reason: string | null) {
  const isSame = before.state === after.state && before.stageId === after.stageId
  if (isSame && before.pipelineId === after.pipelineId) return [] satisfies ReadonlyArray<NewEvent>
  const pipelines = yield* readPipelines(after.tenantId)
  const [from, to] = [placeOf(pipelines, before), placeOf(pipelines, after)]
  if (from.stage.stageId === to.stage.stageId) return [] satisfies ReadonlyArray<NewEvent>
  const place = {
    pipeline_id: to.pipeline.pipelineId,
    stage_id: to.stage.stageId,
    stage_name: to.stage.name,
    previous_pipeline_id: from.pipeline.pipelineId,
    previous_stage_id: from.stage.stageId,
    reason
  }
  const changes = [stageChange(after, from.stage.stageId, to.stage.stageId)]
  return [{ ...leadEvent("lead.stage_changed", after, place), changes }]
})

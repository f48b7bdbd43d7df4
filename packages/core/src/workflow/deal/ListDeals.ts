import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import {
  CursorInvalid,
  type CursorKey,
  type CursorScope,
  decodeCursor,
  encodeCursor
} from "../../domain/conversation/Cursor.ts"
import type { PageRequest } from "../../domain/conversation/ReadPage.ts"
import type { DealKey, DealQuery } from "../../domain/lead/LeadQuery.ts"
import { findStage, SalesPipelineNotFound, StageNotFound, storedFormsOf } from "../../domain/lead/SalesPipeline.ts"
import { Leads } from "../../port/repository/lead/Leads.ts"
import { withSpan } from "../WithSpan.ts"
import { readPipelines, withPlaces } from "./LeadPlaces.ts"

/** The stages whose leads a list shows: one stage, all stages of a pipeline, or no filter. */
export interface StageFilter {
  readonly pipelineId: string | null
  readonly stageId: string | null
}

const storedStages = Effect.fnUntraced(function* (tenantId: string, { pipelineId, stageId }: StageFilter) {
  if (pipelineId === null && stageId === null) return null
  const pipelines = yield* readPipelines(tenantId)
  if (stageId !== null) {
    const place = findStage(pipelines, stageId)
    if (place === null) return yield* new StageNotFound({ stageId })
    const isElsewhere = pipelineId !== null && place.pipeline.pipelineId !== pipelineId
    return isElsewhere ? [] : storedFormsOf(place.pipeline, place.stage)
  }
  const pipeline = pipelines.find((one) => one.pipelineId === pipelineId)
  if (pipeline === undefined) return yield* new SalesPipelineNotFound({ pipelineId: pipelineId ?? "" })
  return pipeline.stages.flatMap((stage) => storedFormsOf(pipeline, stage))
})

const readKey = ([at, leadId]: CursorKey): DealKey | null =>
  at !== undefined && typeof leadId === "string" ? { at, leadId } : null

/**
 * Returns a page of leads as deals, with their places. A page can have fewer leads than its limit although more follow,
 * because each request examines a limited number of leads.
 */
export const listDeals = Effect.fnUntraced(function* (
  tenantId: string,
  { pipelineId, stageId, ...filter }: Omit<DealQuery, "stages"> & StageFilter,
  { cursor, limit }: PageRequest
) {
  const { pepper } = yield* Secrets
  const scope: CursorScope = { tenantId, list: "deals", filters: { pipelineId, stageId, ...filter } }
  const key = cursor === null ? null : decodeCursor(cursor, scope, pepper)
  const after = key === null ? null : readKey(key)
  if (cursor !== null && after === null) return yield* new CursorInvalid()
  const query: DealQuery = { ...filter, stages: yield* storedStages(tenantId, { pipelineId, stageId }) }
  const { leads, next } = yield* (yield* Leads).deals(tenantId, query, limit, after)
  const nextCursor = next === null ? null : encodeCursor(scope, [next.at, next.leadId], pepper)
  return { items: yield* withPlaces(leads), nextCursor }
}, withSpan("listDeals"))

import { Clock, Effect } from "effect"
import {
  completeStages,
  defaultPipelineId,
  maxSalesPipelines,
  maxStages,
  type NamedStage,
  type SalesPipeline,
  SalesPipelineInvalid,
  SalesPipelineLimitReached,
  SalesPipelineNotFound,
  type Stage,
  StageInUse,
  type StoredStage
} from "../../domain/lead/SalesPipeline.ts"
import { SalesPipelines } from "../../port/repository/lead/SalesPipelines.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Ids } from "../../port/system/Ids.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { withSpan } from "../WithSpan.ts"
import { readPipelines } from "./LeadPlaces.ts"

/** The move of all leads of a removed stage to another stage with the same lead state. */
export interface StageMove {
  readonly from: string
  readonly to: string
}

/** The fields of a pipeline to change. An absent field keeps its value. */
export interface PipelineChange {
  readonly name?: string
  /** All stages in their new order. A stage that is absent is removed. */
  readonly stages?: ReadonlyArray<NamedStage>
  readonly moves: ReadonlyArray<StageMove>
}

const invalid = (path: string, message: string) => new SalesPipelineInvalid({ issues: [{ path, message }] })

/** Returns the pipeline with this id. Fails with `SalesPipelineNotFound` for an unknown id. */
export const requirePipeline = Effect.fnUntraced(function* (tenantId: string, pipelineId: string) {
  const found = (yield* readPipelines(tenantId)).find((pipeline) => pipeline.pipelineId === pipelineId)
  return found ?? (yield* new SalesPipelineNotFound({ pipelineId }))
})

/** Lists all pipelines of a tenant, the default one first. */
export const listPipelines = Effect.fnUntraced(function* (tenantId: string) {
  yield* (yield* Tenants).get(tenantId)
  return yield* readPipelines(tenantId)
}, withSpan("listPipelines"))

/** A stage of a request, with the id that it gets if it is new. */
type PreparedStage = NamedStage & { readonly newId: Stage["stageId"] }

/** Returns all stages of a request with ids for new ones. */
const prepareStages = Effect.fnUntraced(function* (named: ReadonlyArray<NamedStage>) {
  const ids = yield* Ids
  return yield* Effect.forEach(completeStages(named), (stage) =>
    Effect.map(ids.next("stg"), (newId): PreparedStage => ({ ...stage, newId }))
  )
})

/** Returns the stages of a pipeline after a request. Existing stages keep their state. */
const readStages = Effect.fnUntraced(function* (existing: ReadonlyArray<Stage>, all: ReadonlyArray<PreparedStage>) {
  if (all.length > maxStages) return yield* invalid("stages", `A pipeline has at most ${maxStages} stages.`)
  const stages: Array<Stage> = []
  for (const { name, newId, stageId, state } of all) {
    const before = existing.find((stage) => stage.stageId === stageId)
    if (stageId !== null && before === undefined)
      return yield* invalid("stages", `The pipeline has no stage ${stageId}.`)
    if (stages.some((stage) => stage.stageId === stageId)) return yield* invalid("stages", "Name each stage once.")
    if (before !== undefined && before.state !== state) {
      return yield* invalid("stages", `The state of ${before.stageId} is ${before.state} and cannot change.`)
    }
    stages.push({ stageId: before?.stageId ?? newId, name, state })
  }
  return stages
})

const auditedPipeline = ({ name, pipelineId, stages }: SalesPipeline) => ({
  pipeline_id: pipelineId,
  name,
  stages: stages.map(({ name: title, stageId, state }) => ({ stage_id: stageId, name: title, state }))
})

/** Creates a pipeline. A lead state without a stage gets one. */
export const createPipeline = Effect.fnUntraced(function* (
  tenantId: string,
  name: string,
  stages: ReadonlyArray<NamedStage>
) {
  const now = yield* Clock.currentTimeMillis
  yield* (yield* Tenants).get(tenantId)
  const prepared = yield* prepareStages(stages)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const pipelines = yield* readPipelines(tenantId)
      if (pipelines.length >= maxSalesPipelines)
        return yield* new SalesPipelineLimitReached({ limit: maxSalesPipelines })
      const pipelineId = yield* (yield* Ids).next("pip")
      const created: SalesPipeline = {
        pipelineId,
        tenantId,
        name,
        stages: yield* readStages([], prepared),
        createdAt: now,
        updatedAt: now
      }
      yield* (yield* SalesPipelines).put(created)
      yield* recordAuditChange({ before: null, after: auditedPipeline(created) })
      return created
    })
  )
}, withSpan("createPipeline"))

/** The maximum number of leads that one unit of work moves. */
export const movedAtOnce = 500

/** Returns the moves of a request. Fails with `StageInUse` when a removed stage has leads and no target. */
const readMoves = Effect.fnUntraced(function* (
  { pipelineId, stages, tenantId }: SalesPipeline,
  after: ReadonlyArray<Stage>,
  moves: ReadonlyArray<StageMove>
) {
  const totals = yield* (yield* SalesPipelines).totals(tenantId, pipelineId)
  const wanted: Array<{ readonly from: StoredStage; readonly to: string }> = []
  for (const { stageId, state } of stages) {
    if (after.some((stage) => stage.stageId === stageId)) continue
    const used = totals.filter((total) => total.stageId === stageId).reduce((sum, { leads }) => sum + leads, 0)
    const to = moves.find(({ from }) => from === stageId)?.to
    if (to === undefined) {
      if (used > 0) return yield* new StageInUse({ id: stageId, leads: used })
      continue
    }
    const isTarget = after.some((stage) => stage.stageId === to && stage.state === state)
    if (!isTarget) return yield* invalid("moves", `${to} is not a stage of this pipeline with the state ${state}.`)
    wanted.push({ from: { pipelineId, stageId, state }, to })
  }
  return wanted
})

/** A change of a pipeline that runs in one or more units of work. */
interface PipelineEdit {
  readonly change: PipelineChange
  /** Null: the stages stay. Prepared once, so that all units of work give new stages the same ids. */
  readonly stages: ReadonlyArray<PreparedStage> | null
  readonly now: number
}

/**
 * Moves up to `movedAtOnce` leads of removed stages. Stores the pipeline when no lead is left, and returns null otherwise.
 * Runs inside a unit of work.
 */
const updateStep = Effect.fnUntraced(function* (
  tenantId: string,
  pipelineId: string,
  { change, now, stages }: PipelineEdit
) {
  const port = yield* SalesPipelines
  const before = yield* requirePipeline(tenantId, pipelineId)
  const after: SalesPipeline = {
    ...before,
    name: change.name ?? before.name,
    stages: stages === null ? before.stages : yield* readStages(before.stages, stages),
    createdAt: before.createdAt === 0 ? now : before.createdAt,
    updatedAt: now
  }
  const moves = yield* readMoves(before, after.stages, change.moves)
  // The first unit of work contains the entry of the audit trail, so each one records the change.
  yield* recordAuditChange({ before: auditedPipeline(before), after: auditedPipeline(after) })
  let left = movedAtOnce
  for (const { from, to } of moves) left -= yield* port.moveLeads(tenantId, from, to, now, left)
  if (left === 0) return null
  yield* port.put(after)
  return after
})

/**
 * Changes a pipeline. Leads of a removed stage move to the stage that `moves` names. Leads without a chosen stage follow
 * the first stage of their state. The stages change when all leads have moved. After a crash, some leads have moved to
 * their new stage, and the repeated request moves the others.
 */
export const updatePipeline = Effect.fnUntraced(function* (
  tenantId: string,
  pipelineId: string,
  change: PipelineChange
) {
  const now = yield* Clock.currentTimeMillis
  const stages = change.stages === undefined ? null : yield* prepareStages(change.stages)
  const { atomically } = yield* Transactions
  for (;;) {
    const updated = yield* atomically(tenantId, updateStep(tenantId, pipelineId, { change, stages, now }))
    if (updated !== null) return updated
  }
}, withSpan("updatePipeline"))

/** Removes a pipeline without leads. The default pipeline stays. */
export const removePipeline = Effect.fnUntraced(function* (tenantId: string, pipelineId: string) {
  yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const before = yield* requirePipeline(tenantId, pipelineId)
      if (pipelineId === defaultPipelineId) return yield* invalid("pipeline_id", "The default pipeline stays.")
      const port = yield* SalesPipelines
      const leads = (yield* port.totals(tenantId, pipelineId)).reduce((sum, total) => sum + total.leads, 0)
      if (leads > 0) return yield* new StageInUse({ id: pipelineId, leads })
      yield* port.remove(tenantId, pipelineId)
      yield* recordAuditChange({ before: auditedPipeline(before), after: null })
    })
  )
}, withSpan("removePipeline"))

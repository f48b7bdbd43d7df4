import { Effect } from "effect"
import { type SalesPipeline, type Stage, type StageTotal, storedFormsOf } from "../../domain/lead/SalesPipeline.ts"
import { SalesPipelines } from "../../port/repository/lead/SalesPipelines.ts"
import { withSpan } from "../WithSpan.ts"
import { requirePipeline } from "./SalesPipelines.ts"

/** The leads of one stage: their number, and the sum of their values in each currency. */
export interface BoardStage {
  readonly stage: Stage
  readonly leads: number
  readonly values: ReadonlyArray<{ readonly currency: string; readonly value: number }>
}

const boardStage = (pipeline: SalesPipeline, stage: Stage, totals: ReadonlyArray<StageTotal>): BoardStage => {
  const forms = storedFormsOf(pipeline, stage)
  const own = totals.filter((total) =>
    forms.some(({ stageId, state }) => stageId === total.stageId && state === total.state)
  )
  const sums = new Map<string, number>()
  for (const { currency, value } of own) if (currency !== "") sums.set(currency, (sums.get(currency) ?? 0) + value)
  return {
    stage,
    leads: own.reduce((sum, { leads }) => sum + leads, 0),
    values: [...sums]
      .map(([currency, value]) => ({ currency, value }))
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
  }
}

/** Returns the exact number and value of the leads in each stage of a pipeline. Merged leads do not count. */
export const readBoard = Effect.fnUntraced(function* (tenantId: string, pipelineId: string) {
  const pipeline = yield* requirePipeline(tenantId, pipelineId)
  const totals = yield* (yield* SalesPipelines).totals(tenantId, pipelineId)
  return { pipeline, stages: pipeline.stages.map((stage) => boardStage(pipeline, stage, totals)) }
}, withSpan("readBoard"))

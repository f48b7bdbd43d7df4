import { Schema } from "effect"
import { Time } from "../Field.ts"
import { SalesPipelineId, StageId } from "../Id.ts"
import { TaggedError } from "../TaggedError.ts"
import type { Lead } from "./Lead.ts"
import { type LeadState, leadStates } from "./LeadState.ts"

/** The limit of pipelines per tenant, including the default one. */
export const maxSalesPipelines = 20
/** The limit of stages per pipeline. A list of a whole pipeline reads one index range per stage. */
export const maxStages = 30

const Name = Schema.String.check(Schema.isTrimmed(), Schema.isNonEmpty(), Schema.isMaxLength(100))

/** A step of a pipeline. Several stages may have the same lead state. The state of a stage never changes. */
export class Stage extends Schema.Opaque<Stage>()(
  Schema.Struct({
    stageId: StageId.annotate({ description: "Stage id (`stg_…`)" }),
    name: Name.annotate({ description: "The name of the stage; 1 to 100 characters" }),
    state: Schema.Literals(leadStates).annotate({
      description: "The state of the leads in this stage. It never changes"
    })
  })
) {}

/** The ordered stages through which a tenant's leads pass. `pipeline` alone means the processing of messages. */
export class SalesPipeline extends Schema.Opaque<SalesPipeline>()(
  Schema.Struct({
    pipelineId: SalesPipelineId.annotate({ description: "Pipeline id (`pip_…`)" }),
    tenantId: Schema.String,
    name: Name.annotate({ description: "The name of the pipeline; 1 to 100 characters" }),
    stages: Schema.Array(Stage).annotate({
      description: "The stages in their order. Each lead state has at least one stage; at most 30 stages"
    }),
    createdAt: Time,
    updatedAt: Time
  })
) {}

/** The pipeline of leads that were never moved to another one. It exists in every tenant, even without a row. */
export const defaultPipelineId: SalesPipelineId = "pip_default"

const nameOf = (state: LeadState): string => state.charAt(0).toUpperCase() + state.slice(1)

/** Returns the default pipeline of a tenant that has not changed it: one stage per lead state. */
export const defaultPipeline = (tenantId: string): SalesPipeline => ({
  pipelineId: defaultPipelineId,
  tenantId,
  name: "Default",
  stages: leadStates.map((state) => ({ stageId: `stg_${state}`, name: nameOf(state), state })),
  createdAt: 0,
  updatedAt: 0
})

/** Returns all pipelines of a tenant, the default one first, from those that are stored. */
export const withDefaultPipeline = (
  tenantId: string,
  stored: ReadonlyArray<SalesPipeline>
): ReadonlyArray<SalesPipeline> => {
  const isDefault = ({ pipelineId }: SalesPipeline): boolean => pipelineId === defaultPipelineId
  return [stored.find(isDefault) ?? defaultPipeline(tenantId), ...stored.filter((pipeline) => !isDefault(pipeline))]
}

/** A stage as a request names it. Without an id, the stage is new. */
export interface NamedStage {
  readonly stageId: string | null
  readonly name: string
  readonly state: LeadState
}

/** Returns the stages with an additional stage for each lead state that has none, named like the state. */
export const completeStages = (stages: ReadonlyArray<NamedStage>): ReadonlyArray<NamedStage> => [
  ...stages,
  ...leadStates
    .filter((state) => stages.every((stage) => stage.state !== state))
    .map((state) => ({ stageId: null, name: nameOf(state), state }))
]

/** The place of a lead: its pipeline and its stage in it. */
export interface LeadPlace {
  readonly pipeline: SalesPipeline
  readonly stage: Stage
}

const firstOf = (pipeline: SalesPipeline, state: LeadState): Stage | undefined =>
  pipeline.stages.find((stage) => stage.state === state)

/**
 * Returns the place of a lead. A lead without a stage is in the first stage of its state. So is a lead from an archive
 * whose stage or pipeline this tenant does not have.
 */
export const placeOf = (
  pipelines: ReadonlyArray<SalesPipeline>,
  lead: Pick<Lead, "pipelineId" | "stageId" | "state" | "tenantId">
): LeadPlace => {
  const fallback = defaultPipeline(lead.tenantId)
  const pipeline = pipelines.find(({ pipelineId }) => pipelineId === lead.pipelineId) ?? pipelines[0] ?? fallback
  const chosen = pipeline.stages.find(({ stageId, state }) => stageId === lead.stageId && state === lead.state)
  const stage = chosen ?? firstOf(pipeline, lead.state) ?? firstOf(fallback, lead.state)
  // Every pipeline has a stage for each state, so the last alternative is never used.
  return { pipeline, stage: stage ?? { stageId: `stg_${lead.state}`, name: lead.state, state: lead.state } }
}

/** Returns the stage with this id and its pipeline; null if the tenant has none. */
export const findStage = (pipelines: ReadonlyArray<SalesPipeline>, stageId: string): LeadPlace | null => {
  for (const pipeline of pipelines) {
    const stage = pipeline.stages.find((one) => one.stageId === stageId)
    if (stage !== undefined) return { pipeline, stage }
  }
  return null
}

/** The stored form of a stage: the ids in the rows of its leads. An empty `stageId` stands for no chosen stage. */
export interface StoredStage {
  readonly pipelineId: string
  readonly stageId: string
  readonly state: LeadState
}

/** Returns the stored forms of a stage. The first stage of a state also contains the leads without a chosen stage. */
export const storedFormsOf = (pipeline: SalesPipeline, { stageId, state }: Stage): ReadonlyArray<StoredStage> => {
  const { pipelineId } = pipeline
  const implied = firstOf(pipeline, state)?.stageId === stageId ? [{ pipelineId, stageId: "", state }] : []
  return [{ pipelineId, stageId, state }, ...implied]
}

/** The number of leads and the sum of their values, for one stored stage and currency. */
export interface StageTotal extends StoredStage {
  /** Empty for leads without a value. */
  readonly currency: string
  readonly leads: number
  readonly value: number
}

/** The tenant has no such pipeline. */
export class SalesPipelineNotFound extends TaggedError("SalesPipelineNotFound")<{ readonly pipelineId: string }> {}

/** The tenant has no such stage. */
export class StageNotFound extends TaggedError("StageNotFound")<{ readonly stageId: string }> {}

/** Leads are in the pipeline or stage, so it cannot be removed. */
export class StageInUse extends TaggedError("StageInUse")<{ readonly id: string; readonly leads: number }> {}

/** The tenant has the maximum number of pipelines. */
export class SalesPipelineLimitReached extends TaggedError("SalesPipelineLimitReached")<{ readonly limit: number }> {}

/** A request about a pipeline is invalid. `issues` names the fields. */
export class SalesPipelineInvalid extends TaggedError("SalesPipelineInvalid")<{
  readonly issues: ReadonlyArray<{ readonly path: string; readonly message: string }>
}> {}

import { BadRequest, Conflict, NotFound } from "@leadloom/api/internal/errors"
import type { LossReasonInvalid } from "@leadloom/core/internal/domain/lead/Deal"
import type {
  SalesPipelineInvalid,
  SalesPipelineLimitReached,
  SalesPipelineNotFound,
  StageInUse,
  StageNotFound
} from "@leadloom/core/internal/domain/lead/SalesPipeline"
import { field } from "./Field.ts"

/** Maps errors about deals and pipelines of leads to wire errors. */
export const leadErrors = {
  SalesPipelineNotFound: ({ pipelineId }: SalesPipelineNotFound) => NotFound.of(`There is no pipeline ${pipelineId}.`),
  StageNotFound: ({ stageId }: StageNotFound) => NotFound.of(`There is no stage ${stageId}.`),
  StageInUse: ({ id, leads }: StageInUse) =>
    Conflict.of(`${leads} leads are in ${id}. Move them first, or name a target in moves.`, { id, leads }),
  SalesPipelineLimitReached: ({ limit }: SalesPipelineLimitReached) =>
    Conflict.of(`The tenant has ${limit} pipelines, which is the maximum. Delete one first.`),
  SalesPipelineInvalid: ({ issues }: SalesPipelineInvalid) => BadRequest.of("The pipeline is invalid.", issues),
  LossReasonInvalid: ({ reason }: LossReasonInvalid) => field("loss_reason", reason)
} as const

import { Context, type Effect } from "effect"
import type { SalesPipeline, StageTotal, StoredStage } from "../../../domain/lead/SalesPipeline.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** The pipelines of leads that tenants have created or changed. */
export class SalesPipelines extends Context.Service<
  SalesPipelines,
  {
    /** Lists the stored pipelines of a tenant, oldest first. An unchanged default pipeline is not stored. */
    readonly list: (tenantId: string) => Effect.Effect<ReadonlyArray<SalesPipeline>, StoreUnavailable>
    /** Inserts or replaces a pipeline. */
    readonly put: (pipeline: SalesPipeline) => Effect.Effect<void, StoreUnavailable>
    /** Does nothing for an unknown pipeline. */
    readonly remove: (tenantId: string, pipelineId: string) => Effect.Effect<void, StoreUnavailable>
    /** Returns the totals of a pipeline. They count every lead that is not merged. */
    readonly totals: (
      tenantId: string,
      pipelineId: string
    ) => Effect.Effect<ReadonlyArray<StageTotal>, StoreUnavailable>
    /**
     * Moves up to `limit` leads of a stage to another stage of the same pipeline and state. Returns their number.
     */
    readonly moveLeads: (
      tenantId: string,
      from: StoredStage,
      toStageId: string,
      at: number,
      limit: number
    ) => Effect.Effect<number, StoreUnavailable>
  }
>()("core/port/repository/lead/SalesPipelines") {}

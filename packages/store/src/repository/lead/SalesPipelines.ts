import { SalesPipeline, type StageTotal } from "@leadloom/core/internal/domain/lead/SalesPipeline"
import { SalesPipelines } from "@leadloom/core/internal/port/repository/lead/SalesPipelines"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const pipelines = table(SalesPipeline, { name: "sales_pipelines", key: ["tenantId", "pipelineId"] })

/** Stores pipelines of leads in SQL. Triggers of the table `leads` maintain the totals. */
export const layer: Layer.Layer<SalesPipelines, never, Database> = Layer.effect(
  SalesPipelines,
  Effect.map(Database, ({ by, command, query }) => {
    const { all } = pipelines.reading({ query })
    const list = all(
      `SELECT ${pipelines.columns} FROM sales_pipelines WHERE tenant_id = ? ORDER BY created_at, pipeline_id`
    )
    const put = command(
      `${pipelines.insert} ON CONFLICT (tenant_id, pipeline_id)
        DO UPDATE SET name = excluded.name, stages = excluded.stages, updated_at = excluded.updated_at`
    )
    const remove = command("DELETE FROM sales_pipelines WHERE tenant_id = ? AND pipeline_id = ?")
    const totals = query<StageTotal>(
      `SELECT pipeline_id AS "pipelineId", stage_id AS "stageId", state, currency, leads, value FROM lead_totals
        WHERE tenant_id = ? AND pipeline_id = ? AND leads > 0`
    )
    const moveLeads = query<{ readonly leadId: string }>(
      `UPDATE leads SET stage_id = ?, updated_at = ? WHERE tenant_id = ? AND lead_id IN (
          SELECT lead_id FROM leads ${by("leads_stage")}
            WHERE tenant_id = ? AND pipeline_id = ? AND coalesce(stage_id, '') = ? AND state = ? AND merged_into IS NULL
            LIMIT ?)
        RETURNING lead_id AS "leadId"`
    )
    return SalesPipelines.of({
      list,
      put: (pipeline) => put(...pipelines.values(pipeline)),
      remove: (tenantId, pipelineId) => remove(tenantId, pipelineId),
      totals,
      moveLeads: (tenantId, { pipelineId, stageId, state }, toStageId, at, limit) =>
        Effect.map(
          moveLeads(toStageId, at, tenantId, tenantId, pipelineId, stageId, state, limit),
          (moved) => moved.length
        )
    })
  })
)

import type { FollowedLead, LeftStage } from "@leadloom/core/internal/domain/report/LeadFacts"
import type { Reports, StreamRange } from "@leadloom/core/internal/port/repository/tenant/Reports"
import { type Context, Effect } from "effect"
import { readArray } from "../../sql/Json.ts"
import type { Queries } from "../../sql/Queries.ts"

type Port = Context.Service.Shape<typeof Reports>

type LeadRow = Omit<FollowedLead, "isCounted" | "left" | "tags"> & {
  readonly isCounted: number
  readonly tags: string
}

type MoveRow = LeftStage & { readonly leadId: string }

/** The statements that read leads with their moves. Merged leads do not count. */
export const reportLeads = ({ isOneOf, query }: Queries): Pick<Port, "leads"> => {
  const text = (lead: string): string =>
    `SELECT lead_id AS id, tenant_id AS "tenantId", channel, source, assignee_id AS "userId", team_id AS "teamId",
        CAST(tags AS text) AS tags, tier, value, currency, pipeline_id AS "pipelineId", stage_id AS "stageId", state,
        created_at AS "createdAt", CASE WHEN merged_into IS NULL THEN 1 ELSE 0 END AS "isCounted"
      FROM leads WHERE tenant_id = ? ${lead} AND lead_id > ? AND lead_id < ? ORDER BY lead_id LIMIT ?`
  const all = query<LeadRow>(text(""))
  const one = query<LeadRow>(text("AND lead_id = ?"))
  const moves = query<MoveRow>(
    `SELECT lead_id AS "leadId", pipeline_id AS "pipelineId", stage_id AS "stageId", state, moved_at AS "leftAt"
      FROM stage_moves WHERE tenant_id = ? AND ${isOneOf("lead_id")} ORDER BY lead_id, place`
  )
  const read = (tenantId: string, { after, before, limit, subjectId }: StreamRange) =>
    subjectId === "" ? all(tenantId, after, before, limit) : one(tenantId, subjectId, after, before, limit)
  return {
    leads: Effect.fnUntraced(function* (tenantId, range) {
      const rows = yield* read(tenantId, range)
      if (rows.length === 0) return []
      const ids = JSON.stringify(rows.map(({ id }) => id))
      const left = Map.groupBy(yield* moves(tenantId, ids), ({ leadId }) => leadId)
      return rows.map(({ isCounted, tags, ...row }): FollowedLead => ({
        ...row,
        tags: readArray<string>(tags),
        isCounted: isCounted === 1,
        left: left.get(row.id) ?? []
      }))
    })
  }
}

import { Notices } from "@leadloom/core/port/repository/webhook/Notices"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { queries } from "../../sql/Queries.ts"

/** What providers have told already in SQL. */
export const layer: Layer.Layer<Notices, never, SqlClient> = Layer.effect(
  Notices,
  Effect.map(SqlClient, (sql) => {
    const { query } = queries(sql)
    const take = query(
      `INSERT INTO notices (tenant_id, provider, notice_id, received_at) VALUES (?, ?, ?, ?)
        ON CONFLICT (tenant_id, provider, notice_id) DO NOTHING RETURNING notice_id`
    )
    const expire = query(
      `DELETE FROM notices WHERE tenant_id = ? AND (provider, notice_id) IN (SELECT provider, notice_id FROM notices
        WHERE tenant_id = ? AND received_at < ? ORDER BY received_at LIMIT ?) RETURNING notice_id`
    )
    return Notices.of({
      take: (tenantId, provider, noticeId, now) =>
        Effect.map(take(tenantId, provider, noticeId, now), (rows) => rows.length > 0),
      expire: (tenantId, before, limit) => Effect.map(expire(tenantId, tenantId, before, limit), (rows) => rows.length)
    })
  })
)

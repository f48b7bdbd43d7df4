import { CrmCalls } from "@leadloom/core/internal/port/repository/crm/CrmCalls"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first } from "../../sql/Queries.ts"

/**
 * The maximum number of expired rows that each call deletes. The table stays small, because a call adds at most one
 * row.
 */
const forgottenAtOnce = 20

/** Stores the calls of CRM workflows in SQL. */
export const layer: Layer.Layer<CrmCalls, never, Database> = Layer.effect(
  CrmCalls,
  Effect.map(Database, ({ command, query }) => {
    const forget = command(
      `DELETE FROM crm_calls WHERE tenant_id = ? AND call_key IN (SELECT call_key FROM crm_calls
        WHERE tenant_id = ? AND first_at <= ? AND call_key <> ? ORDER BY first_at LIMIT ${forgottenAtOnce})`
    )
    // The statement that stores the call tells whether it is the first: it returns no row for a repetition. The times of
    // two equal calls can be equal, so they cannot tell.
    const store = query<{ readonly firstAt: number }>(
      `INSERT INTO crm_calls (tenant_id, call_key, first_at) VALUES (?, ?, ?) ON CONFLICT (tenant_id, call_key)
        DO UPDATE SET first_at = excluded.first_at WHERE crm_calls.first_at <= ? RETURNING first_at AS "firstAt"`
    )
    const find = query<{ readonly firstAt: number }>(
      `SELECT first_at AS "firstAt" FROM crm_calls WHERE tenant_id = ? AND call_key = ?`
    )
    return CrmCalls.of({
      note: Effect.fnUntraced(function* (tenantId, callKey, now, since) {
        yield* forget(tenantId, tenantId, since, callKey)
        const isFirst = (yield* store(tenantId, callKey, now, since)).length > 0
        if (isFirst) return { firstAt: now, isFirst }
        return { firstAt: first(yield* find(tenantId, callKey))?.firstAt ?? now, isFirst }
      })
    })
  })
)

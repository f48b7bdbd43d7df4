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
    // One statement both checks and stores the call, so that the later of two concurrent calls finds the row of the
    // earlier one.
    const note = query<{ readonly firstAt: number }>(
      `INSERT INTO crm_calls (tenant_id, call_key, first_at) VALUES (?, ?, ?) ON CONFLICT (tenant_id, call_key)
        DO UPDATE SET first_at = CASE WHEN crm_calls.first_at > ? THEN crm_calls.first_at ELSE excluded.first_at END
        RETURNING first_at AS "firstAt"`
    )
    return CrmCalls.of({
      firstAt: Effect.fnUntraced(function* (tenantId, callKey, now, since) {
        yield* forget(tenantId, tenantId, since, callKey)
        return first(yield* note(tenantId, callKey, now, since))?.firstAt ?? now
      })
    })
  })
)

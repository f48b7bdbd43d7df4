import type { UsageKind } from "@leadloom/core/internal/domain/billing/Plan"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"

/** Stores the monthly usage of a tenant's plan in SQL. */
export const layer: Layer.Layer<Usages, never, Database> = Layer.effect(
  Usages,
  Effect.map(Database, ({ command, query }) => {
    const consume = query(
      `INSERT INTO usages (tenant_id, month, kind, used) VALUES (?, ?, ?, 1)
        ON CONFLICT (tenant_id, month, kind) DO UPDATE SET used = usages.used + 1 WHERE usages.used < ? RETURNING used`
    )
    const add = command(
      `INSERT INTO usages (tenant_id, month, kind, used) VALUES (?, ?, ?, ?)
        ON CONFLICT (tenant_id, month, kind) DO UPDATE SET used = usages.used + excluded.used`
    )
    const set = command(
      `INSERT INTO usages (tenant_id, month, kind, used) VALUES (?, ?, ?, ?)
        ON CONFLICT (tenant_id, month, kind) DO UPDATE SET used = excluded.used`
    )
    const giveBack = command(
      "UPDATE usages SET used = used - 1 WHERE tenant_id = ? AND month = ? AND kind = ? AND used > 0"
    )
    const read = query<{ readonly kind: UsageKind; readonly used: number }>(
      "SELECT kind, used FROM usages WHERE tenant_id = ? AND month = ?"
    )
    return Usages.of({
      consume: (tenantId, kind, month, cap) =>
        cap < 1 ? Effect.succeed(false) : Effect.map(consume(tenantId, month, kind, cap), (rows) => rows.length > 0),
      add: (tenantId, kind, month, amount) => (amount > 0 ? add(tenantId, month, kind, amount) : Effect.void),
      set: (tenantId, kind, month, used) => set(tenantId, month, kind, used),
      giveBack: (tenantId, kind, month) => giveBack(tenantId, month, kind),
      read: (tenantId, month) =>
        Effect.map(read(tenantId, month), (rows) => {
          const used = (kind: UsageKind): number => rows.find((row) => row.kind === kind)?.used ?? 0
          return {
            actions: used("actions"),
            ai_calls: used("ai_calls"),
            ai_input_tokens: used("ai_input_tokens"),
            ai_output_tokens: used("ai_output_tokens")
          }
        })
    })
  })
)

import { AuditEntry } from "@leadloom/core/internal/domain/access/AuditEntry"
import { AuditTrail } from "@leadloom/core/internal/port/repository/tenant/AuditTrail"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const entries = table(AuditEntry, { name: "audit_entries", key: ["tenantId", "auditId"] })

/** A text that sorts after every id. */
const newestId = "aud_~"

/** Stores the audit trail in SQL. */
export const layer: Layer.Layer<AuditTrail, never, Database> = Layer.effect(
  AuditTrail,
  Effect.map(Database, ({ command, query }) => {
    const { all } = entries.reading({ query })
    const append = command(entries.insert)
    const page = all(
      `SELECT ${entries.columns} FROM audit_entries WHERE tenant_id = ? AND audit_id < ?
        AND actor = coalesce(?, actor) AND "action" = coalesce(?, "action") ORDER BY audit_id DESC LIMIT ?`
    )
    return AuditTrail.of({
      append: (entry) => append(...entries.values(entry)),
      page: (tenantId, { action, actor }, limit, before) => page(tenantId, before ?? newestId, actor, action, limit)
    })
  })
)

import type { AuditEntry } from "@leadloom/core/domain/access/AuditEntry"
import { AuditTrail } from "@leadloom/core/port/repository/tenant/AuditTrail"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readObject } from "../../sql/Json.ts"
import { table } from "../../sql/Table.ts"

interface AuditRow extends Omit<AuditEntry, "change" | "target"> {
  readonly target: string
  readonly change: string | null
}

const entries = table<AuditRow>(
  "audit_entries",
  {
    tenantId: "tenant_id",
    auditId: "audit_id",
    at: "happened_at",
    actor: "actor",
    action: '"action"',
    target: "target",
    address: "address",
    requestId: "request_id",
    change: '"change"'
  },
  ["tenantId", "auditId"]
)

const toRow = ({ change, target, ...entry }: AuditEntry): AuditRow => ({
  ...entry,
  target: JSON.stringify(target),
  change: change === null ? null : JSON.stringify(change)
})

const fromRow = ({ change, target, ...row }: AuditRow): AuditEntry => ({
  ...row,
  target: readObject(target),
  change: change === null ? null : readObject(change)
})

/** Sorts after every id. */
const newestId = "aud_~"

/** Stores the audit trail in SQL. */
export const layer: Layer.Layer<AuditTrail, never, Database> = Layer.effect(
  AuditTrail,
  Effect.map(Database, ({ command, query }) => {
    const append = command(entries.insert)
    const page = query<AuditRow>(
      `SELECT ${entries.columns} FROM audit_entries WHERE tenant_id = ? AND audit_id < ?
        AND actor = coalesce(?, actor) AND "action" = coalesce(?, "action") ORDER BY audit_id DESC LIMIT ?`
    )
    return AuditTrail.of({
      append: (entry) => append(...entries.values(toRow(entry))),
      page: (tenantId, { action, actor }, limit, before) =>
        Effect.map(page(tenantId, before ?? newestId, actor, action, limit), (rows) => rows.map(fromRow))
    })
  })
)

import { ConfigChanges } from "@leadloom/core/port/repository/tenant/Tenants"
import type { ConfigChange } from "@leadloom/core/domain/tenant/ConfigChange"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readArray } from "../../sql/Json.ts"
import { first, newest } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

interface ChangeRow extends Omit<ConfigChange, "differences"> {
  readonly differences: string
}

const changes = table<ChangeRow>(
  "config_changes",
  {
    tenantId: "tenant_id",
    version: "version",
    fromVersion: "from_version",
    action: "action",
    preset: "preset",
    changedBy: "changed_by",
    changedAt: "changed_at",
    differences: "differences",
    omitted: "omitted"
  },
  ["tenantId", "version"]
)

const fromRow = (row: ChangeRow): ConfigChange => ({ ...row, differences: readArray(row.differences) })

/** Stores the changes of configurations in SQL. */
export const layer: Layer.Layer<ConfigChanges, never, Database> = Layer.effect(
  ConfigChanges,
  Effect.map(Database, ({ command, query }) => {
    const insert = command(changes.insert)
    const page = query<ChangeRow>(
      `SELECT ${changes.columns} FROM config_changes WHERE tenant_id = ? AND version < ? ORDER BY version DESC LIMIT ?`
    )
    const find = query<ChangeRow>(`SELECT ${changes.columns} FROM config_changes WHERE tenant_id = ? AND version = ?`)
    return ConfigChanges.of({
      insert: (change) => insert(...changes.values({ ...change, differences: JSON.stringify(change.differences) })),
      page: (tenantId, limit, before) =>
        Effect.map(page(tenantId, before ?? newest, limit), (rows) => rows.map(fromRow)),
      find: (tenantId, version) =>
        Effect.map(find(tenantId, version), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        })
    })
  })
)

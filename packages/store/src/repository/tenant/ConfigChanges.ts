import { ConfigChanges } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { ConfigChange } from "@leadloom/core/internal/domain/tenant/ConfigChange"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { newest } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const changes = table(ConfigChange, { name: "config_changes", key: ["tenantId", "version"] })

/** Stores the changes of configurations in SQL. */
export const layer: Layer.Layer<ConfigChanges, never, Database> = Layer.effect(
  ConfigChanges,
  Effect.map(Database, ({ command, query }) => {
    const { all, one } = changes.reading({ query })
    const insert = command(changes.insert)
    const page = all(
      `SELECT ${changes.columns} FROM config_changes WHERE tenant_id = ? AND version < ? ORDER BY version DESC LIMIT ?`
    )
    const find = one(`SELECT ${changes.columns} FROM config_changes WHERE tenant_id = ? AND version = ?`)
    return ConfigChanges.of({
      insert: (change) => insert(...changes.values(change)),
      page: (tenantId, limit, before) => page(tenantId, before ?? newest, limit),
      find
    })
  })
)

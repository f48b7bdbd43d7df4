import { CrmInstall } from "@leadloom/core/internal/domain/crm/Location"
import { CrmInstalls } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const installs = table(CrmInstall, { name: "crm_installs", key: ["tenantId", "locationId"] })

/** Stores CRM installs and their sealed tokens in SQL. */
export const layer: Layer.Layer<CrmInstalls, never, Database> = Layer.effect(
  CrmInstalls,
  Effect.map(Database, ({ command, query }) => {
    const { all, one } = installs.reading({ query })
    const key = "tenant_id = ? AND location_id = ?"
    const find = one(`SELECT ${installs.columns} FROM crm_installs WHERE ${key}`)
    const list = all(
      `SELECT ${installs.columns} FROM crm_installs WHERE tenant_id = ? ORDER BY installed_at, location_id`
    )
    const insert = command(installs.insert)
    const replace = query(`${installs.replace} AND version = ? RETURNING 1 AS found`)
    const remove = query(`DELETE FROM crm_installs WHERE ${key} RETURNING 1 AS found`)
    return CrmInstalls.of({
      get: find,
      list,
      insert: (install) => insert(...installs.values(install)),
      replace: (install, version) =>
        Effect.map(
          replace(...installs.changes({ ...install, version: version + 1 }), version),
          (rows) => rows.length > 0
        ),
      remove: (tenantId, locationId) => Effect.map(remove(tenantId, locationId), (rows) => rows.length > 0)
    })
  })
)

import type { CrmInstall } from "@leadloom/core/domain/crm/Location"
import { CrmInstalls } from "@leadloom/core/port/repository/crm/CrmLocations"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readArray } from "../../sql/Json.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

interface InstallRow extends Omit<CrmInstall, "scopes"> {
  readonly scopes: string
}

const installs = table<InstallRow>(
  "crm_installs",
  {
    tenantId: "tenant_id",
    locationId: "location_id",
    companyId: "company_id",
    sync: "sync",
    status: "status",
    sealedAccess: "sealed_access",
    sealedRefresh: "sealed_refresh",
    expiresAt: "expires_at",
    scopes: "scopes",
    version: "version",
    refreshingUntil: "refreshing_until",
    reason: "reason",
    installedAt: "installed_at",
    updatedAt: "updated_at"
  },
  ["tenantId", "locationId"]
)

const toRow = (install: CrmInstall): InstallRow => ({ ...install, scopes: JSON.stringify(install.scopes) })
const fromRow = (row: InstallRow): CrmInstall => ({ ...row, scopes: readArray(row.scopes) })

/** Stores CRM installs and their sealed tokens in SQL. */
export const layer: Layer.Layer<CrmInstalls, never, Database> = Layer.effect(
  CrmInstalls,
  Effect.map(Database, ({ command, query }) => {
    const key = "tenant_id = ? AND location_id = ?"
    const find = query<InstallRow>(`SELECT ${installs.columns} FROM crm_installs WHERE ${key}`)
    const list = query<InstallRow>(
      `SELECT ${installs.columns} FROM crm_installs WHERE tenant_id = ? ORDER BY installed_at, location_id`
    )
    const insert = command(installs.insert)
    const replace = query(`${installs.replace} AND version = ? RETURNING 1 AS found`)
    const remove = query(`DELETE FROM crm_installs WHERE ${key} RETURNING 1 AS found`)
    return CrmInstalls.of({
      get: (tenantId, locationId) =>
        Effect.map(find(tenantId, locationId), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        }),
      list: (tenantId) => Effect.map(list(tenantId), (rows) => rows.map(fromRow)),
      insert: (install) => insert(...installs.values(toRow(install))),
      replace: (install, version) =>
        Effect.map(
          replace(...installs.changes(toRow({ ...install, version: version + 1 })), version),
          (rows) => rows.length > 0
        ),
      remove: (tenantId, locationId) => Effect.map(remove(tenantId, locationId), (rows) => rows.length > 0)
    })
  })
)

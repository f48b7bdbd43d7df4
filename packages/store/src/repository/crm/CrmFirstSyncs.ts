import { FirstSync } from "@leadloom/core/internal/domain/crm/FirstSync"
import { CrmFirstSyncs } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { table } from "../../sql/Table.ts"

const firstSyncs = table(FirstSync, { name: "crm_first_syncs", key: ["tenantId", "locationId"] })

/** Stores the progress of the first sync of each location in SQL. */
export const layer: Layer.Layer<CrmFirstSyncs, never, Database> = Layer.effect(
  CrmFirstSyncs,
  Effect.map(Database, ({ command, query }) => {
    const { all, one } = firstSyncs.reading({ query })
    const find = one(`SELECT ${firstSyncs.columns} FROM crm_first_syncs WHERE tenant_id = ? AND location_id = ?`)
    const list = all(`SELECT ${firstSyncs.columns} FROM crm_first_syncs WHERE tenant_id = ?`)
    const insert = command(firstSyncs.insert)
    const replace = query(`${firstSyncs.replace} AND version = ? RETURNING 1 AS found`)
    return CrmFirstSyncs.of({
      get: find,
      list,
      insert: (firstSync) => insert(...firstSyncs.values(firstSync)),
      replace: (firstSync, version) =>
        Effect.map(
          replace(...firstSyncs.changes({ ...firstSync, version: version + 1 }), version),
          (rows) => rows.length > 0
        )
    })
  })
)

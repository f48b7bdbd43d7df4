import type { FirstSync } from "@leadloom/core/domain/crm/FirstSync"
import { CrmFirstSyncs } from "@leadloom/core/port/repository/crm/CrmLocations"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { readObject } from "../../sql/Json.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

interface FirstSyncRow extends Omit<FirstSync, "counts"> {
  readonly counts: string
}

const firstSyncs = table<FirstSyncRow>(
  "crm_first_syncs",
  {
    tenantId: "tenant_id",
    locationId: "location_id",
    state: "state",
    step: "step",
    cursor: "cursor",
    total: "total",
    counts: "counts",
    reason: "reason",
    version: "version",
    startedAt: "started_at",
    updatedAt: "updated_at",
    finishedAt: "finished_at"
  },
  ["tenantId", "locationId"]
)

const toRow = (firstSync: FirstSync): FirstSyncRow => ({ ...firstSync, counts: JSON.stringify(firstSync.counts) })
const fromRow = (row: FirstSyncRow): FirstSync => ({ ...row, counts: readObject(row.counts) })

/** Stores the progress of the first sync of each location in SQL. */
export const layer: Layer.Layer<CrmFirstSyncs, never, Database> = Layer.effect(
  CrmFirstSyncs,
  Effect.map(Database, ({ command, query }) => {
    const find = query<FirstSyncRow>(
      `SELECT ${firstSyncs.columns} FROM crm_first_syncs WHERE tenant_id = ? AND location_id = ?`
    )
    const list = query<FirstSyncRow>(`SELECT ${firstSyncs.columns} FROM crm_first_syncs WHERE tenant_id = ?`)
    const insert = command(firstSyncs.insert)
    const replace = query(`${firstSyncs.replace} AND version = ? RETURNING 1 AS found`)
    return CrmFirstSyncs.of({
      get: (tenantId, locationId) =>
        Effect.map(find(tenantId, locationId), (rows) => {
          const row = first(rows)
          return row === null ? null : fromRow(row)
        }),
      list: (tenantId) => Effect.map(list(tenantId), (rows) => rows.map(fromRow)),
      insert: (firstSync) => insert(...firstSyncs.values(toRow(firstSync))),
      replace: (firstSync, version) =>
        Effect.map(
          replace(...firstSyncs.changes(toRow({ ...firstSync, version: version + 1 })), version),
          (rows) => rows.length > 0
        )
    })
  })
)

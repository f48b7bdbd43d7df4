import { CrmLocation, LocationNotFound, LocationTaken } from "@leadloom/core/internal/domain/crm/Location"
import { CrmLocations } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Effect, Layer } from "effect"
import { Database } from "../../Database.ts"
import { first } from "../../sql/Queries.ts"
import { table } from "../../sql/Table.ts"

const locations = table(CrmLocation, { name: "crm_locations", key: ["tenantId", "locationId"] })

/** Stores the tenant of each CRM location in SQL. */
export const layer: Layer.Layer<CrmLocations, never, Database> = Layer.effect(
  CrmLocations,
  Effect.map(Database, ({ query }) => {
    const { all, one } = locations.reading({ query })
    const find = one(`SELECT ${locations.columns} FROM crm_locations WHERE location_id = ?`)
    const list = all(`SELECT ${locations.columns} FROM crm_locations ORDER BY location_id`)
    const ofTenant = all(`SELECT ${locations.columns} FROM crm_locations WHERE tenant_id = ? ORDER BY location_id`)
    const put = all(
      `${locations.insert} ON CONFLICT (location_id)
        DO UPDATE SET sessions = excluded.sessions, updated_at = excluded.updated_at
        WHERE crm_locations.tenant_id = excluded.tenant_id RETURNING ${locations.columns}`
    )
    const remove = query("DELETE FROM crm_locations WHERE location_id = ? RETURNING location_id")
    return CrmLocations.of({
      find,
      tenantOf: (locationId) => Effect.map(find(locationId), (location) => location?.tenantId ?? null),
      list: list(),
      ofTenant,
      put: (location) =>
        Effect.flatMap(put(...locations.values(location)), (rows) => {
          const kept = first(rows)
          return kept === null
            ? Effect.fail(new LocationTaken({ locationId: location.locationId }))
            : Effect.succeed(kept)
        }),
      remove: Effect.fnUntraced(function* (locationId) {
        const removed = yield* remove(locationId)
        if (removed.length === 0) return yield* new LocationNotFound({ locationId })
      })
    })
  })
)

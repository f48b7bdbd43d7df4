import { Api } from "@leadloom/api/Api"
import { isoTime } from "@leadloom/api/schema/Field"
import type * as Wire from "@leadloom/api/admin/Locations"
import type { CrmLocation } from "@leadloom/core/domain/crm/Location"
import { mapLocation } from "@leadloom/core/workflow/crm/Locations"
import { CrmLocations } from "@leadloom/core/port/repository/crm/CrmLocations"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

const toJson = (location: CrmLocation): typeof Wire.Location.Type => ({
  location_id: location.locationId,
  tenant_id: location.tenantId,
  sessions: location.sessions,
  created_at: isoTime(location.createdAt),
  updated_at: isoTime(location.updatedAt)
})

/** Endpoints that link CRM locations to tenants. Only the operator may use them. */
export const layer = HttpApiBuilder.group(Api, "locations", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* () {
      const locations = yield* CrmLocations
      return { locations: (yield* answer(locations.list)).map(toJson) }
    }),
    put: Effect.fnUntraced(function* ({ payload }) {
      const { location_id: locationId, sessions, tenant_id: tenantId } = payload
      return toJson(yield* answer(mapLocation({ locationId, tenantId, sessions })))
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      const locations = yield* CrmLocations
      yield* answer(locations.remove(params.location_id))
    })
  })
)

import { locationToJson } from "@leadloom/api/internal/admin/Locations"
import { Api } from "@leadloom/api/internal/Api"
import { mapLocation } from "@leadloom/core/internal/workflow/crm/Locations"
import { CrmLocations } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Endpoints that link CRM locations to tenants. Only the operator may use them. */
export const layer = HttpApiBuilder.group(Api, "locations", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* () {
      const locations = yield* CrmLocations
      return { locations: (yield* answer(locations.list)).map(locationToJson) }
    }),
    put: Effect.fnUntraced(function* ({ payload }) {
      const { location_id: locationId, sessions, tenant_id: tenantId } = payload
      return locationToJson(yield* answer(mapLocation({ locationId, tenantId, sessions })))
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      const locations = yield* CrmLocations
      yield* answer(locations.remove(params.location_id))
    })
  })
)

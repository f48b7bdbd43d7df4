import { locationToJson } from "@leadloom/api/internal/admin/Locations"
import { Api } from "@leadloom/api/internal/Api"
import { mapLocation } from "@leadloom/core/internal/workflow/crm/Locations"
import { CrmLocations } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import type { CrmLocation } from "@leadloom/core/internal/domain/crm/Location"
import { readShortList } from "@leadloom/core/internal/domain/conversation/ReadPage"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** Endpoints that link CRM locations to tenants. Only the operator may use them. */
export const layer = HttpApiBuilder.group(Api, "locations", (handlers) =>
  handlers.handleAll({
    list: Effect.fnUntraced(function* ({ query }) {
      const all = yield* answer((yield* CrmLocations).list)
      const scope = { tenantId: "", list: "locations" }
      // The list is in the order of the ids.
      const list = { scope, items: all, keyOf: ({ locationId }: CrmLocation) => [0, locationId] as const }
      const { items, nextCursor } = yield* answer(readShortList(list, query))
      return { locations: items.map(locationToJson), next_cursor: nextCursor }
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

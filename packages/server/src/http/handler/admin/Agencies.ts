import { agencyToJson } from "@leadloom/api/internal/admin/Agencies"
import { Principal } from "@leadloom/api/internal/Access"
import type * as Wire from "@leadloom/api/internal/admin/Agencies"
import { Api } from "@leadloom/api/internal/Api"
import { isoTime } from "@leadloom/api/internal/schema/Field"
import { principalName } from "@leadloom/core/internal/domain/access/Principal"
import {
  agencyLocations,
  finishAgencyInstall,
  type MappedLocation,
  removeAgency,
  startAgencyInstall
} from "@leadloom/core/internal/workflow/crm/Agency"
import { agencyTenantId } from "@leadloom/core/internal/domain/crm/Location"
import { CrmInstalls } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import type { CrmInstall } from "@leadloom/core/internal/domain/crm/Location"
import { readShortList, type ShortList } from "@leadloom/core/internal/domain/conversation/ReadPage"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { answer } from "../../error/errors.ts"

/** The default number of locations per page. */
const defaultLimit = 20

const locationJson = (location: MappedLocation): typeof Wire.AgencyLocation.Type => ({
  location_id: location.locationId,
  name: location.name,
  installed: location.installed,
  tenant_id: location.tenantId
})

/** Endpoints for the agencies of the CRM. Only the operator may use them. */
export const layer = HttpApiBuilder.group(Api, "agencies", (handlers) =>
  handlers.handleAll({
    authUrl: Effect.fnUntraced(function* () {
      const { expiresAt, url } = yield* answer(startAgencyInstall(principalName(yield* Principal)))
      return { url, expires_at: isoTime(expiresAt) }
    }),
    callback: Effect.fnUntraced(function* ({ payload: { code, state } }) {
      const principal = principalName(yield* Principal)
      return agencyToJson(yield* answer(finishAgencyInstall({ principal, code, state })))
    }),
    list: Effect.fnUntraced(function* ({ query }) {
      const list: ShortList<CrmInstall> = {
        scope: { tenantId: agencyTenantId, list: "agencies" },
        items: yield* answer((yield* CrmInstalls).list(agencyTenantId)),
        keyOf: ({ installedAt, locationId }) => [installedAt, locationId]
      }
      const { items, nextCursor } = yield* answer(readShortList(list, query))
      return { agencies: items.map(agencyToJson), next_cursor: nextCursor }
    }),
    locations: Effect.fnUntraced(function* ({ params, query }) {
      const [limit, skip] = [query.limit ?? defaultLimit, Number(query.cursor ?? 0)]
      const found = yield* answer(agencyLocations(params.company_id, limit, skip))
      const next_cursor = found.length < limit ? null : String(skip + limit)
      return { locations: found.map(locationJson), next_cursor }
    }),
    remove: Effect.fnUntraced(function* ({ params }) {
      yield* answer(removeAgency(params.company_id))
    })
  })
)

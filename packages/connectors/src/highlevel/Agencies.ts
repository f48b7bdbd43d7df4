import type { CrmShape } from "@leadloom/core/internal/port/repository/crm/CrmShape"
import { Effect, Schema } from "effect"
import { listOf, maybe } from "../provider/Lenient.ts"
import { present } from "../provider/Present.ts"
import { appIdOf, type HighLevelConfig, type RequestContacts } from "./HighLevelConfig.ts"
import { grantOf, TokenJson } from "./TokenExchange.ts"

const LocationsAnswer = Schema.Struct({
  locations: listOf(
    Schema.Struct({ _id: Schema.String, name: maybe(Schema.String), isInstalled: maybe(Schema.Boolean) })
  )
})

/** Uses an agency's token to fetch the tokens of its locations and the list of locations with the app. */
export const locationTokens = (
  sendRequest: RequestContacts,
  config: HighLevelConfig
): Pick<CrmShape, "locationGrant" | "agencyLocations"> => ({
  locationGrant: (agency, locationId) => {
    const form = new URLSearchParams({ companyId: agency.locationId, locationId })
    const call = { method: "POST", path: ["oauth", "locationToken"], what: "location of the agency", form } as const
    // The response lacks the location id, so it is added. The refresh token is dropped, because the agency can always
    // request a new access token.
    return Effect.map(sendRequest(agency, call, TokenJson), (json) => ({
      ...grantOf(json),
      locationId,
      companyId: agency.locationId,
      refreshToken: null
    }))
  },
  agencyLocations: (agency, limit, skip) => {
    const query = {
      companyId: agency.locationId,
      appId: appIdOf(config),
      limit: String(limit),
      skip: String(skip)
    }
    const call = { method: "GET", path: ["oauth", "installedLocations"], what: "agency", query } as const
    return Effect.map(sendRequest(agency, call, LocationsAnswer), ({ locations }) =>
      present(locations).map(({ _id, isInstalled, name }) => ({
        locationId: _id,
        name: name ?? null,
        installed: isInstalled === true
      }))
    )
  }
})

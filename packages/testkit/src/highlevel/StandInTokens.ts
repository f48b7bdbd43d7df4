import { madeId, problem, type SeenRequest, type StandInAnswer, type StandInState } from "./StandInState.ts"

const oauthProblem = (status: number, error: string, description: string): StandInAnswer => ({
  status,
  json: { error, error_description: description }
})

const granted = (state: StandInState, id: string): StandInAnswer => {
  const [accessToken, refreshToken] = [madeId(state, "access"), madeId(state, "refresh")]
  state.accessTokens.set(accessToken, id)
  state.refreshTokens.set(refreshToken, id)
  const whose = state.agencies.has(id)
    ? { userType: "Company", companyId: id, isBulkInstallation: true }
    : { userType: "Location", locationId: id, companyId: "company-1" }
  return {
    status: 200,
    json: {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: 86_399,
      refresh_token: refreshToken,
      scope: "contacts.readonly contacts.write",
      ...whose,
      userId: "user-1"
    }
  }
}

/** Answers `POST /oauth/locationToken`: an access token for one location, without a refresh token. */
const lendToken = (state: StandInState, companyId: string, { headers, text }: SeenRequest): StandInAnswer => {
  if (headers["content-type"] !== "application/x-www-form-urlencoded") return problem(422, ["form expected"])
  const form = new URLSearchParams(text)
  const locationId = form.get("locationId") ?? ""
  if (form.get("companyId") !== companyId || state.agencies.get(companyId)?.has(locationId) !== true)
    return problem(400, "The app is not installed in this location")
  const accessToken = madeId(state, "access")
  state.accessTokens.set(accessToken, locationId)
  const scope = "contacts.readonly contacts.write"
  const json = {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: 86_399,
    scope,
    locationId,
    userId: "user-1"
  }
  return { status: 200, json }
}

const installedLocations = (state: StandInState, companyId: string, { query }: SeenRequest): StandInAnswer => {
  if (query.get("companyId") !== companyId || query.get("appId") !== state.clientId.split("-")[0])
    return problem(422, ["companyId and appId are required"], "Unprocessable Entity")
  const all = [...(state.agencies.get(companyId) ?? [])]
  const skip = Number(query.get("skip") ?? 0)
  const locations = all
    .slice(skip, skip + Number(query.get("limit") ?? 20))
    .map((_id) => ({ _id, name: `Name of ${_id}`, address: "1 Main St", isInstalled: true }))
  return { status: 200, json: { locations, count: all.length, installToFutureLocations: true } }
}

/** Answers `/oauth/…` for the agency of a token; null for an unknown route. */
export const agencyRoutes = (state: StandInState, companyId: string, request: SeenRequest): StandInAnswer | null => {
  const route = `${request.method} ${request.path}`
  if (route === "POST /oauth/locationToken") return lendToken(state, companyId, request)
  return route === "GET /oauth/installedLocations" ? installedLocations(state, companyId, request) : null
}

/** Answers `POST /oauth/token`. Codes and refresh tokens are valid once. */
export const tokenRoute = (state: StandInState, { headers, text }: SeenRequest): StandInAnswer => {
  if (headers["content-type"] !== "application/x-www-form-urlencoded") return problem(422, ["form expected"])
  const form = new URLSearchParams(text)
  if (form.get("client_id") !== state.clientId || form.get("client_secret") !== state.clientSecret)
    return oauthProblem(401, "invalid_client", "Invalid client credentials")
  const held = form.get("grant_type") === "refresh_token" ? state.refreshTokens : state.codes
  const secret = form.get(held === state.codes ? "code" : "refresh_token") ?? ""
  const id = held.get(secret)
  if (id === undefined) return oauthProblem(400, "invalid_grant", "Invalid grant: token is invalid")
  held.delete(secret)
  return granted(state, id)
}

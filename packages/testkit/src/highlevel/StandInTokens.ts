import { madeId, problem, type SeenRequest, type StandInAnswer, type StandInState } from "./StandInState.ts"

const oauthProblem = (status: number, error: string, description: string): StandInAnswer => ({
  status,
  json: { error, error_description: description }
})

const granted = (state: StandInState, locationId: string): StandInAnswer => {
  const [accessToken, refreshToken] = [madeId(state, "access"), madeId(state, "refresh")]
  state.accessTokens.set(accessToken, locationId)
  state.refreshTokens.set(refreshToken, locationId)
  return {
    status: 200,
    json: {
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: 86_399,
      refresh_token: refreshToken,
      scope: "contacts.readonly contacts.write",
      userType: "Location",
      locationId,
      companyId: "company-1",
      userId: "user-1"
    }
  }
}

/** `POST /oauth/token`. A code and a refresh token are good for one use. */
export const trade = (state: StandInState, { headers, text }: SeenRequest): StandInAnswer => {
  if (headers["content-type"] !== "application/x-www-form-urlencoded") return problem(422, ["form expected"])
  const form = new URLSearchParams(text)
  if (form.get("client_id") !== state.clientId || form.get("client_secret") !== state.clientSecret)
    return oauthProblem(401, "invalid_client", "Invalid client credentials")
  const held = form.get("grant_type") === "refresh_token" ? state.refreshTokens : state.codes
  const secret = form.get(held === state.codes ? "code" : "refresh_token") ?? ""
  const locationId = held.get(secret)
  if (locationId === undefined) return oauthProblem(400, "invalid_grant", "Invalid grant: token is invalid")
  held.delete(secret)
  return granted(state, locationId)
}

import { type CrmFailure, CrmRefused, CrmSignedOut } from "@leadloom/core/domain/crm/CrmFailure"
import type { CrmGrant, GrantLevel } from "@leadloom/core/domain/crm/CrmGrant"
import type { CrmShape } from "@leadloom/core/port/repository/crm/CrmShape"
import { Effect, Redacted, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { maybe } from "../http/Lenient.ts"
import type { HighLevelConfig } from "./HighLevelConfig.ts"
import { sendRequest } from "./HighLevelHttp.ts"

export const TokenJson = Schema.Struct({
  access_token: Schema.String,
  refresh_token: maybe(Schema.String),
  expires_in: maybe(Schema.Number),
  scope: maybe(Schema.String),
  locationId: maybe(Schema.String),
  companyId: maybe(Schema.String)
})

/** The default token lifetime in seconds: one day, as documented. */
const defaultLifetimeSeconds = 86_399

/** Converts a token response to a grant. */
export const grantOf = (json: typeof TokenJson.Type): CrmGrant => ({
  locationId: json.locationId || null,
  companyId: json.companyId || null,
  accessToken: Redacted.make(json.access_token, { label: "access token of the CRM" }),
  refreshToken: json.refresh_token ? Redacted.make(json.refresh_token, { label: "refresh token of the CRM" }) : null,
  expiresIn: json.expires_in ?? defaultLifetimeSeconds,
  scopes: (json.scope ?? "").split(" ").filter((scope) => scope !== "")
})

/**
 * Maps a failed token exchange. Wrong credentials of this server need the operator's attention; they must not sign the
 * location out.
 */
const exchangeFailed = (failure: CrmFailure): CrmFailure => {
  if (failure._tag !== "CrmSignedOut" && failure._tag !== "CrmRefused" && failure._tag !== "CrmGone") return failure
  const reason = failure._tag === "CrmGone" ? "the CRM does not know this token" : failure.reason
  const ours = /client/iu.test(reason) || (failure._tag === "CrmSignedOut" && !/grant|token|code/iu.test(reason))
  return ours ? new CrmRefused({ reason }) : new CrmSignedOut({ reason })
}

/** Exchanges authorization codes and refresh tokens for access tokens. */
export const tokenExchange = (
  http: HttpClient.HttpClient,
  config: HighLevelConfig
): Pick<CrmShape, "exchangeCode" | "refresh"> => {
  const trade = (level: GrantLevel, form: Readonly<Record<string, string>>) =>
    sendRequest(
      http,
      config,
      {
        method: "POST",
        steps: ["oauth", "token"],
        what: "token",
        form: {
          client_id: config.clientId,
          client_secret: Redacted.value(config.clientSecret),
          user_type: level === "agency" ? "Company" : "Location",
          redirect_uri: config.redirectUri,
          ...form
        },
        token: null,
        version: null
      },
      TokenJson
    ).pipe(Effect.map(grantOf), Effect.mapError(exchangeFailed))
  return {
    exchangeCode: (code, level) =>
      trade(level, { grant_type: "authorization_code", code }).pipe(
        Effect.catchTag("CrmSignedOut", ({ reason }) => Effect.fail(new CrmRefused({ reason })))
      ),
    refresh: (refreshToken, level) =>
      trade(level, { grant_type: "refresh_token", refresh_token: Redacted.value(refreshToken) })
  }
}

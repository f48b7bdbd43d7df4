import type { CrmGrant, GrantLevel } from "@leadloom/core/internal/domain/crm/CrmGrant"
import { type ProviderFailure, refused, signedOut } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import type { CrmShape } from "@leadloom/core/internal/port/repository/crm/CrmShape"
import { Effect, Redacted, Schema } from "effect"
import { maybe } from "../provider/Lenient.ts"
import type { HighLevelConfig } from "./HighLevelConfig.ts"
import type { Provider } from "../provider/Provider.ts"
import { request } from "../provider/ProviderClient.ts"

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
 * Maps a failed token exchange. If HighLevel rejects the credentials of this server, the operator must correct them, so
 * the location does not count as signed out.
 */
const exchangeFailed = (failure: ProviderFailure): ProviderFailure => {
  const { _tag } = failure.reason
  if (_tag !== "SignedOut" && _tag !== "Refused" && _tag !== "Gone") return failure
  const words = _tag === "Gone" ? "the CRM does not know this token" : failure.message
  const ours = /client/iu.test(words) || (_tag === "SignedOut" && !/grant|token|code/iu.test(words))
  return ours ? refused("crm", words) : signedOut("crm", words)
}

/** Exchanges authorization codes and refresh tokens for access tokens. */
export const tokenExchange = (
  provider: Provider,
  { clientId, clientSecret, redirectUri }: HighLevelConfig
): Pick<CrmShape, "exchangeCode" | "refresh"> => {
  const trade = (level: GrantLevel, secret: string, fields: Readonly<Record<string, string>>) =>
    request(
      provider,
      {
        method: "POST",
        path: ["oauth", "token"],
        what: "token",
        form: new URLSearchParams({
          client_id: clientId,
          client_secret: Redacted.value(clientSecret),
          user_type: level === "agency" ? "Company" : "Location",
          redirect_uri: redirectUri,
          ...fields
        }),
        headers: { accept: "application/json" },
        token: null,
        secrets: [secret]
      },
      TokenJson
    ).pipe(Effect.map(grantOf), Effect.mapError(exchangeFailed))
  return {
    exchangeCode: (code, level) =>
      trade(level, code, { grant_type: "authorization_code", code }).pipe(
        Effect.catchReason("ProviderFailure", "SignedOut", ({ detail }) => Effect.fail(refused("crm", detail)))
      ),
    refresh: (refreshToken, level) => {
      const token = Redacted.value(refreshToken)
      return trade(level, token, { grant_type: "refresh_token", refresh_token: token })
    }
  }
}

// Verification of ID tokens of an OpenID provider. Roles and permissions are in `core/domain/access`. Tests:
// `packages/connectors/test/oidc`.
import { IdTokens } from "@leadloom/core/internal/port/provider/IdTokens"
import { Clock, Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../provider/Fetch.ts"
import { fetchKeys } from "./FetchKeys.ts"
import { maxTokenLength, type OidcConfig } from "./OidcConfig.ts"
import { makeSigningKeys } from "./SigningKeys.ts"
import { makeVerifiedTokens } from "./VerifiedTokens.ts"
import { verifyToken } from "./VerifyToken.ts"

/** Verifies ID tokens of one OpenID provider, over the given `HttpClient`. */
export const layerNoDeps = (config: OidcConfig): Layer.Layer<IdTokens, never, HttpClient.HttpClient> =>
  Layer.effect(
    IdTokens,
    Effect.map(HttpClient.HttpClient, (http) => {
      const findKey = makeSigningKeys(fetchKeys(http, config))
      const verified = makeVerifiedTokens()
      return IdTokens.of({
        verify: Effect.fnUntraced(function* (token) {
          const now = yield* Clock.currentTimeMillis
          const known = token.length > maxTokenLength ? null : verified.find(token, now)
          if (known !== null) return known
          const fresh = yield* verifyToken(token, findKey, config)
          verified.remember(token, fresh, now)
          return fresh.identity
        })
      })
    })
  )

/** Verifies ID tokens of one OpenID provider. */
export const layer = (config: OidcConfig): Layer.Layer<IdTokens> => Layer.provide(layerNoDeps(config), layerFetch)

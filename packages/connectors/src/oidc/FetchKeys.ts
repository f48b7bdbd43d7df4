import { Effect } from "effect"
import type { HttpClient } from "effect/http"
import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from "jose"
import { away, discover, fetchObject, type IssuerDocument, type IssuerUnavailable, withinTimeout } from "./Discovery.ts"
import type { OidcConfig } from "./OidcConfig.ts"

const isKeySet = (value: IssuerDocument): value is JSONWebKeySet & IssuerDocument =>
  Array.isArray(value["keys"]) && value["keys"].length > 0

const load = Effect.fnUntraced(function* (http: HttpClient.HttpClient, { issuer, jwksUri }: OidcConfig) {
  const url = jwksUri ?? (yield* (yield* discover(http, issuer))("jwks_uri"))
  const set = yield* fetchObject(http, url)
  if (!isKeySet(set)) return yield* away(`${url} contains no keys`)
  return yield* Effect.try({ try: () => createLocalJWKSet(set), catch: () => away(`${url} is not a valid key set`) })
})

/** Fetches the signing keys of the issuer. */
export const fetchKeys = (
  http: HttpClient.HttpClient,
  config: OidcConfig
): Effect.Effect<LocalJWKSet, IssuerUnavailable> => withinTimeout(config.issuer, load(http, config))

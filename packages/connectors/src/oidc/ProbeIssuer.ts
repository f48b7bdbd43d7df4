import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { createLocalJWKSet, type JWK } from "jose"
import { layerFetch } from "../http/Fetch.ts"
import { fetchKeys, type KeysUnavailable } from "./FetchKeys.ts"
import type { OidcAlgorithm, OidcConfig } from "./OidcConfig.ts"

/** What an identity provider has to check its tokens with. */
export interface IssuerSeen {
  /** Keys in its set, of whatever kind. */
  readonly keys: number
  /** The allowed signatures that some key of it can check. */
  readonly algorithms: ReadonlyArray<OidcAlgorithm>
  /** Allowed signatures that several keys without a name (`kid`) can check: which of them is meant cannot be told. */
  readonly ambiguous: ReadonlyArray<OidcAlgorithm>
}

/** Shortest modulus that RS256 and PS256 are checked with (RFC 7518 section 3.3), bits. */
const minModulusBits = 2_048

/** Whether a key can check such a signature, as `jose` will say when a token comes. */
const canCheck = async (jwk: JWK, alg: OidcAlgorithm): Promise<boolean> => {
  try {
    const { algorithm } = await createLocalJWKSet({ keys: [jwk] })({ alg })
    return !("modulusLength" in algorithm) || Number(algorithm.modulusLength) >= minModulusBits
  } catch {
    return false
  }
}

const see = async (keys: ReadonlyArray<JWK>, allowed: ReadonlyArray<OidcAlgorithm>): Promise<IssuerSeen> => {
  const usable = await Promise.all(
    allowed.map(async (alg) => {
      const can = await Promise.all(keys.map((jwk) => canCheck(jwk, alg)))
      return { alg, keys: keys.filter((_, index) => can[index] === true) }
    })
  )
  const nameless = (jwk: JWK): boolean => jwk.kid === undefined
  return {
    keys: keys.length,
    algorithms: usable.filter((each) => each.keys.length > 0).map(({ alg }) => alg),
    ambiguous: usable.filter((each) => each.keys.length > 1 && each.keys.some(nameless)).map(({ alg }) => alg)
  }
}

/** Asks an identity provider for its keys, as the first token would make a server do it. Changes nothing. */
export const probeIssuer = (config: OidcConfig): Effect.Effect<IssuerSeen, KeysUnavailable> =>
  Effect.flatMap(HttpClient.HttpClient, (http) => fetchKeys(http, config)).pipe(
    Effect.flatMap((find) => Effect.promise(() => see(find.jwks().keys, config.algorithms))),
    Effect.provide(layerFetch)
  )

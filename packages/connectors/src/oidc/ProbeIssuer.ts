import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { createLocalJWKSet, type JWK } from "jose"
import { layerFetch } from "../provider/Fetch.ts"
import type { IssuerUnavailable } from "./Discovery.ts"
import { fetchKeys } from "./FetchKeys.ts"
import type { OidcAlgorithm, OidcConfig } from "./OidcConfig.ts"

/** The keys of an identity provider, as found by the doctor. */
export interface IssuerSeen {
  /** The number of keys of any kind. */
  readonly keys: number
  /** The accepted algorithms that at least one key supports. */
  readonly algorithms: ReadonlyArray<OidcAlgorithm>
  /**
   * The accepted algorithms that several keys support, at least one of them without a `kid`. The key of a token with
   * such an algorithm may be ambiguous.
   */
  readonly ambiguous: ReadonlyArray<OidcAlgorithm>
}

/** The minimum modulus length for RS256 and PS256 in bits (RFC 7518 section 3.3). */
const minModulusBits = 2_048

/** Returns whether `jose` would accept a key for an algorithm. */
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

/** Fetches the keys of an identity provider in the same way as the server. Changes nothing. */
export const probeIssuer = (config: OidcConfig): Effect.Effect<IssuerSeen, IssuerUnavailable> =>
  Effect.flatMap(HttpClient.HttpClient, (http) => fetchKeys(http, config)).pipe(
    Effect.flatMap((find) => Effect.promise(() => see(find.jwks().keys, config.algorithms))),
    Effect.provide(layerFetch)
  )

import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { layerFetch } from "../provider/Fetch.ts"
import { discover, type IssuerUnavailable, withinTimeout } from "./Discovery.ts"

/** The URLs at which a browser signs a person in. */
export interface SignInEndpoints {
  readonly authorization: string
  readonly token: string
}

const find = Effect.fnUntraced(function* (issuer: string) {
  const urlOf = yield* discover(yield* HttpClient.HttpClient, issuer)
  return { authorization: yield* urlOf("authorization_endpoint"), token: yield* urlOf("token_endpoint") }
})

/** Reads the endpoints of the authorization code flow from the discovery document of the issuer. */
export const findEndpoints = (issuer: string): Effect.Effect<SignInEndpoints, IssuerUnavailable> =>
  withinTimeout(issuer, Effect.provide(find(issuer), layerFetch))

import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"
import { Effect } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { createLocalJWKSet, type JSONWebKeySet, type LocalJWKSet } from "jose"
import { boundedBody } from "../provider/BoundedBody.ts"
import { wasSent } from "../provider/WasSent.ts"
import type { OidcConfig } from "./OidcConfig.ts"

/** The issuer's keys are unavailable. The reason contains configured URLs and no secrets. */
export class KeysUnavailable extends TaggedError("KeysUnavailable")<{ readonly reason: string }> {}

/** The maximum response size in bytes. Key sets with certificates have about 30 KB. */
const maxAnswerBytes = 262_144

/** The timeout for discovery document and keys together. */
const timeout = "5 seconds"

const away = (reason: string) => new KeysUnavailable({ reason })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parse = (url: string, body: Uint8Array) =>
  Effect.try({
    try: (): unknown => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)),
    catch: () => away(`${url} is not JSON`)
  }).pipe(
    Effect.flatMap((value) =>
      isObject(value) ? Effect.succeed(value) : Effect.fail(away(`${url} is not a JSON object`))
    )
  )

const fetchObject = Effect.fnUntraced(function* (http: HttpClient.HttpClient, url: string) {
  const { body, status } = yield* http.execute(HttpClientRequest.get(url)).pipe(
    Effect.flatMap((response) =>
      Effect.map(
        boundedBody(response, maxAnswerBytes, away(`${url} is longer than ${maxAnswerBytes} bytes`)),
        (body) => ({
          status: response.status,
          body
        })
      )
    ),
    Effect.catchTag("HttpClientError", ({ reason }) => {
      const detail = reason._tag === "TransportError" ? wasSent(reason.cause).detail : "the response was incomplete"
      return Effect.fail(away(`${url} did not respond: ${detail}`))
    })
  )
  if (status !== 200) return yield* away(`${url} answers ${status}`)
  return yield* parse(url, body)
})

/** OpenID Connect Discovery 1.0 section 4.1: a trailing slash of the issuer is removed before the path is added. */
const discoveryUrl = (issuer: string): string => `${issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`

/**
 * Returns whether a URL is safe for keys: it uses https or refers to this machine. An attacker who changes the keys in
 * transit could sign any token.
 */
export const isSafeUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "") return false
  return (
    url.protocol === "https:" ||
    (url.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname))
  )
}

/** OpenID Connect Discovery 1.0 section 4.3: the issuer in the document must equal the requested one. */
const discover = Effect.fnUntraced(function* (http: HttpClient.HttpClient, issuer: string) {
  const url = discoveryUrl(issuer)
  const document = yield* fetchObject(http, url)
  if (document["issuer"] !== issuer) {
    const theirs = typeof document["issuer"] === "string" ? visibleLine(document["issuer"]).slice(0, 200) : "no issuer"
    return yield* away(`${url} is the discovery document of ${theirs}, not of ${issuer}`)
  }
  const jwksUri = document["jwks_uri"]
  if (typeof jwksUri !== "string" || !isSafeUrl(jwksUri))
    return yield* away(`${url} contains no jwks_uri that uses https`)
  return jwksUri
})

const isKeySet = (value: Readonly<Record<string, unknown>>): value is JSONWebKeySet & Record<string, unknown> =>
  Array.isArray(value["keys"]) && value["keys"].length > 0

const load = Effect.fnUntraced(function* (http: HttpClient.HttpClient, { issuer, jwksUri }: OidcConfig) {
  const url = jwksUri ?? (yield* discover(http, issuer))
  const set = yield* fetchObject(http, url)
  if (!isKeySet(set)) return yield* away(`${url} contains no keys`)
  return yield* Effect.try({ try: () => createLocalJWKSet(set), catch: () => away(`${url} is not a valid key set`) })
})

/** Fetches the signing keys of the issuer. */
export const fetchKeys = (
  http: HttpClient.HttpClient,
  config: OidcConfig
): Effect.Effect<LocalJWKSet, KeysUnavailable> =>
  load(http, config).pipe(
    Effect.timeout(timeout),
    Effect.catchTag("TimeoutError", () => Effect.fail(away(`${config.issuer} did not respond within ${timeout}`)))
  )

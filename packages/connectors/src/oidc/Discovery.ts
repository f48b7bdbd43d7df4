import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"
import { Effect } from "effect"
import { TaggedError } from "@leadloom/core/internal/domain/TaggedError"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { boundedBody } from "../provider/BoundedBody.ts"
import { wasSent } from "../provider/WasSent.ts"

/** The issuer's documents are unavailable. The reason contains configured URLs and no secrets. */
export class IssuerUnavailable extends TaggedError("IssuerUnavailable")<{ readonly reason: string }> {}

/** The maximum response size in bytes. Key sets with certificates have about 30 KB. */
const maxAnswerBytes = 262_144

/** The timeout for discovery document and keys together. */
const timeout = "5 seconds"

/** Returns the error for an issuer that gives no usable answer. */
export const away = (reason: string): IssuerUnavailable => new IssuerUnavailable({ reason })

/** A JSON object of the issuer. */
export type IssuerDocument = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is IssuerDocument =>
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

/** Fetches a JSON object of the issuer. */
export const fetchObject = Effect.fnUntraced(function* (http: HttpClient.HttpClient, url: string) {
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
 * Returns whether a URL is safe for keys and credentials: it uses https or refers to this machine. An attacker who
 * changes the keys in transit could sign any token.
 */
export const isSafeUrl = (text: string): boolean => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "") return false
  return (
    url.protocol === "https:" ||
    (url.protocol === "http:" && ["127.0.0.1", "[::1]", "localhost"].includes(url.hostname))
  )
}

/** Returns the URL with a name from the discovery document. */
const urlIn = (document: IssuerDocument, name: string, place: string) => {
  const found = document[name]
  return typeof found === "string" && isSafeUrl(found)
    ? Effect.succeed(found)
    : Effect.fail(away(`${place} contains no ${name} that uses https`))
}

/**
 * Fetches the discovery document and returns a function that reads its URLs. OpenID Connect Discovery 1.0 section 4.3:
 * the issuer in the document must equal the requested one.
 */
export const discover = Effect.fnUntraced(function* (http: HttpClient.HttpClient, issuer: string) {
  const url = discoveryUrl(issuer)
  const document = yield* fetchObject(http, url)
  if (document["issuer"] !== issuer) {
    const theirs = typeof document["issuer"] === "string" ? visibleLine(document["issuer"]).slice(0, 200) : "no issuer"
    return yield* away(`${url} is the discovery document of ${theirs}, not of ${issuer}`)
  }
  return (name: string) => urlIn(document, name, url)
})

/** Limits the time of requests to the issuer. */
export const withinTimeout = <A>(
  issuer: string,
  requests: Effect.Effect<A, IssuerUnavailable>
): Effect.Effect<A, IssuerUnavailable> =>
  requests.pipe(
    Effect.timeout(timeout),
    Effect.catchTag("TimeoutError", () => Effect.fail(away(`${issuer} did not respond within ${timeout}`)))
  )

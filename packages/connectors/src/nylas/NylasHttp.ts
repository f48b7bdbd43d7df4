import { Data, Effect, Option } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { endpoint, type NylasConfig } from "./NylasConfig.ts"
import { boundedBody } from "../http/BoundedBody.ts"
import { wasSent } from "../http/WasSent.ts"

/** One request to Nylas. */
export interface NylasCall {
  readonly method: "GET" | "POST" | "DELETE"
  /** The path segments below `/v3`, not yet encoded. */
  readonly steps: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Omits the API key from the header, for the one request that carries it in the body. */
  readonly keyless?: boolean
  /** The timeout of the request in milliseconds. */
  readonly timeoutMillis: number
}

/** The response, whatever its status. */
export interface NylasAnswer {
  readonly status: number
  readonly body: Uint8Array
  /** The value of `Retry-After`; null when it is missing. */
  readonly retryAfter: string | null
  /** Whether Nylas repeats its stored response to an earlier identical request. */
  readonly replayed: boolean
}

/** The maximum response size in bytes: enough for attachments of 25 MB. */
export const maxAnswerBytes = 26 * 1_048_576

/**
 * A request without a usable response.
 * - `unsent`: the request was certainly not sent.
 * - `lost`: the provider may have processed it.
 * - `oversized`: the response exceeds `maxAnswerBytes`.
 */
export class NylasRequestFailure extends Data.TaggedError("NylasRequestFailure")<{
  readonly kind: "unsent" | "lost" | "oversized"
  readonly reason: string
}> {}

const oversized = new NylasRequestFailure({
  kind: "oversized",
  reason: `the response is longer than ${maxAnswerBytes / 1_048_576} MiB`
})

const requestFailureOf = ({ reason }: HttpClientError.HttpClientError): NylasRequestFailure => {
  if (reason._tag !== "TransportError")
    return new NylasRequestFailure({ kind: "lost", reason: "the response was incomplete" })
  const { detail, sent } = wasSent(reason.cause)
  return sent
    ? new NylasRequestFailure({ kind: "lost", reason: `the connection was lost (${detail})` })
    : new NylasRequestFailure({ kind: "unsent", reason: `the provider cannot be reached (${detail})` })
}

const requestOf = (config: NylasConfig, url: string, call: NylasCall): HttpClientRequest.HttpClientRequest => {
  const request = HttpClientRequest.make(call.method)(url).pipe(
    HttpClientRequest.setUrlParams(call.query ?? {}),
    HttpClientRequest.setHeaders(call.headers ?? {}),
    (each) => (call.keyless === true ? each : HttpClientRequest.bearerToken(each, config.apiKey))
  )
  return call.body === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, call.body)
}

const notFound: NylasAnswer = { status: 404, body: new Uint8Array(), retryAfter: null, replayed: false }

/** Sends one request without retries. URL and failures contain no key. */
export const sendOnce = (
  http: HttpClient.HttpClient,
  config: NylasConfig,
  call: NylasCall
): Effect.Effect<NylasAnswer, NylasRequestFailure> => {
  const url = endpoint(config, call.steps)
  if (url === null) return Effect.succeed(notFound)
  return http.execute(requestOf(config, url, call)).pipe(
    Effect.flatMap((response) =>
      Effect.map(boundedBody(response, maxAnswerBytes, oversized), (body): NylasAnswer => ({
        status: response.status,
        body,
        retryAfter: response.headers["retry-after"] ?? null,
        replayed: response.headers["idempotent-response"]?.toLowerCase() === "true"
      }))
    ),
    Effect.catchTag("HttpClientError", (error) => Effect.fail(requestFailureOf(error))),
    Effect.timeoutOption(call.timeoutMillis),
    Effect.flatMap(
      Option.match({
        onSome: Effect.succeed,
        onNone: () =>
          Effect.fail(new NylasRequestFailure({ kind: "lost", reason: "the provider did not respond in time" }))
      })
    )
  )
}

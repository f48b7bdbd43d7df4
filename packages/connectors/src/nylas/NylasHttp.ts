import { Data, Effect, Option } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { endpoint, type NylasConfig } from "./NylasConfig.ts"
import { boundedBody } from "../http/BoundedBody.ts"
import { wasSent } from "../http/WasSent.ts"

/** One request. */
export interface NylasCall {
  readonly method: "GET" | "POST" | "DELETE"
  /** Steps of the path below `/v3`, not encoded. */
  readonly steps: ReadonlyArray<string>
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** The one request that is not signed with the key, because it holds it. */
  readonly keyless?: boolean
  /** How long it may take altogether, milliseconds. */
  readonly timeoutMillis: number
}

/** What came back, whatever it says. */
export interface NylasAnswer {
  readonly status: number
  readonly body: Uint8Array
  /** It was asked to wait so long, in its own words; null when it was not. */
  readonly retryAfter: string | null
  /** It has answered the same request before and says the same again. */
  readonly replayed: boolean
}

/** Most bytes read of one answer: attachments of 25 MB come whole. */
export const maxAnswerBytes = 26 * 1_048_576

/**
 * No answer. `unsent`: certainly nothing was asked. `lost`: it may have been asked and done. `oversized`: there is an
 * answer, which is longer than `maxAnswerBytes`.
 */
export class NylasRequestFailure extends Data.TaggedError("NylasRequestFailure")<{
  readonly kind: "unsent" | "lost" | "oversized"
  readonly reason: string
}> {}

const oversized = new NylasRequestFailure({
  kind: "oversized",
  reason: `the answer is longer than ${maxAnswerBytes / 1_048_576} MiB`
})

const requestFailureOf = ({ reason }: HttpClientError.HttpClientError): NylasRequestFailure => {
  if (reason._tag !== "TransportError") return new NylasRequestFailure({ kind: "lost", reason: "the answer broke off" })
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

/** Makes one request, once. Neither the address nor a failure holds the key. */
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
        onNone: () => Effect.fail(new NylasRequestFailure({ kind: "lost", reason: "the provider took too long" }))
      })
    )
  )
}

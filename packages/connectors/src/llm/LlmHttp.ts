import { Data, Effect, Option } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { boundedBody } from "../http/BoundedBody.ts"
import { wasSent } from "../http/WasSent.ts"
import type { LlmConfig } from "./LlmConfig.ts"

/** One request to a server. */
export interface LlmCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON by POST; absent for a GET. */
  readonly body?: unknown
}

/** The response, whatever its status. */
export interface LlmAnswer {
  readonly status: number
  /** Null when the body is not JSON. */
  readonly json: unknown
  /** The header fields, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The maximum response size in bytes; valid responses have a few kilobytes. */
export const maxAnswerBytes = 1_048_576

/**
 * A request without a response.
 * - `unsent`: the request was certainly not sent.
 * - `lost`: the server may have processed and charged it.
 * - `late`: the timeout expired.
 * - `oversized`: the response exceeds `maxAnswerBytes`.
 */
export class LlmRequestFailure extends Data.TaggedError("LlmRequestFailure")<{
  readonly kind: "unsent" | "lost" | "late" | "oversized"
  readonly reason: string
}> {}

const oversized = new LlmRequestFailure({
  kind: "oversized",
  reason: "the response exceeds the size limit"
})

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const requestFailureOf = ({ reason }: HttpClientError.HttpClientError): LlmRequestFailure => {
  if (reason._tag !== "TransportError")
    return new LlmRequestFailure({ kind: "lost", reason: "the response was incomplete" })
  const { detail, sent } = wasSent(reason.cause)
  return sent
    ? new LlmRequestFailure({ kind: "lost", reason: `the connection was lost (${detail})` })
    : new LlmRequestFailure({ kind: "unsent", reason: `it cannot be reached (${detail})` })
}

const requestOf = ({ body, headers, url }: LlmCall): HttpClientRequest.HttpClientRequest =>
  (body === undefined
    ? HttpClientRequest.get(url)
    : HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(url), body)
  ).pipe(HttpClientRequest.setHeaders({ accept: "application/json", ...headers }))

/** Sends one request without retries. URL and failures contain no key. */
export const sendOnce = (
  http: HttpClient.HttpClient,
  config: LlmConfig,
  call: LlmCall
): Effect.Effect<LlmAnswer, LlmRequestFailure> =>
  http.execute(requestOf(call)).pipe(
    Effect.flatMap((response) =>
      Effect.map(boundedBody(response, maxAnswerBytes, oversized), (body): LlmAnswer => ({
        status: response.status,
        json: jsonOf(new TextDecoder().decode(body)),
        headers: response.headers
      }))
    ),
    Effect.catchTag("HttpClientError", (error) => Effect.fail(requestFailureOf(error))),
    Effect.timeoutOption(config.timeoutMillis),
    Effect.flatMap(
      Option.match({
        onSome: Effect.succeed,
        onNone: () =>
          Effect.fail(
            new LlmRequestFailure({
              kind: "late",
              reason: `it did not respond within ${config.timeoutMillis / 1_000} s`
            })
          )
      })
    )
  )

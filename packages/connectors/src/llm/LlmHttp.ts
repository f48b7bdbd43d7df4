import { Data, Effect, Option } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { boundedBody } from "../http/BoundedBody.ts"
import { wasSent } from "../http/WasSent.ts"
import type { LlmConfig } from "./LlmConfig.ts"

/** One request. */
export interface LlmCall {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON by POST; absent: a GET. */
  readonly body?: unknown
}

/** What came back, whatever it says. */
export interface LlmAnswer {
  readonly status: number
  /** Null: it is no JSON. */
  readonly json: unknown
  /** Header fields in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** Most bytes read of one answer: what is asked for has a few kilobytes. */
export const maxAnswerBytes = 1_048_576

/**
 * No answer. `unsent`: certainly nothing was asked. `lost`: it may have been asked, and paid for. `late`: it took too long.
 * `oversized`: the answer is longer than `maxAnswerBytes`.
 */
export class LlmRequestFailure extends Data.TaggedError("LlmRequestFailure")<{
  readonly kind: "unsent" | "lost" | "late" | "oversized"
  readonly reason: string
}> {}

const oversized = new LlmRequestFailure({
  kind: "oversized",
  reason: "the answer is longer than any that was asked for"
})

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const requestFailureOf = ({ reason }: HttpClientError.HttpClientError): LlmRequestFailure => {
  if (reason._tag !== "TransportError") return new LlmRequestFailure({ kind: "lost", reason: "the answer broke off" })
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

/** Makes one request, once. The address holds no key, and no failure does. */
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
              reason: `it did not answer within ${config.timeoutMillis / 1_000} s`
            })
          )
      })
    )
  )

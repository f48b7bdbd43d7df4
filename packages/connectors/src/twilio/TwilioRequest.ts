import { retryAfterMillis } from "@leadloom/core/domain/time/Retry"
import { Clock, Data, Effect, Option, Redacted, Schema } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { boundedBody } from "../http/BoundedBody.ts"
import { maybe } from "../http/Lenient.ts"
import { wasSent } from "../http/WasSent.ts"
import { redactSecrets } from "../http/RedactSecrets.ts"
import type { TwilioConfig } from "./TwilioConfig.ts"

/** One request to Twilio. */
export interface TwilioCall {
  readonly method: "GET" | "POST" | "DELETE"
  /** An absolute URL, from `endpoint` or from a response of Twilio. */
  readonly url: string
  /** Sent as a form. A repeated name represents a list. */
  readonly form?: ReadonlyArray<readonly [name: string, value: string]>
  readonly query?: Readonly<Record<string, string>>
  /** The timeout of the request in milliseconds. */
  readonly timeoutMillis: number
  /** The maximum response size in bytes. Default: 1 MiB. */
  readonly maxBytes?: number
}

/** A permanent refusal. The same request would fail again. */
export class TwilioRefused extends Data.TaggedError("TwilioRefused")<{
  /** Twilio's error code (https://www.twilio.com/docs/api/errors), for example 21610; null when it is missing. */
  readonly code: number | null
  readonly status: number
  readonly reason: string
}> {}

/** The request was certainly not processed and can be repeated. */
export class TwilioUnavailable extends Data.TaggedError("TwilioUnavailable")<{
  readonly reason: string
  /** The wait in milliseconds that Twilio requests; null when it requests none. */
  readonly retryAfterMillis: number | null
}> {}

/** The request was sent, but its outcome is unknown. */
export class TwilioOutcomeUnknown extends Data.TaggedError("TwilioOutcomeUnknown")<{ readonly reason: string }> {}

export type TwilioFailure = TwilioRefused | TwilioUnavailable | TwilioOutcomeUnknown

/** A 2xx response. */
export interface TwilioAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly body: Uint8Array
}

const defaultMaxBytes = 1_048_576

const Complaint = Schema.Struct({ code: maybe(Schema.Finite), message: maybe(Schema.String) })

/** Parses a body as JSON; null when it is not JSON. */
export const jsonOf = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
}

const credentialsOf = ({ accountSid, apiKey, authToken }: TwilioConfig) =>
  apiKey === null ? { user: accountSid, password: authToken } : { user: apiKey.sid, password: apiKey.secret }

/** Returns the secrets to redact in responses, including the encoded `Authorization` header. */
const secretsOf = (config: TwilioConfig): ReadonlyArray<string> => {
  const { password, user } = credentialsOf(config)
  return [Redacted.value(config.authToken), Redacted.value(password), `${user}:${Redacted.value(password)}`]
}

/** Builds the HTTP request. */
export const requestOf = (config: TwilioConfig, call: TwilioCall): HttpClientRequest.HttpClientRequest => {
  const { password, user } = credentialsOf(config)
  const request = HttpClientRequest.make(call.method)(call.url).pipe(
    HttpClientRequest.setUrlParams(call.query ?? {}),
    HttpClientRequest.basicAuth(user, password)
  )
  if (call.form === undefined) return request
  const form = new URLSearchParams(call.form.map(([name, value]): [string, string] => [name, value]))
  return HttpClientRequest.bodyText(request, form.toString(), "application/x-www-form-urlencoded")
}

const requestFailureOf = ({ reason }: HttpClientError.HttpClientError): TwilioUnavailable | TwilioOutcomeUnknown => {
  if (reason._tag !== "TransportError") return new TwilioOutcomeUnknown({ reason: "the response was incomplete" })
  const { detail, sent } = wasSent(reason.cause)
  return sent
    ? new TwilioOutcomeUnknown({ reason: `the connection was lost (${detail})` })
    : new TwilioUnavailable({ reason: `Twilio cannot be reached (${detail})`, retryAfterMillis: null })
}

/** Returns whether a status concerns the account (wrong credentials, closed, rate limit) instead of the request. */
const isOfTheAccount = (status: number): boolean => status === 401 || status === 403 || status === 429 || status === 503

const failureOf = (config: TwilioConfig, { body, status }: TwilioAnswer, wait: number | null): TwilioFailure => {
  const said = Option.getOrNull(Schema.decodeUnknownOption(Complaint)(jsonOf(body)))
  const [code, words] = [said?.code ?? null, said?.message?.trim() ?? ""]
  const named = code === null ? `status ${status}` : `${code}`
  const reason = redactSecrets(secretsOf(config), words === "" ? named : `${named}: ${words}`).slice(0, 500)
  if (isOfTheAccount(status)) return new TwilioUnavailable({ reason, retryAfterMillis: wait })
  // A gateway that failed may have forwarded the request.
  return status >= 500 ? new TwilioOutcomeUnknown({ reason }) : new TwilioRefused({ code, status, reason })
}

/** Sends one request without retries and fails unless the response is 2xx. Failures contain no secrets. */
export const sendRequest = (
  http: HttpClient.HttpClient,
  config: TwilioConfig,
  call: TwilioCall
): Effect.Effect<TwilioAnswer, TwilioFailure> =>
  http.execute(requestOf(config, call)).pipe(
    Effect.flatMap((response) =>
      Effect.map(
        boundedBody(
          response,
          call.maxBytes ?? defaultMaxBytes,
          new TwilioOutcomeUnknown({ reason: "the response is too long" })
        ),
        (body) => ({
          answer: { status: response.status, contentType: response.headers["content-type"] ?? null, body },
          retryAfter: response.headers["retry-after"] ?? null
        })
      )
    ),
    Effect.catchTag("HttpClientError", (error) => Effect.fail(requestFailureOf(error))),
    Effect.timeoutOption(call.timeoutMillis),
    Effect.flatMap(
      Effect.fnUntraced(function* (received) {
        if (Option.isNone(received))
          return yield* new TwilioOutcomeUnknown({ reason: "Twilio did not respond in time" })
        const { answer, retryAfter } = received.value
        if (answer.status >= 200 && answer.status < 300) return answer
        const wait = retryAfterMillis(retryAfter, yield* Clock.currentTimeMillis)
        return yield* Effect.fail(failureOf(config, answer, wait))
      })
    )
  )

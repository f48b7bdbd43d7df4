import { retryAfterMillis } from "@leadloom/core/domain/time/Retry"
import { Clock, Data, Effect, Option, Redacted, Schema } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { boundedBody } from "../http/BoundedBody.ts"
import { maybe } from "../http/Lenient.ts"
import { wasSent } from "../http/WasSent.ts"
import { redactSecrets } from "../http/RedactSecrets.ts"
import type { TwilioConfig } from "./TwilioConfig.ts"

/** One request. */
export interface TwilioCall {
  readonly method: "GET" | "POST" | "DELETE"
  /** Absolute, from `endpoint` or from what Twilio told. */
  readonly url: string
  /** Sent as a form; a name may come more than once, as lists do here. */
  readonly form?: ReadonlyArray<readonly [name: string, value: string]>
  readonly query?: Readonly<Record<string, string>>
  /** How long it may take altogether, milliseconds. */
  readonly timeoutMillis: number
  /** Most bytes read of the answer; usually 1 MiB. */
  readonly maxBytes?: number
}

/** Refused for good: the same request will be refused again. */
export class TwilioRefused extends Data.TaggedError("TwilioRefused")<{
  /** Twilio's number for it (https://www.twilio.com/docs/api/errors), for example 21610; null when it says none. */
  readonly code: number | null
  readonly status: number
  readonly reason: string
}> {}

/** Certainly not done, and may be asked again. */
export class TwilioUnavailable extends Data.TaggedError("TwilioUnavailable")<{
  readonly reason: string
  /** How long it asked us to wait, milliseconds; null: it did not. */
  readonly retryAfterMillis: number | null
}> {}

/** The request went and no answer came that says what became of it: it may have been done. */
export class TwilioOutcomeUnknown extends Data.TaggedError("TwilioOutcomeUnknown")<{ readonly reason: string }> {}

export type TwilioFailure = TwilioRefused | TwilioUnavailable | TwilioOutcomeUnknown

/** What was answered when it was done. */
export interface TwilioAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly body: Uint8Array
}

const defaultMaxBytes = 1_048_576

const Complaint = Schema.Struct({ code: maybe(Schema.Finite), message: maybe(Schema.String) })

/** The JSON in a body; null when it is none. */
export const jsonOf = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
}

const credentialsOf = ({ accountSid, apiKey, authToken }: TwilioConfig) =>
  apiKey === null ? { user: accountSid, password: authToken } : { user: apiKey.sid, password: apiKey.secret }

/** What nobody is to read in an answer: the secrets, and the one that was shown as the header says it. */
const secretsOf = (config: TwilioConfig): ReadonlyArray<string> => {
  const { password, user } = credentialsOf(config)
  return [Redacted.value(config.authToken), Redacted.value(password), `${user}:${Redacted.value(password)}`]
}

/** The request as it goes. */
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
  if (reason._tag !== "TransportError") return new TwilioOutcomeUnknown({ reason: "the answer broke off" })
  const { detail, sent } = wasSent(reason.cause)
  return sent
    ? new TwilioOutcomeUnknown({ reason: `the connection was lost (${detail})` })
    : new TwilioUnavailable({ reason: `Twilio cannot be reached (${detail})`, retryAfterMillis: null })
}

/** Our credentials are wrong, or the account is closed or busy: that says nothing about the request. */
const isOfTheAccount = (status: number): boolean => status === 401 || status === 403 || status === 429 || status === 503

const failureOf = (config: TwilioConfig, { body, status }: TwilioAnswer, wait: number | null): TwilioFailure => {
  const said = Option.getOrNull(Schema.decodeUnknownOption(Complaint)(jsonOf(body)))
  const [code, words] = [said?.code ?? null, said?.message?.trim() ?? ""]
  const named = code === null ? `status ${status}` : `${code}`
  const reason = redactSecrets(secretsOf(config), words === "" ? named : `${named}: ${words}`).slice(0, 500)
  if (isOfTheAccount(status)) return new TwilioUnavailable({ reason, retryAfterMillis: wait })
  // A gateway that gave up may have handed it on.
  return status >= 500 ? new TwilioOutcomeUnknown({ reason }) : new TwilioRefused({ code, status, reason })
}

/** Asks once, and takes only yes for an answer. No failure holds a secret. */
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
          new TwilioOutcomeUnknown({ reason: "the answer is too long" })
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
        if (Option.isNone(received)) return yield* new TwilioOutcomeUnknown({ reason: "Twilio took too long" })
        const { answer, retryAfter } = received.value
        if (answer.status >= 200 && answer.status < 300) return answer
        const wait = retryAfterMillis(retryAfter, yield* Clock.currentTimeMillis)
        return yield* Effect.fail(failureOf(config, answer, wait))
      })
    )
  )

import {
  type CrmFailure,
  CrmGone,
  CrmOutcomeUnknown,
  CrmRefused,
  CrmSignedOut,
  CrmUnavailable
} from "@leadloom/core/domain/crm/CrmFailure"
import type { CrmAccess } from "@leadloom/core/domain/crm/CrmGrant"
import { visibleLine } from "@leadloom/core/domain/email/VisibleText"
import { Data, Effect, Option, Redacted, Schema } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { boundedBody } from "../http/BoundedBody.ts"
import { maybe } from "../http/Lenient.ts"
import { wasSent } from "../http/WasSent.ts"
import { redactSecrets } from "../http/RedactSecrets.ts"
import { endpoint, type HighLevelConfig } from "./HighLevelConfig.ts"

/** One request to HighLevel. */
export interface HighLevelCall {
  readonly method: "GET" | "POST" | "PUT" | "DELETE"
  /** The path segments, not yet encoded. */
  readonly steps: ReadonlyArray<string>
  /** The requested object, named in error messages. */
  readonly what: string
  readonly query?: Readonly<Record<string, string>>
  readonly json?: unknown
  /** A form body instead of JSON; may contain secrets. */
  readonly form?: Readonly<Record<string, string>>
  /** Null for a request that carries its own token in the form. */
  readonly token: Redacted.Redacted | null
  /** The `Version` header; null for none. */
  readonly version: string | null
  /** Receives the remaining requests of the day when a response contains them. */
  readonly onLeft?: (left: number) => Effect.Effect<void>
}

/** Sends a request about a location, subject to the rate limit of the location. */
export type RequestContacts = <S extends Schema.Decoder<unknown>>(
  access: CrmAccess,
  call: Omit<HighLevelCall, "token" | "version" | "onLeft">,
  schema: S
) => Effect.Effect<S["Type"], CrmFailure>

interface Answer {
  readonly status: number
  readonly body: unknown
  readonly intervalMillis: number | null
  readonly leftToday: number | null
}

/** The timeout of a request in milliseconds; shorter than the lease of `withAccess`. */
const timeoutMillis = 20_000

/** The maximum response size in bytes: enough for a contact with all its fields. */
const maxAnswerBytes = 2 * 1_048_576

/** The wait after a 429 without `Retry-After`, in milliseconds: the interval of HighLevel's rate limit. */
const defaultRetryMillis = 10_000

class HighLevelRequestFailure extends Data.TaggedError("HighLevelRequestFailure")<{
  readonly sent: boolean
  readonly reason: string
}> {}

const requestFailureOf = ({ reason }: HttpClientError.HttpClientError): HighLevelRequestFailure => {
  if (reason._tag !== "TransportError")
    return new HighLevelRequestFailure({ sent: true, reason: "the response was incomplete" })
  const { detail, sent } = wasSent(reason.cause)
  const words = sent ? "the connection was lost" : "the CRM cannot be reached"
  return new HighLevelRequestFailure({ sent, reason: `${words} (${detail})` })
}

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
}

const numberOf = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,7}$/u.test(header) ? Number(header) : null

const requestOf = (url: string, call: HighLevelCall): HttpClientRequest.HttpClientRequest => {
  const request = HttpClientRequest.make(call.method)(url).pipe(
    HttpClientRequest.setUrlParams(call.query ?? {}),
    HttpClientRequest.acceptJson,
    (each) => (call.token === null ? each : HttpClientRequest.bearerToken(each, call.token)),
    (each) => (call.version === null ? each : HttpClientRequest.setHeader(each, "version", call.version)),
    (each) => (call.form === undefined ? each : HttpClientRequest.bodyUrlParams(each, call.form))
  )
  return call.json === undefined ? request : HttpClientRequest.bodyJsonUnsafe(request, call.json)
}

const sendOnce = (
  http: HttpClient.HttpClient,
  url: string,
  call: HighLevelCall
): Effect.Effect<Answer, HighLevelRequestFailure> =>
  http.execute(requestOf(url, call)).pipe(
    Effect.flatMap((response) =>
      Effect.map(
        boundedBody(
          response,
          maxAnswerBytes,
          new HighLevelRequestFailure({ sent: true, reason: "the response is too long" })
        ),
        (body): Answer => ({
          status: response.status,
          body: parsed(body),
          intervalMillis: numberOf(response.headers["x-ratelimit-interval-milliseconds"]),
          leftToday: numberOf(response.headers["x-ratelimit-daily-remaining"])
        })
      )
    ),
    Effect.catchTag("HttpClientError", (error) => Effect.fail(requestFailureOf(error))),
    Effect.timeoutOption(timeoutMillis),
    Effect.flatMap(
      Option.match({
        onSome: Effect.succeed,
        onNone: () =>
          Effect.fail(new HighLevelRequestFailure({ sent: true, reason: "the CRM did not respond in time" }))
      })
    )
  )

/** Errors of the API and of OAuth (RFC 6749 section 5.2). `message` is a string or a list of strings. */
const Problem = Schema.Struct({
  message: maybe(Schema.Union([Schema.String, Schema.Array(Schema.Unknown)])),
  error: maybe(Schema.String),
  error_description: maybe(Schema.String),
  traceId: maybe(Schema.String)
})

/** Returns the error message of a response on one line, without the secrets of the request. */
const wordsOf = ({ body, status }: Answer, secrets: ReadonlyArray<string>): string => {
  const problem = Option.getOrNull(Schema.decodeUnknownOption(Problem)(body))
  const message = problem?.message ?? null
  const said = Array.isArray(message) ? message.filter((each) => typeof each === "string").join("; ") : message
  const parts = [String(status), said ?? problem?.error_description ?? "", problem?.error ?? ""]
  const trace = problem?.traceId ?? ""
  const text = [...parts, trace === "" ? "" : `(trace ${trace})`].filter((part) => part !== "").join(" ")
  return visibleLine(redactSecrets(secrets, text)).slice(0, 400)
}

const secretsOf = (config: HighLevelConfig, { form, token }: HighLevelCall): ReadonlyArray<string> => [
  Redacted.value(config.clientSecret),
  token === null ? "" : Redacted.value(token),
  form?.["code"] ?? "",
  form?.["refresh_token"] ?? ""
]

/** Maps a response other than 2xx to a failure. HighLevel also answers 400 for unknown contacts. */
const failureOf = (call: HighLevelCall, answer: Answer, reason: string): CrmFailure => {
  const { intervalMillis, status } = answer
  if (status === 401) return new CrmSignedOut({ reason })
  if (status === 404 || (status === 400 && /not\s+found/iu.test(reason))) return new CrmGone({ what: call.what })
  if (status === 429) return new CrmUnavailable({ reason, waitMillis: intervalMillis ?? defaultRetryMillis })
  if (status === 408 || status >= 500) {
    const undone = call.method === "GET" || status === 503
    return undone ? new CrmUnavailable({ reason, waitMillis: null }) : new CrmOutcomeUnknown({ reason })
  }
  return new CrmRefused({ reason })
}

const crmFailureOf = (call: HighLevelCall, { reason, sent }: HighLevelRequestFailure): CrmFailure =>
  sent && call.method !== "GET" ? new CrmOutcomeUnknown({ reason }) : new CrmUnavailable({ reason, waitMillis: null })

/** Sends one request without retries and decodes the response with a lenient schema. Failures contain no secrets. */
export const sendRequest = <S extends Schema.Decoder<unknown>>(
  http: HttpClient.HttpClient,
  config: HighLevelConfig,
  call: HighLevelCall,
  schema: S
): Effect.Effect<S["Type"], CrmFailure> => {
  const url = endpoint(config, call.steps)
  if (url === null) return Effect.fail(new CrmGone({ what: call.what }))
  return sendOnce(http, url, call).pipe(
    Effect.mapError((failure) => crmFailureOf(call, failure)),
    Effect.tap(({ leftToday }) => (leftToday === null ? Effect.void : (call.onLeft?.(leftToday) ?? Effect.void))),
    Effect.flatMap((answer) => {
      if (answer.status < 200 || answer.status > 299)
        return Effect.fail(failureOf(call, answer, wordsOf(answer, secretsOf(config, call))))
      return Option.match(Schema.decodeUnknownOption(schema)(answer.body), {
        onSome: (value) => Effect.succeed(value),
        onNone: () =>
          Effect.fail(
            crmFailureOf(
              call,
              new HighLevelRequestFailure({ sent: true, reason: "the response did not come from the CRM" })
            )
          )
      })
    })
  )
}

import { Data, Effect, Option } from "effect"
import { type HttpClient, type HttpClientError, HttpClientRequest } from "effect/http"
import { boundedBody } from "../http/BoundedBody.ts"
import { wasSent } from "../http/WasSent.ts"
import { type StripeConfig, stripeVersion } from "./StripeConfig.ts"
import { type FormValue, formText } from "./StripeForm.ts"

/** One request to Stripe. */
export interface StripeCall {
  readonly method: "GET" | "POST" | "DELETE"
  /** The path segments below `/v1`, not yet encoded. */
  readonly steps: ReadonlyArray<string>
  /** The form of a POST; the query of other methods. */
  readonly fields?: { readonly [name: string]: FormValue }
  /** The idempotency key, required for every POST. */
  readonly key?: string
}

/** The response, whatever its status. */
export interface StripeAnswer {
  readonly status: number
  readonly body: Uint8Array
  readonly retryAfter: string | null
  /** Stripe's advice on a retry; null when it gives none. */
  readonly shouldRetry: boolean | null
  /** Whether Stripe repeats its stored response to an earlier request with the same key. */
  readonly replayed: boolean
}

/** The maximum response size in bytes: enough for a page of 100 subscriptions with their invoices. */
const maxAnswerBytes = 8 * 1_048_576

/**
 * A request without a usable response. `unsent`: the request was certainly not sent. `lost`: Stripe may have processed
 * it.
 */
export class StripeRequestFailure extends Data.TaggedError("StripeRequestFailure")<{
  readonly kind: "unsent" | "lost"
  readonly reason: string
}> {}

const oversized = new StripeRequestFailure({ kind: "lost", reason: "the response is too long" })

const requestFailureOf = ({ reason }: HttpClientError.HttpClientError): StripeRequestFailure => {
  if (reason._tag !== "TransportError")
    return new StripeRequestFailure({ kind: "lost", reason: "the response was incomplete" })
  const { detail, sent } = wasSent(reason.cause)
  return sent
    ? new StripeRequestFailure({ kind: "lost", reason: `the connection was lost (${detail})` })
    : new StripeRequestFailure({ kind: "unsent", reason: `the provider cannot be reached (${detail})` })
}

const urlOf = ({ apiUrl }: StripeConfig, { fields, method, steps }: StripeCall): string | null => {
  // `..` would change the path even when it is percent-encoded.
  if (steps.some((step) => /^\.{0,2}$/u.test(step))) return null
  const path = steps.map((step) => encodeURIComponent(step.toWellFormed())).join("/")
  const query = method !== "GET" || fields === undefined ? "" : `?${formText(fields)}`
  return `${apiUrl}/v1/${path}${query}`
}

const requestOf = (
  { secretKey }: StripeConfig,
  url: string,
  { fields = {}, key, method }: StripeCall
): HttpClientRequest.HttpClientRequest => {
  const request = HttpClientRequest.make(method)(url).pipe(
    HttpClientRequest.bearerToken(secretKey),
    HttpClientRequest.setHeader("stripe-version", stripeVersion),
    HttpClientRequest.setHeaders(key === undefined ? {} : { "idempotency-key": key })
  )
  return method === "POST"
    ? HttpClientRequest.bodyText(request, formText(fields), "application/x-www-form-urlencoded")
    : request
}

const parseShouldRetry = (header: string | undefined): boolean | null =>
  header === "true" ? true : header === "false" ? false : null

const notFound: StripeAnswer = {
  status: 404,
  body: new Uint8Array(),
  retryAfter: null,
  shouldRetry: false,
  replayed: false
}

/** Sends one request without retries, with a timeout in milliseconds. URL and failures contain no key. */
export const sendOnce = (
  http: HttpClient.HttpClient,
  config: StripeConfig,
  call: StripeCall,
  timeoutMillis: number
): Effect.Effect<StripeAnswer, StripeRequestFailure> => {
  const url = urlOf(config, call)
  if (url === null) return Effect.succeed(notFound)
  return http.execute(requestOf(config, url, call)).pipe(
    Effect.flatMap((response) =>
      Effect.map(boundedBody(response, maxAnswerBytes, oversized), (body): StripeAnswer => ({
        status: response.status,
        body,
        retryAfter: response.headers["retry-after"] ?? null,
        shouldRetry: parseShouldRetry(response.headers["stripe-should-retry"]),
        replayed: response.headers["idempotent-replayed"] === "true"
      }))
    ),
    Effect.catchTag("HttpClientError", (error) => Effect.fail(requestFailureOf(error))),
    Effect.timeoutOption(timeoutMillis),
    Effect.flatMap(
      Option.match({
        onSome: Effect.succeed,
        onNone: () =>
          Effect.fail(new StripeRequestFailure({ kind: "lost", reason: "the provider did not respond in time" }))
      })
    )
  )
}

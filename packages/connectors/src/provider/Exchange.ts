import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"
import {
  gone,
  outcomeUnknown,
  type ProviderFailure,
  refused,
  unavailable
} from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect, Redacted } from "effect"
import { type HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { boundedBody } from "./BoundedBody.ts"
import type { Provider, ProviderRequest, ProviderResponse } from "./Provider.ts"
import { redactSecrets } from "./RedactSecrets.ts"
import { wasSent } from "./WasSent.ts"

/** The maximum length of an error message in characters. */
const maxDetailLength = 500

/** The codes of failures that this client creates. */
export const clientCodes = {
  /** No byte of the request was sent. */
  unsent: "unsent",
  /** The timeout expired. It is not retried, because the caller has already waited long enough. */
  late: "late",
  /** A circuit breaker or the pacing held the request back. */
  heldBack: "held_back"
}

/** Parses a body as JSON; null when it is not JSON. */
export const jsonOf = ({ body }: Pick<ProviderResponse, "body">): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return null
  }
}

export const isFine = ({ status }: ProviderResponse): boolean => status >= 200 && status < 300

export const effectOf = ({ effect, method }: ProviderRequest) => effect ?? (method === "GET" ? "read" : "once")

/** Removes the secrets of the provider and of the request from a text, and limits its length. */
export const clean = (
  { secrets }: Pick<Provider, "secrets">,
  request: Pick<ProviderRequest, "secrets" | "token">,
  text: string
): string => {
  const token = request.token ?? null
  const all = [
    ...secrets.map((secret) => String(Redacted.value(secret))),
    ...(token === null ? [] : [String(Redacted.value(token))]),
    ...(request.secrets ?? [])
  ]
  return visibleLine(redactSecrets(all, text)).slice(0, maxDetailLength).trim()
}

/** Returns the URL of a request, or null when an id cannot be a path segment. */
export const urlOf = (baseUrl: string, path: ReadonlyArray<string> | URL, extension = ""): string | null => {
  if (path instanceof URL) return path.href
  // `..` would change the path even when it is percent-encoded.
  if (path.some((segment) => /^\.{0,2}$/u.test(segment))) return null
  const base = baseUrl.replace(/(?<!\/)\/+$/u, "")
  return [base, ...path.map((segment) => encodeURIComponent(segment.toWellFormed()))].join("/") + extension
}

const buildRequest = ({ authorize }: Provider, url: string, request: ProviderRequest) => {
  const { form, headers = {}, json, method, multipart, query = {}, token } = request
  const built = HttpClientRequest.make(method)(url).pipe(
    HttpClientRequest.setUrlParams(query),
    (each) => (token === undefined ? authorize(each) : each),
    (each) => (token ? HttpClientRequest.bearerToken(each, token) : each),
    HttpClientRequest.setHeaders(headers)
  )
  if (form !== undefined) return HttpClientRequest.bodyText(built, form.toString(), "application/x-www-form-urlencoded")
  if (multipart !== undefined) return HttpClientRequest.bodyFormData(built, multipart)
  return json === undefined ? built : HttpClientRequest.bodyJsonUnsafe(built, json)
}

/** Returns the failure of a request that was sent but received no usable response. */
export const lost = ({ service }: Provider, request: ProviderRequest, detail: string, code: string | null = null) =>
  effectOf(request) === "read" ? unavailable(service, detail, { code }) : outcomeUnknown(service, detail)

export const transportFailure = (
  provider: Provider,
  request: ProviderRequest,
  error: HttpClientError.HttpClientError
) => {
  if (error.reason._tag !== "TransportError") return lost(provider, request, "the response was incomplete")
  const { detail, sent } = wasSent(error.reason.cause)
  return sent
    ? lost(provider, request, `the connection was lost (${detail})`)
    : unavailable(provider.service, `${provider.name} cannot be reached (${detail})`, { code: clientCodes.unsent })
}

/** Sends one request and reads the response with `read`, both within the timeout. */
export const execute = <A, R>(
  provider: Provider,
  request: ProviderRequest,
  timeoutMillis: number,
  read: (
    response: HttpClientResponse.HttpClientResponse
  ) => Effect.Effect<A, ProviderFailure | HttpClientError.HttpClientError, R>
): Effect.Effect<A, ProviderFailure, R> =>
  Effect.suspend(() => {
    const url = urlOf(provider.baseUrl, request.path, request.extension)
    if (url === null) return Effect.fail(gone(provider.service, request.what))
    const seconds = Number((timeoutMillis / 1_000).toPrecision(3))
    const slow = `${provider.name} did not respond within ${seconds} s`
    return provider.http.execute(buildRequest(provider, url, request)).pipe(
      Effect.flatMap(read),
      Effect.catchTag("HttpClientError", (error) => Effect.fail(transportFailure(provider, request, error))),
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () => Effect.fail(lost(provider, request, slow, clientCodes.late))
      })
    )
  })

/** An oversized response to a read is a refusal, because a retry would have the same size. */
export const oversized = (provider: Provider, request: ProviderRequest): ProviderFailure => {
  const detail = `the response exceeds the size limit of ${(request.maxBytes ?? provider.maxBytes) / 1_048_576} MiB`
  return effectOf(request) === "read" ? refused(provider.service, detail) : outcomeUnknown(provider.service, detail)
}

/** Sends one request without retries. Returns any response, whatever its status. Fails only if there is no response. */
export const exchange = (
  provider: Provider,
  request: ProviderRequest,
  timeoutMillis: number = request.timeoutMillis ?? provider.timeoutMillis
): Effect.Effect<ProviderResponse, ProviderFailure> => {
  const maxBytes = request.maxBytes ?? provider.maxBytes
  return execute(provider, request, timeoutMillis, (response) =>
    Effect.map(boundedBody(response, maxBytes, oversized(provider, request)), (body) => ({
      status: response.status,
      headers: response.headers,
      body
    }))
  )
}

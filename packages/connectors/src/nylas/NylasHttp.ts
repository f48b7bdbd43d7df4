import { Context, Data, Effect, Layer, Option, Redacted, Stream } from "effect"
import {
  FetchHttpClient,
  HttpClient,
  type HttpClientError,
  HttpClientRequest,
  type HttpClientResponse
} from "effect/http"
import { endpoint, type NylasConfig } from "./NylasConfig.ts"
import { wasSent } from "./WasSent.ts"

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
  readonly patience: number
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
export const longestAnswer = 26 * 1_048_576

/**
 * No answer. `unsent`: certainly nothing was asked. `lost`: it may have been asked and done. `oversized`: there is an
 * answer, which is longer than `longestAnswer`.
 */
export class NylasSilent extends Data.TaggedError("NylasSilent")<{
  readonly kind: "unsent" | "lost" | "oversized"
  readonly reason: string
}> {}

/** Bytes up to the bound; the rest is not read. */
const boundedBody = (response: HttpClientResponse.HttpClientResponse) =>
  Effect.gen(function* () {
    const chunks: Array<Uint8Array> = []
    let length = 0
    yield* Stream.runForEachWhile(response.stream, (chunk) =>
      Effect.sync(() => {
        chunks.push(chunk)
        length += chunk.length
        return length <= longestAnswer
      })
    ).pipe(
      Effect.catchIf(
        (error) => error.reason._tag === "EmptyBodyError",
        () => Effect.void
      )
    )
    if (length <= longestAnswer) return new Uint8Array(Buffer.concat(chunks))
    const reason = `the answer is longer than ${longestAnswer / 1_048_576} MiB`
    return yield* new NylasSilent({ kind: "oversized", reason })
  })

const silentOf = ({ reason }: HttpClientError.HttpClientError): NylasSilent => {
  if (reason._tag !== "TransportError") return new NylasSilent({ kind: "lost", reason: "the answer broke off" })
  const { detail, sent } = wasSent(reason.cause)
  return sent
    ? new NylasSilent({ kind: "lost", reason: `the connection was lost (${detail})` })
    : new NylasSilent({ kind: "unsent", reason: `the provider cannot be reached (${detail})` })
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
export const speak = (
  http: HttpClient.HttpClient,
  config: NylasConfig,
  call: NylasCall
): Effect.Effect<NylasAnswer, NylasSilent> => {
  const url = endpoint(config, call.steps)
  if (url === null) return Effect.succeed(notFound)
  return http.execute(requestOf(config, url, call)).pipe(
    Effect.flatMap((response) =>
      Effect.map(boundedBody(response), (body): NylasAnswer => ({
        status: response.status,
        body,
        retryAfter: response.headers["retry-after"] ?? null,
        replayed: response.headers["idempotent-response"]?.toLowerCase() === "true"
      }))
    ),
    Effect.catchTag("HttpClientError", (error) => Effect.fail(silentOf(error))),
    Effect.timeoutOption(call.patience),
    Effect.flatMap(
      Option.match({
        onSome: Effect.succeed,
        onNone: () => Effect.fail(new NylasSilent({ kind: "lost", reason: "the provider took too long" }))
      })
    )
  )
}

/** What a text says without the key, should somebody echo it. */
export const withoutKey = ({ apiKey }: NylasConfig, text: string): string => {
  const key = Redacted.value(apiKey)
  return key === "" ? text : text.replaceAll(key, "[key]")
}

/**
 * The platform's `fetch`. Redirects are not followed: a body that holds the key must not go where an answer says. Our
 * trace ids are nobody's business.
 */
export const layerFetch: Layer.Layer<HttpClient.HttpClient> = FetchHttpClient.layer.pipe(
  Layer.provide(
    Layer.succeedContext(
      Context.make(FetchHttpClient.RequestInit, { redirect: "manual" }).pipe(
        Context.add(HttpClient.TracerPropagationEnabled, false)
      )
    )
  )
)

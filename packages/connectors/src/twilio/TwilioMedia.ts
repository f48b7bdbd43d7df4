import { Effect } from "effect"
import { type HttpClient, HttpClientRequest } from "effect/http"
import { boundedBody } from "../http/BoundedBody.ts"
import type { TwilioConfig } from "./TwilioConfig.ts"
import { sendRequest, TwilioOutcomeUnknown, TwilioRefused } from "./TwilioRequest.ts"

const timeoutMillis = 60_000

const refused = (reason: string): TwilioRefused => new TwilioRefused({ code: null, status: 0, reason })

/** The hosts of Twilio's media storage. Twilio signs the URLs, so they need no credential. */
const storage = /(?:^|\.)(?:twiliocdn\.com|amazonaws\.com)$/iu

const isStorage = (url: URL): boolean => url.protocol === "https:" && url.port === "" && storage.test(url.hostname)

/**
 * Returns whether a URL belongs to the API. Only such requests carry our credentials, whatever a provider event
 * contains.
 */
const isApi = (config: TwilioConfig, url: URL): boolean => url.origin === new URL(config.apiUrl).origin

const typeOf = (contentType: string | null): string =>
  /^[\w.+-]+\/[\w.+-]+/u.exec(contentType?.trim().toLowerCase() ?? "")?.[0] ?? "application/octet-stream"

/** Returns the storage URL when the API redirects to it. */
const locationOf = Effect.fnUntraced(function* (http: HttpClient.HttpClient, config: TwilioConfig, url: URL) {
  const { authToken, accountSid, apiKey } = config
  const request = HttpClientRequest.get(url).pipe(
    HttpClientRequest.basicAuth(apiKey?.sid ?? accountSid, apiKey?.secret ?? authToken)
  )
  const { headers, status } = yield* http.execute(request)
  return status >= 300 && status < 400 ? URL.parse(headers["location"] ?? "", url.href) : null
})

const fromStorage = Effect.fnUntraced(function* (http: HttpClient.HttpClient, url: URL, maxBytes: number) {
  const response = yield* http.execute(HttpClientRequest.get(url))
  if (response.status !== 200) return yield* refused(`status ${response.status}`)
  const bytes = yield* boundedBody(response, maxBytes, refused(`it is longer than ${maxBytes} bytes`))
  return { contentType: typeOf(response.headers["content-type"] ?? null), bytes }
})

/**
 * Fetches the media of a text, up to `maxBytes`. It requests only the API with our credentials, or without them the
 * storage to which the API redirects. The URL in a provider event is signed, but other hosts are rejected nevertheless.
 */
export const fetchMedia = Effect.fn("fetchMedia")(function* (
  http: HttpClient.HttpClient,
  config: TwilioConfig,
  text: string,
  maxBytes: number
) {
  const url = URL.parse(text)
  if (url === null || !isApi(config, url)) return yield* refused("the URL does not belong to the provider")
  const kept = yield* locationOf(http, config, url).pipe(
    Effect.timeout(timeoutMillis),
    Effect.catchTag(["HttpClientError", "TimeoutError"], () =>
      Effect.fail(new TwilioOutcomeUnknown({ reason: "no response" }))
    )
  )
  if (kept === null) {
    const { body, contentType } = yield* sendRequest(http, config, {
      method: "GET",
      url: url.href,
      timeoutMillis,
      maxBytes
    })
    return { contentType: typeOf(contentType), bytes: body }
  }
  if (!isStorage(kept) && !isApi(config, kept)) return yield* refused("the URL does not belong to the provider")
  return yield* fromStorage(http, kept, maxBytes).pipe(
    Effect.timeout(timeoutMillis),
    Effect.catchTag(["HttpClientError", "TimeoutError"], () =>
      Effect.fail(new TwilioOutcomeUnknown({ reason: "no response" }))
    )
  )
})

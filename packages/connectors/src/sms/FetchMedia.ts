import { refused } from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { Effect } from "effect"
import { exchange } from "../provider/Exchange.ts"
import type { Provider, ProviderResponse } from "../provider/Provider.ts"
import { requireFine, send } from "../provider/ProviderClient.ts"

const timeoutMillis = 60_000
const what = "media file"

/** A pattern for the host names of a provider's media storage; null when the provider has none. */
export type MediaStorage = RegExp | null

const isStorage = (storage: MediaStorage, url: URL): boolean =>
  storage !== null && url.protocol === "https:" && url.port === "" && storage.test(url.hostname)

const mediaOf = ({ body, headers }: ProviderResponse) => ({
  contentType:
    /^[\w.+-]+\/[\w.+-]+/u.exec(headers["content-type"]?.trim().toLowerCase() ?? "")?.[0] ?? "application/octet-stream",
  bytes: body
})

/**
 * Fetches the media of a text, up to `maxBytes`. Sends our credentials to the API only. Follows one redirect, without
 * credentials, to the API or to the provider's media storage. Other hosts are rejected, although the URL comes from a
 * signed provider event.
 */
export const fetchMedia = Effect.fn("fetchMedia")(function* (
  provider: Provider,
  storage: MediaStorage,
  text: string,
  maxBytes: number
) {
  const foreign = refused(provider.service, "the URL does not belong to the provider")
  const isApi = (url: URL): boolean => url.origin === new URL(provider.baseUrl).origin
  const path = URL.parse(text)
  if (path === null || !isApi(path)) return yield* foreign
  const request = { method: "GET", path, what, timeoutMillis, maxBytes } as const
  const response = yield* exchange(provider, request)
  if (response.status < 300 || response.status >= 400) return mediaOf(yield* requireFine(provider, request, response))
  const kept = URL.parse(response.headers["location"] ?? "", path.href)
  if (kept === null || (!isStorage(storage, kept) && !isApi(kept))) return yield* foreign
  return mediaOf(yield* send(provider, { ...request, path: kept, token: null }))
})

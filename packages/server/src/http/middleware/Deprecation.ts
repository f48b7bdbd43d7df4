import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"

/** The new year of 2026, in seconds: every deprecated route has been so since before this service began. */
const deprecatedSince = 1_767_225_600

/** Names the route to use instead: `Deprecation` (RFC 9745) and the relation `successor-version` (RFC 5829). */
export const setDeprecationHeaders = (
  successor: string
): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  HttpEffect.appendPreResponseHandler((_, response) =>
    Effect.succeed(
      HttpServerResponse.setHeaders(response, {
        deprecation: `@${deprecatedSince}`,
        link: `<${successor}>; rel="successor-version"`
      })
    )
  )

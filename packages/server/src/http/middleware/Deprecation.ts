import { Effect } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"

/**
 * The time since which routes are deprecated: 2026-01-01, in seconds. All deprecated routes were deprecated before the
 * first release of this service.
 */
const deprecatedSince = 1_767_225_600

/** Sets `Deprecation` (RFC 9745) and a link to the successor (relation `successor-version`, RFC 5829). */
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

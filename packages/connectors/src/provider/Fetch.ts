// Shared parts of provider clients: HTTP client, body limits, lenient decoding and redaction. Code for one provider belongs
// in its folder. Tests: `packages/connectors/test/http`, and those of each provider.
import { Context, Layer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

/**
 * The platform's `fetch`. It does not follow redirects, because a redirect could send a body with secrets to another
 * server. It sends no trace headers, because they are internal.
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

import { Context, Layer } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"

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

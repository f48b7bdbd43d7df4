import { createHash } from "node:crypto"
import { Api } from "@leadloom/api/Api"
import { openApiText } from "@leadloom/api/OpenApiText"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiSwagger } from "effect/http-api"
import { failure } from "./error/Failure.ts"
import type { Route } from "./middleware/Methods.ts"

/** The path of the OpenAPI document. */
export const openApiPath = "/api/v1/openapi.json"
/** The path of the interactive documentation. */
export const docsPath = "/api/v1/docs"
/** Routes that describe the contract and are therefore not part of it. */
export const pageRoutes: ReadonlyArray<Route> = [
  ["GET", openApiPath, "docs.openApi"],
  ["GET", docsPath, "docs.page"]
]

const scripts = /<script>([\s\S]*?)<\/script>/gu

/**
 * Returns the content security policy of the page. The policy allows only the page's own scripts, by their hashes, and
 * requests to this server. It also allows inline styles and icons from data URLs, because Swagger UI uses both.
 */
const policyOf = (html: string): string => {
  const hashes = Array.from(html.matchAll(scripts), ([, script = ""]) => {
    const digest = createHash("sha256").update(script).digest("base64")
    return `'sha256-${digest}'`
  })
  return [
    "default-src 'none'",
    `script-src ${hashes.join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

const htmlOf = (response: HttpServerResponse.HttpServerResponse): string =>
  response.body._tag === "Uint8Array" ? new TextDecoder().decode(response.body.body) : ""

/**
 * Builds the page: one file of 2 MB without external resources. The first request builds it, because few servers need
 * it.
 */
const buildPage = Effect.gen(function* () {
  // The framework offers the page only as a route, so a separate router serves this route, and its response is used.
  const router = yield* HttpRouter.make
  const aside = Layer.succeed(HttpRouter.HttpRouter, router)
  yield* Layer.build(Layer.provide(HttpApiSwagger.layer(Api, { path: docsPath }), aside))
  const request = HttpServerRequest.fromWeb(new Request(`http://localhost${docsPath}`))
  const html = htmlOf(yield* Effect.provideService(router.asHttpEffect(), HttpServerRequest.HttpServerRequest, request))
  return HttpServerResponse.html(html).pipe(
    HttpServerResponse.setHeaders({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policyOf(html),
      "cache-control": "private, max-age=3600"
    })
  )
})

/** Rejects query parameters, because every GET of the contract rejects unknown ones too. */
const withoutQuery = <E, R>(page: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) =>
    Object.keys(query).length === 0
      ? page
      : Effect.succeed(failure({ status: 400, message: "This route has no query parameters." }))
  )

/** Serves the contract as an OpenAPI document and as a page. Both work without network access. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const page = yield* Effect.cached(Effect.scoped(Effect.orDie(buildPage)))
    const description = yield* Effect.cached(
      Effect.sync(() => HttpServerResponse.text(openApiText(), { contentType: "application/json" }))
    )
    yield* router.add("GET", docsPath, withoutQuery(page))
    yield* router.add("GET", openApiPath, withoutQuery(description))
  })
)

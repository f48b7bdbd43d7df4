import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { failure } from "./error/Failure.ts"
import type { Route } from "./middleware/Methods.ts"
import { packFile, respondFile, sha256, type StaticFile } from "./StaticFile.ts"

/** The path of the OpenAPI document. */
export const openApiPath = "/api/v1/openapi.json"
/** The path at which tools look for the document when they know the host only. */
export const rootOpenApiPath = "/openapi.json"
/** The path of the reference page. */
export const docsPath = "/api/v1/docs"
/** Routes that describe the contract and are therefore not part of it. */
export const pageRoutes: ReadonlyArray<Route> = [
  ["GET", openApiPath, "docs.openApi"],
  ["GET", rootOpenApiPath, "docs.rootOpenApi"],
  ["GET", docsPath, "docs.page"]
]

/** Reads a generated file from its place in the bundle, or from its place in the npm package. */
const readGenerated = (bundled: string, packaged: () => URL): Promise<Buffer> =>
  readFile(new URL(bundled, import.meta.url)).catch(() => readFile(packaged()))

const openApiFile: StaticFile = {
  read: () =>
    readGenerated("./openapi.json", () =>
      pathToFileURL(createRequire(import.meta.url).resolve("@leadloom/api/openapi.json"))
    ),
  contentType: "application/json",
  headers: () => ({})
}

/** Returns the hashes of the inline elements of one kind, as sources of a content security policy. */
const inlineHashes = (html: string, element: "script" | "style"): string => {
  const [, ...found] = html.split(`<${element}>`)
  return found.map((text) => `'sha256-${sha256(text.slice(0, text.indexOf(`</${element}>`)))}'`).join(" ")
}

/** The policy allows only the page's own script and styles, by their hashes, and requests to this server. */
const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    `script-src ${inlineHashes(html, "script")}`,
    `style-src ${inlineHashes(html, "style")}`,
    "img-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const pageFile: StaticFile = {
  read: () => readGenerated("./reference.html", () => new URL("../../page/reference.html", import.meta.url)),
  contentType: "text/html; charset=utf-8",
  headers: (content) => ({ "content-security-policy": policyOf(content.toString("utf8")) })
}

/** Rejects query parameters, because every GET of the contract rejects unknown ones too. */
const withoutQuery = <E, R>(page: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) =>
    Object.keys(query).length === 0
      ? page
      : Effect.succeed(failure({ status: 400, message: "This route has no query parameters." }))
  )

/** Serves a file. The first request reads it, so that a server without readers does not keep it in memory. */
const serve = (file: StaticFile) =>
  Effect.map(Effect.cached(Effect.promise(() => packFile(file))), (packed) =>
    withoutQuery(
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.flatMap(packed, (known) => respondFile(known, request))
      )
    )
  )

/** Serves the contract as an OpenAPI document and as a page. Both work without network access. */
export const layer: Layer.Layer<never, never, HttpRouter.HttpRouter> = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const [page, document] = [yield* serve(pageFile), yield* serve(openApiFile)]
    yield* router.add("GET", docsPath, page)
    yield* router.add("GET", openApiPath, document)
    yield* router.add("GET", rootOpenApiPath, document)
  })
)

import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { failure } from "./error/Failure.ts"
import type { Route } from "./middleware/Methods.ts"

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

/** A generated file that the server sends: its place in the bundle, and its place in the npm package. */
interface ServedFile {
  readonly bundled: string
  readonly packaged: () => URL
  readonly contentType: string
}

const openApiFile: ServedFile = {
  bundled: "./openapi.json",
  packaged: () => pathToFileURL(createRequire(import.meta.url).resolve("@leadloom/api/openapi.json")),
  contentType: "application/json"
}

const pageFile: ServedFile = {
  bundled: "./reference.html",
  packaged: () => new URL("../../page/reference.html", import.meta.url),
  contentType: "text/html; charset=utf-8"
}

const readServed = ({ bundled, packaged }: ServedFile): Promise<Buffer> =>
  readFile(new URL(bundled, import.meta.url)).catch(() => readFile(packaged()))

const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("base64")

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

/** A file as the server keeps it: compressed, because few clients need it uncompressed. */
interface Packed {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

const pack = async (file: ServedFile): Promise<Packed> => {
  const content = await readServed(file)
  const policy = file === pageFile ? { "content-security-policy": policyOf(content.toString("utf8")) } : {}
  return {
    bytes: new Uint8Array(await promisify(gzip)(content)),
    headers: {
      "cache-control": "no-cache",
      "content-type": file.contentType,
      etag: `"${sha256(content)}"`,
      vary: "Accept-Encoding",
      ...policy
    }
  }
}

const respond = (file: ServedFile, { bytes, headers }: Packed, request: HttpServerRequest.HttpServerRequest) => {
  if (request.headers["if-none-match"] === headers["etag"]) {
    return Effect.succeed(HttpServerResponse.empty({ status: 304, headers }))
  }
  const { "content-type": contentType, ...others } = headers
  if (/\bgzip\b/u.test(request.headers["accept-encoding"] ?? "")) {
    return Effect.succeed(
      HttpServerResponse.uint8Array(bytes, { contentType, headers: { ...others, "content-encoding": "gzip" } })
    )
  }
  return Effect.map(
    Effect.promise(() => readServed(file)),
    (content) => HttpServerResponse.uint8Array(new Uint8Array(content), { contentType, headers: others })
  )
}

/** Rejects query parameters, because every GET of the contract rejects unknown ones too. */
const withoutQuery = <E, R>(page: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) =>
    Object.keys(query).length === 0
      ? page
      : Effect.succeed(failure({ status: 400, message: "This route has no query parameters." }))
  )

/** Serves a file. The first request reads it, so that a server without readers does not keep it in memory. */
const serve = (file: ServedFile) =>
  Effect.map(Effect.cached(Effect.promise(() => pack(file))), (packed) =>
    withoutQuery(
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
        Effect.flatMap(packed, (known) => respond(file, known, request))
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

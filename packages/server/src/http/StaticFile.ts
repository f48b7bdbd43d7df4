import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

/** A file that the server sends. */
export interface StaticFile {
  readonly read: () => Promise<Buffer>
  readonly contentType: string
  /** Returns further headers, for example a policy with hashes of the content. */
  readonly headers: (content: Buffer) => Readonly<Record<string, string>>
}

/** A file as the server keeps it: compressed, because few clients need it uncompressed. */
export interface PackedFile {
  readonly file: StaticFile
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** Returns the SHA-256 of a text in base64. */
export const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("base64")

/** Reads and compresses a file. */
export const packFile = async (file: StaticFile): Promise<PackedFile> => {
  const content = await file.read()
  return {
    file,
    bytes: new Uint8Array(await promisify(gzip)(content, { level: 9 })),
    headers: {
      "cache-control": "no-cache",
      etag: `"${sha256(content)}"`,
      vary: "Accept-Encoding",
      ...file.headers(content)
    }
  }
}

/** Answers a request for a file: 304 for the version that the client has, and compressed if the client accepts it. */
export const respondFile = ({ bytes, file, headers }: PackedFile, request: HttpServerRequest.HttpServerRequest) => {
  const { contentType } = file
  if (request.headers["if-none-match"] === headers["etag"]) {
    return Effect.succeed(
      HttpServerResponse.empty({ status: 304, headers: { ...headers, "content-type": contentType } })
    )
  }
  if (/\bgzip\b/u.test(request.headers["accept-encoding"] ?? "")) {
    return Effect.succeed(
      HttpServerResponse.uint8Array(bytes, { contentType, headers: { ...headers, "content-encoding": "gzip" } })
    )
  }
  return Effect.map(Effect.promise(file.read), (content) =>
    HttpServerResponse.uint8Array(new Uint8Array(content), { contentType, headers })
  )
}

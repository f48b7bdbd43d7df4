import { readdir, readFile } from "node:fs/promises"
import { extname } from "node:path"
import type { StaticFile } from "../StaticFile.ts"

/** The folders of the built console: in the bundle, and in the npm package and the repository. */
const folders = [new URL("./console/", import.meta.url), new URL("../../../page/console/", import.meta.url)]

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml"
}

/**
 * The policy of the pages. Scripts and styles come from files of this server only, nothing is loaded from other
 * servers, and no page may frame the console. `form-action` is `none`, because scripts send every form.
 */
const pagePolicy = (requests: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    // Recordings of calls, which the console reads with its credential.
    "media-src blob:",
    `connect-src ${["'self'", ...requests].join(" ")}`,
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

/** Returns the headers of a page that may send requests to this server and to further origins. */
export const pageHeaders = (...requests: ReadonlyArray<string>): Readonly<Record<string, string>> => ({
  "content-security-policy": pagePolicy(requests),
  "cross-origin-opener-policy": "same-origin"
})

/** A file with a hash in its name never changes. */
const assetHeaders = { "cache-control": "public, max-age=31536000, immutable" }

/** The files of the console. */
export interface ConsoleFiles {
  readonly page: StaticFile
  /** The assets by their file names. Other names are unknown, so no name reaches another folder. */
  readonly assets: ReadonlyMap<string, StaticFile>
}

const filesIn = (folder: URL, names: ReadonlyArray<string>): ConsoleFiles => {
  const assets = names.flatMap((name): ReadonlyArray<readonly [string, StaticFile]> => {
    const contentType = contentTypes[extname(name)]
    const read = (): Promise<Buffer> => readFile(new URL(`assets/${name}`, folder))
    return contentType === undefined ? [] : [[name, { read, contentType, headers: () => assetHeaders }]]
  })
  const page: StaticFile = {
    read: () => readFile(new URL("index.html", folder)),
    contentType: "text/html; charset=utf-8",
    headers: () => pageHeaders()
  }
  return { page, assets: new Map(assets) }
}

/** Finds the files of the console; null if this server was built without them. */
export const findConsoleFiles = async (): Promise<ConsoleFiles | null> => {
  for (const folder of folders) {
    const names = await readdir(new URL("assets/", folder)).catch(() => null)
    if (names !== null) return filesIn(folder, names)
  }
  return null
}

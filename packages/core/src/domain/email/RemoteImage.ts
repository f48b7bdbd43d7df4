import { TaggedError } from "../TaggedError.ts"

/** The part of the WHATWG URL parser that resolves relative addresses. It is a global of every JavaScript runtime. */
declare const URL: {
  readonly canParse: (url: string, base: string) => boolean
  new (url: string, base: string): { readonly href: string }
}

/** The maximum number of remote images of one message that the proxy offers. */
export const maxRemoteImages = 100

/** The maximum size of a remote image in bytes. */
export const maxRemoteImageBytes = 10 * 1_048_576

/** The maximum number of redirects that the proxy follows for one image. */
export const maxImageRedirects = 3

/** The timeout of one image with its redirects, in milliseconds. */
export const remoteImageTimeoutMillis = 10_000

/** The maximum number of images that a process requests concurrently: 100 MiB of images of the maximum size. */
export const maxRemoteImagesInFlight = 10

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }

const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/gu, (whole, name: string) => entities[name] ?? whole)

/**
 * Returns the addresses of the remote images in the stored HTML of a mail, each once, up to `maxRemoteImages`. The mail
 * parser has replaced `src` with `data-remote-src`, so a browser loads none of them.
 */
export const remoteImagesIn = (html: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const [, url = ""] of html.matchAll(/ data-remote-src="([^"<>]{1,2048})"/gu)) {
    found.add(unescaped(url))
    if (found.size >= maxRemoteImages) break
  }
  return [...found]
}

/** Returns the address to which a response redirects; null if it does not redirect. */
export const redirectOf = (status: number, location: string | undefined, from: string): string | null =>
  status >= 300 && status <= 399 && location !== undefined && URL.canParse(location, from)
    ? new URL(location, from).href
    : null

const startsWith = (bytes: Uint8Array, at: number, ascii: string): boolean =>
  [...ascii].every((letter, index) => bytes[at + index] === letter.codePointAt(0))

/**
 * Returns the media type of a raster image by its first bytes. Null for any other content, for example SVG, which may
 * contain scripts. The type that the server of the image states is not trusted.
 */
export const rasterTypeOf = (bytes: Uint8Array): string | null => {
  if (bytes[0] === 0x89 && startsWith(bytes, 1, "PNG\r\n")) return "image/png"
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "image/jpeg"
  if (startsWith(bytes, 0, "GIF87a") || startsWith(bytes, 0, "GIF89a")) return "image/gif"
  if (startsWith(bytes, 0, "RIFF") && startsWith(bytes, 8, "WEBP")) return "image/webp"
  return startsWith(bytes, 4, "ftypavif") ? "image/avif" : null
}

/** The link is invalid or expired, or its message has no such image. */
export class RemoteImageNotFound extends TaggedError("RemoteImageNotFound")<{ readonly reason: string | null }> {}

import { HttpServerResponse } from "effect/http"

/** Matches media types that a browser displays without executing code. All other types are sent as plain bytes. */
const harmless =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|heic|tiff|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/(?:plain|csv|calendar)|application\/(?:pdf|zip|msword|vnd\.(?:ms-excel|ms-powerpoint|openxmlformats-officedocument\.[\w.]+|oasis\.opendocument\.[\w.-]+))|message\/rfc822|application\/json)$/u

/**
 * Percent-encodes a value (RFC 8187 section 3.2.1). Also encodes four characters that `encodeURIComponent` leaves
 * unchanged, because the RFC does not permit them.
 */
const extended = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/gu, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * Returns `Content-Disposition` (RFC 6266) with an ASCII name for old clients and the full name in UTF-8. Control
 * characters, quotes and path separators are removed.
 */
export const disposition = (filename: string): string => {
  const name =
    filename
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu, "_")
      .trim()
      .slice(0, 200)
      .toWellFormed() || "attachment"
  const ascii = name.replace(/[^\x20-\x7e]|["%;]/gu, "_")
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended(name)}`
}

/** Returns a file from an untrusted source as a download, which the browser neither displays nor executes. */
export const download = (
  bytes: Uint8Array,
  mediaType: string,
  filename: string
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: harmless.test(mediaType) ? mediaType : "application/octet-stream",
    headers: {
      "content-disposition": disposition(filename),
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'",
      "cache-control": "private, no-store"
    }
  })

import { HttpServerResponse } from "effect/http"

/** Media types that a browser shows without running anything, whoever wrote the file. The others are bytes. */
const harmless =
  /^(?:image\/(?:png|jpeg|gif|webp|avif|heic|tiff|bmp)|audio\/[\w.+-]+|video\/[\w.+-]+|text\/(?:plain|csv|calendar)|application\/(?:pdf|zip|msword|vnd\.(?:ms-excel|ms-powerpoint|openxmlformats-officedocument\.[\w.]+|oasis\.opendocument\.[\w.-]+))|message\/rfc822|application\/json)$/u

/** Percent codes of RFC 8187 section 3.2.1; `encodeURIComponent` leaves four characters alone that are not allowed there. */
const extended = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/gu, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * `Content-Disposition` (RFC 6266): a plain name for old readers, and the whole one in UTF-8. Control characters, quotes
 * and path separators do not get through.
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

/** A file that somebody else wrote: to be kept on a disk, not to be shown or run here. */
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

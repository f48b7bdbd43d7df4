import { transcode } from "node:buffer"
import { HttpBody, HttpServerResponse } from "effect/http"

/** The length in characters from which a text is encoded here. A shorter text costs less as it is. */
const minLength = 2_048

/** Returns null for a text with an unpaired surrogate, on which `transcode` throws. */
const utf8Of = (text: string): Uint8Array | null => {
  try {
    return transcode(Buffer.from(text, "utf16le"), "utf16le", "utf8")
  } catch {
    return null
  }
}

/**
 * Encodes the body of a response as UTF-8 if it is a long text with characters outside ASCII. Node.js otherwise encodes
 * such a text while it writes, five times as slowly: 41 µs instead of 7 µs for 18,000 characters.
 */
export const encodeText = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag !== "Uint8Array" || body.text === undefined || body.text.length < minLength) return response
  // A text of ASCII characters has one byte per character.
  if (body.text.length === body.contentLength) return response
  const bytes = utf8Of(body.text)
  return bytes === null ? response : HttpServerResponse.setBody(response, HttpBody.uint8Array(bytes, body.contentType))
}

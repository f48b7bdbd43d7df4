const alphabet = /^[A-Za-z0-9+/]*={0,2}$/u

/**
 * Decodes base64 (RFC 4648 section 4); null if the text is invalid. White space is permitted, as in MIME. Node's own
 * decoder is not used, because it skips invalid characters without an error.
 */
export const decodeBase64 = (text: string): Uint8Array | null => {
  const packed = /\s/u.test(text) ? text.replace(/\s+/gu, "") : text
  return packed.length % 4 === 0 && alphabet.test(packed) ? Buffer.from(packed, "base64") : null
}

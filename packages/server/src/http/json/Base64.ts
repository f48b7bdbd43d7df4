const alphabet = /^[A-Za-z0-9+/]*={0,2}$/u

/**
 * The bytes of a base64 text (RFC 4648 section 4), line breaks and blanks let through as MIME has them; null when it is
 * none. Node's own decoder takes anything and leaves out what it does not know.
 */
export const decodeBase64 = (text: string): Uint8Array | null => {
  const packed = /\s/u.test(text) ? text.replace(/\s+/gu, "") : text
  return packed.length % 4 === 0 && alphabet.test(packed) ? Buffer.from(packed, "base64") : null
}

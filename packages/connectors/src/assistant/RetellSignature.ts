import { createHmac, timingSafeEqual } from "node:crypto"

/** The header in which Retell signs. */
export const retellSignatureHeader = "x-retell-signature"

/** How far the time of a signature may be from now, either way. */
export const retellToleranceMillis = 300_000

/**
 * Whether a body is signed with a key of Retell's: `v=<milliseconds>,d=<hex>`, HMAC-SHA256 over the body and then the
 * milliseconds, within five minutes of now. Total.
 */
export const isRetellSigned = (key: string, rawBody: Uint8Array, header: string, now: number): boolean => {
  const [, millis = "", digest = ""] = /^v=(\d{10,16}),d=([\da-f]{64})$/iu.exec(header.trim()) ?? []
  if (digest === "" || key === "" || Math.abs(now - Number(millis)) > retellToleranceMillis) return false
  const expected = createHmac("sha256", key).update(rawBody).update(millis).digest()
  return timingSafeEqual(expected, Buffer.from(digest, "hex"))
}

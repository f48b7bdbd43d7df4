import { createHmac, timingSafeEqual } from "node:crypto"

/** The header with Retell's signature. */
export const retellSignatureHeader = "x-retell-signature"

/** The maximum difference between the time of a signature and the current time, in either direction. */
export const retellToleranceMillis = 300_000

/**
 * Checks whether a body is signed with a Retell key: `v=<milliseconds>,d=<hex>`, HMAC-SHA256 over the body followed by
 * the milliseconds, within five minutes of now. Never throws.
 */
export const isRetellSigned = (key: string, rawBody: Uint8Array, header: string, now: number): boolean => {
  const [, millis = "", digest = ""] = /^v=(\d{10,16}),d=([\da-f]{64})$/iu.exec(header.trim()) ?? []
  if (digest === "" || key === "" || Math.abs(now - Number(millis)) > retellToleranceMillis) return false
  const expected = createHmac("sha256", key).update(rawBody).update(millis).digest()
  return timingSafeEqual(expected, Buffer.from(digest, "hex"))
}

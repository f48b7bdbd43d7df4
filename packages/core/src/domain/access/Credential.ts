import { hmacHex } from "../text/HmacHex.ts"

/**
 * A long-lived secret: `<scheme>_<8 prefix>_<32 secret><6 checksum>`, all base62. Lists show the prefix, so people can
 * tell keys apart. The secret has 190 bits. The checksum follows GitHub's token format: the server rejects random text
 * without a database query, and secret scanners recognise real keys.
 */
export interface Credential {
  /** The whole key. A response shows it once, and the server never stores it. */
  readonly key: string
  /** Scheme and prefix, for example `llk_4fZk2Q9a`. Lists show it. */
  readonly prefix: string
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const prefixLength = 8
const secretLength = 32
const checksumLength = 6
/**
 * The greatest multiple of 62 below 256. Bytes from this value on are discarded, because otherwise some characters
 * would be more frequent than others.
 */
const fairLimit = 248
/**
 * The maximum number of reads from the random source per text. If a text needs more reads, the source is broken and the
 * function throws. With a sound source, the probability of this is below 10^-700.
 */
const maxDraws = 64

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1
  return crc
})

/** Returns the CRC-32 (IEEE 802.3) of an ASCII text. */
const crc32 = (text: string): number => {
  let crc = 0xffff_ffff
  for (let index = 0; index < text.length; index++) {
    crc = (crc >>> 8) ^ (crcTable[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0)
  }
  return (crc ^ 0xffff_ffff) >>> 0
}

const checksumOf = (text: string): string => {
  let value = crc32(text)
  let checksum = ""
  for (let index = 0; index < checksumLength; index++) {
    checksum = (alphabet[value % 62] ?? "") + checksum
    value = Math.floor(value / 62)
  }
  return checksum
}

/** Returns random base62 characters with equal probabilities. */
const randomText = (length: number, randomBytes: (length: number) => Uint8Array): string => {
  let text = ""
  for (let draw = 0; draw < maxDraws && text.length < length; draw++) {
    for (const byte of randomBytes(length)) {
      if (byte < fairLimit && text.length < length) text += alphabet[byte % 62] ?? ""
    }
  }
  if (text.length < length)
    throw new Error(
      "The random source returned too few usable bytes. Check the random number generator of this machine."
    )
  return text
}

/**
 * FROZEN. Creates a secret. `randomBytes` must be cryptographically strong; the function throws if the source is
 * clearly broken.
 */
export const mintCredential = (scheme: string, randomBytes: (length: number) => Uint8Array): Credential => {
  const prefix = `${scheme}_${randomText(prefixLength, randomBytes)}`
  const body = `${prefix}_${randomText(secretLength, randomBytes)}`
  return { key: body + checksumOf(body), prefix }
}

/**
 * Parses a secret of this scheme. Returns null if its form or checksum is wrong. Does not check that the secret is in
 * use.
 */
export const parseCredential = (scheme: string, text: string): Credential | null => {
  const prefixEnd = scheme.length + 1 + prefixLength
  const bodyEnd = prefixEnd + 1 + secretLength
  if (text.length !== bodyEnd + checksumLength) return null
  if (!text.startsWith(`${scheme}_`) || text[prefixEnd] !== "_") return null
  const digits = text.slice(scheme.length + 1, prefixEnd) + text.slice(prefixEnd + 1)
  if (!/^[0-9A-Za-z]+$/u.test(digits)) return null
  if (checksumOf(text.slice(0, bodyEnd)) !== text.slice(bodyEnd)) return null
  return { key: text, prefix: text.slice(0, prefixEnd) }
}

/**
 * FROZEN, because the hashes are stored. Returns the HMAC-SHA256 of the whole key under the deployment's pepper, in
 * hex. A fast hash is secure here, because the key is random and long. The result can therefore serve as a look-up key.
 */
export const hashSecret = (pepper: Uint8Array, key: string): string => hmacHex(pepper, key)

/**
 * Compares two texts in a time that depends only on their lengths. An attacker who measures response times therefore
 * learns nothing about the content of a secret. The comparison does not hide the length.
 */
export const constantTimeEquals = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}

/** Compares two byte arrays in a time that depends only on their lengths. */
export const constantTimeEqualBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= (a[index] ?? 0) ^ (b[index] ?? 0)
  return difference === 0
}

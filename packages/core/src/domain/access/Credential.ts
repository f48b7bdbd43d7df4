import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/**
 * The shape that our long-lived secrets share: `<scheme>_<8 prefix>_<32 secret><6 checksum>`, all base62. The prefix
 * tells keys apart in lists, the secret holds 190 bits, and the checksum lets a scanner (and us, before any look-up)
 * tell a real key from a random text, as GitHub's tokens do.
 */
export interface Credential {
  /** The whole secret text. Shown once, never stored. */
  readonly key: string
  /** Scheme and prefix, for example `llk_4fZk2Q9a`: what lists show. */
  readonly prefix: string
}

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const prefixLength = 8
const secretLength = 32
const checksumLength = 6
/** Greatest multiple of 62 in a byte: bytes from here on are drawn again, or some characters would come up more often. */
const fairLimit = 248
/** A source that yields too few fair bytes in this many draws is broken; a good one does so less than once in 10^700. */
const maxDraws = 64

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb8_8320 : crc >>> 1
  return crc
})

/** CRC-32 (IEEE 802.3) of an ASCII text. */
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

/** Characters drawn evenly from base62. */
const randomText = (length: number, randomBytes: (length: number) => Uint8Array): string => {
  let text = ""
  for (let draw = 0; draw < maxDraws && text.length < length; draw++) {
    for (const byte of randomBytes(length)) {
      if (byte < fairLimit && text.length < length) text += alphabet[byte % 62] ?? ""
    }
  }
  if (text.length < length) throw new Error("The random source does not yield random bytes.")
  return text
}

/** FROZEN. A new secret. `randomBytes` has to be cryptographically strong; throws when it is plainly broken. */
export const mintCredential = (scheme: string, randomBytes: (length: number) => Uint8Array): Credential => {
  const prefix = `${scheme}_${randomText(prefixLength, randomBytes)}`
  const body = `${prefix}_${randomText(secretLength, randomBytes)}`
  return { key: body + checksumOf(body), prefix }
}

/** Reads a text of this scheme; null when its form or its checksum is wrong. Says nothing about whether it is in use. */
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
 * FROZEN: hashes are stored. HMAC-SHA256 of the whole key under the deployment's pepper, hex. A plain keyed hash is
 * enough, and safe to look up by, because the secret is random and long.
 */
export const hashSecret = (pepper: Uint8Array, key: string): string =>
  bytesToHex(hmac(sha256, pepper, utf8ToBytes(key)))

/**
 * Whether two texts are equal, in a time that depends on their lengths only: an attacker who can measure answers learns
 * nothing of the secret's content. The length itself is not hidden.
 */
export const constantTimeEquals = (a: string, b: string): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}

/** The same for bytes. */
export const constantTimeEqualBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= (a[index] ?? 0) ^ (b[index] ?? 0)
  return difference === 0
}

import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** The HMAC state after the key. Hashing the key for each text would take half of the time. */
const states = new WeakMap<Uint8Array, ReturnType<typeof hmac.create>>()

const stateOf = (key: Uint8Array) => {
  const known = states.get(key)
  if (known !== undefined) return known
  const state = hmac.create(sha256, key)
  states.set(key, state)
  return state
}

/**
 * Returns the HMAC-SHA256 of a text. The hash state of a key is cached by the identity of the array, so its bytes must
 * not change.
 */
export const hmacBytes = (key: Uint8Array, text: string): Uint8Array =>
  stateOf(key).clone().update(utf8ToBytes(text)).digest()

/** Returns `hmacBytes` in hexadecimal. */
export const hmacHex = (key: Uint8Array, text: string): string => bytesToHex(hmacBytes(key, text))

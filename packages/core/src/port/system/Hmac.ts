import { Context } from "effect"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"

/**
 * Computes the message authentication code of a message. The message is the concatenation of the parts. Text is encoded
 * as UTF-8.
 */
export type Mac = (...parts: ReadonlyArray<string | Uint8Array>) => Uint8Array

/** Prepares a key once, for the codes of many messages. */
export type MakeMac = (key: Uint8Array) => Mac

/** HMAC-SHA256 in JavaScript, which runs on every platform. */
export const javascriptMac: MakeMac = (key) => {
  const ready = hmac.create(sha256, key)
  return (...parts) => {
    const mac = ready.clone()
    for (const part of parts) mac.update(typeof part === "string" ? utf8ToBytes(part) : part)
    return mac.digest()
  }
}

/**
 * HMAC-SHA256 (RFC 2104). The default is `javascriptMac`. A platform should replace it with a native implementation,
 * which takes less than a third of the time. Each delivery of an outbound event computes at least two codes.
 */
export const Hmac: Context.Reference<MakeMac> = Context.Reference("core/port/system/Hmac", {
  defaultValue: () => javascriptMac
})

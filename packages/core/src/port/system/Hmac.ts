import { Context } from "effect"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"

/** The code of a message that is made of parts, one behind the other; text counts as UTF-8. */
export type Mac = (...parts: ReadonlyArray<string | Uint8Array>) => Uint8Array

/** Makes a key ready once, for many messages. */
export type MakeMac = (key: Uint8Array) => Mac

/** In JavaScript, without any platform. */
export const javascriptMac: MakeMac = (key) => {
  const ready = hmac.create(sha256, key)
  return (...parts) => {
    const mac = ready.clone()
    for (const part of parts) mac.update(typeof part === "string" ? utf8ToBytes(part) : part)
    return mac.digest()
  }
}

/**
 * HMAC-SHA256 (RFC 2104). Every outbound event is signed twice at least for every receiver, and what a platform has of its
 * own takes less than a third of the time. Where nobody gives one it is `javascriptMac`.
 */
export const Hmac: Context.Reference<MakeMac> = Context.Reference("core/port/system/Hmac", {
  defaultValue: () => javascriptMac
})

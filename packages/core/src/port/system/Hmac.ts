import { Context } from "effect"
import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"

/** Computes the code of a message in several parts, which are concatenated. Text is encoded as UTF-8. */
export type Mac = (...parts: ReadonlyArray<string | Uint8Array>) => Uint8Array

/** Prepares a key once for many messages. */
export type MakeMac = (key: Uint8Array) => Mac

/** A pure JavaScript implementation for any platform. */
export const javascriptMac: MakeMac = (key) => {
  const ready = hmac.create(sha256, key)
  return (...parts) => {
    const mac = ready.clone()
    for (const part of parts) mac.update(typeof part === "string" ? utf8ToBytes(part) : part)
    return mac.digest()
  }
}

/**
 * HMAC-SHA256 (RFC 2104). A platform can replace the default, `javascriptMac`: each delivery of an outbound event is
 * signed at least twice, and a native implementation takes less than a third of the time.
 */
export const Hmac: Context.Reference<MakeMac> = Context.Reference("core/port/system/Hmac", {
  defaultValue: () => javascriptMac
})

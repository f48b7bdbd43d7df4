import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Effect } from "effect"
import { Secrets } from "../../domain/access/Secrets.ts"
import { Randomness } from "../../port/system/Randomness.ts"

/**
 * The key under which a provider of payments does something once: the same for the same thing, another one on every
 * deployment, also where two of them share an account at the provider and name a tenant alike.
 */
export const paymentKey = Effect.fnUntraced(function* (...parts: ReadonlyArray<string>) {
  const { pepper } = yield* Secrets
  return bytesToHex(hmac(sha256, pepper, utf8ToBytes(`leadloom/payment/1\n${JSON.stringify(parts)}`)))
})

/** What stands for a request that has no key of its own: nothing that ever comes again. */
export const requestKeyOr = Effect.fnUntraced(function* (requestKey: string | null) {
  return requestKey ?? bytesToHex((yield* Randomness).bytes(16))
})

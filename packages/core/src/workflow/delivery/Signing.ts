import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { type Mac, type MakeMac, javascriptMac } from "../../port/system/Hmac.ts"

/** What every signing secret begins with (Standard Webhooks, "Signature scheme"). */
export const signingSecretPrefix = "whsec_"

/** Within the 24 to 64 bytes that Standard Webhooks asks for; the size of the digest. */
const secretBytes = 32

/** A new signing secret, `whsec_` and base64, from a cryptographically strong source. Shown to the user once. */
export const mintSigningSecret = (randomBytes: (length: number) => Uint8Array): string =>
  signingSecretPrefix + Base64.encode(randomBytes(secretBytes))

const keyed = (makeMac: MakeMac, key: Uint8Array): Mac => {
  // An HMAC under an empty key is one that everybody can make.
  if (key.length === 0) throw new Error("a webhook is never signed with an empty secret")
  return makeMac(key)
}

/** What standard webhooks are signed with: what the base64 of a secret stands for; null when it stands for nothing. */
const standardKey = (secret: string): Uint8Array | null => {
  const encoded = secret.startsWith(signingSecretPrefix) ? secret.slice(signingSecretPrefix.length) : secret
  const key = Base64.decode(encoded)
  return Result.isFailure(key) || key.success.length === 0 ? null : key.success
}

/** Signs for one secret; its keys are made ready once, which is half of what a short body costs. */
export interface Signer {
  readonly delivery: (timestamp: number, body: string | Uint8Array) => string
  readonly standard: (id: string, timestamp: number, body: string | Uint8Array) => string | null
}

/** A signer of a secret. */
export const makeSigner = (secret: string, makeMac: MakeMac = javascriptMac): Signer => {
  let made: Mac | null = null
  // Only when it is asked for: a secret may be none for this and one for the other.
  const plain = (): Mac => (made ??= keyed(makeMac, utf8ToBytes(secret)))
  const key = standardKey(secret)
  const standard = key === null ? null : keyed(makeMac, key)
  return {
    delivery: (timestamp, body) => bytesToHex(plain()(`${timestamp}.`, body)),
    standard: (id, timestamp, body) =>
      standard === null ? null : `v1,${Base64.encode(standard(`${id}.${timestamp}.`, body))}`
  }
}

/**
 * FROZEN: receivers verify it. The value of `X-Webhook-Signature`: hexadecimal HMAC-SHA256 of
 * `<X-Webhook-Timestamp>.<raw body>`. The key is the secret as the user was shown it, as UTF-8 text with its `whsec_`:
 * receivers of this header paste what they were given and decode nothing. `timestamp` is in Unix seconds; `body` is
 * exactly what is sent.
 */
export const signDelivery = (secret: string, timestamp: number, body: string | Uint8Array): string =>
  makeSigner(secret).delivery(timestamp, body)

/**
 * FROZEN: receivers verify it. One signature for the header `webhook-signature` of Standard Webhooks: `v1,` and the
 * base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is what the base64 of the secret stands
 * for, with or without `whsec_` before it; null when it stands for nothing, and then the header is left out. While a
 * secret is being rotated the header holds one signature a secret, separated by spaces.
 */
export const signStandardWebhook = (
  secret: string,
  id: string,
  timestamp: number,
  body: string | Uint8Array
): string | null => makeSigner(secret).standard(id, timestamp, body)

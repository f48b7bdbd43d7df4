import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { type Mac, type MakeMac, javascriptMac } from "../../port/system/Hmac.ts"

/** The prefix of every signing secret (Standard Webhooks, "Signature scheme"). */
export const signingSecretPrefix = "whsec_"

/**
 * The length of a signing secret. Standard Webhooks requires 24 to 64 bytes. 32 bytes are the size of a SHA-256 hash.
 */
const secretBytes = 32

/**
 * Generates a signing secret: `whsec_` and the base64 of random bytes. The random source must be cryptographically
 * strong. A response shows the secret only once.
 */
export const mintSigningSecret = (randomBytes: (length: number) => Uint8Array): string =>
  signingSecretPrefix + Base64.encode(randomBytes(secretBytes))

const keyed = (makeMac: MakeMac, key: Uint8Array): Mac => {
  // Anyone can compute an HMAC with an empty key.
  if (key.length === 0) throw new Error("the signing secret of a webhook must not be empty")
  return makeMac(key)
}

/**
 * Returns the key for the scheme of Standard Webhooks, decoded from the base64 of the secret. Returns null when the
 * secret is not base64.
 */
const standardKey = (secret: string): Uint8Array | null => {
  const encoded = secret.startsWith(signingSecretPrefix) ? secret.slice(signingSecretPrefix.length) : secret
  const key = Base64.decode(encoded)
  return Result.isFailure(key) || key.success.length === 0 ? null : key.success
}

/** Signs with one secret. Its keys are prepared only once, which saves half of the time for a short body. */
export interface Signer {
  readonly delivery: (timestamp: number, body: string | Uint8Array) => string
  readonly standard: (id: string, timestamp: number, body: string | Uint8Array) => string | null
}

/** Creates a signer for a secret. */
export const makeSigner = (secret: string, makeMac: MakeMac = javascriptMac): Signer => {
  let made: Mac | null = null
  // The key is prepared only when it is needed, because a secret may be valid for only one of the two schemes.
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
 * Returns the value of the header `X-Webhook-Signature`. FROZEN, because receivers verify it. It is the hexadecimal
 * HMAC-SHA256 of `<X-Webhook-Timestamp>.<raw body>`. The key is the whole secret as UTF-8 text, including `whsec_`,
 * because receivers of this header use the secret without decoding it. `timestamp` is in Unix seconds. `body` must
 * equal the sent body exactly.
 */
export const signDelivery = (secret: string, timestamp: number, body: string | Uint8Array): string =>
  makeSigner(secret).delivery(timestamp, body)

/**
 * Returns one signature for the header `webhook-signature` of Standard Webhooks. FROZEN, because receivers verify it.
 * It is `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<raw body>`. The key is the decoded
 * base64 of the secret without `whsec_`. Returns null when the secret is not base64. The header is then omitted. During
 * a rotation, the header contains one signature for each secret, separated by spaces.
 */
export const signStandardWebhook = (
  secret: string,
  id: string,
  timestamp: number,
  body: string | Uint8Array
): string | null => makeSigner(secret).standard(id, timestamp, body)

/**
 * Verifies webhook deliveries for receivers. It uses Web Crypto only, so it runs in browsers and workers too. Tests:
 * `packages/client/test/webhooks`.
 */
import type { EventEnvelope } from "../operations.ts"
import { fromBase64, readSigned, type Signed, type WebhookHeaders } from "./Signed.ts"
import { WebhookVerificationError } from "./WebhookVerificationError.ts"

/**
 * The event in a delivery. `event_type` determines the type of `data`. A newer server may send types and fields that are
 * not listed here. After the erasure of the contact, `data` is `{ redacted: true }`.
 */
export type WebhookEvent = EventEnvelope

/** Options of `verify`. */
export interface VerifyOptions {
  /**
   * The maximum difference between the timestamp of the delivery and the current time, in both directions. Default:
   * 300.
   */
  readonly toleranceSeconds?: number | undefined
  /**
   * The time to verify against, in Unix milliseconds. Set it to verify a stored delivery. Default: the current time.
   */
  readonly now?: number | undefined
}

/** The unmodified bytes of the request body. */
export type RawBody = string | Uint8Array | ArrayBuffer

const defaultToleranceSeconds = 300
const secretPrefix = "whsec_"
const encoder = new TextEncoder()

const fail = (code: WebhookVerificationError["code"], message: string): never => {
  throw new WebhookVerificationError(code, message)
}

const howToRead =
  'Pass the raw body: await request.text(), express.raw({ type: "application/json" }), or collected chunks.'

const bytesOf = (rawBody: RawBody): Uint8Array<ArrayBuffer> => {
  // Callers without TypeScript may pass any value.
  const body: unknown = rawBody
  if (typeof body !== "string" && !(body instanceof Uint8Array) && !(body instanceof ArrayBuffer)) {
    return body === undefined || body === null
      ? fail("body_empty", `The body is missing. ${howToRead}`)
      : fail("body_parsed", `The body has been parsed, but the signature covers the original bytes. ${howToRead}`)
  }
  if (body === "[object Object]")
    return fail("body_parsed", `The body has been parsed and converted to a string. ${howToRead}`)
  const bytes = typeof body === "string" ? encoder.encode(body) : new Uint8Array(body)
  return bytes.length === 0
    ? fail("body_empty", `The body is empty. Another reader may have consumed it. ${howToRead}`)
    : bytes
}

const checkSecret = (secret: string): void => {
  const given: unknown = secret
  if (typeof given !== "string" || given === "")
    fail("bad_secret", "A secret is empty. Check the variable that contains it.")
  if (secret !== secret.trim()) fail("bad_secret", "A secret has leading or trailing white space. Remove it.")
  if (secret === secretPrefix)
    fail("bad_secret", "A secret consists of the prefix whsec_ only. Copy the complete secret.")
  if (secret.startsWith("whk_")) {
    fail(
      "bad_secret",
      "whk_… is the id of a subscription. Pass the secret of the subscription, which starts with whsec_."
    )
  }
}

/** Returns the key bytes of a secret for a scheme, or null when the scheme cannot use the secret. */
const keyOf = (scheme: Signed["scheme"], secret: string): Uint8Array<ArrayBuffer> | null => {
  if (scheme === "own") return encoder.encode(secret)
  const bytes = fromBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret)
  return bytes === null || bytes.length === 0 ? null : bytes
}

const isSignedWith = async (signed: Signed, secret: string, body: Uint8Array<ArrayBuffer>): Promise<boolean> => {
  const bytes = keyOf(signed.scheme, secret)
  if (bytes === null) return false
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
  const prefix = encoder.encode(signed.prefix)
  const content = new Uint8Array(prefix.length + body.length)
  content.set(prefix)
  content.set(body, prefix.length)
  // `verify` of Web Crypto compares in constant time.
  const matches = await Promise.all(
    signed.signatures.map((signature) => crypto.subtle.verify("HMAC", key, signature, content))
  )
  return matches.includes(true)
}

const findSigned = async (
  all: ReadonlyArray<Signed>,
  secrets: ReadonlyArray<string>,
  body: Uint8Array<ArrayBuffer>
): Promise<Signed> => {
  for (const signed of all) {
    for (const secret of secrets) if (await isSignedWith(signed, secret, body)) return signed
  }
  return fail(
    "no_match",
    "No signature matches. Check that the secret belongs to this subscription and has not been replaced, and that the body " +
      `is unmodified. ${howToRead} Otherwise the delivery is forged.`
  )
}

const checkTime = ({ timestamp }: Signed, { now, toleranceSeconds }: VerifyOptions): void => {
  const tolerance = toleranceSeconds ?? defaultToleranceSeconds
  if (!(tolerance >= 0)) throw new RangeError("toleranceSeconds must be 0 or greater.")
  const age = Math.floor((now ?? Date.now()) / 1000) - timestamp
  if (age > tolerance) {
    fail(
      "too_old",
      `The delivery is ${age} s old; the limit is ${tolerance} s. The delivery may be a replay. If it is not, correct the clock of this machine.`
    )
  }
  if (-age > tolerance) {
    fail(
      "too_new",
      `The timestamp of the delivery is ${-age} s in the future; the limit is ${tolerance} s. Correct the clock of this machine.`
    )
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isEvent = (value: unknown): value is WebhookEvent =>
  isRecord(value) &&
  ["event_id", "event_type", "tenant_id"].every((name) => typeof value[name] === "string") &&
  typeof value["timestamp"] === "number" &&
  isRecord(value["data"])

const parse = (body: Uint8Array<ArrayBuffer>): WebhookEvent => {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body))
  } catch {
    return fail(
      "body_invalid",
      "The signature is valid, but the body is not JSON. The request is not a Leadloom delivery."
    )
  }
  const message = "The signature is valid, but the body is not an event. The request is not a Leadloom delivery."
  return isEvent(value) ? value : fail("body_invalid", message)
}

/**
 * Verifies the signature and the timestamp of a delivery, and returns its event. Accepts `X-Webhook-Signature` and
 * Standard Webhooks; one valid scheme is enough. Several secrets may be passed during a rotation, and one of them must
 * match. Events arrive at least once, so use `event_id` to recognise duplicates.
 * @throws WebhookVerificationError with a `code` for the cause
 */
export const verify = async (
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | ReadonlyArray<string>,
  options: VerifyOptions = {}
): Promise<WebhookEvent> => {
  const secrets = typeof secret === "string" ? [secret] : (secret ?? [])
  if (secrets.length === 0)
    fail("bad_secret", "The list of secrets is empty. Check the variable that contains the secret.")
  secrets.forEach(checkSecret)
  const body = bytesOf(rawBody)
  checkTime(await findSigned(readSigned(headers), secrets, body), options)
  return parse(body)
}

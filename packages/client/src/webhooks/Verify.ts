import { fromBase64, readSigned, type Signed, type WebhookHeaders } from "./Signed.ts"
import { WebhookVerificationError } from "./WebhookVerificationError.ts"

/** One event as it is delivered. A newer server may add fields. */
export interface WebhookEvent {
  /** The same on every attempt and in the list of events: what has been worked on is known by it. */
  readonly event_id: string
  /** For example `lead.received`. */
  readonly event_type: string
  readonly tenant_id: string
  /** When it happened, Unix milliseconds. */
  readonly timestamp: number
  /** By `event_type`. */
  readonly data: Readonly<Record<string, unknown>>
}

/** How strict to be. */
export interface VerifyOptions {
  /** How far the time of the delivery may be from now, in both directions. Default: 300. */
  readonly toleranceSeconds?: number | undefined
  /** Unix milliseconds; for a delivery that was kept. Default: now. */
  readonly now?: number | undefined
}

/** The body of the request as it came, byte by byte. */
export type RawBody = string | Uint8Array | ArrayBuffer

const defaultToleranceSeconds = 300
const secretPrefix = "whsec_"
const encoder = new TextEncoder()

const fail = (code: WebhookVerificationError["code"], message: string): never => {
  throw new WebhookVerificationError(code, message)
}

const howToRead =
  'Use the raw body: await request.text(), express.raw({ type: "application/json" }), or collected chunks.'

const bytesOf = (rawBody: RawBody): Uint8Array<ArrayBuffer> => {
  // Callers without types hand over anything.
  const body: unknown = rawBody
  if (typeof body !== "string" && !(body instanceof Uint8Array) && !(body instanceof ArrayBuffer)) {
    return body === undefined || body === null
      ? fail("body_empty", `There is no body. ${howToRead}`)
      : fail("body_parsed", `The body was parsed, and its signature is that of the bytes before. ${howToRead}`)
  }
  if (body === "[object Object]") return fail("body_parsed", `The body was parsed and made a string. ${howToRead}`)
  const bytes = typeof body === "string" ? encoder.encode(body) : new Uint8Array(body)
  return bytes.length === 0 ? fail("body_empty", `The body is empty: was it read before? ${howToRead}`) : bytes
}

const checkSecret = (secret: string): void => {
  const given: unknown = secret
  if (typeof given !== "string" || given === "") fail("bad_secret", "A secret is empty: is the variable set?")
  if (secret !== secret.trim()) fail("bad_secret", "A secret has blanks or a line break around it: take them off.")
  if (secret === secretPrefix) fail("bad_secret", "A secret is whsec_ and nothing else: copy it whole.")
  if (secret.startsWith("whk_")) {
    fail("bad_secret", "whk_… is the subscription's id: use its secret, which begins with whsec_.")
  }
}

/** Null: such a secret signs nothing by this scheme. */
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
  // Web Crypto compares in constant time.
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
    "No signature matches. Either the secret is that of another subscription or was rotated away, or the body is not " +
      `the one that came: parsed and written again, or decoded. ${howToRead} Otherwise it is a forgery.`
  )
}

const checkTime = ({ timestamp }: Signed, { now, toleranceSeconds }: VerifyOptions): void => {
  const tolerance = toleranceSeconds ?? defaultToleranceSeconds
  if (!(tolerance >= 0)) throw new RangeError("toleranceSeconds has to be 0 or more")
  const age = Math.floor((now ?? Date.now()) / 1000) - timestamp
  if (age > tolerance) {
    fail("too_old", `The delivery is ${age} s old, more than ${tolerance}: somebody replays it, or the clock is fast.`)
  }
  if (-age > tolerance) {
    fail("too_new", `The delivery is ${-age} s ahead, more than ${tolerance}: the clock of this machine is slow.`)
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
    return fail("body_invalid", "The signature is right, but the body is no JSON: it is not a delivery of Leadloom's.")
  }
  const message = "The signature is right, but the body is no event: it is not a delivery of Leadloom's."
  return isEvent(value) ? value : fail("body_invalid", message)
}

/**
 * The event of a delivery, once it is certain that it comes from Leadloom, is unchanged and is no replay. Either scheme
 * is enough: `X-Webhook-Signature` or Standard Webhooks. Several secrets: one of them has to match, which is how a
 * rotation goes. Events come at least once: what has been worked on is known by `event_id`.
 * @throws WebhookVerificationError whose `code` says which mistake was made
 */
export const verify = async (
  rawBody: RawBody,
  headers: WebhookHeaders,
  secret: string | ReadonlyArray<string>,
  options: VerifyOptions = {}
): Promise<WebhookEvent> => {
  const secrets = typeof secret === "string" ? [secret] : (secret ?? [])
  if (secrets.length === 0) fail("bad_secret", "There is no secret: is the variable set?")
  secrets.forEach(checkSecret)
  const body = bytesOf(rawBody)
  checkTime(await findSigned(readSigned(headers), secrets, body), options)
  return parse(body)
}

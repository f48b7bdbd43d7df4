import { WebhookVerificationError } from "./WebhookVerificationError.ts"

/** The headers of a request: `Headers`, or an object as in `node:http`. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** The signature of a delivery in one scheme, parsed from the headers. */
export interface Signed {
  readonly scheme: "standard" | "own"
  /** The text that is signed before the body. */
  readonly prefix: string
  /** The time of the signature in Unix seconds. */
  readonly timestamp: number
  readonly signatures: ReadonlyArray<Uint8Array<ArrayBuffer>>
}

/**
 * The maximum number of signatures in a header. A rotation needs two. The limit bounds the work for a forged header.
 */
const maxSignatures = 16

const hasGet = (headers: WebhookHeaders): headers is { readonly get: (name: string) => string | null } =>
  typeof headers.get === "function"

/**
 * Returns a function that reads a header. Names are case-insensitive. Repeated headers are joined with commas, as in
 * `Headers`. The value of an absent header is null.
 */
const reader = (headers: WebhookHeaders): ((name: string) => string | null) => {
  if (hasGet(headers)) return (name) => headers.get(name)
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return (name) => {
    const value = values.get(name)
    return value === undefined ? null : typeof value === "string" ? value : value.join(", ")
  }
}

const malformed = (message: string): never => {
  throw new WebhookVerificationError("malformed_header", message)
}

const readTimestamp = (name: string, value: string): number => {
  if (/^\d{13}$/u.test(value)) return malformed(`${name} is in milliseconds. Send Unix seconds.`)
  return /^\d{1,12}$/u.test(value) ? Number(value) : malformed(`${name} must be a time in Unix seconds.`)
}

/** Decodes base64. Returns null for invalid input. */
export const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))

type Read = (name: string) => string | null

const needed = (read: Read, name: string, beside: string): string => {
  const value = read(name)?.trim() ?? ""
  if (value !== "") return value
  throw new WebhookVerificationError(
    "missing_header",
    `${name} is missing although ${beside} is present. Pass all headers of the request.`
  )
}

const readStandard = (read: Read): Signed => {
  const id = needed(read, "webhook-id", "webhook-signature")
  const time = needed(read, "webhook-timestamp", "webhook-signature")
  const timestamp = readTimestamp("webhook-timestamp", time)
  const signatures = (read("webhook-signature") ?? "")
    .split(/[\s]+|,\s+/u)
    .flatMap((each) => (each.startsWith("v1,") ? (fromBase64(each.slice(3)) ?? []) : []))
    .slice(0, maxSignatures)
  if (signatures.length === 0) return malformed("webhook-signature contains no signature with the prefix v1,")
  return { scheme: "standard", prefix: `${id}.${time}.`, timestamp, signatures }
}

const readOwn = (read: Read): Signed => {
  const time = needed(read, "x-webhook-timestamp", "x-webhook-signature")
  const timestamp = readTimestamp("x-webhook-timestamp", time)
  const signatures = (read("x-webhook-signature") ?? "")
    .split(/[\s,]+/u)
    .filter((each) => /^[\da-f]{64}$/iu.test(each))
    .slice(0, maxSignatures)
  if (signatures.length === 0) return malformed("x-webhook-signature must be 64 hexadecimal digits.")
  return { scheme: "own", prefix: `${time}.`, timestamp, signatures: signatures.map(fromHex) }
}

const noSignature =
  "webhook-signature and x-webhook-signature are missing. Pass the unmodified headers of the request. " +
  "Every delivery has both headers."

/**
 * Parses the signature headers. The result starts with Standard Webhooks, because this scheme also signs the id. One
 * valid scheme is enough. An error in one scheme is thrown only if the other scheme is absent or invalid.
 * @throws WebhookVerificationError when no scheme is present and valid
 */
export const readSigned = (headers: WebhookHeaders): ReadonlyArray<Signed> => {
  const read = reader(headers)
  const signed: Array<Signed> = []
  let wrong: unknown = new WebhookVerificationError("missing_header", noSignature)
  for (const [name, readScheme] of [
    ["x-webhook-signature", readOwn],
    ["webhook-signature", readStandard]
  ] as const) {
    if (read(name) === null) continue
    try {
      signed.unshift(readScheme(read))
    } catch (error) {
      wrong = error
    }
  }
  if (signed.length === 0) throw wrong
  return signed
}

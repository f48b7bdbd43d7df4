import { WebhookVerificationError } from "./WebhookVerificationError.ts"

/** What frameworks hand over: `Headers` of a `Request`, or an object as `node:http` and its kind make it. */
export type WebhookHeaders =
  | { readonly get: (name: string) => string | null }
  | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** What one scheme signed, read from the headers. */
export interface Signed {
  readonly scheme: "standard" | "own"
  /** What is signed before the body. */
  readonly prefix: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly signatures: ReadonlyArray<Uint8Array<ArrayBuffer>>
}

/** More signatures than this are nobody's rotation. */
const maxSignatures = 16

const hasGet = (headers: WebhookHeaders): headers is { readonly get: (name: string) => string | null } =>
  typeof headers.get === "function"

/** The value of a header, whatever its case; several of one name are joined as the web does. Null: it is not there. */
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
  if (/^\d{13}$/u.test(value)) return malformed(`${name} is in milliseconds: it has to be in seconds.`)
  return /^\d{1,12}$/u.test(value) ? Number(value) : malformed(`${name} has to be a time in Unix seconds.`)
}

/** Bytes of base64; null when it is none. */
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
  throw new WebhookVerificationError("missing_header", `${name} is missing beside ${beside}: pass all headers on.`)
}

const readStandard = (read: Read): Signed => {
  const id = needed(read, "webhook-id", "webhook-signature")
  const time = needed(read, "webhook-timestamp", "webhook-signature")
  const timestamp = readTimestamp("webhook-timestamp", time)
  const signatures = (read("webhook-signature") ?? "")
    .split(/[\s]+|,\s+/u)
    .flatMap((each) => (each.startsWith("v1,") ? (fromBase64(each.slice(3)) ?? []) : []))
    .slice(0, maxSignatures)
  if (signatures.length === 0) return malformed("webhook-signature holds no signature that begins with v1,")
  return { scheme: "standard", prefix: `${id}.${time}.`, timestamp, signatures }
}

const readOwn = (read: Read): Signed => {
  const time = needed(read, "x-webhook-timestamp", "x-webhook-signature")
  const timestamp = readTimestamp("x-webhook-timestamp", time)
  const signatures = (read("x-webhook-signature") ?? "")
    .split(/[\s,]+/u)
    .filter((each) => /^[\da-f]{64}$/iu.test(each))
    .slice(0, maxSignatures)
  if (signatures.length === 0) return malformed("x-webhook-signature has to be 64 hexadecimal digits.")
  return { scheme: "own", prefix: `${time}.`, timestamp, signatures: signatures.map(fromHex) }
}

const noSignature =
  "There is neither webhook-signature nor x-webhook-signature: pass the headers of the request as they came. " +
  "A request without them is not a delivery."

/**
 * What the headers say was signed, by Standard Webhooks first, which signs the id as well. One scheme is enough: whatever
 * is wrong with the other one is only said when both are.
 * @throws WebhookVerificationError when neither scheme is there and can be read
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

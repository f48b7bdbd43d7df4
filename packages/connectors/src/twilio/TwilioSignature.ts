import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

/** The header with the signature of a webhook. */
export const signatureHeader = "x-twilio-signature"

/** The header with an id that is equal on every attempt of one delivery. */
export const idempotencyHeader = "i-twilio-idempotency-token"

/** The signed parts of a request. */
export interface Signed {
  /**
   * The URL that Twilio called, including its query. It is built from the configured public URL, never from the Host
   * header.
   */
  readonly url: string
  /** The body, byte for byte as received. */
  readonly body: Uint8Array
  readonly contentType: string | null
  readonly signature: string | undefined
}

const defaultPorts: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" }

const authority = /^(?<scheme>https?:)\/\/(?<host>[^/?#]*?)(?<port>:\d+)?(?=[/?#]|$)/iu

/**
 * Returns the URL unchanged, with its port, and without its port, because senders and proxies differ in this respect.
 */
const spellingsOf = (url: string): ReadonlyArray<string> => {
  const { host = "", port, scheme = "" } = authority.exec(url)?.groups ?? {}
  const rest = url.slice(scheme.length + 2 + host.length + (port?.length ?? 0))
  const defaultPort = defaultPorts[scheme.toLowerCase()] ?? ""
  return [...new Set([url, `${scheme}//${host}${port ?? `:${defaultPort}`}${rest}`, `${scheme}//${host}${rest}`])]
}

/**
 * Concatenates the names and values of a form, sorted by name. Equal values of a repeated name count once; different
 * values are sorted.
 */
const formText = (body: Uint8Array): string => {
  const form = new URLSearchParams(new TextDecoder().decode(body))
  const names = [...new Set(form.keys())].toSorted()
  return names.flatMap((name) => [...new Set(form.getAll(name))].toSorted().map((value) => name + value)).join("")
}

const isForm = (contentType: string | null): boolean =>
  /^application\/x-www-form-urlencoded\b/iu.test(contentType?.trim() ?? "")

/** Returns the hash of a body that is not a form. It is in the query, which Twilio signs. */
const hashIn = (url: string): string | null => URL.parse(url)?.searchParams.get("bodySHA256") ?? null

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

/**
 * Verifies the signature of Twilio (https://www.twilio.com/docs/usage/webhooks/webhooks-security): base64 of HMAC-SHA1
 * over URL and form, or over the URL alone for a JSON body, whose SHA-256 is in the URL. Several tokens are accepted
 * during a rotation. The signature contains no time, so only the id in the body detects a repetition.
 */
export const isSignedBy = (
  tokens: ReadonlyArray<Redacted.Redacted<string>>,
  { body, contentType, signature, url }: Signed
): boolean => {
  const given = Buffer.from(signature?.trim() ?? "", "base64")
  if (given.length !== 20) return false
  const form = isForm(contentType) ? formText(body) : ""
  const hash = hashIn(url)
  if (form === "" && body.length > 0) {
    const found = createHash("sha256").update(body).digest()
    if (hash === null || !isSame(Buffer.from(hash, "hex"), found)) return false
  }
  return tokens
    .map((token) => Redacted.value(token))
    .filter((token) => token !== "")
    .some((token) =>
      spellingsOf(url).some((spelling) =>
        isSame(
          createHmac("sha1", token)
            .update(spelling + form)
            .digest(),
          given
        )
      )
    )
}

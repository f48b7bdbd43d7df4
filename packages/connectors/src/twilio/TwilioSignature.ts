import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

/** The header that carries the signature of a webhook. */
export const signatureHeader = "x-twilio-signature"

/** The same on every attempt at one delivery. */
export const idempotencyHeader = "i-twilio-idempotency-token"

/** What is signed of a request. */
export interface Signed {
  /** The URL that Twilio called, query included: the public one of the configuration, never what a Host header says. */
  readonly url: string
  /** As it came. */
  readonly body: Uint8Array
  readonly contentType: string | null
  readonly signature: string | undefined
}

const defaultPorts: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" }

const authority = /^(?<scheme>https?:)\/\/(?<host>[^/?#]*?)(?<port>:\d+)?(?=[/?#]|$)/iu

/** A URL as it stands, with its port and without: senders and proxies differ in what they write. */
const spellingsOf = (url: string): ReadonlyArray<string> => {
  const { host = "", port, scheme = "" } = authority.exec(url)?.groups ?? {}
  const rest = url.slice(scheme.length + 2 + host.length + (port?.length ?? 0))
  const defaultPort = defaultPorts[scheme.toLowerCase()] ?? ""
  return [...new Set([url, `${scheme}//${host}${port ?? `:${defaultPort}`}${rest}`, `${scheme}//${host}${rest}`])]
}

/** Names and values of a form in the order of the names, one after the other; the values of one name once, in their order. */
const formText = (body: Uint8Array): string => {
  const form = new URLSearchParams(new TextDecoder().decode(body))
  const names = [...new Set(form.keys())].toSorted()
  return names.flatMap((name) => [...new Set(form.getAll(name))].toSorted().map((value) => name + value)).join("")
}

const isForm = (contentType: string | null): boolean =>
  /^application\/x-www-form-urlencoded\b/iu.test(contentType?.trim() ?? "")

/** The hash of a body that is no form stands in the query, which is signed. */
const hashIn = (url: string): string | null => URL.parse(url)?.searchParams.get("bodySHA256") ?? null

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)

/**
 * Whether Twilio sent a request (https://www.twilio.com/docs/usage/webhooks/webhooks-security): base64 of HMAC-SHA1 over
 * URL and form, or over the URL alone when the body is JSON, whose SHA-256 the URL then names. While a token is changed
 * there are two of them. Says nothing about when: a repetition is told by the id in the body.
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

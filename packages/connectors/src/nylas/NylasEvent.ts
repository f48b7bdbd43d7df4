import { type Address, isEmail, normalizeEmail, parseAddressList } from "@leadloom/core/domain/address/Address"
import type { HostedMailEvent } from "@leadloom/core/domain/email/HostedMail"
import { visibleLine } from "@leadloom/core/domain/email/VisibleText"
import { Option, Redacted, Schema } from "effect"
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { maybe } from "../http/Lenient.ts"
import { millisOf } from "./ReadMessage.ts"

/** The header that carries the signature of a provider event. */
export const signatureHeader = "x-nylas-signature"

/** A provider event that is the provider's, and what it says. The same event may come twice, under the same id. */
export interface ProviderEventRead {
  readonly _tag: "ProviderEventRead"
  readonly eventId: string
  readonly providerEvent: HostedMailEvent
}

/** `signature`: whoever sent it does not know the secret. `malformed`: it is signed, and no provider event. */
export interface ProviderEventRejected {
  readonly _tag: "ProviderEventRejected"
  readonly why: "signature" | "malformed"
}

/** Most bytes of a provider event that came compressed. A message above 1 MB is not in its provider event. */
const maxProviderEventBytes = 8 * 1_048_576

/** Most addresses read of one bounce. */
const maxReturned = 100

const Origin = Schema.Struct({ id: maybe(Schema.String), mime_id: maybe(Schema.String) })

const Subject = Schema.Struct({
  id: maybe(Schema.String),
  grant_id: maybe(Schema.String),
  date: maybe(Schema.Finite),
  bounce_reason: maybe(Schema.String),
  bounced_addresses: maybe(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  type: maybe(Schema.String),
  code: maybe(Schema.Union([Schema.String, Schema.Finite])),
  origin: maybe(Origin),
  message_id: maybe(Schema.String)
})

const ProviderEvent = Schema.Struct({
  type: Schema.String,
  id: maybe(Schema.String),
  data: maybe(Schema.Struct({ grant_id: maybe(Schema.String), object: maybe(Subject) }))
})

type ProviderEventJson = typeof ProviderEvent.Type
type SubjectJson = typeof Subject.Type

const isSigned = (secret: string, body: Uint8Array, signature: string | undefined): boolean => {
  // An empty secret is one that everybody knows.
  if (secret === "" || signature === undefined || !/^[\da-f]{64}$/iu.test(signature)) return false
  return timingSafeEqual(createHmac("sha256", secret).update(body).digest(), Buffer.from(signature, "hex"))
}

/** Compressed provider events are signed as they travel. */
const inflated = (body: Uint8Array): Uint8Array =>
  body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body, { maxOutputLength: maxProviderEventBytes }) : body

const parse = (body: Uint8Array): Option.Option<ProviderEventJson> => {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(inflated(body)))
    return Schema.decodeUnknownOption(ProviderEvent)(json)
  } catch {
    return Option.none()
  }
}

const returnedAddresses = ({ bounced_addresses }: SubjectJson): ReadonlyArray<Address> => {
  const said = typeof bounced_addresses === "string" ? [bounced_addresses] : (bounced_addresses ?? [])
  const found = said
    .flatMap((list) => parseAddressList(list.slice(0, 32_768)))
    .map(({ email, name }) => ({
      email: normalizeEmail(email),
      name: name === null ? null : visibleLine(name) || null
    }))
    .filter(({ email }) => isEmail(email))
  return [...new Map(found.map((address) => [address.email, address])).values()].slice(0, maxReturned)
}

/** Words that speak of the mail, the mailbox's room or a policy, not of the address (RFC 5321 section 4.2.3, RFC 3463). */
const ofOneMail = /\b55[24]\b|\b5\.(?:2\.[23]|[367]\.\d+)\b|full|quota|too[ _]large|size|spam|content|policy|block/iu

const mailReturned = (providerGrantId: string, subject: SubjectJson): HostedMailEvent => {
  const code = String(subject.code ?? "").trim()
  const hard = code.startsWith("5")
  const words = [code, subject.type ?? "", subject.bounce_reason ?? ""].map(visibleLine).filter((part) => part !== "")
  return {
    _tag: "MailReturned",
    providerGrantId,
    originalMessageId: subject.origin?.mime_id || null,
    // Both are the id of the mail that was sent.
    originalProviderId: subject.message_id || subject.origin?.id || null,
    recipients: returnedAddresses(subject),
    reason: words.join(" ").slice(0, 500),
    hard,
    closed: hard && !ofOneMail.test(words.join(" "))
  }
}

/** `message.created`, whatever was done to the copy of the message in the provider event. */
const arrival = /^message\.created(?:\.(?:truncated|transformed|cleaned))*$/u

const providerEventOf = ({ data, type }: ProviderEventJson): HostedMailEvent => {
  const subject = data?.object ?? {}
  const ignored: HostedMailEvent = { _tag: "Ignored", type: visibleLine(type).slice(0, 100) }
  const grant = subject.grant_id || data?.grant_id || ""
  // What a provider event of an account speaks of is the account.
  const providerGrantId = type.startsWith("grant.") ? grant || subject.id || "" : grant
  if (providerGrantId === "") return ignored
  if (arrival.test(type)) {
    const receivedAt = millisOf(subject.date)
    return subject.id ? { _tag: "MessageArrived", providerGrantId, providerMessageId: subject.id, receivedAt } : ignored
  }
  if (type === "message.bounce_detected") return mailReturned(providerGrantId, subject)
  if (type === "grant.expired" || type === "grant.deleted") return { _tag: "AccountExpired", providerGrantId }
  if (type === "grant.created" || type === "grant.updated") return { _tag: "AccountChanged", providerGrantId }
  return ignored
}

/**
 * Reads a provider event of Nylas: `rawBody` as it came, `signature` from the header `x-nylas-signature` (HMAC-SHA256 in hex over
 * the body). Total. Nothing in it tells when it was signed: only `eventId` tells a repeated one from a new one.
 */
export const readProviderEvent = (
  secret: Redacted.Redacted<string>,
  rawBody: Uint8Array,
  signature: string | undefined
): ProviderEventRead | ProviderEventRejected => {
  if (!isSigned(Redacted.value(secret), rawBody, signature?.trim()))
    return { _tag: "ProviderEventRejected", why: "signature" }
  const json = Option.getOrNull(parse(rawBody))
  if (json === null) return { _tag: "ProviderEventRejected", why: "malformed" }
  const eventId = json.id || `body-${createHash("sha256").update(rawBody).digest("hex")}`
  return { _tag: "ProviderEventRead", eventId, providerEvent: providerEventOf(json) }
}

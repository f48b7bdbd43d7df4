import { type Address, isEmail, normalizeEmail, parseAddressList } from "@leadloom/core/internal/domain/address/Address"
import type { HostedMailEvent } from "@leadloom/core/internal/domain/email/HostedMail"
import { visibleLine } from "@leadloom/core/internal/domain/email/VisibleText"
import { Option, Redacted, Schema } from "effect"
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { maybe } from "../provider/Lenient.ts"
import { millisOf } from "./ReadMessage.ts"

/** The header with the signature of a provider event. */
export const signatureHeader = "x-nylas-signature"

/** An authentic provider event. Nylas may repeat it with the same id. */
export interface ProviderEventRead {
  readonly _tag: "ProviderEventRead"
  readonly eventId: string
  readonly providerEvent: HostedMailEvent
}

/**
 * The reason for the rejection of a provider event. `signature`: the signature is missing or invalid. `malformed`: the
 * signature is valid, but the body is not a provider event.
 */
export interface ProviderEventRejected {
  readonly _tag: "ProviderEventRejected"
  readonly why: "signature" | "malformed"
}

/** The maximum size of a decompressed provider event in bytes. Nylas leaves out messages above 1 MB. */
const maxProviderEventBytes = 8 * 1_048_576

/** The maximum number of addresses read from one bounce. */
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
  // An empty secret is rejected, because anyone could sign with it.
  if (secret === "" || signature === undefined || !/^[\da-f]{64}$/iu.test(signature)) return false
  return timingSafeEqual(createHmac("sha256", secret).update(body).digest(), Buffer.from(signature, "hex"))
}

/** The signature covers the compressed body. */
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

/**
 * SMTP codes and words that concern one mail, the mailbox size or a policy. They do not show that the address is
 * invalid (RFC 5321 section 4.2.3, RFC 3463).
 */
const ofOneMail = /\b55[24]\b|\b5\.(?:2\.[23]|[367]\.\d+)\b|full|quota|too[ _]large|size|spam|content|policy|block/iu

const mailReturned = (providerGrantId: string, subject: SubjectJson): HostedMailEvent => {
  const code = String(subject.code ?? "").trim()
  const hard = code.startsWith("5")
  const words = [code, subject.type ?? "", subject.bounce_reason ?? ""].map(visibleLine).filter((part) => part !== "")
  return {
    _tag: "MailReturned",
    providerGrantId,
    originalMessageId: subject.origin?.mime_id || null,
    // Both fields contain the id of the sent mail.
    originalProviderId: subject.message_id || subject.origin?.id || null,
    recipients: returnedAddresses(subject),
    reason: words.join(" ").slice(0, 500),
    hard,
    closed: hard && !ofOneMail.test(words.join(" "))
  }
}

/** The type `message.created`, with suffixes for changes to the copied message. */
const arrival = /^message\.created(?:\.(?:truncated|transformed|cleaned))*$/u

const providerEventOf = ({ data, type }: ProviderEventJson): HostedMailEvent => {
  const subject = data?.object ?? {}
  const ignored: HostedMailEvent = { _tag: "Ignored", type: visibleLine(type).slice(0, 100) }
  const grant = subject.grant_id || data?.grant_id || ""
  // In a `grant.…` event, the object itself is the account.
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
 * Verifies and reads a provider event of Nylas. `rawBody` is the unchanged body, and `signature` is the header
 * `x-nylas-signature` (HMAC-SHA256 over the body, in hexadecimal). Never throws. The signature contains no time, so
 * only `eventId` detects a repetition.
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

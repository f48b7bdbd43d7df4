import { Clock, Effect } from "effect"
import { emailIdentity } from "../contact/Identity.ts"
import { acceptMessage, messageIdKey } from "../conversation/AcceptMessage.ts"
import type { Inbound } from "../conversation/Inbound.ts"
import type { Auto, MessageFlag } from "../conversation/Message.ts"
import { Grants } from "../port/Grants.ts"
import { MailParser } from "../port/MailParser.ts"
import { Transactions } from "../port/Transactions.ts"
import type { Tenant } from "../tenant/Tenant.ts"
import { type Address, domainOf, normalizeEmail } from "./Address.ts"
import { classifyAuto } from "./AutoMail.ts"
import { closeAddresses } from "./CloseAddresses.ts"
import { discoverAliases } from "./DiscoverAliases.ts"
import { type Envelope, withReturnPath } from "./Envelope.ts"
import { contentFingerprint, rawFingerprint, referencesFingerprint, synthesizedMessageId } from "./Fingerprint.ts"
import { type Grant, senderAddresses } from "./Grant.ts"
import { type MessageReference, normalizeMessageId, referencedIds } from "./MessageId.ts"
import type { ParsedMail } from "./ParsedMail.ts"
import { splitQuoted } from "./QuotedText.ts"
import { type ReturnedMail, returnedMail } from "./ReturnedMail.ts"

/** A raw mail on its way in. */
export interface RawMail {
  readonly tenant: Tenant
  /** The mail as it arrived, RFC 5322. */
  readonly raw: Uint8Array
  /** Who brought it, for example `import`. */
  readonly source: string
  /** Old mail: stored and threaded, but the pipeline does not run on it. */
  readonly historical: boolean
  /** How a stranger handed it over; absent when somebody with a credential brings it, who is taken at their word. */
  readonly envelope?: Envelope
}

/** What decides which addresses are the tenant's own. */
interface Ownership {
  readonly isOwn: (email: string) => boolean
  /** The mail was written by the tenant's people. */
  readonly own: boolean
  /** It says so, and anybody could. */
  readonly claimed: boolean
}

/**
 * Who brings a mail of the tenant's own is believed; a stranger is not, for anybody can write any sender. What we have
 * sent ourselves is a copy when it comes back, and never gets here.
 */
const ownershipOf = ({ envelope, tenant }: RawMail, mail: ParsedMail, grant: Grant | null): Ownership => {
  const connected = new Set(grant === null ? [] : senderAddresses(grant))
  const isOwn = (email: string): boolean => {
    const address = normalizeEmail(email)
    return connected.has(address) || (tenant.domain !== null && domainOf(address) === tenant.domain)
  }
  const written = mail.from.some(({ email }) => isOwn(email))
  return { isOwn, own: written && envelope === undefined, claimed: written && envelope !== undefined }
}

const emails = (addresses: ReadonlyArray<Address>): ReadonlyArray<string> => [
  ...new Set(addresses.map((address) => normalizeEmail(address.email)).filter((email) => email !== ""))
]

/** Who the conversation is with: the sender, or for our own mail its first recipient outside. */
const correspondent = (mail: ParsedMail, own: boolean, isOwn: (email: string) => boolean): Address | null => {
  const recipients = [...mail.to, ...mail.cc, ...mail.bcc]
  if (own) return recipients.find(({ email }) => !isOwn(email)) ?? recipients[0] ?? mail.from[0] ?? null
  return mail.from[0] ?? mail.sender ?? mail.replyTo[0] ?? null
}

/** A bounce is about the mail it returns: that one names the thread, if we hold it. */
const returnedReference = (returned: ReturnedMail | null): ReadonlyArray<MessageReference> =>
  returned === null ? [] : [{ id: returned.originalMessageId, weak: true }]

const detailOf = (mail: ParsedMail, reasons: ReadonlyArray<string>): string | null => {
  const remarks = [...reasons, ...mail.defects]
  return remarks.length === 0 ? null : remarks.join("; ").slice(0, 500)
}

const flagsOf = (suppressReply: boolean, claimed: boolean): ReadonlyArray<MessageFlag> => [
  ...(suppressReply ? (["no_auto_reply"] as const) : []),
  ...(claimed ? (["sender_unverified"] as const) : [])
]

/** Which of our addresses it arrived at: one that the header names, where the envelope leaves a choice. */
const receivedAliasOf = (
  mail: ParsedMail,
  envelope: Envelope | undefined,
  isOwn: (email: string) => boolean
): string | null => {
  const named = [...emails(mail.to), ...emails(mail.cc)]
  if (envelope === undefined) {
    return [...mail.deliveredTo.map(normalizeEmail), ...named, ...emails(mail.bcc)].find(isOwn) ?? null
  }
  return named.find((email) => envelope.recipients.includes(email)) ?? envelope.recipients[0] ?? null
}

/** Everything the domain reads out of a mail, before anything is looked up. */
const toInbound = (input: RawMail, mail: ParsedMail, grant: Grant | null, now: number): Inbound => {
  const { envelope, historical, raw, source, tenant } = input
  const { claimed, isOwn, own } = ownershipOf(input, mail, grant)
  const verdict = classifyAuto(mail)
  const auto: Auto | null = own ? "own" : verdict.auto
  const other = correspondent(mail, own, isOwn)
  const identity = other === null ? null : emailIdentity(normalizeEmail(other.email))
  const from = emails([...mail.from, ...(mail.sender === null ? [] : [mail.sender])])[0] ?? null
  const to = emails(mail.to)
  const cc = emails(mail.cc)
  const timestamp = Math.min(mail.date ?? now, now)
  const split = splitQuoted(mail.text, mail.html)
  const folded = [split.quoted, split.signature].filter((part) => part.trim() !== "").join("\n")
  // Answers between quotes make sense beside their questions only, so the whole text is kept, in its order.
  const quotedText = split.interleaved ? mail.text : folded
  const givenId = mail.messageId === null ? null : normalizeMessageId(mail.messageId)
  const internetMessageId = givenId ?? synthesizedMessageId(rawFingerprint(raw))
  const dateSeconds = mail.date === null ? null : Math.floor(mail.date / 1000)
  const references = referencedIds(mail)
  const content = { from: from ?? "", recipients: [...to, ...cc], subject: mail.subject, text: mail.text, dateSeconds }
  return {
    tenant,
    channel: "email",
    source,
    actor: own ? "agent" : "contact",
    auto,
    delivery: null,
    identities: identity === null ? [] : [identity],
    profile: { name: other?.name ?? null, email: identity?.value ?? null, phone: null, company: null },
    body: split.visible,
    quotedText: quotedText === "" ? null : quotedText,
    subject: mail.subject === "" ? null : mail.subject,
    mail: {
      internetMessageId,
      references: [...returnedReference(returnedMail(mail)), ...references],
      from,
      to,
      cc,
      replyTo: emails(mail.replyTo),
      receivedAlias: receivedAliasOf(mail, envelope, isOwn),
      provider: null,
      htmlBody: mail.html,
      attachments: mail.attachments
    },
    flags: flagsOf(verdict.suppressReply, claimed),
    metadata: {},
    timestamp,
    dedupKeys: [
      ...(givenId === null ? [] : [messageIdKey + givenId]),
      `hash:${contentFingerprint(content)}${referencesFingerprint(references.map(({ id }) => id))}`
    ],
    pipeline: historical || own || auto === "bounce" || auto === "auto_reply" ? "none" : "queue",
    detail: detailOf(mail, verdict.reasons)
  }
}

const noted = (inbound: Inbound, skipped: ReadonlyArray<string>): Inbound => {
  if (skipped.length === 0) return inbound
  const remark = `no room for a further alias: ${skipped.join(", ")}`
  return { ...inbound, detail: [remark, ...(inbound.detail === null ? [] : [inbound.detail])].join("; ").slice(0, 500) }
}

/** Takes one raw mail in. Total over its content: whatever the bytes are, they end as a stored message or as a copy. */
export const ingestEmail = Effect.fn("ingestEmail")(function* (input: RawMail) {
  const { envelope, tenant } = input
  const { tenantId } = tenant
  const read = yield* (yield* MailParser).parse(input.raw)
  const parsed = envelope === undefined ? read : withReturnPath(read, envelope)
  const now = yield* Clock.currentTimeMillis
  const grant = envelope === undefined ? null : yield* (yield* Grants).current(tenantId)
  const inbound = toInbound(input, parsed, grant, now)
  const returned = returnedMail(parsed)
  const known = grant === null ? [] : senderAddresses(grant)
  const newcomers = grant === null ? [] : (envelope?.recipients ?? []).filter((email) => !known.includes(email))
  if (returned === null && newcomers.length === 0) return yield* acceptMessage(inbound)
  return yield* (yield* Transactions).atomically(
    tenantId,
    Effect.gen(function* () {
      const skipped = newcomers.length === 0 ? [] : yield* discoverAliases(tenant, newcomers)
      const accepted = yield* acceptMessage(noted(inbound, skipped))
      if (returned !== null) yield* closeAddresses(tenantId, returned, now)
      return accepted
    })
  )
})

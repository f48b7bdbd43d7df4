import type { Auto, MessageFlag } from "../../domain/conversation/Message.ts"
import { unparsedFlag } from "../../domain/conversation/UnparsedMail.ts"
import { type Address, domainOf, normalizeEmail } from "../../domain/address/Address.ts"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import {
  type AuthenticationFindings,
  readAuthentication,
  type TrustsServer
} from "../../domain/email/Authentication.ts"
import { classifyAuto } from "../../domain/email/AutoMail.ts"
import { referencesFingerprint, synthesizedMessageId } from "../../domain/email/Fingerprint.ts"
import { type Grant, senderAddresses } from "../../domain/email/Grant.ts"
import type { MailSource } from "../../domain/email/MailSource.ts"
import { mailboxOf } from "../../domain/email/Mailbox.ts"
import { normalizeMessageId, referencedIds, repliedIds } from "../../domain/email/MessageId.ts"
import { type Envelope, headerValues, type ParsedMail, withReturnPath } from "../../domain/email/ParsedMail.ts"
import { emailsOf, fingerprintOf, type ReadMail } from "../../domain/email/ReadMail.ts"
import { type ReturnedMail, returnedMail } from "../../domain/email/ReturnedMail.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { Inbound, MailEnvelope, ProviderIds } from "./Inbound.ts"
import { messageIdKey, providerKey, providerThread, sentMessageHeader } from "./Recognise.ts"

/** The circumstances in which a mail arrived. */
export interface MailArrival {
  readonly tenant: Tenant
  /** The origin of the mail, for example `import`. */
  readonly source: string
  /** True for old mail. It is stored and joins its thread, but does not enter the pipeline. */
  readonly historical: boolean
  /**
   * The SMTP envelope, if the mail comes from an unauthenticated sender. Absent when an authenticated client submits
   * the mail.
   */
  readonly envelope?: Envelope
  /** The location of the mail in a hosted account. Absent for mail that arrives in another way. */
  readonly hosted?: HostedMailLocation
}

/** The location of a mail in a hosted account. */
export interface HostedMailLocation {
  readonly grant: Grant
  readonly providerGrantId: string
  readonly providerMessageId: string
  readonly providerThreadId: string | null
  /** True for sent mail, false for mail in the inbox. Null if unknown. */
  readonly sent: boolean | null
}

/** A parsed mail, with the circumstances of its arrival. */
export interface ParsedArrival extends MailArrival {
  readonly parsed: ReadMail
  /** Returns a text that identifies the bytes of the mail. It replaces a missing Message-ID. */
  readonly fingerprint: () => string
  readonly stored: MailSource
}

/** An inbound message that is a mail and has an envelope. */
export type InboundMail = Inbound & { readonly mail: MailEnvelope }

/** The relation of a mail to the tenant's own addresses. */
interface Ownership {
  readonly isOwn: (email: string) => boolean
  /** True when the tenant itself sent the mail. */
  readonly own: boolean
  /**
   * True when the sender address is one of the tenant's addresses, but nothing proves that the tenant sent the mail.
   */
  readonly claimed: boolean
}

/** Returns which servers may state the authentication of a mail. Microsoft's field has no authserv-id. */
const trustOf = ({ hosted, tenant }: MailArrival): TrustsServer => {
  const { provider } = hosted?.grant ?? { provider: null }
  const { trustedMailServers } = tenant.config
  return (id) =>
    provider === "google"
      ? id === "mx.google.com"
      : provider === "microsoft"
        ? id === ""
        : trustedMailServers.includes(id)
}

/**
 * Returns whether the circumstances prove the sender address of a mail, which is one of the tenant's addresses. Sender
 * addresses are easy to forge:
 *
 * - Mail over SMTP proves nothing.
 * - Mail of a hosted account is proved in the folder of sent mail. Otherwise its provider must have authenticated it.
 *   Without a known folder and without a result, the provider's filter of forged mail is trusted.
 * - An authenticated client is trusted, unless the receiving server did not authenticate the mail.
 */
const isProved = ({ envelope, hosted }: MailArrival, { authentication, rejected }: AuthenticationFindings): boolean => {
  if (hosted?.sent === true) return true
  if (rejected || (hosted === undefined && envelope !== undefined)) return false
  return authentication === null ? hosted?.sent !== false : authentication.fromDomainAligned
}

/**
 * Decides whether the tenant itself sent a mail: all sender addresses are the tenant's, and the circumstances prove
 * them. In a hosted account, only the addresses of the account count outside the folder of sent mail. For mail that this
 * server sent, the result does not matter, because the mail is recognised as a duplicate.
 */
const ownershipOf = (
  arrival: MailArrival,
  mail: ParsedMail,
  grant: Grant | null,
  findings: AuthenticationFindings
): Ownership => {
  const { hosted, tenant } = arrival
  const connected = new Set(grant === null ? [] : senderAddresses(grant))
  const isOwn = (email: string): boolean => {
    const address = normalizeEmail(email)
    return connected.has(address) || (tenant.domain !== null && domainOf(address) === tenant.domain)
  }
  const isReceived = hosted !== undefined && hosted.sent !== true
  const mayWrite = (email: string): boolean => (isReceived ? connected.has(normalizeEmail(email)) : isOwn(email))
  const written = mail.from.some(({ email }) => isOwn(email))
  const own = written && mail.from.every(({ email }) => mayWrite(email)) && isProved(arrival, findings)
  return { isOwn, own, claimed: written && !own }
}

/**
 * Returns the other party of the conversation. It is the sender; for the tenant's own mail, it is the first external
 * recipient.
 */
const correspondent = (mail: ParsedMail, own: boolean, isOwn: (email: string) => boolean): Address | null => {
  const recipients = [...mail.to, ...mail.cc, ...mail.bcc]
  if (own) return recipients.find(({ email }) => !isOwn(email)) ?? recipients[0] ?? mail.from[0] ?? null
  return mail.from[0] ?? mail.sender ?? mail.replyTo[0] ?? null
}

const flagsOf = (
  { unparsed }: Pick<ParsedMail, "unparsed">,
  suppressReply: boolean,
  claimed: boolean
): ReadonlyArray<MessageFlag> => [
  ...(unparsed === undefined ? [] : [unparsedFlag(unparsed)]),
  ...(suppressReply ? (["no_auto_reply"] as const) : []),
  ...(claimed ? (["sender_unverified"] as const) : [])
]

/**
 * Returns the tenant's address at which the mail arrived. If several addresses are possible, one from the headers is
 * preferred.
 */
const receivedAliasOf = (
  mail: ParsedMail,
  { envelope, hosted }: MailArrival,
  isOwn: (email: string) => boolean
): string | null => {
  const named = [...emailsOf(mail.to), ...emailsOf(mail.cc)]
  if (hosted !== undefined) {
    const known = senderAddresses(hosted.grant)
    return named.find((email) => known.includes(email)) ?? named.find(isOwn) ?? hosted.grant.email
  }
  if (envelope === undefined) {
    return [...mail.deliveredTo.map(normalizeEmail), ...named, ...emailsOf(mail.bcc)].find(isOwn) ?? null
  }
  return named.find((email) => envelope.recipients.includes(email)) ?? envelope.recipients[0] ?? null
}

/**
 * Returns the dedup keys from the provider's ids. Mail that this server sent contains its Message-ID in a separate
 * header (`sentMessageHeader`).
 */
const hostedKeys = ({ providerGrantId, providerMessageId }: HostedMailLocation, mail: ParsedMail, own: boolean) => {
  const [ours] = own ? headerValues(mail, sentMessageHeader) : []
  const id = ours === undefined ? null : normalizeMessageId(ours)
  return [providerKey(providerGrantId, providerMessageId), ...(id === null ? [] : [messageIdKey + id])]
}

const namesOf = ({ providerGrantId, providerMessageId, providerThreadId }: HostedMailLocation): ProviderIds => ({
  messageId: providerMessageId,
  thread: providerThreadId === null ? null : providerThread(providerGrantId, providerThreadId)
})

const toInbound = (
  arrival: ParsedArrival,
  mail: ReadMail,
  {
    grant,
    now,
    returned
  }: { readonly grant: Grant | null; readonly now: number; readonly returned: ReturnedMail | null }
): InboundMail => {
  const { fingerprint, historical, hosted, source, tenant } = arrival
  const findings = readAuthentication(mail, trustOf(arrival))
  const { claimed, isOwn, own } = ownershipOf(arrival, mail, grant, findings)
  const verdict = classifyAuto(mail)
  const auto: Auto | null = own ? "own" : verdict.auto
  const other = correspondent(mail, own, isOwn)
  const identity = other === null ? null : emailIdentity(normalizeEmail(other.email))
  const from = emailsOf([...mail.from, ...(mail.sender === null ? [] : [mail.sender])])[0] ?? null
  const to = emailsOf(mail.to)
  const cc = emailsOf(mail.cc)
  const timestamp = Math.min(mail.date ?? now, now)
  const givenId = mail.messageId === null ? null : normalizeMessageId(mail.messageId)
  const internetMessageId = givenId ?? synthesizedMessageId(fingerprint())
  const references = referencedIds(mail)
  // All unparsed mails have the same text, so the fingerprint of their source distinguishes them.
  const content = mail.unparsed === undefined ? mail.contentFingerprint : fingerprintOf(mail, fingerprint())
  return {
    tenant,
    channel: "email",
    source,
    actor: own ? "agent" : "contact",
    auto,
    delivery: null,
    identities: identity === null ? [] : [identity],
    profile: { name: other?.name ?? null, email: identity?.value ?? null, phone: null, company: null },
    body: mail.body,
    quotedText: mail.quotedText,
    subject: mail.subject === "" ? null : mail.subject,
    mail: {
      internetMessageId,
      // By this reference, a bounce joins the thread of the returned mail.
      references: [...(returned === null ? [] : [{ id: returned.originalMessageId, weak: true }]), ...references],
      repliesTo: repliedIds(mail),
      from,
      to,
      cc,
      replyTo: emailsOf(mail.replyTo),
      receivedAlias: receivedAliasOf(mail, arrival, isOwn),
      authentication: findings.authentication,
      provider: hosted === undefined ? null : namesOf(hosted),
      htmlBody: mail.html,
      attachments: mail.attachments,
      raw: null
    },
    flags: flagsOf(mail, verdict.suppressReply, claimed),
    metadata: {},
    timestamp,
    dedupKeys: [
      ...(hosted === undefined ? [] : hostedKeys(hosted, mail, own)),
      ...(givenId === null ? [] : [messageIdKey + givenId]),
      `hash:${content}${referencesFingerprint(references.map(({ id }) => id))}`
    ],
    pipeline: historical || own || auto === "bounce" || auto === "auto_reply" ? "none" : "queue",
    detail: [...verdict.reasons, ...mail.defects].join("; ").slice(0, 500) || null
  }
}

/** A parsed mail as an `Inbound`, with its consequences for the tenant's account and contacts. */
export interface ArrivedMail {
  readonly inbound: InboundMail
  /** The mail that a bounce returns; null for other mail. */
  readonly returned: ReturnedMail | null
  /** The tenant's addresses that the mail used and that are not aliases of its account yet; null if there are none. */
  readonly used: UsedAddresses | null
}

/** Addresses of the tenant that a mail used. */
export interface UsedAddresses {
  /** The addresses from which a person of the tenant wrote the mail. */
  readonly writtenFrom: ReadonlyArray<string>
  /** The addresses at which the mail of a contact arrived. */
  readonly arrivedAt: ReadonlyArray<string>
}

/** Returns the addresses that a mail used and that the account does not know, without tags; null if there are none. */
const usedAddresses = (
  inbound: InboundMail,
  grant: Grant,
  recipients: ReadonlyArray<string> | undefined
): UsedAddresses | null => {
  const { from, receivedAlias } = inbound.mail
  const known = new Set(senderAddresses(grant).map(mailboxOf))
  const unknown = (emails: ReadonlyArray<string>) =>
    [...new Set(emails.map(mailboxOf))].filter((email) => !known.has(email))
  const isOwn = inbound.auto === "own"
  const writtenFrom = unknown(isOwn && from !== null ? [from] : [])
  const arrivedAt = unknown(isOwn ? [] : (recipients ?? (receivedAlias === null ? [] : [receivedAlias])))
  return writtenFrom.length + arrivedAt.length === 0 ? null : { writtenFrom, arrivedAt }
}

/**
 * Interprets a parsed mail without access to the store. `grant` is the account in which the mail arrived, if there is
 * one.
 */
export const readArrival = (arrival: ParsedArrival, grant: Grant | null, now: number): ArrivedMail => {
  const { envelope, parsed } = arrival
  const mail = envelope === undefined ? parsed : withReturnPath(parsed, envelope)
  const returned = returnedMail(mail)
  const inbound = toInbound(arrival, mail, { grant, now, returned })
  return { inbound, returned, used: grant === null ? null : usedAddresses(inbound, grant, envelope?.recipients) }
}

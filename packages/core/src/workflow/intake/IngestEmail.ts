import { Clock, Effect } from "effect"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import { acceptMessage, messageIdKey } from "./AcceptMessage.ts"
import type { ProviderIds } from "./Inbound.ts"
import type { Auto, MessageFlag } from "../../domain/conversation/Message.ts"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { MailParser } from "../../port/provider/MailParser.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { type Address, domainOf, normalizeEmail } from "../../domain/address/Address.ts"
import { classifyAuto } from "../../domain/email/AutoMail.ts"
import { suppressAddresses } from "./SuppressAddresses.ts"
import { discoverAliases } from "./DiscoverAliases.ts"
import { type Envelope, headerValues, type ParsedMail, withReturnPath } from "../../domain/email/ParsedMail.ts"
import { rawFingerprint, referencesFingerprint, synthesizedMessageId } from "../../domain/email/Fingerprint.ts"
import { type Grant, senderAddresses } from "../../domain/email/Grant.ts"
import { acceptWithSource, type InboundMail, prepareWithSource } from "./StoreSource.ts"
import { type MailSource, mimeSource } from "../../domain/email/MailSource.ts"
import { type MessageReference, normalizeMessageId, referencedIds } from "../../domain/email/MessageId.ts"
import { emailsOf, fingerprintOf, type ReadMail } from "../../domain/email/ReadMail.ts"
import { unparsedFlag } from "../../domain/conversation/UnparsedMail.ts"
import { providerKey, providerThread, sentMessageHeader } from "./RecordProviderIds.ts"
import { type ReturnedMail, returnedMail } from "../../domain/email/ReturnedMail.ts"

/** How a mail gets here. */
export interface MailArrival {
  readonly tenant: Tenant
  /** Who brought it, for example `import`. */
  readonly source: string
  /** Old mail: stored and threaded, but the pipeline does not run on it. */
  readonly historical: boolean
  /** How a stranger handed it over; absent when somebody with a credential brings it, who is taken at their word. */
  readonly envelope?: Envelope
  /** The hosted account that it lay in; absent on every other way. */
  readonly hosted?: HostedMailLocation
}

/** Where a mail of a hosted account lies. */
export interface HostedMailLocation {
  readonly grant: Grant
  readonly providerGrantId: string
  readonly providerMessageId: string
  readonly providerThreadId: string | null
}

/** A raw mail on its way in. */
export interface RawMail extends MailArrival {
  /** The mail as it arrived, RFC 5322. */
  readonly raw: Uint8Array
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
 * Who brings a mail of the tenant's own is believed; a stranger is not, for anybody can write any sender. Of a hosted
 * account that is believed which it says it wrote itself: its provider keeps mail of other people under that address out
 * of it, as far as anybody does. What we have sent ourselves is a copy when it comes back, and never gets here.
 */
const ownershipOf = ({ envelope, hosted, tenant }: MailArrival, mail: ParsedMail, grant: Grant | null): Ownership => {
  const connected = new Set(grant === null ? [] : senderAddresses(grant))
  const isOwn = (email: string): boolean => {
    const address = normalizeEmail(email)
    return connected.has(address) || (tenant.domain !== null && domainOf(address) === tenant.domain)
  }
  const written = mail.from.some(({ email }) => isOwn(email))
  const believed =
    hosted === undefined ? envelope === undefined : mail.from.some(({ email }) => connected.has(normalizeEmail(email)))
  return { isOwn, own: written && believed, claimed: written && !believed }
}

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

const flagsOf = (
  { unparsed }: Pick<ParsedMail, "unparsed">,
  suppressReply: boolean,
  claimed: boolean
): ReadonlyArray<MessageFlag> => [
  ...(unparsed === undefined ? [] : [unparsedFlag(unparsed)]),
  ...(suppressReply ? (["no_auto_reply"] as const) : []),
  ...(claimed ? (["sender_unverified"] as const) : [])
]

/** Which of our addresses it arrived at: one that the header names, where the envelope or the account leaves a choice. */
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

/** Under which names of its provider a mail is a copy. What we sent says in a header of ours which mail it is. */
const hostedKeys = ({ providerGrantId, providerMessageId }: HostedMailLocation, mail: ParsedMail, own: boolean) => {
  const [ours] = own ? headerValues(mail, sentMessageHeader) : []
  const id = ours === undefined ? null : normalizeMessageId(ours)
  return [providerKey(providerGrantId, providerMessageId), ...(id === null ? [] : [messageIdKey + id])]
}

const namesOf = ({ providerGrantId, providerMessageId, providerThreadId }: HostedMailLocation): ProviderIds => ({
  messageId: providerMessageId,
  thread: providerThreadId === null ? null : providerThread(providerGrantId, providerThreadId)
})

/**
 * Everything the domain reads out of a mail, before anything is looked up. `fingerprint` stands for the Message-ID of a
 * mail without one.
 */
const toInbound = (
  arrival: MailArrival,
  mail: ReadMail,
  grant: Grant | null,
  fingerprint: () => string,
  now: number
): InboundMail => {
  const { historical, hosted, source, tenant } = arrival
  const { claimed, isOwn, own } = ownershipOf(arrival, mail, grant)
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
  // The text of an unparsed mail is the same for all of them: two are copies only when their sources are.
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
      references: [...returnedReference(returnedMail(mail)), ...references],
      from,
      to,
      cc,
      replyTo: emailsOf(mail.replyTo),
      receivedAlias: receivedAliasOf(mail, arrival, isOwn),
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
    detail: detailOf(mail, verdict.reasons)
  }
}

const noted = (inbound: InboundMail, skipped: ReadonlyArray<string>): InboundMail => {
  if (skipped.length === 0) return inbound
  const remark = `no room for a further alias: ${skipped.join(", ")}`
  return { ...inbound, detail: [remark, ...(inbound.detail === null ? [] : [inbound.detail])].join("; ").slice(0, 500) }
}

/** The addresses of ours that a mail arrived at, as far as its way tells. */
const arrivedAt = ({ envelope, hosted }: MailArrival, { mail }: InboundMail): ReadonlyArray<string> => {
  if (envelope !== undefined) return envelope.recipients
  const alias = mail.receivedAlias
  return hosted === undefined || alias === null ? [] : [alias]
}

const accountOf = Effect.fnUntraced(function* ({ envelope, hosted, tenant }: MailArrival) {
  if (hosted !== undefined) return hosted.grant
  return envelope === undefined ? null : yield* (yield* Grants).current(tenant.tenantId)
})

/** What is to be stored of a mail that has been read, and how. */
const readInbound = Effect.fnUntraced(function* (arrival: MailArrival, read: ReadMail, fingerprint: () => string) {
  const { envelope, tenant } = arrival
  const { tenantId } = tenant
  const parsed: ReadMail = envelope === undefined ? read : withReturnPath(read, envelope)
  const now = yield* Clock.currentTimeMillis
  const grant = yield* accountOf(arrival)
  const inbound = toInbound(arrival, parsed, grant, fingerprint, now)
  const returned = returnedMail(parsed)
  const known = grant === null ? [] : senderAddresses(grant)
  const newcomers =
    grant === null || inbound.auto === "own"
      ? []
      : arrivedAt(arrival, inbound).filter((email) => !known.includes(email))
  const { atomically } = yield* Transactions
  const accept = (kept: InboundMail) => {
    if (returned === null && newcomers.length === 0) return acceptMessage(kept)
    const unit = Effect.gen(function* () {
      const skipped = newcomers.length === 0 ? [] : yield* discoverAliases(tenant, newcomers)
      const accepted = yield* acceptMessage(noted(kept, skipped))
      if (returned !== null) yield* suppressAddresses(tenantId, returned, now)
      return accepted
    })
    return atomically(tenantId, unit)
  }
  return { inbound, accept }
})

/**
 * Takes a mail in that has been read, and keeps what it was read from. `fingerprint` stands for the Message-ID of one
 * that has none.
 */
export const ingestParsed = Effect.fn("ingestParsed")(function* (
  arrival: MailArrival,
  read: ReadMail,
  fingerprint: () => string,
  source: MailSource
) {
  const { accept, inbound } = yield* readInbound(arrival, read, fingerprint)
  return yield* acceptWithSource(inbound, source, accept)
})

/**
 * Reads one raw mail and keeps its source; answers what takes it in, within the scope. For mails that come many at once
 * and are to be taken in in their order.
 */
export const prepareEmail = Effect.fn("prepareEmail")(function* ({ raw, ...arrival }: RawMail) {
  const read = yield* (yield* MailParser).parse(raw, { flow: arrival.tenant.tenantId, mediaType: mimeSource })
  const { accept, inbound } = yield* readInbound(arrival, read, () => read.rawFingerprint ?? rawFingerprint(raw))
  return yield* prepareWithSource(inbound, { bytes: raw, mediaType: mimeSource }, accept)
})

/** Takes one raw mail in. Total over its content: whatever the bytes are, they end as a stored message or as a copy. */
export const ingestEmail = (input: RawMail) => Effect.scoped(Effect.flatten(prepareEmail(input)))

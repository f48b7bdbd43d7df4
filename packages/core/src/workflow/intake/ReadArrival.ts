import { type Address, normalizeEmail } from "../../domain/address/Address.ts"
import { emailIdentity } from "../../domain/contact/Identity.ts"
import type { Auto, MessageFlag } from "../../domain/conversation/Message.ts"
import { unparsedFlag } from "../../domain/conversation/UnparsedMail.ts"
import { classifyAuto } from "../../domain/email/AutoMail.ts"
import { referencesFingerprint, synthesizedMessageId } from "../../domain/email/Fingerprint.ts"
import { accountOfAddress, ownAddresses } from "../../domain/email/Accounts.ts"
import { type Grant, senderAddresses } from "../../domain/email/Grant.ts"
import { normalizeMessageId, referencedIds, repliedIds } from "../../domain/email/MessageId.ts"
import { headerValues, type ParsedMail, withReturnPath } from "../../domain/email/ParsedMail.ts"
import { emailsOf, fingerprintOf, type ReadMail } from "../../domain/email/ReadMail.ts"
import { type ReturnedMail, returnedMail } from "../../domain/email/ReturnedMail.ts"
import type { MailEnvelope, ProviderIds } from "./Inbound.ts"
import type { HostedMailLocation, InboundMail, MailArrival, ParsedArrival } from "./MailArrival.ts"
import { authenticationOf, ownershipOf } from "./MailOwnership.ts"
import { messageIdKey, providerKey, providerThread, sentMessageHeader } from "./Recognise.ts"
import { type UsedAddresses, usedAddresses } from "./UsedAddresses.ts"

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

/** The address at which a mail arrived, and its account. */
interface ArrivalPlace {
  readonly receivedAlias: string | null
  readonly account: Grant | null
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

/** Returns the senders, recipients and ids of a mail. */
const mailEnvelopeOf = (
  arrival: ParsedArrival,
  mail: ReadMail,
  { account, receivedAlias, returned }: ArrivalPlace & { readonly returned: ReturnedMail | null }
): Omit<MailEnvelope, "authentication" | "internetMessageId"> => ({
  // By this reference, a bounce joins the thread of the returned mail.
  references: [...(returned === null ? [] : [{ id: returned.originalMessageId, weak: true }]), ...referencedIds(mail)],
  repliesTo: repliedIds(mail),
  from: emailsOf([...mail.from, ...(mail.sender === null ? [] : [mail.sender])])[0] ?? null,
  to: emailsOf(mail.to),
  cc: emailsOf(mail.cc),
  replyTo: emailsOf(mail.replyTo),
  receivedAlias,
  grantId: account?.grantId ?? null,
  provider: arrival.hosted === undefined ? null : namesOf(arrival.hosted),
  htmlBody: mail.html,
  attachments: mail.attachments,
  raw: null
})

/** Returns the dedup keys of a mail, and its Message-ID or a synthesised one. */
const keysOf = ({ fingerprint, hosted }: ParsedArrival, mail: ReadMail, own: boolean) => {
  const givenId = mail.messageId === null ? null : normalizeMessageId(mail.messageId)
  // All unparsed mails have the same text, so the fingerprint of their source distinguishes them.
  const content = mail.unparsed === undefined ? mail.contentFingerprint : fingerprintOf(mail, fingerprint())
  return {
    internetMessageId: givenId ?? synthesizedMessageId(fingerprint()),
    dedupKeys: [
      ...(hosted === undefined ? [] : hostedKeys(hosted, mail, own)),
      ...(givenId === null ? [] : [messageIdKey + givenId]),
      `hash:${content}${referencesFingerprint(referencedIds(mail).map(({ id }) => id))}`
    ]
  }
}

const toInbound = (
  arrival: ParsedArrival,
  mail: ReadMail,
  {
    accounts,
    now,
    returned
  }: { readonly accounts: ReadonlyArray<Grant>; readonly now: number; readonly returned: ReturnedMail | null }
): InboundMail => {
  const { historical, source, tenant } = arrival
  const findings = authenticationOf(arrival, mail)
  const { claimed, isOwn, own } = ownershipOf(arrival, mail, new Set(ownAddresses(accounts)), findings)
  const verdict = classifyAuto(mail)
  const auto: Auto | null = own ? "own" : verdict.auto
  const other = correspondent(mail, own, isOwn)
  const identity = other === null ? null : emailIdentity(normalizeEmail(other.email))
  const { dedupKeys, internetMessageId } = keysOf(arrival, mail, own)
  const { authentication } = findings
  const receivedAlias = receivedAliasOf(mail, arrival, isOwn)
  const account = arrival.hosted?.grant ?? (receivedAlias === null ? null : accountOfAddress(accounts, receivedAlias))
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
    mail: { ...mailEnvelopeOf(arrival, mail, { account, receivedAlias, returned }), authentication, internetMessageId },
    flags: flagsOf(mail, verdict.suppressReply, claimed),
    metadata: {},
    timestamp: Math.min(mail.date ?? now, now),
    dedupKeys,
    pipeline: historical || own || auto === "bounce" || auto === "auto_reply" ? "none" : "queue",
    detail: [...verdict.reasons, ...mail.defects].join("; ").slice(0, 500) || null
  }
}

/** A parsed mail as an `Inbound`, with its consequences for the tenant's account and contacts. */
export interface ArrivedMail {
  readonly inbound: InboundMail
  /** The mail that a bounce returns; null for other mail. */
  readonly returned: ReturnedMail | null
  /** The tenant's addresses that the mail used and that no account has yet; null if there are none. */
  readonly used: UsedAddresses | null
}

/** Interprets a parsed mail without access to the store. `accounts` are those of the tenant, the default one first. */
export const readArrival = (arrival: ParsedArrival, accounts: ReadonlyArray<Grant>, now: number): ArrivedMail => {
  const { envelope, parsed } = arrival
  const mail = envelope === undefined ? parsed : withReturnPath(parsed, envelope)
  const returned = returnedMail(mail)
  const inbound = toInbound(arrival, mail, { accounts, now, returned })
  return { inbound, returned, used: usedAddresses(inbound, accounts, envelope?.recipients) }
}

import type { ResolvedContact } from "../contact/ResolveContact.ts"
import type { SenderProfile } from "../../domain/contact/Resolve.ts"
import type { Lead } from "../../domain/lead/Lead.ts"
import type { Change } from "../../domain/webhook/Change.ts"
import type { Identity } from "../../domain/contact/Identity.ts"
import type { StoredSource } from "../../domain/email/MailSource.ts"
import type { MessageReference } from "../../domain/email/MessageId.ts"
import type { MailAuthentication } from "../../domain/email/authentication/MailAuthentication.ts"
import type { ThreadReason } from "../../domain/email/thread/ThreadReason.ts"
import type { MailAttachment } from "../../domain/email/MailAttachment.ts"
import type { GrantId, LeadId, MessageId, SignalId, ThreadId, ContactId } from "../../domain/Id.ts"
import type { Channel } from "../../domain/Channel.ts"
import type { NewEvent } from "../../domain/webhook/Event.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { ArrivalOutcome } from "../../domain/conversation/Arrival.ts"
import type { Actor, Auto, Delivery, Message, MessageFlag } from "../../domain/conversation/Message.ts"

/** The provider's ids of a mail. */
export interface ProviderIds {
  readonly messageId: string
  /** The provider's thread id in the form of the thread index. Null when the provider names no thread. */
  readonly thread: string | null
}

/** The email data of a message: the ids for its thread, the participants and the attachments. */
export interface MailEnvelope {
  /** The normalised Message-ID, or a synthesised one. */
  readonly internetMessageId: string
  readonly references: ReadonlyArray<MessageReference>
  /** The ids of `references` that are in In-Reply-To. */
  readonly repliesTo: ReadonlySet<string>
  readonly from: string | null
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
  /** The normalised addresses for replies (RFC 5322 section 3.6.2). If empty, replies go to the sender. */
  readonly replyTo: ReadonlyArray<string>
  readonly receivedAlias: string | null
  /** The account that received or sent the mail. Null if none did. */
  readonly grantId: GrantId | null
  /** Null if no trusted server authenticated the mail. */
  readonly authentication: MailAuthentication | null
  /** The mail provider's ids of the mail. Null when no provider was involved. */
  readonly provider: ProviderIds | null
  readonly htmlBody: string | null
  readonly attachments: ReadonlyArray<MailAttachment>
  /** The stored source. Null for mail that this server sent. */
  readonly raw: StoredSource | null
}

/** The text-message data of a message. */
export interface TextEnvelope {
  /** The sender. In E.164 if it is a valid number. */
  readonly from: string
  readonly to: string
  /** The provider's id. Null for texts that this server sends. */
  readonly providerMessageId: string | null
  /** The attachments. The provider still stores their content. */
  readonly attachments: ReadonlyArray<MailAttachment>
}

/** One message before it is stored, normalised and independent of its channel. */
export interface Inbound {
  readonly tenant: Tenant
  readonly channel: Channel
  /** The origin of the message, for example a source id or `import`. */
  readonly source: string
  readonly actor: Actor
  readonly auto: Auto | null
  /** The delivery state of an outbound message; null for an inbound one. */
  readonly delivery: Delivery | null
  /** The contact, if it is already known. If absent, the identities determine the contact. */
  readonly contactId?: ContactId
  readonly identities: ReadonlyArray<Identity>
  /**
   * Set if the identities are not proved, as in a public form. A matching contact then gets the message, but no new
   * fields or identities. The message gets the flag `sender_unverified`, and supersedes no pending draft.
   */
  readonly unproven?: true
  readonly profile: SenderProfile
  readonly body: string
  readonly quotedText: string | null
  readonly subject: string | null
  readonly mail: MailEnvelope | null
  /** The numbers of a text message. Absent on other channels. */
  readonly numbers?: TextEnvelope
  readonly flags: ReadonlyArray<MessageFlag>
  /**
   * If false, the message does not reopen a lost or archived lead, because the contact asked for no further messages.
   */
  readonly reopens?: false
  readonly metadata: Readonly<Record<string, unknown>>
  /** The time of writing, in epoch milliseconds, never in the future. */
  readonly timestamp: number
  readonly dedupKeys: ReadonlyArray<string>
  /** The SHA-256 of the request, when its `Idempotency-Key` is one of `dedupKeys`. */
  readonly fingerprint?: string
  /**
   * `queue`: workers run the pipeline. `claimed`: the caller runs it immediately. `none`: the pipeline does not run.
   */
  readonly pipeline: "queue" | "claimed" | "none"
  readonly detail: string | null
}

/** The default values of a message that a person wrote on a channel other than email. */
export const plainInbound = {
  auto: null,
  delivery: null,
  quotedText: null,
  subject: null,
  mail: null,
  flags: [],
  metadata: {},
  dedupKeys: [],
  detail: null
} satisfies Partial<Inbound>

/** The result of accepting a message. For a duplicate, the ids are those of the original. */
export interface Accepted {
  readonly outcome: ArrivalOutcome
  readonly messageId: MessageId | null
  readonly contactId: ContactId | null
  readonly leadId: LeadId | null
  readonly threadId: ThreadId | null
  readonly signalId: SignalId | null
  /** An explanation in words. Null when the outcome alone suffices. */
  readonly detail: string | null
}

/** The thread of a mail. */
export interface JoinedThread {
  readonly threadId: ThreadId
  /** The lead of the thread; null while there is none. */
  readonly leadId: LeadId | null
  /** True if the mail is the first one of the thread. */
  readonly opened: boolean
  /** True if the sender has not taken part in the thread before. */
  readonly senderUnknown: boolean
  readonly subjectChanged: boolean
  readonly reason: ThreadReason
}

/** The lead of a message, and the change that the message made to it. */
export interface AssignedLead {
  readonly lead: Lead
  readonly change: "created" | "reopened" | "engaged" | "none"
  /** The outbound event about the new stage of the lead, if the message moved it. */
  readonly moved: ReadonlyArray<NewEvent>
  /** The change of the state of the lead to which rules react. */
  readonly changes: ReadonlyArray<Change>
}

/** The contact, thread and lead of a message. */
export interface MessagePlacement {
  readonly resolved: ResolvedContact
  readonly thread: JoinedThread | null
  readonly assigned: AssignedLead | null
}

/** Returns whether the message claims the identity of an existing contact without a proof. */
export const isUnverifiedSender = ({ unproven }: Inbound, { change }: ResolvedContact): boolean =>
  unproven === true && change !== "created"

/**
 * Builds the stored message. `reusedId` is true if the tenant already has a different mail with the same Message-ID.
 */
export const buildMessage = (
  inbound: Inbound,
  messageId: MessageId,
  { assigned, resolved, thread }: MessagePlacement,
  reusedId: boolean,
  now: number
): Message => {
  const flags = new Set<MessageFlag>(inbound.flags)
  if (thread?.senderUnknown === true && inbound.actor === "contact") flags.add("sender_unverified")
  if (isUnverifiedSender(inbound, resolved)) flags.add("sender_unverified")
  if (thread?.subjectChanged === true) flags.add("subject_changed")
  if (reusedId) flags.add("reused_message_id")
  return {
    messageId,
    tenantId: inbound.tenant.tenantId,
    contactId: resolved.contact.contactId,
    leadId: assigned?.lead.leadId ?? null,
    threadId: thread?.threadId ?? null,
    channel: inbound.channel,
    actor: inbound.actor,
    userId: null,
    body: inbound.body,
    htmlBody: inbound.mail?.htmlBody ?? null,
    quotedText: inbound.quotedText,
    subject: inbound.subject,
    internetMessageId: inbound.mail?.internetMessageId ?? null,
    receivedAlias: inbound.mail?.receivedAlias ?? null,
    grantId: inbound.mail?.grantId ?? null,
    from: inbound.mail?.from ?? inbound.numbers?.from ?? null,
    to: inbound.mail?.to ?? (inbound.numbers === undefined ? [] : [inbound.numbers.to]),
    cc: inbound.mail?.cc ?? [],
    replyTo: inbound.mail?.replyTo ?? [],
    // The references oldest first, without the weak ones.
    references: (inbound.mail?.references ?? []).flatMap(({ id, weak }) => (weak ? [] : [id])).toReversed(),
    threadRule: thread?.reason.rule ?? null,
    threadVia: thread?.reason.id ?? null,
    authentication: inbound.mail?.authentication ?? null,
    providerMessageId: inbound.mail?.provider?.messageId ?? inbound.numbers?.providerMessageId ?? null,
    auto: inbound.auto,
    delivery: inbound.delivery,
    flags: [...flags],
    attachments: inbound.mail?.attachments ?? inbound.numbers?.attachments ?? [],
    raw: inbound.mail?.raw ?? null,
    source: inbound.source,
    metadata: inbound.metadata,
    subjectContactId: null,
    timestamp: inbound.timestamp,
    receivedAt: now
  }
}

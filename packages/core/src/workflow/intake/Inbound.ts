import type { SenderProfile } from "../contact/ResolveContact.ts"
import type { Identity } from "../../domain/contact/Identity.ts"
import type { StoredSource } from "../../domain/email/MailSource.ts"
import type { MessageReference } from "../../domain/email/MessageId.ts"
import type { MailAttachment } from "../../domain/email/ParsedMail.ts"
import type { LeadId, MessageId, SignalId, ThreadId, ContactId } from "../../domain/Id.ts"
import type { Channel } from "../../domain/Channel.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { ArrivalOutcome } from "../../domain/conversation/Arrival.ts"
import type { Actor, Auto, Delivery, MessageFlag } from "../../domain/conversation/Message.ts"

/** The provider's ids of a mail. */
export interface ProviderIds {
  readonly messageId: string
  /** The id of its thread, as stored in the index of ids; null when the provider names no thread. */
  readonly thread: string | null
}

/** The email part of a message: the ids for threading, the participants and the attachments. */
export interface MailEnvelope {
  /** The normalised Message-ID, or a synthesised one. */
  readonly internetMessageId: string
  readonly references: ReadonlyArray<MessageReference>
  readonly from: string | null
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
  /** The addresses for answers (RFC 5322 section 3.6.2), normalised; empty means the sender. */
  readonly replyTo: ReadonlyArray<string>
  readonly receivedAlias: string | null
  /** The ids of the mail provider; null without a provider. */
  readonly provider: ProviderIds | null
  readonly htmlBody: string | null
  readonly attachments: ReadonlyArray<MailAttachment>
  /** The stored source; null for mail of this server. */
  readonly raw: StoredSource | null
}

/** The text message part of a message. */
export interface TextEnvelope {
  /** E.164 where the value is a valid number. */
  readonly from: string
  readonly to: string
  /** The provider's id; null for texts of this server. */
  readonly providerMessageId: string | null
  /** The attachments, which are still stored at the provider. */
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
  /** The contact if it is known; absent means that the identities determine it. */
  readonly contactId?: ContactId
  readonly identities: ReadonlyArray<Identity>
  /**
   * The identities are unproven, as in a public form. A matching contact gets the message but no new fields or
   * identities. The message is flagged `sender_unverified` and does not supersede a pending draft.
   */
  readonly unproven?: true
  readonly profile: SenderProfile
  readonly body: string
  readonly quotedText: string | null
  readonly subject: string | null
  readonly mail: MailEnvelope | null
  /** Present for text messages only. */
  readonly numbers?: TextEnvelope
  readonly flags: ReadonlyArray<MessageFlag>
  /** False keeps a lost or archived lead closed, because the contact asked for no further messages. */
  readonly reopens?: false
  readonly metadata: Readonly<Record<string, unknown>>
  /** The time of writing, in epoch milliseconds, never in the future. */
  readonly timestamp: number
  readonly dedupKeys: ReadonlyArray<string>
  /** The SHA-256 of the request, when its `Idempotency-Key` is one of `dedupKeys`. */
  readonly fingerprint?: string
  /** `queue`: the workers run the pipeline; `claimed`: the caller runs it immediately; `none`: no run. */
  readonly pipeline: "queue" | "claimed" | "none"
  readonly detail: string | null
}

/** The result of ingesting a message. For a duplicate it has the ids of the original. */
export interface Accepted {
  readonly outcome: ArrivalOutcome
  readonly messageId: MessageId | null
  readonly contactId: ContactId | null
  readonly leadId: LeadId | null
  readonly threadId: ThreadId | null
  readonly signalId: SignalId | null
  /** An explanation in words when the outcome alone is not enough. */
  readonly detail: string | null
}

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

/** What a provider calls a mail. */
export interface ProviderIds {
  readonly messageId: string
  /** Its thread as the index of ids spells it; null when it names none. */
  readonly thread: string | null
}

/** What email adds to a message: ids that thread it, and who else was part of it. */
export interface MailEnvelope {
  /** Cleaned or synthesised Message-ID. */
  readonly internetMessageId: string
  readonly references: ReadonlyArray<MessageReference>
  readonly from: string | null
  readonly to: ReadonlyArray<string>
  readonly cc: ReadonlyArray<string>
  /** Where the sender wants answers to go (RFC 5322 section 3.6.2), normalised; empty: to the sender. */
  readonly replyTo: ReadonlyArray<string>
  readonly receivedAlias: string | null
  /** What the provider of the account calls the mail and its thread; null where no provider stands between. */
  readonly provider: ProviderIds | null
  readonly htmlBody: string | null
  readonly attachments: ReadonlyArray<MailAttachment>
  /** Where its source is kept; null for what we write ourselves. */
  readonly raw: StoredSource | null
}

/** What a text adds to a message. */
export interface TextEnvelope {
  /** Numbers in E.164 where they are any. */
  readonly from: string
  readonly to: string
  /** What the provider calls it; null for what we write ourselves. */
  readonly providerMessageId: string | null
  /** What came with it, still at the provider's. */
  readonly attachments: ReadonlyArray<MailAttachment>
}

/** One message on its way in, whatever brought it: normalised, and not yet stored. */
export interface Inbound {
  readonly tenant: Tenant
  readonly channel: Channel
  /** Who brought it, for example a source id or `import`. */
  readonly source: string
  readonly actor: Actor
  readonly auto: Auto | null
  /** Of a message that we send ourselves; null for every other. */
  readonly delivery: Delivery | null
  /** The contact it belongs to, where that is known; absent: whoever its identities lead to. */
  readonly contactId?: ContactId
  readonly identities: ReadonlyArray<Identity>
  /**
   * Anybody could have written these identities, as into a form. A contact who holds one of them is found by it and
   * learns nothing new from it; the message is flagged `sender_unverified`, and overtakes nothing that waits for a person.
   */
  readonly unproven?: true
  readonly profile: SenderProfile
  readonly body: string
  readonly quotedText: string | null
  readonly subject: string | null
  readonly mail: MailEnvelope | null
  /** Of a text; absent for every other message. */
  readonly numbers?: TextEnvelope
  readonly flags: ReadonlyArray<MessageFlag>
  /** False: a lost or archived lead stays closed. The contact wrote, and asked to be left alone. */
  readonly reopens?: false
  readonly metadata: Readonly<Record<string, unknown>>
  /** When it was written; epoch milliseconds, never in the future. */
  readonly timestamp: number
  readonly dedupKeys: ReadonlyArray<string>
  /** SHA-256 of the request that brings it, where `dedupKeys` stand for its `Idempotency-Key`. */
  readonly fingerprint?: string
  /** `queue`: workers run the pipeline; `claimed`: the caller does, now; `none`: nobody does. */
  readonly pipeline: "queue" | "claimed" | "none"
  readonly detail: string | null
}

/** What became of a message. For a copy: of the message it is a copy of. */
export interface Accepted {
  readonly outcome: ArrivalOutcome
  readonly messageId: MessageId | null
  readonly contactId: ContactId | null
  readonly leadId: LeadId | null
  readonly threadId: ThreadId | null
  readonly signalId: SignalId | null
  /** A sentence for people where the outcome alone does not say enough. */
  readonly detail: string | null
}

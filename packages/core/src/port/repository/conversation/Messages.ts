import type { Effect } from "effect"
import { Context } from "effect"
import type { TimelineKey } from "../../../domain/contact/Activity.ts"
import type { StoredSource } from "../../../domain/email/MailSource.ts"
import type {
  Delivery,
  Message,
  MessageOutline,
  ParsedContent,
  SentNames
} from "../../../domain/conversation/Message.ts"
import type { ContactId, LeadId, MessageId, ThreadId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** One key that recognises a copy, for example `mid:<a@b>` or `hash:9f…`. */
export type DedupKey = string

/** Where a page of messages ends, by the time of writing. */
export type MessageKey = Pick<Message, "timestamp"> & { readonly messageId: string }

/** What the tenant's side has written to a contact. */
export interface TenantActivity {
  /** Messages of the assistant since the time that was asked for. */
  readonly repliesSince: number
  /** When a person last wrote, epoch milliseconds; null: nobody has. */
  readonly lastByPersonAt: number | null
}

/** Which stored message holds a key. */
export interface DedupKeyHolder {
  readonly key: DedupKey
  readonly messageId: MessageId
  /** That of the request that brought the message under an `Idempotency-Key`; null: of another kind of key. */
  readonly fingerprint: string | null
}

/** Stored messages of all channels, and the keys that recognise copies of them. */
export class Messages extends Context.Service<
  Messages,
  {
    /**
     * Stores a message under its keys. A key that has a holder already stays with it. `fingerprint`: that of the request
     * whose `Idempotency-Key` the keys stand for.
     */
    readonly insert: (
      message: Message,
      keys: ReadonlyArray<DedupKey>,
      fingerprint?: string | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Which stored message holds which of these keys. */
    readonly holders: (
      tenantId: string,
      keys: ReadonlyArray<DedupKey>
    ) => Effect.Effect<ReadonlyArray<DedupKeyHolder>, StoreUnavailable>
    readonly find: (tenantId: string, messageId: MessageId) => Effect.Effect<Message | null, StoreUnavailable>
    /** The newest email of a contact that belongs to a lead and that no machine wrote, ours included; or null. */
    readonly newestEmail: (tenantId: string, contactId: string) => Effect.Effect<Message | null, StoreUnavailable>
    /** The newest text message that a contact wrote and whose number is known; or null. */
    readonly newestText: (tenantId: string, contactId: string) => Effect.Effect<Message | null, StoreUnavailable>
    /** A contact's whole history, all channels, oldest first. */
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** Up to `limit` of a contact's messages before a key of its timeline, newest first; null: the newest. */
    readonly before: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /**
     * The same without what was written: the key and the size of each message. Whoever reads many messages learns first
     * how many of them one answer can hold.
     */
    readonly outline: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<MessageOutline>, StoreUnavailable>
    /** Those of these messages that are there, in any order. */
    readonly findAll: (
      tenantId: string,
      messageIds: ReadonlyArray<MessageId>
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** What was accepted of a contact after `receivedAt`, in order of acceptance. */
    readonly since: (
      tenantId: string,
      contactId: string,
      receivedAt: number
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** The oldest message of a contact and how many there are, counted up to `atMost`. */
    readonly extent: (
      tenantId: string,
      contactId: string,
      maxCount: number
    ) => Effect.Effect<{ readonly first: Message | null; readonly count: number }, StoreUnavailable>
    /** Messages of a lead, oldest first, after `after`. */
    readonly ofLead: (
      tenantId: string,
      leadId: string,
      limit: number,
      after: MessageKey | null
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** The newest message of a lead that its contact wrote and no machine; null: there is none. */
    readonly latestFromContact: (tenantId: string, leadId: string) => Effect.Effect<Message | null, StoreUnavailable>
    /** Whether the contact has written again after this message, on any channel, in order of acceptance. */
    readonly hasNewerFromContact: (
      tenantId: string,
      contactId: string,
      messageId: MessageId
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * The newest message of a contact's conversation that was written and accepted after the one given, by the contact or
     * by a person of ours; what machines wrote and what could not be sent does not count. Null: there is none.
     */
    readonly newestSince: (
      tenantId: string,
      contactId: string,
      messageId: MessageId
    ) => Effect.Effect<MessageId | null, StoreUnavailable>
    /** What the tenant's side has written to a contact: by the assistant from a time on, and last by a person. */
    readonly ourSide: (
      tenantId: string,
      contactId: string,
      since: number
    ) => Effect.Effect<TenantActivity, StoreUnavailable>
    /** Notes which contact a message concerns; null: nobody in particular. */
    readonly setSubject: (
      tenantId: string,
      messageId: MessageId,
      subject: ContactId | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Notes where a message of ours stands on its way out. */
    readonly setDelivery: (
      tenantId: string,
      messageId: MessageId,
      delivery: Delivery
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Notes what a provider calls a mail of ours that it took, under which keys it is a copy when it is reported back, and
     * the Message-ID it went out under when that is another than ours.
     */
    readonly recordProviderIds: (
      tenantId: string,
      messageId: MessageId,
      names: SentNames,
      keys: ReadonlyArray<DedupKey>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Notes what of a message is kept beside it, once it has been fetched. False: there is no such message. */
    readonly setContent: (
      tenantId: string,
      messageId: MessageId,
      raw: StoredSource,
      attachments: Message["attachments"]
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Replaces what parsing a message has resulted in; searches find it by its new content. For a unit of work. */
    readonly setParsed: (
      tenantId: string,
      messageId: MessageId,
      content: ParsedContent
    ) => Effect.Effect<void, StoreUnavailable>
    /** The Message-IDs of the newest `limit` emails of a thread, oldest first. */
    readonly idsOfThread: (
      tenantId: string,
      threadId: ThreadId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Moves messages of merged leads to the one that stays. */
    readonly moveLead: (
      tenantId: string,
      into: LeadId,
      from: ReadonlyArray<LeadId>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/Messages") {}

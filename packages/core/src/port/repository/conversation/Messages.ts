/**
 * Ports to stored messages: conversations, email threads, drafts, calls, sends and connected accounts. Handing
 * messages to a provider belongs to `port/provider`.
 * Tests: `packages/testkit/src/suite/conversation`, `packages/testkit/src/suite/mailbox`,
 * `packages/testkit/src/suite/sending`.
 */
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
import type { MessageActivity } from "../../../domain/conversation/MessageActivity.ts"
import type { ContactId, LeadId, MessageId, ThreadId } from "../../../domain/Id.ts"
import type { StoreUnavailable } from "../../system/Transactions.ts"

/** A key that identifies copies of a message, for example `mid:<a@b>` or `hash:9f…`. */
export type DedupKey = string

/** The position of a message in a list by time of writing. */
export type MessageKey = Pick<Message, "timestamp"> & { readonly messageId: string }

/** The messages from the tenant's side to a contact. */
export interface TenantActivity {
  /** The number of the assistant's messages since a given time. */
  readonly repliesSince: number
  /** The time of the last message that a person of the tenant wrote, in epoch milliseconds; null if there is none. */
  readonly lastByPersonAt: number | null
}

/** A dedup key and the stored message to which it belongs. */
export interface DedupKeyHolder {
  readonly key: DedupKey
  readonly messageId: MessageId
  /** The fingerprint of the request, if the key is an `Idempotency-Key`. Null for other keys. */
  readonly fingerprint: string | null
}

/** The dedup keys that a new message claims. */
export interface KeyClaim {
  readonly keys: ReadonlyArray<DedupKey>
  readonly absent: ReadonlyArray<DedupKey>
  readonly fingerprint: string | null
}

/** Messages of all channels and their dedup keys. */
export class Messages extends Context.Service<
  Messages,
  {
    /**
     * Stores a message with its dedup keys. A key that already belongs to another message stays there. `fingerprint` is
     * that of the request, if one of the keys is its `Idempotency-Key`.
     */
    readonly insert: (
      message: Message,
      keys: ReadonlyArray<DedupKey>,
      fingerprint?: string | null
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Claims the dedup keys of a message that is about to be stored. Returns false, and claims none, if a message
     * already has one of the keys in `absent`. `fingerprint` is that of the request, as in `insert`.
     */
    readonly claimKeys: (
      tenantId: string,
      messageId: MessageId,
      claim: KeyClaim
    ) => Effect.Effect<boolean, StoreUnavailable>
    /** Returns the messages to which these dedup keys belong. */
    readonly holders: (
      tenantId: string,
      keys: ReadonlyArray<DedupKey>
    ) => Effect.Effect<ReadonlyArray<DedupKeyHolder>, StoreUnavailable>
    readonly find: (tenantId: string, messageId: MessageId) => Effect.Effect<Message | null, StoreUnavailable>
    /**
     * Returns the contact's newest email, inbound or outbound, that belongs to a lead and was not written by a program.
     * Returns null if there is none.
     */
    readonly newestEmail: (tenantId: string, contactId: string) => Effect.Effect<Message | null, StoreUnavailable>
    /** Returns the contact's newest inbound text message with a known sender number, or null. */
    readonly newestText: (tenantId: string, contactId: string) => Effect.Effect<Message | null, StoreUnavailable>
    /** Lists all messages of a contact on all channels, oldest first. */
    readonly ofContact: (tenantId: string, contactId: string) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /**
     * Lists up to `limit` messages of a contact before a position in its timeline, newest first. Null starts with the
     * newest message.
     */
    readonly before: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /**
     * Like `before`, but returns only the position and the size of each message. Callers use it to limit the size of a
     * response before they read the messages.
     */
    readonly outline: (
      tenantId: string,
      contactId: string,
      key: TimelineKey | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<MessageOutline>, StoreUnavailable>
    /** Returns those of the given messages that exist, in any order. */
    readonly findAll: (
      tenantId: string,
      messageIds: ReadonlyArray<MessageId>
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** Lists a contact's messages that were accepted after `receivedAt`, in order of acceptance. */
    readonly since: (
      tenantId: string,
      contactId: string,
      receivedAt: number
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** Returns whether a message from the contact, other than automatic mail, was accepted after `receivedAt`. */
    readonly hasWrittenSince: (
      tenantId: string,
      contactId: string,
      receivedAt: number
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Counts the newest `maxCountedMessages` messages of a contact by direction and channel. With `before`, only older
     * messages count.
     */
    readonly activity: (
      tenantId: string,
      contactId: string,
      before: MessageKey | null
    ) => Effect.Effect<MessageActivity, StoreUnavailable>
    /** Returns a contact's oldest message, and the number of its messages. The count stops at `maxCount`. */
    readonly extent: (
      tenantId: string,
      contactId: string,
      maxCount: number
    ) => Effect.Effect<{ readonly first: Message | null; readonly count: number }, StoreUnavailable>
    /** Lists the messages of a lead after `after`, oldest first. */
    readonly ofLead: (
      tenantId: string,
      leadId: string,
      limit: number,
      after: MessageKey | null
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** Returns the newest message of a lead that the contact wrote and that is not automatic; null if there is none. */
    readonly latestFromContact: (tenantId: string, leadId: string) => Effect.Effect<Message | null, StoreUnavailable>
    /**
     * Returns true when the contact has written again after this message, on any channel. The order of acceptance
     * decides.
     */
    readonly hasNewerFromContact: (
      tenantId: string,
      contactId: string,
      messageId: MessageId
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Returns the newest message of a conversation that was written and accepted after the given one, by the contact or
     * by a person of the tenant. Automatic and unsent messages do not count. Returns null when there is none.
     */
    readonly newestSince: (
      tenantId: string,
      contactId: string,
      messageId: MessageId
    ) => Effect.Effect<MessageId | null, StoreUnavailable>
    /**
     * Returns the number of the assistant's messages to a contact since a time, and the time of the last message by a
     * person of the tenant.
     */
    readonly ourSide: (
      tenantId: string,
      contactId: string,
      since: number
    ) => Effect.Effect<TenantActivity, StoreUnavailable>
    /** Records the contact that a message is about. Null deletes this information. */
    readonly setSubject: (
      tenantId: string,
      messageId: MessageId,
      subject: ContactId | null
    ) => Effect.Effect<void, StoreUnavailable>
    /** Records the delivery state of an outbound message. */
    readonly setDelivery: (
      tenantId: string,
      messageId: MessageId,
      delivery: Delivery
    ) => Effect.Effect<void, StoreUnavailable>
    /**
     * Records the results of an accepted mail: the provider's ids, the Message-ID if the provider changed it, and the
     * dedup keys that identify the copy of the mail that the provider reports.
     */
    readonly recordProviderIds: (
      tenantId: string,
      messageId: MessageId,
      names: SentNames,
      keys: ReadonlyArray<DedupKey>
    ) => Effect.Effect<void, StoreUnavailable>
    /** Records the objects that contain the downloaded content of a message. Returns false for an unknown message. */
    readonly setContent: (
      tenantId: string,
      messageId: MessageId,
      raw: StoredSource,
      attachments: Message["attachments"]
    ) => Effect.Effect<boolean, StoreUnavailable>
    /**
     * Replaces the parsed content of a message, and queues the message for the search index. Call it inside a unit of
     * work.
     */
    readonly setParsed: (
      tenantId: string,
      messageId: MessageId,
      content: ParsedContent
    ) => Effect.Effect<void, StoreUnavailable>
    /** Lists the messages of a thread after `after`, oldest first. */
    readonly ofThread: (
      tenantId: string,
      threadId: string,
      limit: number,
      after: MessageKey | null
    ) => Effect.Effect<ReadonlyArray<Message>, StoreUnavailable>
    /** Lists the Message-IDs of the newest `limit` emails of a thread, oldest first. */
    readonly idsOfThread: (
      tenantId: string,
      threadId: ThreadId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    /** Moves the messages of merged leads to the lead that the merge kept. */
    readonly moveLead: (
      tenantId: string,
      into: LeadId,
      from: ReadonlyArray<LeadId>
    ) => Effect.Effect<void, StoreUnavailable>
  }
>()("core/port/repository/conversation/Messages") {}

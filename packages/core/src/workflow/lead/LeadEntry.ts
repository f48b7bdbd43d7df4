import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Channel } from "../../domain/Channel.ts"
import { type Inbound, plainInbound } from "../intake/Inbound.ts"
import type { Actor } from "../../domain/conversation/Message.ts"
import type { LeadId, MessageId, SignalId } from "../../domain/Id.ts"
import type { DedupKey } from "../../port/repository/conversation/Messages.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"

/** One message of a conversation in another system. */
export interface LeadEntry {
  readonly channel: Channel
  readonly body: string
  readonly actor: Actor
  /** The time of writing in epoch milliseconds. Null stands for the current time. */
  readonly timestamp: number | null
  readonly subject: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** The id of the entry in the other system. Null when it has none. */
  readonly externalId: string | null
}

const hashOf = (...parts: ReadonlyArray<unknown>): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts))))

/**
 * FROZEN, because these keys are stored. Returns the dedup key from the external id of an entry. Returns null for an
 * entry without an external id.
 */
export const idKey = (leadId: LeadId, { externalId }: LeadEntry): DedupKey | null =>
  externalId === null ? null : `lead:${leadId}:id:${hashOf(externalId)}`

/** FROZEN, because these keys are stored. Returns the dedup key from the time, author and content of an entry. */
export const contentKey = (leadId: LeadId, { actor, body, channel, subject, timestamp }: LeadEntry): DedupKey =>
  `lead:${leadId}:entry:${hashOf(timestamp, channel, actor, subject, body)}`

/** The lead to which entries are added, with its tenant and contact. */
export interface EntryTarget {
  readonly tenant: Tenant
  readonly leadId: LeadId
  readonly contact: Contact
  /** The `source` of the stored messages. */
  readonly source: string
}

/** Returns an entry as an `Inbound`. It contains no identities, because the contact is already known. */
export const entryInbound = (
  { contact, source, tenant }: EntryTarget,
  entry: LeadEntry,
  dedupKeys: ReadonlyArray<DedupKey>,
  pipeline: Inbound["pipeline"],
  now: number
): Inbound => ({
  ...plainInbound,
  tenant,
  channel: entry.channel,
  source,
  actor: entry.actor,
  identities: [],
  profile: { name: contact.name, email: contact.email, phone: contact.phone, company: contact.company },
  body: entry.body,
  subject: entry.subject,
  metadata: entry.metadata,
  timestamp: Math.min(entry.timestamp ?? now, now),
  dedupKeys,
  pipeline
})

/** The result of one entry. */
export interface EntryResult {
  readonly outcome: "stored" | "duplicate"
  /** The id of the stored message. For a duplicate, the id of the existing message. */
  readonly messageId: MessageId
  /** The signal of the message. Null when the entry does not pass through the pipeline. */
  readonly signalId: SignalId | null
}

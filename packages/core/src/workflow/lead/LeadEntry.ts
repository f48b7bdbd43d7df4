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
  /** Epoch milliseconds; null selects the current time. */
  readonly timestamp: number | null
  readonly subject: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** The id of the entry in the other system; null when it has none. */
  readonly externalId: string | null
}

const hashOf = (...parts: ReadonlyArray<unknown>): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts))))

/** FROZEN: stored as a key. Identifies an entry by its external id; null without one. */
export const idKey = (leadId: LeadId, { externalId }: LeadEntry): DedupKey | null =>
  externalId === null ? null : `lead:${leadId}:id:${hashOf(externalId)}`

/** FROZEN: stored as a key. Identifies an entry by its time, author and content. */
export const contentKey = (leadId: LeadId, { actor, body, channel, subject, timestamp }: LeadEntry): DedupKey =>
  `lead:${leadId}:entry:${hashOf(timestamp, channel, actor, subject, body)}`

/** The lead that entries belong to, with its tenant and contact. */
export interface EntryTarget {
  readonly tenant: Tenant
  readonly leadId: LeadId
  readonly contact: Contact
  /** The `source` of the stored messages. */
  readonly source: string
}

/** Returns an entry as an `Inbound`. It needs no identities, because its contact is known. */
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
  /** For a duplicate: the id of the existing message. */
  readonly messageId: MessageId
  /** The signal in the pipeline; null when the entry was not queued. */
  readonly signalId: SignalId | null
}

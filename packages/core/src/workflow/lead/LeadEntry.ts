import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import type { Contact } from "../../domain/contact/Contact.ts"
import type { Channel } from "../../domain/Channel.ts"
import type { Inbound } from "../intake/Inbound.ts"
import type { Actor } from "../../domain/conversation/Message.ts"
import type { LeadId, MessageId, SignalId } from "../../domain/Id.ts"
import type { DedupKey } from "../../port/repository/conversation/Messages.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"

/** One piece of a conversation that was held elsewhere. */
export interface LeadEntry {
  readonly channel: Channel
  readonly body: string
  readonly actor: Actor
  /** Epoch milliseconds; null: now. */
  readonly timestamp: number | null
  readonly subject: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** What the place it comes from calls it; null: it is recognised by what it says, if at all. */
  readonly externalId: string | null
}

const hashOf = (...parts: ReadonlyArray<unknown>): string => bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts))))

/** FROZEN: stored as a key. Recognises an entry by the id it was given elsewhere; null without one. */
export const idKey = (leadId: LeadId, { externalId }: LeadEntry): DedupKey | null =>
  externalId === null ? null : `lead:${leadId}:id:${hashOf(externalId)}`

/** FROZEN: stored as a key. Recognises an entry by when it was written, by whom, and what it says. */
export const contentKey = (leadId: LeadId, { actor, body, channel, subject, timestamp }: LeadEntry): DedupKey =>
  `lead:${leadId}:entry:${hashOf(timestamp, channel, actor, subject, body)}`

/** Where entries belong. */
export interface EntryTarget {
  readonly tenant: Tenant
  readonly leadId: LeadId
  readonly contact: Contact
  /** Who brings them. */
  readonly source: string
}

/** An entry as a message on its way in. Its contact is known, so that it names nobody. */
export const entryInbound = (
  { contact, source, tenant }: EntryTarget,
  entry: LeadEntry,
  dedupKeys: ReadonlyArray<DedupKey>,
  pipeline: Inbound["pipeline"],
  now: number
): Inbound => ({
  tenant,
  channel: entry.channel,
  source,
  actor: entry.actor,
  auto: null,
  delivery: null,
  identities: [],
  profile: { name: contact.name, email: contact.email, phone: contact.phone, company: contact.company },
  body: entry.body,
  quotedText: null,
  subject: entry.subject,
  mail: null,
  flags: [],
  metadata: entry.metadata,
  timestamp: Math.min(entry.timestamp ?? now, now),
  dedupKeys,
  pipeline,
  detail: null
})

/** What became of an entry. */
export interface EntryResult {
  readonly outcome: "stored" | "duplicate"
  /** For a duplicate: of the message that was there. */
  readonly messageId: MessageId
  /** Its way through the pipeline; null when it is on none. */
  readonly signalId: SignalId | null
}

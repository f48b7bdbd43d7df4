/**
 * Accepts many messages with one statement per table (Postgres). The units of work of the messages run unchanged, on
 * ports that answer from records that were read for all of them at once (`Known`, `KnownPorts`), and record the rows to
 * write. A unit that needs anything else leaves the batch, and runs alone (`unit`). Rules about messages do not belong
 * here. Tests: `packages/store/test/intake`.
 */
import type { Company } from "@leadloom/core/internal/domain/company/Company"
import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import type { Conversation } from "@leadloom/core/internal/domain/conversation/Conversation"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import type { KnownId, ThreadRecord } from "@leadloom/core/internal/domain/email/thread/Thread"
import type { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import type { DedupKeyHolder } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { type JournaledMap, makeJournal } from "./Journal.ts"

/** A record as the units of the batch see it, and as it is stored. `stored` is null for a new record. */
export interface Tracked<A> {
  readonly record: A
  readonly stored: A | null
}

/** A contact, and whether it has a pending draft. */
export interface KnownContact extends Tracked<Contact> {
  readonly hasDraft: boolean
}

/** The addresses of a thread. `isComplete` is false if the thread has further addresses that were not read. */
export interface KnownPeople {
  readonly emails: ReadonlySet<string>
  readonly isComplete: boolean
}

/** The records that the units of a batch may need. */
export interface Known {
  /** The keys that were searched, so a record that is not here does not exist. */
  readonly searched: {
    readonly dedupKeys: JournaledMap<true>
    readonly identities: JournaledMap<true>
    readonly threadIds: JournaledMap<true>
    readonly companyDomains: JournaledMap<true>
    /** The contacts whose newest lead was read. */
    readonly newestLeads: JournaledMap<true>
    /** The tenants without a CRM installation. The second part of the key is empty. */
    readonly withoutCrm: JournaledMap<true>
  }
  readonly holders: JournaledMap<DedupKeyHolder>
  readonly messages: JournaledMap<Message>
  /** The id of the contact by the key of an identity. */
  readonly owners: JournaledMap<string>
  readonly contacts: JournaledMap<KnownContact>
  /** The companies by domain. */
  readonly companies: JournaledMap<Company>
  /** The conversations of known contacts, by contact. */
  readonly conversations: JournaledMap<Conversation>
  readonly threadIds: JournaledMap<ReadonlyArray<KnownId>>
  readonly threads: JournaledMap<Tracked<ThreadRecord>>
  readonly people: JournaledMap<KnownPeople>
  readonly leads: JournaledMap<Tracked<Lead>>
  /** The ids of known leads by contact. */
  readonly leadsOf: JournaledMap<ReadonlyArray<string>>
  /** Keeps the changes of a unit. */
  readonly keep: () => void
  /** Undoes the changes of a unit that fails or leaves the batch. */
  readonly undo: () => void
}

/** Creates an empty set of records. */
export const makeKnown = (): Known => {
  const { keep, map, undo } = makeJournal()
  return {
    searched: {
      dedupKeys: map(),
      identities: map(),
      threadIds: map(),
      companyDomains: map(),
      newestLeads: map(),
      withoutCrm: map()
    },
    holders: map(),
    messages: map(),
    owners: map(),
    contacts: map(),
    companies: map(),
    conversations: map(),
    threadIds: map(),
    threads: map(),
    people: map(),
    leads: map(),
    leadsOf: map(),
    keep,
    undo
  }
}

/** Adds a lead, or replaces its record. */
export const setLead = ({ leads, leadsOf }: Known, lead: Lead, stored: Lead | null): void => {
  const { contactId, leadId, tenantId } = lead
  if (leads.get(tenantId, leadId) === undefined) {
    leadsOf.set(tenantId, contactId, [...(leadsOf.get(tenantId, contactId) ?? []), leadId])
  }
  leads.set(tenantId, leadId, { record: lead, stored })
}

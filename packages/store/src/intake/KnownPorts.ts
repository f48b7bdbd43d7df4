import { identityKey } from "@leadloom/core/internal/domain/contact/Identity"
import type { KnownId, ThreadRecord } from "@leadloom/core/internal/domain/email/thread/Thread"
import type { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import { Companies } from "@leadloom/core/internal/port/repository/contact/Companies"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import type { Conversation } from "@leadloom/core/internal/domain/conversation/Conversation"
import { conversationAfter } from "@leadloom/core/internal/domain/conversation/ConversationHead"
import { Conversations } from "@leadloom/core/internal/port/repository/conversation/Conversations"
import { Drafts } from "@leadloom/core/internal/port/repository/conversation/Drafts"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Threads } from "@leadloom/core/internal/port/repository/conversation/Threads"
import { CrmInstalls } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Leads } from "@leadloom/core/internal/port/repository/lead/Leads"
import { SalesPipelines } from "@leadloom/core/internal/port/repository/lead/SalesPipelines"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Context, Effect } from "effect"
import type { WriteRows } from "../unit/RowsForm.ts"
import { type Known, setLead } from "./Known.ts"

/** The ports that answer from known records inside a batch. */
export type KnownPort =
  | Companies
  | Contacts
  | Conversations
  | CrmInstalls
  | Drafts
  | Leads
  | Messages
  | SalesPipelines
  | Threads

/** The repositories, which record the rows to write inside a batch. */
export interface Repositories {
  readonly companies: Companies["Service"]
  readonly contacts: Contacts["Service"]
  readonly conversations: Conversations["Service"]
  readonly crmInstalls: CrmInstalls["Service"]
  readonly drafts: Drafts["Service"]
  readonly leads: Leads["Service"]
  readonly messages: Messages["Service"]
  readonly salesPipelines: SalesPipelines["Service"]
  readonly threads: Threads["Service"]
  readonly dedupKeys: WriteRows
}

/** Makes the running unit leave the batch. */
type Leave = Effect.Effect<never, StoreUnavailable>

const makeContacts = (known: Known, { contacts: real }: Repositories, leave: Leave): Repositories["contacts"] => ({
  ...real,
  get: (tenantId, contactId) =>
    Effect.suspend(() => {
      const found = known.contacts.get(tenantId, contactId)
      return found === undefined ? leave : Effect.succeed(found.record)
    }),
  holders: (tenantId, identities) =>
    Effect.suspend(() => {
      const holders = []
      for (const identity of identities) {
        const key = identityKey(identity)
        if (known.searched.identities.get(tenantId, key) === undefined) return leave
        const contactId = known.owners.get(tenantId, key)
        const contact = contactId === undefined ? undefined : known.contacts.get(tenantId, contactId)
        if (contact !== undefined) holders.push({ identity, contact: contact.record })
      }
      return Effect.succeed(holders)
    }),
  insert: (contact) =>
    Effect.sync(() => {
      known.contacts.set(contact.tenantId, contact.contactId, { record: contact, stored: null, hasDraft: false })
    }),
  update: (contact) =>
    Effect.suspend(() => {
      const found = known.contacts.get(contact.tenantId, contact.contactId)
      if (found === undefined) return leave
      known.contacts.set(contact.tenantId, contact.contactId, { ...found, record: contact })
      return Effect.void
    }),
  attach: (tenantId, contactId, identities, at) =>
    Effect.suspend(() => {
      const keys = identities.map(identityKey)
      if (keys.some((key) => known.searched.identities.get(tenantId, key) === undefined)) return leave
      const free = identities.filter((_, index) => known.owners.get(tenantId, keys[index] ?? "") === undefined)
      for (const identity of free) known.owners.set(tenantId, identityKey(identity), contactId)
      return real.attach(tenantId, contactId, free, at)
    })
})

/** Returns a conversation with the present state of its lead. */
const withLead = (known: Known, tenantId: string, conversation: Conversation): Conversation => {
  const lead = conversation.leadId === null ? undefined : known.leads.get(tenantId, conversation.leadId)
  return lead === undefined ? conversation : { ...conversation, leadState: lead.record.state, tier: lead.record.tier }
}

const makeConversations = (
  known: Known,
  { conversations: real }: Repositories,
  leave: Leave
): Repositories["conversations"] => ({
  ...real,
  among: (tenantId, contactIds) =>
    Effect.suspend(() => {
      if (contactIds.some((contactId) => known.contacts.get(tenantId, contactId) === undefined)) return leave
      const found = contactIds.flatMap((contactId) => known.conversations.get(tenantId, contactId) ?? [])
      return Effect.succeed(found.map((conversation) => withLead(known, tenantId, conversation)))
    }),
  advance: (message, isRead) =>
    Effect.suspend(() => {
      const { contactId, leadId, tenantId } = message
      const contact = known.contacts.get(tenantId, contactId)?.record
      if (contact === undefined) return leave
      const before = known.conversations.get(tenantId, contactId) ?? null
      const lead = leadId === null ? null : (known.leads.get(tenantId, leadId)?.record ?? null)
      known.conversations.set(tenantId, contactId, conversationAfter(before, message, { contact, lead }, isRead))
      return real.advance(message, isRead)
    })
})

const addKnownId = (known: Known, tenantId: string, added: KnownId): KnownId | null => {
  const rows = known.threadIds.get(tenantId, added.id) ?? []
  const before = rows.find(({ threadId }) => threadId === added.threadId)
  if (before === undefined) {
    known.threadIds.set(tenantId, added.id, [...rows, added])
    return added
  }
  const after = { ...before, seen: before.seen || added.seen, weak: before.weak && added.weak }
  if (after.seen === before.seen && after.weak === before.weak) return null
  known.threadIds.set(
    tenantId,
    added.id,
    rows.map((row) => (row === before ? after : row))
  )
  return after
}

const makeThreads = (known: Known, { threads: real }: Repositories, leave: Leave): Repositories["threads"] => {
  const changing = (tenantId: string, threadId: string, change: (thread: ThreadRecord) => ThreadRecord) =>
    Effect.suspend(() => {
      const found = known.threads.get(tenantId, threadId)
      if (found === undefined) return leave
      known.threads.set(tenantId, threadId, { ...found, record: change(found.record) })
      return Effect.void
    })
  return {
    ...real,
    find: (tenantId, threadId) =>
      Effect.suspend(() => {
        const found = known.threads.get(tenantId, threadId)
        return found === undefined ? leave : Effect.succeed(found.record)
      }),
    insert: (thread) =>
      Effect.sync(() => {
        const { tenantId, threadId } = thread
        known.threads.set(tenantId, threadId, { record: thread, stored: null })
        known.people.set(tenantId, threadId, { emails: new Set(), isComplete: true })
      }),
    setLead: (tenantId, threadId, leadId) => changing(tenantId, threadId, (thread) => ({ ...thread, leadId })),
    known: (tenantId, ids) =>
      Effect.suspend(() =>
        ids.some((id) => known.searched.threadIds.get(tenantId, id) === undefined)
          ? leave
          : Effect.succeed([...new Set(ids)].flatMap((id) => known.threadIds.get(tenantId, id) ?? []))
      ),
    register: (tenantId, ids) =>
      Effect.suspend(() => {
        if (ids.some(({ id }) => known.searched.threadIds.get(tenantId, id) === undefined)) return leave
        const changed = ids.flatMap((added) => addKnownId(known, tenantId, added) ?? [])
        return real.register(tenantId, changed)
      }),
    participants: (tenantId, threadId, emails) =>
      Effect.suspend(() => {
        const people = known.people.get(tenantId, threadId)
        const here = new Set(emails.filter((email) => people?.emails.has(email) === true))
        const isCertain = people !== undefined && (people.isComplete || here.size === new Set(emails).size)
        return isCertain ? Effect.succeed(here) : leave
      }),
    addParticipants: (tenantId, threadId, emails) =>
      Effect.suspend(() => {
        const { emails: before = new Set<string>(), isComplete = false } = known.people.get(tenantId, threadId) ?? {}
        const added = emails.filter((email) => !before.has(email))
        if (added.length === 0) return Effect.void
        known.people.set(tenantId, threadId, { emails: new Set([...before, ...added]), isComplete })
        return real.addParticipants(tenantId, threadId, added)
      })
  }
}

/** Returns the newest of several leads that are neither won nor merged, in the order of `Leads.newestNotWon`. */
const newestNotWon = (leads: ReadonlyArray<Lead>): Lead | null =>
  leads
    .filter(({ mergedInto, state }) => state !== "won" && mergedInto === null)
    .reduce<Lead | null>(
      (newest, lead) =>
        newest === null ||
        lead.lastMessageAt > newest.lastMessageAt ||
        (lead.lastMessageAt === newest.lastMessageAt && lead.leadId > newest.leadId)
          ? lead
          : newest,
      null
    )

const makeLeads = (known: Known, { leads: real }: Repositories, leave: Leave): Repositories["leads"] => ({
  ...real,
  insert: (lead) => Effect.sync(() => setLead(known, lead, null)),
  get: (tenantId, leadId) =>
    Effect.suspend(() => {
      const found = known.leads.get(tenantId, leadId)
      return found === undefined ? leave : Effect.succeed(found.record)
    }),
  update: (lead) =>
    Effect.suspend(() => {
      const found = known.leads.get(lead.tenantId, lead.leadId)
      if (found === undefined) return leave
      const { record, stored } = found
      // After such a change, another lead, which was not read, could be the newest one.
      const isWon = lead.state === "won" && record.state !== "won"
      if (isWon || lead.mergedInto !== record.mergedInto || lead.lastMessageAt < record.lastMessageAt) return leave
      setLead(known, lead, stored)
      return Effect.void
    }),
  newestNotWon: (tenantId, contactId) =>
    Effect.suspend(() => {
      const isNew = known.contacts.get(tenantId, contactId)?.stored === null
      if (!isNew && known.searched.newestLeads.get(tenantId, contactId) === undefined) return leave
      const ids = known.leadsOf.get(tenantId, contactId) ?? []
      const leads = ids.flatMap((leadId) => known.leads.get(tenantId, leadId)?.record ?? [])
      return Effect.succeed(newestNotWon(leads))
    })
})

const makeMessages = (
  known: Known,
  { dedupKeys, messages: real }: Repositories,
  leave: Leave
): Repositories["messages"] => {
  const isUnknown = (tenantId: string, key: string): boolean =>
    known.searched.dedupKeys.get(tenantId, key) === undefined
  return {
    ...real,
    holders: (tenantId, keys) =>
      Effect.suspend(() =>
        keys.some((key) => isUnknown(tenantId, key))
          ? leave
          : Effect.succeed([...new Set(keys)].flatMap((key) => known.holders.get(tenantId, key) ?? []))
      ),
    find: (tenantId, messageId) =>
      Effect.suspend(() => {
        const found = known.messages.get(tenantId, messageId)
        return found === undefined ? leave : Effect.succeed(found)
      }),
    claimKeys: (tenantId, messageId, { absent, fingerprint, keys }) =>
      Effect.suspend(() => {
        if ([...keys, ...absent].some((key) => isUnknown(tenantId, key))) return leave
        if (absent.some((key) => known.holders.get(tenantId, key) !== undefined)) return Effect.succeed(false)
        const free = [...new Set(keys)].filter((key) => known.holders.get(tenantId, key) === undefined)
        for (const key of free) known.holders.set(tenantId, key, { key, messageId, fingerprint })
        if (free.length === 0) return Effect.succeed(false)
        return Effect.as(dedupKeys(free.map((key) => [tenantId, messageId, fingerprint, key])), true)
      }),
    insert: (message, keys, fingerprint) =>
      Effect.suspend(() => {
        if (keys.length > 0) return leave
        known.messages.set(message.tenantId, message.messageId, message)
        return real.insert(message, keys, fingerprint)
      })
  }
}

const makeDrafts = (known: Known, { drafts: real }: Repositories, leave: Leave): Repositories["drafts"] => {
  const supersede = (tenantId: string, contactId: string) =>
    Effect.suspend(() => (known.contacts.get(tenantId, contactId)?.hasDraft === false ? Effect.void : leave))
  return { ...real, supersede, supersedeOlder: supersede }
}

const makeCrmInstalls = (
  known: Known,
  { crmInstalls: real }: Repositories,
  leave: Leave
): Repositories["crmInstalls"] => ({
  ...real,
  list: (tenantId) =>
    Effect.suspend(() => (known.searched.withoutCrm.get(tenantId, "") === undefined ? leave : Effect.succeed([])))
})

const makeCompanies = (known: Known, { companies: real }: Repositories, leave: Leave): Repositories["companies"] => ({
  ...real,
  withDomains: (tenantId, domains) =>
    Effect.suspend(() =>
      domains.some((domain) => known.searched.companyDomains.get(tenantId, domain) === undefined)
        ? leave
        : Effect.succeed(domains.flatMap((domain) => known.companies.get(tenantId, domain) ?? []))
    )
})

/** Returns the ports of a batch. `leave` makes the running unit leave it. */
export const knownPorts = (known: Known, repositories: Repositories, leave: Leave): Context.Context<KnownPort> =>
  Context.make(Contacts, Contacts.of(makeContacts(known, repositories, leave))).pipe(
    Context.add(Companies, Companies.of(makeCompanies(known, repositories, leave))),
    Context.add(Conversations, Conversations.of(makeConversations(known, repositories, leave))),
    Context.add(CrmInstalls, CrmInstalls.of(makeCrmInstalls(known, repositories, leave))),
    Context.add(Drafts, Drafts.of(makeDrafts(known, repositories, leave))),
    Context.add(Leads, Leads.of(makeLeads(known, repositories, leave))),
    Context.add(Messages, Messages.of(makeMessages(known, repositories, leave))),
    // Only a message that changes the state of its lead reads pipelines.
    Context.add(SalesPipelines, SalesPipelines.of({ ...repositories.salesPipelines, list: () => leave })),
    Context.add(Threads, Threads.of(makeThreads(known, repositories, leave)))
  )

/** Records the rows of contacts, threads and leads, each once with its last values. */
export const writeKnown = Effect.fnUntraced(function* (known: Known, { contacts, leads, threads }: Repositories) {
  for (const { record, stored } of known.contacts.values()) {
    if (stored === null) yield* contacts.insert(record)
    else if (record !== stored) yield* contacts.update(record)
  }
  for (const { record, stored } of known.threads.values()) {
    if (stored === null) yield* threads.insert(record)
    else if (record.leadId !== null && record.leadId !== stored.leadId)
      yield* threads.setLead(record.tenantId, record.threadId, record.leadId)
  }
  for (const { record, stored } of known.leads.values()) {
    if (stored === null) yield* leads.insert(record)
    else if (record !== stored) yield* leads.update(record, stored)
  }
})

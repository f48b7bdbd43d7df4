import type { Company } from "@leadloom/core/internal/domain/company/Company"
import type { Conversation } from "@leadloom/core/internal/domain/conversation/Conversation"
import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import type { KnownId, ThreadRecord } from "@leadloom/core/internal/domain/email/thread/Thread"
import type { Contact } from "@leadloom/core/internal/domain/contact/Contact"
import type { Lead } from "@leadloom/core/internal/domain/lead/Lead"
import type { DedupKeyHolder } from "@leadloom/core/internal/port/repository/conversation/Messages"
import type { AcceptanceReads } from "@leadloom/core/internal/port/system/Transactions"
import type { Effect } from "effect"
import type { Connection } from "effect/sql/SqlConnection"
import { companies } from "../repository/contact/Companies.ts"
import { contacts } from "../repository/contact/Contacts.ts"
import { listColumns, listJoinsOf, type Stored, withTags } from "../repository/conversation/ConversationRows.ts"
import { messages } from "../repository/conversation/Messages.ts"
import { threads } from "../repository/conversation/Threads.ts"
import { leads } from "../repository/lead/Leads.ts"
import { arrayParams, arraySource } from "../sql/ArrayRows.ts"
import type { Row } from "../unit/RowsForm.ts"
import { type Known, setLead } from "./Known.ts"

/** A message of a batch and the keys of its records. */
export interface Asking {
  readonly tenantId: string
  readonly reads: AcceptanceReads
}

/** A query for the records of all messages of a batch. `read` adds the rows to the known records. */
export interface Question {
  readonly text: string
  readonly params: ReadonlyArray<string>
  readonly read: (rows: Effect.Success<ReturnType<Connection["execute"]>>, known: Known) => void
}

/** The maximum number of addresses per thread that are read. A thread with more is not completely known. */
const peoplePerThread = 200

/** The maximum size of an original in bytes. A copy of a larger message leaves the batch, which limits its memory. */
const maxOriginalBytes = 262_144

const pair = ["text", "text"] as const
const pairs = arraySource(pair)

/** Creates a question whose parameters are pairs of a tenant and a key. Rows have the type of the selected columns. */
const question = <R extends object>(
  text: string,
  rows: ReadonlyArray<Row>,
  read: (rows: ReadonlyArray<R>, known: Known) => void
): ReadonlyArray<Question> => (rows.length === 0 ? [] : [{ text, params: arrayParams(pair, rows), read }])

/** Returns each pair of a tenant and one of its keys once. */
const keysOf = (
  all: ReadonlyArray<Asking>,
  select: (reads: AcceptanceReads) => ReadonlyArray<string>
): ReadonlyArray<readonly [string, string]> => {
  const byTenant = new Map<string, Set<string>>()
  for (const { reads, tenantId } of all) {
    const keys = byTenant.get(tenantId) ?? new Set()
    for (const key of select(reads)) keys.add(key)
    byTenant.set(tenantId, keys)
  }
  return [...byTenant].flatMap(([tenantId, keys]) => [...keys].map((key) => [tenantId, key] as const))
}

const holders = `SELECT k.tenant_id AS "tenantId", k.dedup_key AS "key", k.message_id AS "messageId", k.fingerprint
  FROM ${pairs} AS asked(tenant_id, dedup_key)
    JOIN dedup_keys k ON k.tenant_id = asked.tenant_id AND k.dedup_key = asked.dedup_key`

const owners = `SELECT i.identity AS "key", ${contacts.columnsOf("c")}, CASE WHEN EXISTS (SELECT 1 FROM drafts d
      WHERE d.tenant_id = c.tenant_id AND d.contact_id = c.contact_id AND d.state = 'pending') THEN 1 ELSE 0 END AS drafts
  FROM ${pairs} AS asked(tenant_id, identity)
    JOIN identities i ON i.tenant_id = asked.tenant_id AND i.identity = asked.identity
    JOIN contacts c ON c.tenant_id = i.tenant_id AND c.contact_id = i.contact_id`

const companiesOfDomains = `SELECT ${companies.columnsOf("c")} FROM ${pairs} AS asked(tenant_id, domain)
  JOIN companies c ON c.tenant_id = asked.tenant_id AND c.domain = asked.domain`

const conversations = `SELECT i.tenant_id AS "tenantId", ${listColumns}
  FROM (SELECT DISTINCT i.tenant_id, i.contact_id FROM ${pairs} AS asked(tenant_id, identity)
      JOIN identities i ON i.tenant_id = asked.tenant_id AND i.identity = asked.identity) AS i
    JOIN conversations c ON c.tenant_id = i.tenant_id AND c.contact_id = i.contact_id ${listJoinsOf("''")}`

const threadIds = `SELECT k.message_id AS "id", k.seen, k.weak, ${threads.columnsOf("t")}
  FROM ${pairs} AS asked(tenant_id, message_id)
    JOIN thread_ids k ON k.tenant_id = asked.tenant_id AND k.message_id = asked.message_id
    JOIN threads t ON t.tenant_id = k.tenant_id AND t.thread_id = k.thread_id`

const threadsOfIds = `(SELECT DISTINCT k.tenant_id, k.thread_id FROM ${pairs} AS asked(tenant_id, message_id)
  JOIN thread_ids k ON k.tenant_id = asked.tenant_id AND k.message_id = asked.message_id) AS found`

const people = `SELECT p.tenant_id AS "tenantId", p.thread_id AS "threadId", p.email
  FROM ${threadsOfIds} CROSS JOIN LATERAL (SELECT * FROM thread_participants
    WHERE thread_participants.tenant_id = found.tenant_id AND thread_participants.thread_id = found.thread_id
    LIMIT ${peoplePerThread + 1}) AS p`

const leadsOfThreads = `SELECT ${leads.columnsOf("l")} FROM ${threadsOfIds}
  JOIN threads t ON t.tenant_id = found.tenant_id AND t.thread_id = found.thread_id
  JOIN leads l ON l.tenant_id = t.tenant_id AND l.lead_id = t.lead_id`

const newestLeads = `SELECT ${leads.columnsOf("l")}
  FROM (SELECT DISTINCT i.tenant_id, i.contact_id FROM ${pairs} AS asked(tenant_id, identity)
      JOIN identities i ON i.tenant_id = asked.tenant_id AND i.identity = asked.identity) AS found
    CROSS JOIN LATERAL (SELECT * FROM leads
      WHERE leads.tenant_id = found.tenant_id AND leads.contact_id = found.contact_id
        AND leads.state <> 'won' AND leads.merged_into IS NULL
      ORDER BY leads.last_message_at DESC, leads.lead_id DESC LIMIT 1) AS l`

const installed = `SELECT DISTINCT c.tenant_id AS "tenantId" FROM ${pairs} AS asked(tenant_id, none)
  JOIN crm_installs c ON c.tenant_id = asked.tenant_id`

const originals = `SELECT ${messages.columnsOf("m")} FROM ${pairs} AS asked(tenant_id, message_id)
  JOIN messages m ON m.tenant_id = asked.tenant_id AND m.message_id = asked.message_id
  WHERE octet_length(m.body) + coalesce(octet_length(m.html_body), 0) + coalesce(octet_length(m.quoted_text), 0)
    <= ${maxOriginalBytes}`

const readOwners = (
  rows: ReadonlyArray<Contact & { readonly key: string; readonly drafts: number }>,
  known: Known
): void => {
  for (const { drafts, key, ...row } of rows) {
    const contact = contacts.fromRow(row)
    const { contactId, tenantId } = contact
    known.owners.set(tenantId, key, contactId)
    if (known.contacts.get(tenantId, contactId) === undefined) {
      known.contacts.set(tenantId, contactId, { record: contact, stored: contact, hasDraft: drafts === 1 })
    }
  }
}

interface ThreadIdRow extends ThreadRecord {
  readonly id: string
  readonly seen: number
  readonly weak: number
}

const readThreadIds = (rows: ReadonlyArray<ThreadIdRow>, known: Known): void => {
  for (const { id, seen, weak, ...row } of rows) {
    const thread = threads.fromRow(row)
    const { tenantId, threadId } = thread
    const entry: KnownId = { id, threadId, seen: seen === 1, weak: weak === 1 }
    known.threadIds.set(tenantId, id, [...(known.threadIds.get(tenantId, id) ?? []), entry])
    if (known.threads.get(tenantId, threadId) === undefined) {
      known.threads.set(tenantId, threadId, { record: thread, stored: thread })
      known.people.set(tenantId, threadId, { emails: new Set(), isComplete: true })
    }
  }
}

const readPeople = (
  rows: ReadonlyArray<{ readonly tenantId: string; readonly threadId: string; readonly email: string }>,
  known: Known
): void => {
  const byThread = new Map<
    string,
    { readonly tenantId: string; readonly threadId: string; readonly emails: Set<string> }
  >()
  for (const { email, tenantId, threadId } of rows) {
    const key = `${tenantId}\n${threadId}`
    const thread = byThread.get(key) ?? { tenantId, threadId, emails: new Set() }
    thread.emails.add(email)
    byThread.set(key, thread)
  }
  for (const { emails, tenantId, threadId } of byThread.values()) {
    known.people.set(tenantId, threadId, { emails, isComplete: emails.size <= peoplePerThread })
  }
}

const readLeads = (rows: ReadonlyArray<Lead>, known: Known): void => {
  for (const row of rows) {
    const lead = leads.fromRow(row)
    if (known.leads.get(lead.tenantId, lead.leadId) === undefined) setLead(known, lead, lead)
  }
}

/**
 * Returns the questions for a batch. Their rows must be read in the same order. The statements select by keys of all
 * messages, so their number does not depend on the number of messages.
 */
export const questionsOf = (all: ReadonlyArray<Asking>): ReadonlyArray<Question> => {
  const ids = keysOf(all, (reads) => reads.threadIds)
  const leading = keysOf(all, ({ identities, newestLead }) => (newestLead ? identities : []))
  return [
    ...question<DedupKeyHolder & { readonly tenantId: string }>(
      holders,
      keysOf(all, ({ dedupKeys }) => dedupKeys),
      (rows, known) => {
        for (const { tenantId, ...holder } of rows) known.holders.set(tenantId, holder.key, holder)
      }
    ),
    ...question(
      owners,
      keysOf(all, ({ identities }) => identities),
      readOwners
    ),
    ...question<Company>(
      companiesOfDomains,
      keysOf(all, ({ companyDomains }) => companyDomains),
      (rows, known) => {
        for (const row of rows) {
          const company = companies.fromRow(row)
          if (company.domain !== null) known.companies.set(company.tenantId, company.domain, company)
        }
      }
    ),
    ...question<Stored<Conversation> & { readonly tenantId: string }>(
      conversations,
      keysOf(all, ({ identities }) => identities),
      (rows, known) => {
        for (const { tenantId, ...row } of rows) known.conversations.set(tenantId, row.contactId, withTags(row))
      }
    ),
    ...question(threadIds, ids, readThreadIds),
    ...question(people, ids, readPeople),
    ...question(leadsOfThreads, ids, readLeads),
    ...question<Lead>(newestLeads, leading, (rows, known) => {
      readLeads(rows, known)
      for (const [tenantId, key] of leading) {
        const contactId = known.owners.get(tenantId, key)
        if (contactId !== undefined) known.searched.newestLeads.set(tenantId, contactId, true)
      }
    }),
    ...question<{ readonly tenantId: string }>(
      installed,
      keysOf(all, () => [""]),
      (rows, known) => {
        const tenants = new Set(rows.map(({ tenantId }) => tenantId))
        for (const { tenantId } of all) if (!tenants.has(tenantId)) known.searched.withoutCrm.set(tenantId, "", true)
      }
    )
  ]
}

/** Returns the question for the originals of copies, after the dedup keys are read. */
export const questionOfOriginals = (all: ReadonlyArray<Asking>, known: Known): ReadonlyArray<Question> => {
  const ids = all.flatMap(({ reads, tenantId }) =>
    reads.dedupKeys.flatMap((key) => {
      const holder = known.holders.get(tenantId, key)
      return holder === undefined ? [] : [[tenantId, holder.messageId]]
    })
  )
  const unique = [...new Map(ids.map((id) => [id.join("\n"), id])).values()]
  return question<Parameters<typeof messages.toRecord>[0]>(originals, unique, (rows, { messages: known }) => {
    for (const row of rows) {
      const message: Message = messages.toRecord(row)
      known.set(message.tenantId, message.messageId, message)
    }
  })
}

/** Records which keys were searched. */
export const markSearched = (all: ReadonlyArray<Asking>, { searched }: Known): void => {
  for (const { reads, tenantId } of all) {
    for (const key of reads.dedupKeys) searched.dedupKeys.set(tenantId, key, true)
    for (const key of reads.identities) searched.identities.set(tenantId, key, true)
    for (const domain of reads.companyDomains) searched.companyDomains.set(tenantId, domain, true)
    for (const key of reads.threadIds) searched.threadIds.set(tenantId, key, true)
  }
}

import type pg from "pg"
import { mailOf, type Place } from "./Ingest.ts"

/**
 * The writes of a mail with the plain driver and without the ports, as a lower bound of the cost: one function call per
 * set of mails, with one statement per table.
 */

const upserts: Readonly<Record<string, string>> = {
  contacts: "DO NOTHING",
  identities: "DO NOTHING",
  threads: "DO NOTHING",
  leads:
    "(tenant_id, lead_id) DO UPDATE SET updated_at = excluded.updated_at, last_message_at = excluded.last_message_at",
  thread_ids: "(tenant_id, message_id, thread_id) DO UPDATE SET seen = thread_ids.seen | excluded.seen",
  thread_participants: "DO NOTHING",
  messages: "DO NOTHING",
  dedup_keys: "DO NOTHING",
  conversations:
    "(tenant_id, contact_id) DO UPDATE SET last_timestamp = excluded.last_timestamp, " +
    "last_message_id = excluded.last_message_id, last_message = excluded.last_message, unread = conversations.unread + 1",
  conversation_aliases: "(tenant_id, contact_id, alias) DO UPDATE SET last_timestamp = excluded.last_timestamp",
  signals: "DO NOTHING",
  contact_list:
    "(tenant_id, contact_id) DO UPDATE SET last_activity_at = excluded.last_activity_at, channel = excluded.channel",
  event_sequences: "(tenant_id) DO UPDATE SET last_sequence = event_sequences.last_sequence + excluded.last_sequence",
  events: "DO NOTHING",
  arrivals: "DO NOTHING",
  arrival_counts: "(tenant_id, outcome) DO UPDATE SET arrivals = arrival_counts.arrivals + excluded.arrivals"
}

/** Postgres rejects the same key twice in one statement, so only the last row per key stays. */
const last = (rows: ReadonlyArray<object>, key: ReadonlyArray<string>): ReadonlyArray<object> => {
  const keyOf = (row: object): string => JSON.stringify(Object.entries(row).filter(([name]) => key.includes(name)))
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()]
}

const rowsOf = (index: number, place?: Place): Readonly<Record<string, ReadonlyArray<object>>> => {
  const { at, contact, isNew, lead, message, ownId, parentId, signalId, thread, keys, emails } = mailOf(index, place)
  const { tenantId: tenant_id, contactId: contact_id, messageId: message_id, body, subject } = message
  const { leadId: lead_id, threadId: thread_id } = lead
  const own = { tenant_id, contact_id }
  const mail = { ...own, lead_id, thread_id, channel: "email", source: "import", subject }
  const times = { created_at: at, updated_at: at }
  const alias = "sales@tenant.example"
  const heads = { last_timestamp: at, last_message_id: message_id, last_message: body.slice(0, 140), unread: 1 }
  const addresses = { from_address: contact.email, to_addresses: [alias], cc_addresses: [], received_alias: alias }
  const texts = { body, html_body: message.htmlBody, quoted_text: message.quotedText }
  const references = isNew ? [] : [parentId]
  const empty = { flags: [], attachments: [], metadata: {}, reply_to: [], reference_ids: references }
  const arrived = { message_id, internet_message_id: ownId, timestamp: at, received_at: at, actor: "contact" }
  const about = { message_id, preview: body.slice(0, 140) }
  const { name, email } = contact
  const facts = { contact_id, name, email, phone: null, company: null, tags: [], archived: false, merged_into: null }
  const stands = { ...about, thread_id, source: "import", subject, state: "open", score: null, tier: null }
  const types: ReadonlyArray<readonly [string, object]> = [
    ...(isNew ? [["contact.created", facts] as const] : []),
    [isNew ? "lead.received" : "lead.contact_replied", { lead_id, contact_id, channel: "email", ...stands }],
    ["conversation.updated", { contact_id, lead_id, channel: "email", actor: "contact", ...about }]
  ]
  const events = types.map(([type, data], part) => {
    const number = index * 3 + part
    return { ...own, sequence: number, event_id: `evt_${number}`, type, timestamp: at, data }
  })
  const arrival = { tenant_id, arrival_id: message_id, message_id, channel: "email", source: "import", received_at: at }
  const queued = { signal_id: signalId, message_id, lead_id, state: "queued", attempts: 0, due_at: at, created_at: at }
  return {
    contacts: [{ ...own, ...times, name: contact.name, email: contact.email, tags: [], attributes: {} }],
    identities: [{ ...own, identity: `email:${contact.email}`, created_at: at }],
    threads: [{ tenant_id, thread_id, lead_id, created_at: at, base_subject: `offer ${thread}` }],
    leads: [{ ...mail, ...times, state: "open", last_message_at: at, factors: [] }],
    thread_ids: [
      { tenant_id, message_id: ownId, thread_id, seen: 1, weak: 0 },
      { tenant_id, message_id: parentId, thread_id, seen: 0, weak: 0 }
    ],
    thread_participants: emails.map((email) => ({ tenant_id, thread_id, email })),
    messages: [{ ...mail, ...arrived, ...addresses, ...empty, ...texts }],
    dedup_keys: keys.map((dedup_key) => ({ tenant_id, dedup_key, message_id })),
    conversations: [{ ...own, ...heads, last_channel: "email", lead_id }],
    conversation_aliases: [{ ...own, alias, last_timestamp: at }],
    signals: [{ ...own, ...queued }],
    contact_list: [
      { ...own, last_activity_at: at, archived: 0, channel: "email", state: "open", has_email: 1, has_phone: 0 }
    ],
    event_sequences: [{ tenant_id, last_sequence: events.length, waiting: 0 }],
    events,
    arrivals: [{ ...arrival, outcome: "message" }],
    arrival_counts: [{ tenant_id, outcome: "message", arrivals: 1 }]
  }
}

const identityOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  leads: ["tenant_id", "lead_id"],
  thread_ids: ["tenant_id", "message_id", "thread_id"],
  conversations: ["tenant_id", "contact_id"],
  conversation_aliases: ["tenant_id", "contact_id", "alias"],
  contact_list: ["tenant_id", "contact_id"],
  event_sequences: ["tenant_id"],
  arrival_counts: ["tenant_id"]
}

/** Creates the function on the existing tables. It names columns, so that the others get their defaults. */
export const prepareBare = (client: pg.Client): Promise<unknown> => {
  const sample = rowsOf(0)
  const inserts = Object.entries(upserts).map(([table, conflict]) => {
    const columns = Object.keys(sample[table]?.[0] ?? {})
      .map((name) => `"${name}"`)
      .join(", ")
    const rows = `jsonb_populate_recordset(NULL::${table}, mails -> '${table}')`
    return `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${rows} ON CONFLICT ${conflict};`
  })
  return client.query(
    `CREATE FUNCTION bench_ingest(mails jsonb) RETURNS void LANGUAGE sql AS $$ ${inserts.join("\n")} $$`
  )
}

/** Returns the parameter of the function for a set of mails. */
export const setOf = (indexes: ReadonlyArray<number>, place: Place): string => {
  const mails = indexes.map((index) => rowsOf(index, place))
  const tables = Object.keys(upserts).map((table): readonly [string, ReadonlyArray<object>] => {
    const rows = mails.flatMap((mail) => mail[table] ?? [])
    const key = identityOf[table]
    return [table, key === undefined ? rows : last(rows, key)]
  })
  return JSON.stringify(Object.fromEntries(tables))
}

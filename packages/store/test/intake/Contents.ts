import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** All tables that accepting a message writes. */
const tables = [
  "activities",
  "arrival_counts",
  "arrivals",
  "contact_list",
  "contact_tags",
  "contacts",
  "conversation_aliases",
  "conversation_tags",
  "conversations",
  "dedup_keys",
  "drafts",
  "event_sequences",
  "events",
  "identities",
  "leads",
  "merge_suggestions",
  "messages",
  "search_queue",
  "signals",
  "thread_ids",
  "thread_participants",
  "threads"
]

/**
 * The contact list without the state of a lead of another contact. A change of such a lead refreshes the row of the
 * lead's contact only. The row of the other contact keeps the state at the contact's own last change, and a batch
 * refreshes it at the end of the batch.
 */
const contactList = `(SELECT d.tenant_id, d.contact_id, d.last_activity_at, d.archived, d.channel, d.has_email,
    d.has_phone, l.lead_id, CASE WHEN l.lead_id IS NOT NULL THEN d.state END AS state,
    CASE WHEN l.lead_id IS NOT NULL THEN d.tier END AS tier
  FROM contact_list d
    LEFT JOIN conversations c ON c.tenant_id = d.tenant_id AND c.contact_id = d.contact_id
    LEFT JOIN leads l ON l.tenant_id = c.tenant_id AND l.lead_id = c.lead_id AND l.contact_id = d.contact_id)`

const rowsOf = Effect.fnUntraced(function* (table: string, tenantId: string) {
  const sql = yield* SqlClient
  const rows = yield* sql.unsafe<{ readonly text: string }>(
    `SELECT row_to_json(t)::text AS text FROM ${table === "contact_list" ? contactList : table} t
      WHERE tenant_id = $1`,
    [tenantId]
  )
  return rows.map(({ text }) => text)
})

const fieldsOf = (row: string): Readonly<Record<string, unknown>> => JSON.parse(row)

/** Names records after the message that created them, so that two tenants with different ids can be compared. */
const labelsOf = (messages: ReadonlyArray<string>, events: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const labels = new Map<string, string>()
  const name = (id: unknown, label: string): void => {
    if (typeof id === "string" && !labels.has(id)) labels.set(id, label)
  }
  for (const row of messages) {
    const { body, message_id } = fieldsOf(row)
    name(message_id, `<message: ${String(body)}>`)
  }
  const bySequence = events.map(fieldsOf).toSorted((one, other) => Number(one["sequence"]) - Number(other["sequence"]))
  for (const { data, sequence } of bySequence) {
    const about: Readonly<Record<string, unknown>> = Object(data)
    for (const field of ["contact_id", "lead_id", "thread_id"])
      name(about[field], `<${field} of event ${String(sequence)}>`)
  }
  for (const row of messages) {
    const { body, contact_id, lead_id, thread_id } = fieldsOf(row)
    for (const id of [contact_id, lead_id, thread_id]) name(id, `<record of ${String(body)}>`)
  }
  return labels
}

/** Ids of records that have no label: events, signals and so on. Their prefix stays. */
const anyId = /\b(?<prefix>[a-z]+)_[0-9a-z]{26}\b/gu

/** Returns all rows of a tenant by table, without ids and in a fixed order. */
export const contentsOf = Effect.fnUntraced(function* (tenantId: string) {
  const stored = yield* Effect.forEach(tables, (table) =>
    Effect.map(rowsOf(table, tenantId), (rows) => ({ table, rows }))
  )
  const find = (name: string): ReadonlyArray<string> => stored.find(({ table }) => table === name)?.rows ?? []
  const labels = labelsOf(
    find("messages").toSorted((one, other) =>
      String(fieldsOf(one)["body"]) < String(fieldsOf(other)["body"]) ? -1 : 1
    ),
    find("events")
  )
  const canonical = (row: string): string =>
    row
      .replaceAll(anyId, (id, prefix: string) => labels.get(id) ?? prefix)
      .replaceAll(`"tenant_id":"${tenantId}"`, '"tenant_id":"the tenant"')
  return Object.fromEntries(stored.map(({ rows, table }) => [table, rows.map(canonical).toSorted()]))
})

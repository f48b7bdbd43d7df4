import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
interface Words {
  /** Text in byte order, independent of the locale of the database. */
  readonly text: string
  /** An integer of up to 53 bits: epoch milliseconds, counts, and booleans as 0 and 1. */
  readonly int: string
  /**
   * JSON text, stored unchanged. Postgres uses `json`: `jsonb` cannot store NUL, which senders may write as an escape.
   */
  readonly json: string
  /**
   * Table options for small rows that are read by primary key. SQLite then stores the rows in the primary key index.
   */
  readonly clustered: string
  readonly plain: string
  /** Descending order of a column in a primary key. Postgres does not support it there. */
  readonly newest: string
}

const sqlite: Words = {
  text: "TEXT",
  int: "INTEGER",
  json: "TEXT",
  clustered: "STRICT, WITHOUT ROWID",
  plain: "STRICT",
  newest: " DESC"
}

const postgres: Words = {
  text: 'text COLLATE "C"',
  int: "bigint",
  json: "json",
  clustered: "",
  plain: "",
  newest: ""
}

/**
 * `tenant_id` is the first column of every key and index, so the rows of a tenant are adjacent. The exceptions are the
 * indexes of queries without a known tenant: the hashes of presented keys, and the due signals of all tenants.
 */
const access = ({ text, int, json, clustered }: Words): ReadonlyArray<string> => [
  `CREATE TABLE tenants (
    tenant_id ${text} NOT NULL, name ${text} NOT NULL, domain ${text}, hipaa ${int} NOT NULL, created_at ${int} NOT NULL,
    archived_at ${int}, config_version ${int} NOT NULL, PRIMARY KEY (tenant_id)) ${clustered}`,
  `CREATE TABLE tenant_configs (
    tenant_id ${text} NOT NULL, version ${int} NOT NULL, config ${json} NOT NULL,
    PRIMARY KEY (tenant_id, version)) ${clustered}`,
  // A source for all tenants has an empty `tenant_id`.
  `CREATE TABLE sources (
    tenant_id ${text} NOT NULL, source_id ${text} NOT NULL, prefix ${text} NOT NULL, hash ${text} NOT NULL,
    created_at ${int} NOT NULL, PRIMARY KEY (tenant_id, source_id)) ${clustered}`,
  `CREATE UNIQUE INDEX sources_hash ON sources (hash)`,
  `CREATE TABLE api_keys (
    tenant_id ${text} NOT NULL, key_id ${text} NOT NULL, name ${text} NOT NULL, prefix ${text} NOT NULL,
    hash ${text} NOT NULL, created_at ${int} NOT NULL, expires_at ${int}, revoked_at ${int}, last_used_at ${int},
    PRIMARY KEY (tenant_id, key_id)) ${clustered}`,
  `CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash)`,
  `CREATE TABLE usages (
    tenant_id ${text} NOT NULL, month ${text} NOT NULL, kind ${text} NOT NULL, used ${int} NOT NULL,
    PRIMARY KEY (tenant_id, month, kind)) ${clustered}`
]

const people = ({ text, int, json, clustered, plain }: Words): ReadonlyArray<string> => [
  `CREATE TABLE contacts (
    tenant_id ${text} NOT NULL, contact_id ${text} NOT NULL, name ${text}, email ${text}, phone ${text}, company ${text},
    tags ${json} NOT NULL, created_at ${int} NOT NULL, updated_at ${int} NOT NULL, archived_at ${int}, notes ${text},
    PRIMARY KEY (tenant_id, contact_id)) ${clustered}`,
  `CREATE INDEX contacts_newest ON contacts (tenant_id, created_at DESC, contact_id DESC) WHERE archived_at IS NULL`,
  // `identity` combines kind, source and value in one text. `core/domain/contact/Identity` defines the format.
  `CREATE TABLE identities (
    tenant_id ${text} NOT NULL, identity ${text} NOT NULL, contact_id ${text} NOT NULL, created_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, identity)) ${clustered}`,
  `CREATE INDEX identities_contact ON identities (tenant_id, contact_id)`,
  // Each pair has one row: `first_id` is the smaller of the two ids.
  `CREATE TABLE merge_suggestions (
    tenant_id ${text} NOT NULL, first_id ${text} NOT NULL, second_id ${text} NOT NULL, into_id ${text} NOT NULL,
    from_id ${text} NOT NULL, reason ${text} NOT NULL, created_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, first_id, second_id)) ${clustered}`,
  `CREATE TABLE undeliverable (
    tenant_id ${text} NOT NULL, email ${text} NOT NULL, bounced_at ${int} NOT NULL, reason ${text} NOT NULL,
    PRIMARY KEY (tenant_id, email)) ${clustered}`,
  `CREATE TABLE leads (
    tenant_id ${text} NOT NULL, lead_id ${text} NOT NULL, contact_id ${text} NOT NULL, thread_id ${text},
    channel ${text} NOT NULL, source ${text} NOT NULL, state ${text} NOT NULL, score ${int}, tier ${text},
    assignee ${text}, created_at ${int} NOT NULL, updated_at ${int} NOT NULL, last_message_at ${int} NOT NULL,
    merged_into ${text}, subject ${text}, classification ${json}, factors ${json} NOT NULL,
    PRIMARY KEY (tenant_id, lead_id)) ${plain}`,
  `CREATE INDEX leads_contact ON leads (tenant_id, contact_id, last_message_at DESC)`
]

const messages = ({ text, int, json, clustered, plain, newest }: Words): ReadonlyArray<string> => [
  `CREATE TABLE threads (
    tenant_id ${text} NOT NULL, thread_id ${text} NOT NULL, lead_id ${text}, created_at ${int} NOT NULL,
    base_subject ${text} NOT NULL, PRIMARY KEY (tenant_id, thread_id)) ${clustered}`,
  // `message_id` is the Message-ID of RFC 5322. An id that mails only refer to can belong to several threads.
  `CREATE TABLE thread_ids (
    tenant_id ${text} NOT NULL, message_id ${text} NOT NULL, thread_id ${text} NOT NULL, seen ${int} NOT NULL,
    weak ${int} NOT NULL, PRIMARY KEY (tenant_id, message_id, thread_id)) ${clustered}`,
  `CREATE INDEX thread_ids_thread ON thread_ids (tenant_id, thread_id)`,
  `CREATE TABLE thread_participants (
    tenant_id ${text} NOT NULL, thread_id ${text} NOT NULL, email ${text} NOT NULL,
    PRIMARY KEY (tenant_id, thread_id, email)) ${clustered}`,
  // Long texts are the last columns, so that a query of the other columns does not read their pages.
  `CREATE TABLE messages (
    tenant_id ${text} NOT NULL, message_id ${text} NOT NULL, contact_id ${text} NOT NULL, lead_id ${text},
    thread_id ${text}, channel ${text} NOT NULL, actor ${text} NOT NULL, auto ${text}, source ${text} NOT NULL,
    "timestamp" ${int} NOT NULL, received_at ${int} NOT NULL, internet_message_id ${text}, received_alias ${text},
    from_address ${text}, to_addresses ${json} NOT NULL, cc_addresses ${json} NOT NULL, flags ${json} NOT NULL,
    attachments ${json} NOT NULL, metadata ${json} NOT NULL, subject ${text}, body ${text} NOT NULL,
    quoted_text ${text}, html_body ${text}, PRIMARY KEY (tenant_id, message_id)) ${plain}`,
  `CREATE INDEX messages_contact ON messages (tenant_id, contact_id, "timestamp", message_id)`,
  `CREATE INDEX messages_from_contact ON messages (tenant_id, contact_id, received_at, message_id)
    WHERE actor = 'contact'`,
  `CREATE INDEX messages_thread ON messages (tenant_id, thread_id) WHERE thread_id IS NOT NULL`,
  `CREATE INDEX messages_lead ON messages (tenant_id, lead_id) WHERE lead_id IS NOT NULL`,
  `CREATE TABLE dedup_keys (
    tenant_id ${text} NOT NULL, dedup_key ${text} NOT NULL, message_id ${text} NOT NULL,
    PRIMARY KEY (tenant_id, dedup_key)) ${clustered}`,
  // The primary key has the order of the list, so a page of the list is one range of the table.
  `CREATE TABLE conversations (
    tenant_id ${text} NOT NULL, last_timestamp ${int} NOT NULL, contact_id ${text} NOT NULL,
    last_message_id ${text} NOT NULL, last_message ${text} NOT NULL, last_channel ${text} NOT NULL, lead_id ${text},
    unread ${int} NOT NULL, PRIMARY KEY (tenant_id, last_timestamp${newest}, contact_id${newest})) ${clustered}`,
  `CREATE UNIQUE INDEX conversations_contact ON conversations (tenant_id, contact_id)`,
  `CREATE TABLE conversation_aliases (
    tenant_id ${text} NOT NULL, contact_id ${text} NOT NULL, alias ${text} NOT NULL, last_timestamp ${int} NOT NULL,
    PRIMARY KEY (tenant_id, contact_id, alias)) ${clustered}`,
  `CREATE INDEX conversation_aliases_newest
    ON conversation_aliases (tenant_id, alias, last_timestamp DESC, contact_id DESC)`
]

const work = ({ text, int, json, clustered, plain }: Words): ReadonlyArray<string> => [
  // A claim moves `due_at` to the end of the lease, so no other worker claims the signal before then.
  `CREATE TABLE signals (
    tenant_id ${text} NOT NULL, signal_id ${text} NOT NULL, message_id ${text} NOT NULL, contact_id ${text} NOT NULL,
    lead_id ${text}, state ${text} NOT NULL, attempts ${int} NOT NULL, due_at ${int} NOT NULL, created_at ${int} NOT NULL,
    ended_at ${int}, reason ${text}, PRIMARY KEY (tenant_id, signal_id)) ${clustered}`,
  `CREATE INDEX signals_due ON signals (due_at, signal_id) WHERE state = 'queued'`,
  `CREATE TABLE runs (
    tenant_id ${text} NOT NULL, signal_id ${text} NOT NULL, run_id ${text} NOT NULL, message_id ${text} NOT NULL,
    contact_id ${text} NOT NULL, lead_id ${text}, config_version ${int} NOT NULL, created_at ${int} NOT NULL,
    result ${json} NOT NULL, PRIMARY KEY (tenant_id, signal_id)) ${plain}`,
  `CREATE TABLE drafts (
    tenant_id ${text} NOT NULL, draft_id ${text} NOT NULL, contact_id ${text} NOT NULL, lead_id ${text},
    signal_id ${text} NOT NULL, channel ${text} NOT NULL, state ${text} NOT NULL, head_message_id ${text} NOT NULL,
    created_at ${int} NOT NULL, body ${text} NOT NULL, PRIMARY KEY (tenant_id, draft_id)) ${plain}`,
  `CREATE UNIQUE INDEX drafts_pending ON drafts (tenant_id, contact_id) WHERE state = 'pending'`,
  `CREATE TABLE tasks (
    tenant_id ${text} NOT NULL, task_id ${text} NOT NULL, type ${text} NOT NULL, status ${text} NOT NULL,
    title ${text} NOT NULL, contact_id ${text} NOT NULL, lead_id ${text}, signal_id ${text}, due_at ${int},
    created_at ${int} NOT NULL, PRIMARY KEY (tenant_id, task_id)) ${clustered}`,
  `CREATE INDEX tasks_contact ON tasks (tenant_id, contact_id, created_at, task_id)`,
  `CREATE TABLE event_sequences (
    tenant_id ${text} NOT NULL, last_sequence ${int} NOT NULL, PRIMARY KEY (tenant_id)) ${clustered}`,
  `CREATE TABLE events (
    tenant_id ${text} NOT NULL, sequence ${int} NOT NULL, event_id ${text} NOT NULL, type ${text} NOT NULL,
    "timestamp" ${int} NOT NULL, data ${json} NOT NULL, PRIMARY KEY (tenant_id, sequence)) ${plain}`,
  `CREATE TABLE arrivals (
    tenant_id ${text} NOT NULL, arrival_id ${text} NOT NULL, channel ${text} NOT NULL, source ${text} NOT NULL,
    outcome ${text} NOT NULL, message_id ${text}, received_at ${int} NOT NULL, detail ${text},
    PRIMARY KEY (tenant_id, arrival_id)) ${clustered}`,
  // The number of rows in `arrivals` per outcome. Each arrival increments it, because counting the rows is too slow.
  `CREATE TABLE arrival_counts (
    tenant_id ${text} NOT NULL, outcome ${text} NOT NULL, arrivals ${int} NOT NULL,
    PRIMARY KEY (tenant_id, outcome)) ${clustered}`
]

/** Creates the first tables. FROZEN: a database runs a migration only once, so every change needs a new migration. */
export const first: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const statements = [...access(words), ...people(words), ...messages(words), ...work(words)]
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})

import type pg from "pg"

/**
 * Fills the tables of a store with two years of data by set-based SQL. Tenants and contacts are skewed: tenant `k` has
 * a share of about `1/k` (Zipf, exponent 1), contact `k` of a tenant about `1/√k`. A contact's messages form threads of
 * five, each with its lead. Ids are in the real format (`encodeId` of core), so keys sort by time, and rows are in
 * order of arrival. The indexes of the large tables are built afterwards, which is faster and leaves them slightly
 * smaller than years of inserts. Runs, tasks and drafts of the pipeline are missing.
 */

/** The number of messages and tenants. */
export interface Size {
  readonly messages: number
  readonly tenants: number
}

/** The times of the first and the last message in every filled store. Epoch milliseconds. */
export const span = { from: Date.UTC(2023, 9, 1), to: Date.UTC(2025, 9, 1) } as const

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** Returns SQL for `count` base32 characters from the lowest bits of an expression. */
const digits = (count: number, value: string): string =>
  Array.from({ length: count }, (_, index) => (count - 1 - index) * 5)
    .map((shift) => `substr('${alphabet}', ((${value} >> ${shift}) & 31)::int + 1, 1)`)
    .join(" || ")

/**
 * Creates `bench_id(millis, seed)`: 10 characters of time, then version, variant, and a hash in place of randomness.
 */
const idFunction = `CREATE FUNCTION bench_id(millis bigint, seed bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT ${digits(10, "millis")} || ${digits(8, "((h.a & 1099511627775::bigint) & ~(15::bigint << 36) & ~(3::bigint << 22)) | (7::bigint << 36) | (2::bigint << 22)")}
    || ${digits(8, "(h.b & 1099511627775)")}
  FROM (SELECT hashint8extended(seed, 1) AS a, hashint8extended(seed, 2) AS b) AS h $$`

/** Returns SQL for a number from 0 to below 1, always the same for the same expression. */
const chance = (seed: string, salt: number): string => `((hashint8extended(${seed}, ${salt}) & 1048575) / 1048576.0)`

/** Creates a row per message: its tenant, its contact, its position among the contact's messages, and its time. */
const staging = ({ messages, tenants }: Size): ReadonlyArray<string> => [
  `CREATE UNLOGGED TABLE bench_mails AS
    WITH given AS (SELECT n, floor(power(${tenants} + 1, ${chance("n", 3)}))::bigint - 1 AS tenant FROM generate_series(0, ${messages - 1}::bigint) AS n),
    sizes AS (SELECT tenant, greatest(1, count(*) / 8) AS contacts FROM given GROUP BY tenant),
    placed AS (SELECT n, given.tenant, tenant * 10000000 + floor(contacts * power(${chance("n", 4)}, 2))::bigint AS contact,
        ${span.from} + n * ${Math.floor((span.to - span.from) / messages)} AS at FROM given JOIN sizes USING (tenant))
    SELECT *, row_number() OVER (PARTITION BY contact ORDER BY n) - 1 AS place FROM placed`,
  `CREATE UNLOGGED TABLE bench_contacts AS SELECT contact, min(tenant) AS tenant, min(at) AS first, max(at) AS last,
      max(n) AS newest, count(*) AS mails, 'tenant-' || min(tenant) AS tenant_id,
      'con_' || bench_id(min(at), contact) AS contact_id FROM bench_mails GROUP BY contact`,
  `CREATE UNLOGGED TABLE bench_threads AS SELECT m.contact, m.place / 5 AS thread, c.tenant_id, c.contact_id, min(at) AS first,
      max(at) AS last, bench_id(min(at), min(n)) AS suffix, min(n) AS n FROM bench_mails m JOIN bench_contacts c USING (contact)
      GROUP BY m.contact, m.place / 5, c.tenant_id, c.contact_id`,
  // The text from which bodies are cut.
  `CREATE UNLOGGED TABLE bench_text AS SELECT string_agg(substr(md5(i::text), 1, 2 + i % 9), ' ' ORDER BY i) AS words FROM generate_series(1, 600) AS i`,
  `CREATE UNLOGGED TABLE bench_rows AS SELECT m.n, m.at, m.place, t.tenant_id, t.contact_id, t.suffix AS thread,
      'msg_' || bench_id(m.at, m.n) AS message_id, substr(x.words, 1 + (m.n * 7 % 900)::int, 60 + (700 * power(${chance("m.n", 5)}, 2))::int) AS body
      FROM bench_mails m JOIN bench_threads t ON t.contact = m.contact AND t.thread = m.place / 5 CROSS JOIN bench_text x ORDER BY m.n`,
  "ANALYZE bench_rows, bench_contacts, bench_threads"
]

const address = (contact: string): string => `replace(${contact}, '_', '.') || '@customer.example'`
const alias = "'sales@tenant.example'"

/** The small tables: their columns and sources. */
const small = ({ tenants }: Size): ReadonlyArray<string> => [
  `INSERT INTO tenants (tenant_id, name, hipaa, created_at, config_version)
    SELECT 'tenant-' || k, 'Tenant ' || k, 0, ${span.from}, 1 FROM generate_series(0, ${tenants - 1}) AS k`,
  `INSERT INTO tenant_configs (tenant_id, version, config) SELECT tenant_id, 1, '{}' FROM tenants`,
  `INSERT INTO contacts (tenant_id, contact_id, name, email, tags, created_at, updated_at)
    SELECT tenant_id, contact_id, 'Person ' || contact, ${address("contact_id")}, '[]', first, last FROM bench_contacts`,
  `INSERT INTO identities (tenant_id, identity, contact_id, created_at)
    SELECT tenant_id, 'email:' || ${address("contact_id")}, contact_id, first FROM bench_contacts`,
  `INSERT INTO threads (tenant_id, thread_id, lead_id, created_at, base_subject)
    SELECT tenant_id, 'thr_' || suffix, 'lead_' || suffix, first, 'offer ' || n FROM bench_threads`,
  `INSERT INTO thread_participants (tenant_id, thread_id, email)
    SELECT tenant_id, 'thr_' || suffix, unnest(ARRAY[${address("contact_id")}, ${alias}]) FROM bench_threads`,
  `INSERT INTO leads (tenant_id, lead_id, contact_id, thread_id, channel, source, state, created_at, updated_at, last_message_at, subject, factors)
    SELECT tenant_id, 'lead_' || suffix, contact_id, 'thr_' || suffix, 'email', 'import', 'open', first, last, last, 'Offer ' || n, '[]'
    FROM bench_threads`,
  `INSERT INTO conversations (tenant_id, last_timestamp, contact_id, last_message_id, last_message, last_channel, lead_id, unread)
    SELECT r.tenant_id, r.at, r.contact_id, r.message_id, left(r.body, 140), 'email', 'lead_' || r.thread, c.mails
    FROM bench_contacts c JOIN bench_rows r ON r.n = c.newest`,
  `INSERT INTO conversation_aliases (tenant_id, contact_id, alias, last_timestamp)
    SELECT tenant_id, contact_id, ${alias}, last FROM bench_contacts`,
  "INSERT INTO event_sequences (tenant_id, last_sequence) SELECT tenant_id, count(*) FROM bench_rows GROUP BY tenant_id",
  "INSERT INTO arrival_counts (tenant_id, outcome, arrivals) SELECT tenant_id, 'message', count(*) FROM bench_rows GROUP BY tenant_id"
]

/** The tables that grow with every message. Three of five mails have HTML, and four of five quote the previous one. */
const large: Readonly<Record<string, string>> = {
  messages: `INSERT INTO messages (tenant_id, message_id, contact_id, lead_id, thread_id, channel, actor, source, "timestamp", received_at,
      internet_message_id, received_alias, from_address, to_addresses, cc_addresses, flags, attachments, metadata, subject, body,
      quoted_text, html_body)
    SELECT tenant_id, message_id, contact_id, 'lead_' || thread, 'thr_' || thread, 'email', CASE place % 3 WHEN 2 THEN 'agent' ELSE 'contact' END,
      'import', at, at, n || '.7c1e@mail.customer.example', ${alias}, ${address("contact_id")}, '["sales@tenant.example"]',
      '[]', '[]', '[]', '{}', 'Offer ' || n, body, CASE WHEN place % 5 > 0 THEN left(body, 400) END,
      CASE WHEN n % 5 < 3 THEN '<p>' || body || '</p>' END FROM bench_rows ORDER BY n`,
  dedup_keys: `INSERT INTO dedup_keys (tenant_id, dedup_key, message_id)
    SELECT tenant_id, unnest(ARRAY['mid:' || n || '.7c1e@mail.customer.example', 'provider:smtp:' || n,
      'hash:' || md5(n::text) || md5((-n)::text)]), message_id FROM bench_rows ORDER BY n`,
  thread_ids: `INSERT INTO thread_ids (tenant_id, message_id, thread_id, seen, weak)
    SELECT tenant_id, n || '.7c1e@mail.customer.example', 'thr_' || thread, 1, 0 FROM bench_rows ORDER BY n`,
  signals: `INSERT INTO signals (tenant_id, signal_id, message_id, contact_id, lead_id, state, attempts, due_at, created_at, ended_at)
    SELECT tenant_id, replace(message_id, 'msg_', 'sig_'), message_id, contact_id, 'lead_' || thread, 'done', 1, at, at, at + 1000
    FROM bench_rows ORDER BY n`,
  events: `INSERT INTO events (tenant_id, sequence, event_id, type, "timestamp", data)
    SELECT tenant_id, row_number() OVER (PARTITION BY tenant_id ORDER BY n), replace(message_id, 'msg_', 'evt_'), 'lead.contact_replied', at,
      json_build_object('lead_id', 'lead_' || thread, 'contact_id', contact_id, 'channel', 'email', 'subject', 'Offer ' || n)
    FROM bench_rows ORDER BY n`,
  arrivals: `INSERT INTO arrivals (tenant_id, arrival_id, channel, source, outcome, message_id, received_at)
    SELECT tenant_id, replace(message_id, 'msg_', 'arr_'), 'email', 'import', 'message', message_id, at FROM bench_rows ORDER BY n`
}

/** Returns the statements that drop the keys and indexes of a table, and those that create them again. */
const indexesOf = async (client: pg.Client, table: string) => {
  const { rows } = await client.query<{ readonly drop: string; readonly make: string }>(
    `SELECT CASE WHEN k.oid IS NULL THEN 'DROP INDEX ' || i.indexrelid::regclass
        ELSE 'ALTER TABLE ' || i.indrelid::regclass || ' DROP CONSTRAINT ' || quote_ident(k.conname) END AS drop,
      CASE WHEN k.oid IS NULL THEN pg_get_indexdef(i.indexrelid)
        ELSE 'ALTER TABLE ' || i.indrelid::regclass || ' ADD ' || pg_get_constraintdef(k.oid) END AS make
      FROM pg_index i LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid WHERE i.indrelid = $1::regclass`,
    [table]
  )
  return rows
}

/** Fills the empty tables of a database. */
export const fill = async (client: pg.Client, size: Size): Promise<void> => {
  await client.query("SET maintenance_work_mem = '512MB'; SET work_mem = '256MB'; SET synchronous_commit = off")
  for (const statement of [idFunction, ...staging(size), ...small(size)]) await client.query(statement)
  for (const [table, insert] of Object.entries(large)) {
    const indexes = await indexesOf(client, table)
    for (const { drop } of indexes) await client.query(drop)
    await client.query(insert)
    for (const { make } of indexes) await client.query(make)
  }
  await client.query("DROP TABLE bench_mails, bench_contacts, bench_threads, bench_text, bench_rows")
  await client.query("VACUUM (ANALYZE)")
  await client.query("CHECKPOINT")
}

import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", clustered: "STRICT, WITHOUT ROWID", words: "" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", clustered: "", words: ", words tsvector NOT NULL" }

const tables = ({ clustered, int, text, words }: typeof sqlite): ReadonlyArray<string> => [
  // The messages and contacts that changed after they were last indexed.
  `CREATE TABLE search_queue (
    tenant_id ${text} NOT NULL, kind ${text} NOT NULL, id ${text} NOT NULL, PRIMARY KEY (tenant_id, kind, id)) ${clustered}`,
  // Each segment has up to 4,096 messages of one month, or up to 4,096 contacts. Row 0 of a month counts its segments.
  `CREATE TABLE search_segments (
    tenant_id ${text} NOT NULL, segment ${int} NOT NULL, documents ${int} NOT NULL, PRIMARY KEY (tenant_id, segment)) ${clustered}`,
  // `place` combines the segment and the number within it. Newer documents have greater places.
  `CREATE TABLE search_documents (
    tenant_id ${text} NOT NULL, place ${int} NOT NULL, id ${text} NOT NULL, "timestamp" ${int} NOT NULL${words},
    PRIMARY KEY (tenant_id, place)) ${clustered}`,
  `CREATE UNIQUE INDEX search_documents_id ON search_documents (tenant_id, id)`
]

/**
 * Each token begins with the tenant and the segment. It contains only characters that this tokenizer does not split.
 */
const sqliteIndex = `CREATE VIRTUAL TABLE search_words USING fts5(
  words, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '-_'")`
// `fastupdate = off` prevents a list of pending entries, because every search would scan the complete list.
const postgresIndex = `CREATE INDEX search_documents_words ON search_documents USING gin (words) WITH (fastupdate = off)`

const watched = "name, email, phone, company, notes, tags, archived_at"

/** The triggers: the event that fires each one, and the row and column of the id that it adds to the queue. */
const notes: ReadonlyArray<readonly [name: string, event: string, kind: string, row: string, id: string]> = [
  ["search_message_new", "INSERT ON messages", "message", "new", "message_id"],
  ["search_message_gone", "DELETE ON messages", "message", "old", "message_id"],
  ["search_contact_new", "INSERT ON contacts", "contact", "new", "contact_id"],
  ["search_contact_changed", `UPDATE OF ${watched} ON contacts`, "contact", "new", "contact_id"],
  ["search_contact_gone", "DELETE ON contacts", "contact", "old", "contact_id"],
  ["search_identity_new", "INSERT ON identities", "contact", "new", "contact_id"],
  ["search_identity_moved", "UPDATE OF contact_id ON identities", "contact", "new", "contact_id"],
  ["search_identity_left", "UPDATE OF contact_id ON identities", "contact", "old", "contact_id"],
  ["search_identity_gone", "DELETE ON identities", "contact", "old", "contact_id"]
]

const insert = (kind: string, row: string, id: string): string =>
  `INSERT INTO search_queue (tenant_id, kind, id) VALUES (${row}.tenant_id, '${kind}', ${row}.${id})
    ON CONFLICT (tenant_id, kind, id) DO NOTHING`

const sqliteTriggers = notes.map(
  ([name, event, kind, row, id]) => `CREATE TRIGGER ${name} AFTER ${event} BEGIN ${insert(kind, row, id)}; END`
)

const postgresTriggers = notes.flatMap(([name, event, kind, row, id]) => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${insert(kind, row, id)}; RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} FOR EACH ROW EXECUTE FUNCTION ${name}()`
])

/** Adds all existing messages and contacts to the queue. */
const begin: ReadonlyArray<string> = [
  `INSERT INTO search_queue (tenant_id, kind, id) SELECT tenant_id, 'message', message_id FROM messages`,
  `INSERT INTO search_queue (tenant_id, kind, id) SELECT tenant_id, 'contact', contact_id FROM contacts`
]

/**
 * Adds the search index and its queue. Triggers add every change to the queue, so the code that writes rows does not.
 * This includes the code that copies a database. See docs/decisions/0031-search.md. FROZEN.
 */
export const search: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({
    pg: () => [...tables(postgres), postgresIndex, ...postgresTriggers, ...begin],
    orElse: () => [...tables(sqlite), sqliteIndex, ...sqliteTriggers, ...begin]
  })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})

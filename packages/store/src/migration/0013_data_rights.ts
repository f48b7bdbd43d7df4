import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect, and the contact id in the data of an event. */
const sqlite = {
  text: "TEXT",
  int: "INTEGER",
  json: "TEXT",
  clustered: "STRICT, WITHOUT ROWID",
  toldOf: "data ->> 'contact_id'"
}
const postgres = {
  text: 'text COLLATE "C"',
  int: "bigint",
  json: "json",
  clustered: "",
  // A regular expression instead of a JSON operator: data from SQLite may contain an escaped NUL, and all operators
  // fail on it.
  toldOf: `substring(data::text from '"contact_id" *: *"(con_[0-9a-z]+)"')`
}

const statements = ({ clustered, int, json, text, toldOf }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE erasures (
    tenant_id ${text} NOT NULL, erasure_id ${text} NOT NULL, contact_id ${text} NOT NULL,
    requested_by ${text} NOT NULL, requested_at ${int} NOT NULL, completed_at ${int}, receipt_hash ${text},
    erased ${json} NOT NULL, emails ${json} NOT NULL, PRIMARY KEY (tenant_id, erasure_id)) ${clustered}`,
  `CREATE UNIQUE INDEX erasures_contact ON erasures (tenant_id, contact_id)`,
  `CREATE INDEX erasures_newest ON erasures (tenant_id, requested_at DESC, erasure_id DESC)`,
  // Unreferenced objects that still have to be deleted.
  `CREATE TABLE erasure_objects (
    tenant_id ${text} NOT NULL, erasure_id ${text} NOT NULL, object_key ${text} NOT NULL,
    PRIMARY KEY (tenant_id, erasure_id, object_key)) ${clustered}`,
  // Erasure uses the following indexes to find the rows that depend on a contact or on a message of the contact.
  `CREATE INDEX dedup_keys_message ON dedup_keys (tenant_id, message_id)`,
  `CREATE INDEX arrivals_message ON arrivals (tenant_id, message_id) WHERE message_id IS NOT NULL`,
  `CREATE INDEX leads_merged ON leads (tenant_id, merged_into) WHERE merged_into IS NOT NULL`,
  `CREATE INDEX contacts_second ON contacts (tenant_id, merged_into) WHERE merged_into IS NOT NULL`,
  `CREATE INDEX contact_merges_first ON contact_merges (tenant_id, primary_id)`,
  `CREATE INDEX contact_merges_second ON contact_merges (tenant_id, duplicate_id)`,
  `CREATE INDEX merge_suggestions_second ON merge_suggestions (tenant_id, second_id)`,
  `ALTER TABLE events ADD COLUMN contact_id ${text}`,
  `UPDATE events SET contact_id = ${toldOf}`,
  `CREATE INDEX events_contact ON events (tenant_id, contact_id) WHERE contact_id IS NOT NULL`
]

/** Adds the indexes for export and erasure, and the receipts of erasures. FROZEN. */
export const dataRights: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

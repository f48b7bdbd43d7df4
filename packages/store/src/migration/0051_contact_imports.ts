import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const counts = ["rows", "processed", "created", "updated", "skipped", "failed", "reverted", "kept"]

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE contact_imports (
    tenant_id ${text} NOT NULL, import_id ${text} NOT NULL, status ${text} NOT NULL, dry_run ${int} NOT NULL,
    on_conflict ${text} NOT NULL, mapping ${json} NOT NULL, errors ${json} NOT NULL,
    ${counts.map((name) => `"${name}" ${int} NOT NULL`).join(", ")},
    created_at ${int} NOT NULL, updated_at ${int} NOT NULL, PRIMARY KEY (tenant_id, import_id)) ${clustered}`,
  // The contacts that an import changed, for its undo.
  `CREATE TABLE contact_import_items (
    tenant_id ${text} NOT NULL, import_id ${text} NOT NULL, contact_id ${text} NOT NULL, change ${json} NOT NULL,
    PRIMARY KEY (tenant_id, import_id, contact_id)) ${clustered}`,
  `CREATE INDEX contact_import_items_contact ON contact_import_items (tenant_id, contact_id)`
]

/** Adds imports of contacts from files. FROZEN. */
export const contactImports: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The triggers: the event that fires each one, and the row of the note that it adds to the queue. */
const triggers = [
  ["search_note_new", "INSERT ON notes", "new"],
  ["search_note_changed", "UPDATE OF body ON notes", "new"],
  ["search_note_gone", "DELETE ON notes", "old"]
] as const

const insert = (row: string): string =>
  `INSERT INTO search_queue (tenant_id, kind, id) VALUES (${row}.tenant_id, 'note', ${row}.note_id)
    ON CONFLICT (tenant_id, kind, id) DO NOTHING`

const onSqlite = triggers.map(([name, event, row]) => `CREATE TRIGGER ${name} AFTER ${event} BEGIN ${insert(row)}; END`)

const onPostgres = triggers.flatMap(([name, event, row]) => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${insert(row)}; RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} FOR EACH ROW EXECUTE FUNCTION ${name}()`
])

/**
 * Adds notes to the queue of the search index: existing notes now, and later changes by triggers. The worker indexes
 * them in small parts. See docs/decisions/0115-searchable-notes.md. FROZEN.
 */
export const noteSearch: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const statements = sql.onDialectOrElse({ pg: () => onPostgres, orElse: () => onSqlite })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  yield* sql.unsafe("INSERT INTO search_queue (tenant_id, kind, id) SELECT tenant_id, 'note', note_id FROM notes")
})

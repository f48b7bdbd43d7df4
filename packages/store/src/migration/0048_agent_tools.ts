import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const notes = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE notes (
    tenant_id ${text} NOT NULL, note_id ${text} NOT NULL, contact_id ${text} NOT NULL, author_id ${text},
    author ${text} NOT NULL, body ${text} NOT NULL, mentions ${json} NOT NULL, team_mentions ${json} NOT NULL,
    created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, note_id)) ${clustered}`,
  `CREATE INDEX notes_contact ON notes (tenant_id, contact_id, created_at, note_id)`
]

/** Adds private notes. FROZEN. */
export const agentTools: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(notes(words), (statement) => sql.unsafe(statement), { discard: true })
})

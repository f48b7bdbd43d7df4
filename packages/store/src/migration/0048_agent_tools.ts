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

const cannedReplies = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE canned_replies (
    tenant_id ${text} NOT NULL, canned_reply_id ${text} NOT NULL, name ${text} NOT NULL, body ${text} NOT NULL,
    folder ${text}, subject ${text}, shortcut ${text}, channels ${json} NOT NULL, sort_name ${text} NOT NULL,
    uses ${int} NOT NULL, last_used_at ${int}, created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, canned_reply_id)) ${clustered}`,
  `CREATE INDEX canned_replies_name ON canned_replies (tenant_id, sort_name, canned_reply_id)`,
  `CREATE UNIQUE INDEX canned_replies_shortcut ON canned_replies (tenant_id, shortcut) WHERE shortcut IS NOT NULL`
]

const macros = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE macros (
    tenant_id ${text} NOT NULL, macro_id ${text} NOT NULL, name ${text} NOT NULL, actions ${json} NOT NULL,
    created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, macro_id)) ${clustered}`
]

const senders = ({ clustered, int, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE remote_image_senders (
    tenant_id ${text} NOT NULL, contact_id ${text} NOT NULL, allowed_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, contact_id)) ${clustered}`
]

/** Adds private notes, canned replies, macros and the senders of shown images. FROZEN. */
export const agentTools: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const statements = [...notes(words), ...cannedReplies(words), ...macros(words), ...senders(words)]
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
})

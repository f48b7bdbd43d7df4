import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE uploads (
    tenant_id ${text} NOT NULL, upload_id ${text} NOT NULL, filename ${text} NOT NULL, content_type ${text} NOT NULL,
    size ${int} NOT NULL, holder ${text}, created_by ${text} NOT NULL, created_at ${int} NOT NULL,
    expires_at ${int} NOT NULL, PRIMARY KEY (tenant_id, upload_id)) ${clustered}`,
  `CREATE INDEX uploads_expiry ON uploads (tenant_id, expires_at, upload_id)`,
  `CREATE INDEX uploads_holder ON uploads (tenant_id, holder)`,
  `CREATE TABLE scheduled_sends (
    tenant_id ${text} NOT NULL, message_id ${text} NOT NULL, contact_id ${text} NOT NULL, state ${text} NOT NULL,
    composition ${json} NOT NULL, override ${json}, send_at ${int} NOT NULL, undo ${int} NOT NULL,
    cancel_on_reply ${int} NOT NULL, version ${int} NOT NULL, send_key ${text} NOT NULL, fingerprint ${text} NOT NULL,
    reason ${text}, attempts ${int} NOT NULL, due_at ${int} NOT NULL, created_by ${text} NOT NULL,
    created_by_user ${text}, created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, message_id)) ${clustered}`,
  `CREATE UNIQUE INDEX scheduled_sends_key ON scheduled_sends (tenant_id, send_key)`,
  `CREATE INDEX scheduled_sends_due ON scheduled_sends (tenant_id, due_at, message_id) WHERE state = 'scheduled'`,
  `CREATE INDEX scheduled_sends_state ON scheduled_sends (tenant_id, state, send_at, message_id)`,
  `CREATE INDEX scheduled_sends_contact ON scheduled_sends (tenant_id, contact_id, state, send_at, message_id)`,
  `CREATE TABLE agent_drafts (
    tenant_id ${text} NOT NULL, draft_id ${text} NOT NULL, contact_id ${text} NOT NULL, composition ${json} NOT NULL,
    version ${int} NOT NULL, created_by ${text} NOT NULL, created_by_user ${text}, updated_by ${text} NOT NULL,
    updated_by_user ${text}, created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, draft_id)) ${clustered}`,
  `CREATE INDEX agent_drafts_contact ON agent_drafts (tenant_id, contact_id, created_at, draft_id)`,
  `ALTER TABLE sends ADD COLUMN history ${json} NOT NULL DEFAULT '[]'`
]

/**
 * Adds uploads, scheduled messages, drafts by people, and the history of each send as a JSON array. Earlier sends have
 * an empty history. FROZEN.
 */
export const composedMessages: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

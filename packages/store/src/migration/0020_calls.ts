import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID", plain: "STRICT" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "", plain: "" }

const statements = ({ clustered, int, json, plain, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE assistants (
    tenant_id ${text} NOT NULL, prefix ${text}, hash ${text}, retell_key ${text}, created_at ${int} NOT NULL,
    updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id)) ${clustered}`,
  `CREATE TABLE assistant_answers (
    tenant_id ${text} NOT NULL, answer_id ${text} NOT NULL, created_at ${int} NOT NULL, answer ${json} NOT NULL,
    PRIMARY KEY (tenant_id, answer_id)) ${clustered}`,
  `CREATE INDEX assistant_answers_age ON assistant_answers (tenant_id, created_at)`,
  `CREATE TABLE calls (
    tenant_id ${text} NOT NULL, call_id ${text} NOT NULL, contact_id ${text} NOT NULL, lead_id ${text},
    provider ${text} NOT NULL, provider_call_id ${text}, contact_leg ${text}, direction ${text} NOT NULL,
    from_number ${text}, to_number ${text}, agent_phone ${text}, transferred_to ${text}, status ${text} NOT NULL, reason ${text},
    started_at ${int} NOT NULL, answered_at ${int}, ended_at ${int}, duration_seconds ${int},
    recording ${text} NOT NULL, recording_id ${text}, recording_seconds ${int}, message_id ${text},
    requested_by ${text}, request_key ${text}, fingerprint ${text}, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, call_id)) ${plain}`,
  `CREATE INDEX calls_newest ON calls (tenant_id, started_at, call_id)`,
  `CREATE INDEX calls_status ON calls (tenant_id, status, started_at, call_id)`,
  `CREATE INDEX calls_contact ON calls (tenant_id, contact_id, started_at, call_id)`,
  `CREATE UNIQUE INDEX calls_provider ON calls (tenant_id, provider, provider_call_id)`,
  `CREATE UNIQUE INDEX calls_key ON calls (tenant_id, request_key)`
]

/** Adds calls and voice assistants. FROZEN. */
export const calls: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

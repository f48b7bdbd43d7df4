import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE sequences (
    tenant_id ${text} NOT NULL, sequence_id ${text} NOT NULL, name ${text} NOT NULL, version ${int} NOT NULL,
    steps ${json} NOT NULL, stop_on ${json} NOT NULL, migrates_to ${int} NOT NULL, archived_at ${int},
    created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, sequence_id)) ${clustered}`,
  `CREATE INDEX sequences_active ON sequences (tenant_id, sequence_id) WHERE archived_at IS NULL`,
  `CREATE TABLE sequence_versions (
    tenant_id ${text} NOT NULL, sequence_id ${text} NOT NULL, version ${int} NOT NULL, steps ${json} NOT NULL,
    stop_on ${json} NOT NULL,
    PRIMARY KEY (tenant_id, sequence_id, version)) ${clustered}`,
  `CREATE TABLE enrolments (
    tenant_id ${text} NOT NULL, enrolment_id ${text} NOT NULL, sequence_id ${text} NOT NULL, contact_id ${text} NOT NULL,
    lead_id ${text}, lead_place ${text}, version ${int} NOT NULL, state ${text} NOT NULL, stop_reason ${text},
    step ${text}, next_at ${int}, base_at ${int} NOT NULL, history ${json} NOT NULL, last_sent_at ${int},
    attempts ${int} NOT NULL, due_at ${int} NOT NULL, enrolled_by ${text} NOT NULL, enrolled_by_user ${text},
    created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, enrolment_id)) ${clustered}`,
  `CREATE INDEX enrolments_due ON enrolments (tenant_id, due_at, enrolment_id) WHERE state = 'active'`,
  `CREATE INDEX enrolments_sequence ON enrolments (tenant_id, sequence_id, enrolment_id)`,
  `CREATE INDEX enrolments_sequence_state ON enrolments (tenant_id, sequence_id, state, enrolment_id)`,
  `CREATE INDEX enrolments_state ON enrolments (tenant_id, state, enrolment_id)`,
  `CREATE INDEX enrolments_contact ON enrolments (tenant_id, contact_id, enrolment_id)`
]

/** Adds sequences, their earlier versions, and the enrolments of contacts. FROZEN. */
export const sequences: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

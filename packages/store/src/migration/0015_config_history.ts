import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE config_changes (
    tenant_id ${text} NOT NULL, version ${int} NOT NULL, from_version ${int} NOT NULL, action ${text} NOT NULL,
    preset ${text}, changed_by ${text} NOT NULL, changed_at ${int} NOT NULL, differences ${json} NOT NULL,
    omitted ${int} NOT NULL, PRIMARY KEY (tenant_id, version)) ${clustered}`,
  // `evaluation_id` sorts by time, so an index has the order of each list, newest first.
  `CREATE TABLE guard_evaluations (
    tenant_id ${text} NOT NULL, evaluation_id ${text} NOT NULL, stage ${text} NOT NULL, signal_id ${text} NOT NULL,
    message_id ${text} NOT NULL, contact_id ${text} NOT NULL, created_at ${int} NOT NULL, guardrail_id ${text} NOT NULL,
    kind ${text} NOT NULL, outcome ${text} NOT NULL, reason ${text} NOT NULL,
    PRIMARY KEY (tenant_id, evaluation_id)) ${clustered}`,
  `CREATE INDEX guard_evaluations_guardrail ON guard_evaluations (tenant_id, guardrail_id, outcome, evaluation_id)`,
  `CREATE INDEX guard_evaluations_outcome ON guard_evaluations (tenant_id, outcome, evaluation_id)`,
  `CREATE INDEX guard_evaluations_contact ON guard_evaluations (tenant_id, contact_id, evaluation_id)`,
  `CREATE TABLE guard_counts (
    tenant_id ${text} NOT NULL, day ${text} NOT NULL, guardrail_id ${text} NOT NULL, kind ${text} NOT NULL,
    outcome ${text} NOT NULL, count ${int} NOT NULL,
    PRIMARY KEY (tenant_id, day, guardrail_id, kind, outcome)) ${clustered}`
]

/** Adds the history of configurations, and the evaluations of guardrails with their counts per day. FROZEN. */
export const configHistory: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

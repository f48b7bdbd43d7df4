import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE trigger_runs (
    tenant_id ${text} NOT NULL, trigger_run_id ${text} NOT NULL, rule_id ${text} NOT NULL, rule_name ${text} NOT NULL,
    trigger ${text} NOT NULL, cause ${text} NOT NULL, contact_id ${text} NOT NULL, lead_id ${text},
    message_id ${text} NOT NULL, cause_at ${int} NOT NULL, run_at ${int} NOT NULL, state ${text} NOT NULL, reason ${text},
    actions ${json} NOT NULL, config_version ${int}, attempts ${int} NOT NULL, due_at ${int} NOT NULL,
    created_at ${int} NOT NULL, updated_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, trigger_run_id)) ${clustered}`,
  `CREATE INDEX trigger_runs_due ON trigger_runs (tenant_id, due_at, trigger_run_id) WHERE state = 'waiting'`,
  `CREATE UNIQUE INDEX trigger_runs_cause ON trigger_runs (tenant_id, rule_id, cause)`,
  `CREATE INDEX trigger_runs_rule ON trigger_runs (tenant_id, rule_id, trigger_run_id)`,
  `CREATE INDEX trigger_runs_contact ON trigger_runs (tenant_id, contact_id, trigger_run_id)`
]

/** Adds the runs of rules that wait for a time. FROZEN. */
export const triggerRuns: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const limits = '{"bounce_percent":5,"complaint_percent":0.3,"opt_out_percent":5,"min_messages":50}'

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE sequences ADD COLUMN limits ${json} NOT NULL DEFAULT '${limits}'`,
  `ALTER TABLE sequences ADD COLUMN paused_at ${int}`,
  `ALTER TABLE sequences ADD COLUMN pause_reason ${text}`,
  `ALTER TABLE sequences ADD COLUMN pause_detail ${text}`,
  `ALTER TABLE sequences ADD COLUMN resumed_at ${int}`,
  `ALTER TABLE enrolments ADD COLUMN opted_out_at ${int}`,
  `CREATE TABLE sequence_counts (
    tenant_id ${text} NOT NULL, sequence_id ${text} NOT NULL, starts_at ${int} NOT NULL, emails ${int} NOT NULL,
    texts ${int} NOT NULL, bounced ${int} NOT NULL, complained ${int} NOT NULL, opted_out ${int} NOT NULL,
    PRIMARY KEY (tenant_id, sequence_id, starts_at)) ${clustered}`,
  `CREATE INDEX enrolments_ended ON enrolments (tenant_id, updated_at, enrolment_id)
    WHERE state IN ('completed', 'stopped', 'held_out')`,
  `CREATE INDEX trigger_runs_ended ON trigger_runs (tenant_id, updated_at, trigger_run_id) WHERE state <> 'waiting'`,
  `CREATE INDEX sequence_counts_start ON sequence_counts (tenant_id, starts_at, sequence_id)`
]

/**
 * Adds the limits that pause a sequence, its pause, its counted messages, and indexes of ended work for its retention.
 * FROZEN.
 */
export const sequenceLimits: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const sqlite = { text: "TEXT", int: "INTEGER" }
const postgres = { text: 'text COLLATE "C"', int: "bigint" }

const statements = ({ int, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE enrolments ADD COLUMN defects ${int} NOT NULL DEFAULT 0`,
  `ALTER TABLE enrolments ADD COLUMN pause_reason ${text}`,
  `ALTER TABLE trigger_runs ADD COLUMN defects ${int} NOT NULL DEFAULT 0`
]

/**
 * Adds the numbers of consecutive defects of enrolments and trigger runs, and why an enrolment is paused. FROZEN.
 */
export const defectLimits: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

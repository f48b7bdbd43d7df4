import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the rule of a sequence. Null, also in rows of older servers: a sequence that people have created. FROZEN. */
export const sequencesOfRules: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const text = sql.onDialectOrElse({ pg: () => 'text COLLATE "C"', orElse: () => "TEXT" })
  yield* sql.unsafe(`ALTER TABLE sequences ADD COLUMN rule_id ${text}`)
  yield* sql.unsafe("CREATE UNIQUE INDEX sequences_rule ON sequences (tenant_id, rule_id) WHERE rule_id IS NOT NULL")
})

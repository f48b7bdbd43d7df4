import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Adds the size of the holdout group of each sequence. FROZEN. */
export const holdouts: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const int = sql.onDialectOrElse({ pg: () => "bigint", orElse: () => "INTEGER" })
  yield* sql.unsafe(`ALTER TABLE sequences ADD COLUMN holdout_percent ${int} NOT NULL DEFAULT 0`)
})

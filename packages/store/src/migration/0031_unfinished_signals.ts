import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** How each dialect spells an integer. */
const statements = (int: string): ReadonlyArray<string> => [
  `ALTER TABLE signals ADD COLUMN unfinished ${int} NOT NULL DEFAULT 0`,
  `ALTER TABLE signals ADD COLUMN suspect ${int} NOT NULL DEFAULT 0`
]

/** How often work on a signal has begun and not ended, and whether it is kept apart because of that. FROZEN. */
export const unfinishedSignals: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const int = sql.onDialectOrElse({ pg: () => "bigint", orElse: () => "INTEGER" })
  for (const statement of statements(int)) yield* sql.unsafe(statement)
})

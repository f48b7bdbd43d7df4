import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The statements for one SQL dialect. `int` is its integer type. */
const statements = (int: string): ReadonlyArray<string> => [
  `ALTER TABLE signals ADD COLUMN unfinished ${int} NOT NULL DEFAULT 0`,
  `ALTER TABLE signals ADD COLUMN suspect ${int} NOT NULL DEFAULT 0`
]

/** Adds the number of starts of a signal that did not finish, and a mark for signals with too many of them. FROZEN. */
export const unfinishedSignals: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const int = sql.onDialectOrElse({ pg: () => "bigint", orElse: () => "INTEGER" })
  for (const statement of statements(int)) yield* sql.unsafe(statement)
})

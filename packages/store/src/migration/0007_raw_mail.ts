import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types of each SQL dialect. */
const sqlite = { text: "TEXT", integer: "INTEGER" }
const postgres = { text: 'text COLLATE "C"', integer: "bigint" }

const statements = ({ integer, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE messages ADD COLUMN raw_key ${text}`,
  `ALTER TABLE messages ADD COLUMN raw_size ${integer}`,
  `ALTER TABLE messages ADD COLUMN raw_type ${text}`
]

/** Adds the object key, size and media type of the raw source of a mail. FROZEN. */
export const rawMail: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

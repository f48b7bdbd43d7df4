import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** How each dialect spells what the columns are made of. */
const sqlite = { text: "TEXT", int: "INTEGER" }
const postgres = { text: 'text COLLATE "C"', int: "bigint" }

/** How long a rotated key works, at the time of this migration: until then only rotation set an expiry. */
const graceMillis = 72 * 3_600_000

const statements = ({ int, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE api_keys ADD COLUMN scopes ${text}`,
  `ALTER TABLE api_keys ADD COLUMN replaced_at ${int}`,
  `UPDATE api_keys SET replaced_at = expires_at - ${graceMillis} WHERE expires_at IS NOT NULL`
]

/** Scopes of API keys, and rotation told apart from an expiry that somebody chose. FROZEN. */
export const keys: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

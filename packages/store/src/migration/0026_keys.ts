import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER" }
const postgres = { text: 'text COLLATE "C"', int: "bigint" }

/**
 * The validity of a rotated key at the time of this migration: 72 hours, in milliseconds. Before this migration, only a
 * rotation set `expires_at`.
 */
const graceMillis = 72 * 3_600_000

const statements = ({ int, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE api_keys ADD COLUMN scopes ${text}`,
  `ALTER TABLE api_keys ADD COLUMN replaced_at ${int}`,
  `UPDATE api_keys SET replaced_at = expires_at - ${graceMillis} WHERE expires_at IS NOT NULL`
]

/** Adds the scopes of API keys, and the time of a rotation, to distinguish it from a chosen expiry. FROZEN. */
export const keys: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

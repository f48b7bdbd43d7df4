import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** How each dialect spells what the tables are made of. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE grants ADD COLUMN provider_grant_id ${text}`,
  // What a provider tells names its grant, and the tenant is what is asked.
  `CREATE INDEX grants_provider ON grants (provider_grant_id) WHERE provider_grant_id IS NOT NULL`,
  `ALTER TABLE messages ADD COLUMN provider_message_id ${text}`,
  `ALTER TABLE messages ADD COLUMN reply_to ${json} NOT NULL DEFAULT '[]'`,
  // Somebody on the way to a provider and back. What comes back names it by a secret; only its hash is kept.
  `CREATE TABLE sign_ins (
    tenant_id ${text} NOT NULL, state_hash ${text} NOT NULL, principal ${text} NOT NULL, expires_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, state_hash)) ${clustered}`,
  // What is to be done at a provider's: fetch a mail, look for missed ones, give a permission back.
  `CREATE TABLE errands (
    tenant_id ${text} NOT NULL, errand_id ${text} NOT NULL, attempts ${int} NOT NULL, due_at ${int} NOT NULL,
    created_at ${int} NOT NULL, reason ${text}, errand ${json} NOT NULL, PRIMARY KEY (tenant_id, errand_id)) ${clustered}`,
  `CREATE INDEX errands_due ON errands (tenant_id, due_at, errand_id)`
]

/** Accounts that somebody else hosts: whose they are, who is connecting one, and what is to be done there. FROZEN. */
export const hostedMail: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

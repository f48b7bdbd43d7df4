import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect. */
const sqlite = { text: "TEXT", int: "INTEGER", json: "TEXT", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", json: "json", clustered: "" }

const statements = ({ clustered, int, json, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE grants ADD COLUMN provider_grant_id ${text}`,
  // Finds the tenant of a provider event, which names only the grant at the provider.
  `CREATE INDEX grants_provider ON grants (provider_grant_id) WHERE provider_grant_id IS NOT NULL`,
  `ALTER TABLE messages ADD COLUMN provider_message_id ${text}`,
  `ALTER TABLE messages ADD COLUMN reply_to ${json} NOT NULL DEFAULT '[]'`,
  // Sign-ins at a provider that are in progress. A secret identifies the sign-in when the user returns. The table has
  // only the hash of the secret.
  `CREATE TABLE sign_ins (
    tenant_id ${text} NOT NULL, state_hash ${text} NOT NULL, principal ${text} NOT NULL, expires_at ${int} NOT NULL,
    PRIMARY KEY (tenant_id, state_hash)) ${clustered}`,
  // Jobs at a provider: fetch a mail, look for missed mails, or revoke a permission.
  `CREATE TABLE errands (
    tenant_id ${text} NOT NULL, errand_id ${text} NOT NULL, attempts ${int} NOT NULL, due_at ${int} NOT NULL,
    created_at ${int} NOT NULL, reason ${text}, errand ${json} NOT NULL, PRIMARY KEY (tenant_id, errand_id)) ${clustered}`,
  `CREATE INDEX errands_due ON errands (tenant_id, due_at, errand_id)`
]

/** Adds hosted accounts: the ids at the provider, the sign-ins in progress, and the jobs at the provider. FROZEN. */
export const hostedMail: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const sqlite = { text: "TEXT", int: "INTEGER", clustered: "STRICT, WITHOUT ROWID" }
const postgres = { text: 'text COLLATE "C"', int: "bigint", clustered: "" }

const statements = ({ clustered, int, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE tracked_links (
    tenant_id ${text} NOT NULL, token ${text} NOT NULL, position ${int} NOT NULL, url ${text} NOT NULL,
    contact_id ${text} NOT NULL, message_id ${text} NOT NULL, sequence_id ${text} NOT NULL, enrolment_id ${text} NOT NULL,
    step ${text} NOT NULL, sent_at ${int}, opens ${int} NOT NULL, first_opened_at ${int}, last_opened_at ${int},
    created_at ${int} NOT NULL, PRIMARY KEY (tenant_id, token)) ${clustered}`,
  `CREATE INDEX tracked_links_message ON tracked_links (tenant_id, message_id, position)`,
  `CREATE INDEX tracked_links_contact ON tracked_links (tenant_id, contact_id, token)`,
  `CREATE INDEX tracked_links_opened ON tracked_links (tenant_id, enrolment_id, message_id) WHERE opens > 0`,
  `CREATE INDEX tracked_links_created ON tracked_links (tenant_id, created_at, token)`
]

/** Adds the links in emails of sequences whose openings are recorded. FROZEN. */
export const trackedLinks: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

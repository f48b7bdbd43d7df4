import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types and table options of each SQL dialect, and the expansion of a JSON array into rows. */
const sqlite = { text: "TEXT", clustered: "STRICT, WITHOUT ROWID", aliases: "json_each(g.aliases) AS item" }
const postgres = {
  text: 'text COLLATE "C"',
  clustered: "",
  aliases: "json_array_elements_text(g.aliases) AS item(value)"
}

const statements = ({ aliases, clustered, text }: typeof sqlite): ReadonlyArray<string> => [
  `CREATE TABLE grant_addresses (
    tenant_id ${text} NOT NULL, address ${text} NOT NULL, PRIMARY KEY (tenant_id, address)) ${clustered}`,
  `INSERT INTO grant_addresses (tenant_id, address)
    SELECT g.tenant_id, g.email FROM grants g UNION SELECT g.tenant_id, item.value FROM grants g CROSS JOIN ${aliases}`,
  // The next two indexes find the tenant of an inbound mail, by its address or by its domain.
  `CREATE INDEX grant_addresses_address ON grant_addresses (address)`,
  `CREATE INDEX tenants_domain ON tenants (domain)`
]

/** Adds the addresses of email accounts with their aliases, and an index on the domains of tenants. FROZEN. */
export const mailAddresses: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  yield* Effect.forEach(statements(words), (statement) => sql.unsafe(statement), { discard: true })
})

import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The column types of each SQL dialect. */
const sqlite = { int: "INTEGER", text: "TEXT" }
const postgres = { int: "bigint", text: 'text COLLATE "C"' }

const columns = ({ int, text }: typeof sqlite): ReadonlyArray<string> => [
  `ALTER TABLE tenants ADD COLUMN owns_domain ${int} NOT NULL DEFAULT 1`,
  `ALTER TABLE grant_addresses ADD COLUMN owned ${int} NOT NULL DEFAULT 1`,
  // The labels of the host in reverse order, so that a domain and its subdomains are one index range.
  `ALTER TABLE grant_addresses ADD COLUMN reversed_host ${text} NOT NULL DEFAULT ''`
]

const indexes: ReadonlyArray<string> = [
  // A domain has one owner among the active tenants, and a mailbox has one owner. Of duplicates that an older version
  // accepted, only the oldest one is the owner.
  `CREATE UNIQUE INDEX tenants_owned_domain ON tenants (domain) WHERE archived_at IS NULL AND owns_domain = 1`,
  `CREATE UNIQUE INDEX grant_addresses_owned ON grant_addresses (address) WHERE owned = 1`,
  `CREATE INDEX grant_addresses_host ON grant_addresses (reversed_host)`
]

const asciiHost = (host: string): string => {
  const url = `http://${host.toLowerCase()}`
  return /^[\x21-\x7e]*$/u.test(host) || !URL.canParse(url) ? host.toLowerCase() : new URL(url).hostname
}

/** Returns an address in lower case, with the host in ASCII and without the tag that begins with `+`. */
const mailboxOf = (email: string): string => {
  const at = email.lastIndexOf("@")
  const local = email.slice(0, at).toLowerCase()
  const plus = local.indexOf("+")
  return `${plus > 0 ? local.slice(0, plus) : local}@${asciiHost(email.slice(at + 1))}`
}

interface TenantRow {
  readonly tenant_id: string
  readonly domain: string
}

interface GrantRow {
  readonly tenant_id: string
  readonly email: string
  /** JSON. The Postgres client parses it into an array. */
  readonly aliases: string | ReadonlyArray<string>
  readonly archived_at: unknown
}

const aliasesOf = ({ aliases }: GrantRow): ReadonlyArray<string> =>
  typeof aliases === "string" ? JSON.parse(aliases) : aliases

/** Makes the oldest active tenant the owner of a domain, and converts domains to lower-case ASCII. */
const ownDomains = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tenants = yield* sql<TenantRow>`SELECT tenant_id, domain FROM tenants
    WHERE domain IS NOT NULL AND archived_at IS NULL ORDER BY created_at, tenant_id`
  const owned = new Set<string>()
  for (const { domain: written, tenant_id } of tenants) {
    const domain = asciiHost(written)
    const owns = owned.has(domain) ? 0 : 1
    owned.add(domain)
    if (owns === 1 && domain === written) continue
    yield* sql`UPDATE tenants SET domain = ${domain}, owns_domain = ${owns} WHERE tenant_id = ${tenant_id}`
  }
})

/** Makes the oldest account of an active tenant the owner of a mailbox, and writes all addresses again. */
const ownMailboxes = Effect.gen(function* () {
  const sql = yield* SqlClient
  const grants = yield* sql<GrantRow>`SELECT g.tenant_id, g.email, g.aliases, t.archived_at
    FROM grants g LEFT JOIN tenants t ON t.tenant_id = g.tenant_id ORDER BY g.created_at, g.tenant_id`
  yield* sql`DELETE FROM grant_addresses`
  const owned = new Set<string>()
  for (const grant of grants) {
    for (const mailbox of new Set([grant.email, ...aliasesOf(grant)].map(mailboxOf))) {
      const owns = grant.archived_at === null && !owned.has(mailbox) ? 1 : 0
      if (owns === 1) owned.add(mailbox)
      const host = mailbox
        .slice(mailbox.lastIndexOf("@") + 1)
        .split(".")
        .toReversed()
        .join(".")
      yield* sql`INSERT INTO grant_addresses (tenant_id, address, owned, reversed_host)
        VALUES (${grant.tenant_id}, ${mailbox}, ${owns}, ${host})`
    }
  }
})

/** Adds the owners of domains and mailboxes. FROZEN. */
export const mailboxOwners: Effect.Effect<void, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const words = sql.onDialectOrElse({ pg: () => postgres, orElse: () => sqlite })
  const run = (statements: ReadonlyArray<string>) =>
    Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
  yield* run(columns(words))
  yield* ownDomains
  yield* ownMailboxes
  yield* run(indexes)
})

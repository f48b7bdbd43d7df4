import {
  domainsOf,
  isOnForeignDomain,
  mailboxOf,
  nearestOwners,
  reversedHost
} from "@leadloom/core/domain/email/Mailbox"
import type { StoreUnavailable } from "@leadloom/core/port/system/Transactions"
import type { Tenant } from "@leadloom/core/domain/tenant/Tenant"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { queries } from "../../sql/Queries.ts"

/** The first eight bytes of "mailbox claim", the same for every version. */
const claimLock = Buffer.from("mailboxc").readBigInt64BE()

/** Which addresses and domains may be claimed. Both run in the unit of work that then writes the claim. */
export interface MailboxClaims {
  /** The addresses that belong to another tenant: connected by it, or on its domain. */
  readonly taken: (
    tenantId: string,
    addresses: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  /** Whether the domain of a new tenant belongs to another one, or is the nearest to an address connected there. */
  readonly isDomainTaken: (tenant: Tenant & { readonly domain: string }) => Effect.Effect<boolean, StoreUnavailable>
}

interface Owner {
  readonly tenantId: string
  readonly domain: string
}

/**
 * Claims take turns across all servers of a Postgres database, because a domain and an address exclude each other
 * without sharing an index. They are rare: an account, an alias or a tenant that is new. Unique indexes hold whatever
 * happens beside this lock, for example during an upgrade.
 */
export const mailboxClaims = (sql: SqlClient): MailboxClaims => {
  const { isOneOf, query } = queries(sql)
  const lock = sql.onDialectOrElse({
    pg: () => query(`SELECT pg_advisory_xact_lock(${claimLock})`),
    orElse: () => () => Effect.void
  })
  const connected = query<{ readonly address: string }>(
    `SELECT a.address FROM grant_addresses a LEFT JOIN tenants t ON t.tenant_id = a.tenant_id
      WHERE ${isOneOf("a.address")} AND a.tenant_id <> ? AND t.archived_at IS NULL`
  )
  const owners = query<Owner>(
    `SELECT tenant_id AS "tenantId", domain FROM tenants WHERE ${isOneOf("domain")} AND archived_at IS NULL`
  )
  const connectedOn = (condition: string): string =>
    `SELECT a.address FROM grant_addresses a LEFT JOIN tenants t ON t.tenant_id = a.tenant_id
      WHERE ${condition} AND t.archived_at IS NULL`
  const connectedAt = query<{ readonly address: string }>(connectedOn("a.reversed_host = ?"))
  const connectedBelow = query<{ readonly address: string }>(connectedOn("a.reversed_host > ? AND a.reversed_host < ?"))
  const ownersOver = (addresses: ReadonlyArray<string>) =>
    owners(JSON.stringify([...new Set(addresses.flatMap(domainsOf))]))
  return {
    taken: (tenantId, addresses) =>
      Effect.gen(function* () {
        if (addresses.length === 0) return []
        yield* lock()
        const mailboxes = JSON.stringify(addresses.map(mailboxOf))
        const others = new Set((yield* connected(mailboxes, tenantId)).map(({ address }) => address))
        const tenants = yield* ownersOver(addresses)
        return addresses.filter((email) => others.has(mailboxOf(email)) || isOnForeignDomain(email, tenantId, tenants))
      }),
    isDomainTaken: ({ domain, tenantId }) =>
      Effect.gen(function* () {
        yield* lock()
        if ((yield* owners(JSON.stringify([domain]))).length > 0) return true
        const host = reversedHost(domain)
        // "/" is the character behind ".".
        const rows = [...(yield* connectedAt(host)), ...(yield* connectedBelow(`${host}.`, `${host}/`))]
        const connectedThere = rows.map(({ address }) => address)
        const tenants = [...(yield* ownersOver(connectedThere)), { tenantId, domain }]
        return connectedThere.some((email) =>
          nearestOwners(email, tenants).some((owner) => owner.tenantId === tenantId)
        )
      })
  }
}

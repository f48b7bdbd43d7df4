import {
  domainsOf,
  isOnForeignDomain,
  mailboxOf,
  nearestOwners,
  reversedHost
} from "@leadloom/core/internal/domain/email/Mailbox"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import type { DatabaseShape } from "../../Database.ts"

/** The key of the lock: the first eight bytes of "mailbox claim". All versions use the same value. */
const claimLock = Buffer.from("mailboxc").readBigInt64BE()

/** A tenant and its domain. */
interface Owner {
  readonly tenantId: string
  readonly domain: string
}

/** Checks whether addresses and domains are free. Call it in the same unit of work that then claims them. */
export interface MailboxClaims {
  /** Returns the addresses that a tenant cannot use: another tenant has connected them, or owns their domain. */
  readonly taken: (
    tenantId: string,
    addresses: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  /**
   * Returns whether another tenant has the domain, or has connected an address to which this domain would be closer
   * than any other owned domain.
   */
  readonly isDomainTaken: (tenant: Owner) => Effect.Effect<boolean, StoreUnavailable>
}

/**
 * Only one claim runs at a time across all servers of a Postgres database, because a domain and an address can exclude
 * each other without a common index. Claims are rare: a new account, alias or tenant. Unique indexes are a second
 * check, for example during an upgrade.
 */
export const mailboxClaims = ({ isOneOf, query, sql }: DatabaseShape): MailboxClaims => {
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
      WHERE ${condition} AND a.tenant_id <> ? AND t.archived_at IS NULL`
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
        const holders = yield* owners(JSON.stringify([domain]))
        if (holders.some((holder) => holder.tenantId !== tenantId)) return true
        const host = reversedHost(domain)
        // "/" is the character after ".", so the range contains all subdomains of the host.
        const rows = [
          ...(yield* connectedAt(host, tenantId)),
          ...(yield* connectedBelow(`${host}.`, `${host}/`, tenantId))
        ]
        const connectedThere = rows.map(({ address }) => address)
        const tenants = [...(yield* ownersOver(connectedThere)), { tenantId, domain }]
        return connectedThere.some((email) =>
          nearestOwners(email, tenants).some((owner) => owner.tenantId === tenantId)
        )
      })
  }
}

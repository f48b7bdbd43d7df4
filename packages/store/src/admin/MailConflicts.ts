import {
  isOnForeignDomain,
  mailboxOf,
  nearestOwners,
  registrableDomain
} from "@leadloom/core/internal/domain/email/Mailbox"
import { isPublicMailDomain } from "@leadloom/core/internal/domain/email/PublicMailbox"
import type { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Effect } from "effect"
import { readArray } from "../sql/Json.ts"
import { type ReadOnlyDatabase, tablesOf } from "./ReadOnlyDatabase.ts"

/**
 * A domain or an address of a tenant that conflicts with the rules of ownership: it belongs to another owner, or no
 * tenant may own it. Older versions accepted such values.
 */
export interface MailConflict {
  readonly kind: "domain" | "address" | "foreign_domain" | "public_domain"
  /** The domain or the address. */
  readonly name: string
  readonly tenantId: string
  /** The owning tenant; null if no tenant can own it. */
  readonly owner: string | null
}

interface TenantDomain {
  readonly tenantId: string
  readonly domain: string
}

const domainConflicts = (tenants: ReadonlyArray<TenantDomain>): ReadonlyArray<MailConflict> =>
  tenants.flatMap(({ domain: name, tenantId }, index): ReadonlyArray<MailConflict> => {
    if (isPublicMailDomain(name))
      return [{ kind: "public_domain", name: registrableDomain(name), tenantId, owner: null }]
    const first = tenants.findIndex(({ domain }) => domain === name)
    return first === index ? [] : [{ kind: "domain", name, tenantId, owner: tenants[first]?.tenantId ?? null }]
  })

/**
 * Finds addresses that belong to another owner. `connected` lists accounts in the order in which they were connected.
 */
const addressConflicts = (
  tenants: ReadonlyArray<TenantDomain>,
  connected: ReadonlyArray<{ readonly tenantId: string; readonly mailbox: string }>
): ReadonlyArray<MailConflict> => {
  const owners = new Map<string, string>()
  return connected.flatMap(({ mailbox: name, tenantId }): ReadonlyArray<MailConflict> => {
    if (isOnForeignDomain(name, tenantId, tenants)) {
      return [{ kind: "foreign_domain", name, tenantId, owner: nearestOwners(name, tenants)[0]?.tenantId ?? null }]
    }
    const owner = owners.get(name)
    if (owner === undefined) owners.set(name, tenantId)
    return owner === undefined || owner === tenantId ? [] : [{ kind: "address", name, tenantId, owner }]
  })
}

/**
 * Finds mail domains and addresses of tenants that do not own them. Works with databases of this version and of older
 * ones.
 */
export const mailConflicts = Effect.fnUntraced(function* (
  database: ReadOnlyDatabase
): Effect.fn.Return<ReadonlyArray<MailConflict>, StoreUnavailable> {
  const present = yield* tablesOf(database)
  if (!present.has("tenants") || !present.has("grants")) return []
  const tenants = (yield* database.query(
    `SELECT tenant_id, domain FROM tenants WHERE domain IS NOT NULL AND archived_at IS NULL ORDER BY created_at, tenant_id`
  )).map(([tenantId, domain]) => ({ tenantId: String(tenantId), domain: String(domain) }))
  const grants = yield* database.query(
    `SELECT g.tenant_id, g.email, CAST(g.aliases AS text) FROM grants g LEFT JOIN tenants t ON t.tenant_id = g.tenant_id
      WHERE t.archived_at IS NULL ORDER BY g.created_at, g.tenant_id`
  )
  const connected = grants.flatMap(([tenantId, email, aliases]) =>
    [...new Set([String(email), ...readArray<string>(String(aliases))].map(mailboxOf))].map((mailbox) => ({
      tenantId: String(tenantId),
      mailbox
    }))
  )
  return [...domainConflicts(tenants), ...addressConflicts(tenants, connected)]
})

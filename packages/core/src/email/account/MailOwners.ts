import { Effect } from "effect"
import { Grants } from "../../port/Grants.ts"
import { Tenants } from "../../port/Tenants.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { domainOf } from "../Address.ts"
import { registrableDomain } from "./Alias.ts"

/** The domains that an address is on, its own first, up to the one that somebody registered. */
export const domainsOf = (email: string): ReadonlyArray<string> => {
  const host = domainOf(email)
  const above = registrableDomain(host)
  if (host === "" || !host.endsWith(`.${above}`)) return host === "" ? [] : [host]
  const labels = host.slice(0, -above.length - 1).split(".")
  return [...labels.map((_, index) => `${labels.slice(index).join(".")}.${above}`), above]
}

const served = Effect.fnUntraced(function* (tenantIds: ReadonlyArray<string>) {
  const tenants = yield* Tenants
  const found = yield* Effect.forEach(tenantIds, (tenantId) =>
    tenants.get(tenantId).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
  )
  return found.filter((tenant) => tenant !== null)
})

/**
 * Whose mail it is that arrives at an address: the tenants of the nearest domain it is on; of several the ones whose
 * account or alias it is. An address on nobody's domain belongs to whoever has connected it. A tenant that is archived,
 * or closed to email, has none.
 */
export const mailOwners = Effect.fnUntraced(function* (email: string) {
  const domains = domainsOf(email)
  const [onDomains, holders] = yield* Effect.all([
    Effect.flatMap(Tenants, (tenants) => tenants.ofDomains(domains)),
    Effect.flatMap(Grants, (grants) => grants.holders(email))
  ])
  const nearest = domains.find((domain) => onDomains.some((tenant) => tenant.domain === domain))
  const ofDomain = onDomains.filter(({ domain }) => domain === nearest)
  const holding = ofDomain.filter(({ tenantId }) => holders.includes(tenantId))
  // Whoever connects an address on a domain of somebody else's must not get what arrives there.
  const owners: ReadonlyArray<Tenant> =
    ofDomain.length === 0 ? yield* served(holders) : holding.length > 0 ? holding : ofDomain
  return owners.filter(({ hipaa }) => !hipaa)
})

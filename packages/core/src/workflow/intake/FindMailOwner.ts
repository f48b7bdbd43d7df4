import { Effect } from "effect"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { domainsOf, nearestOwners } from "../../domain/email/Mailbox.ts"

/**
 * Returns whether an account owns its mailbox. In an older database two tenants may have connected the same mailbox.
 */
export const ownsMailbox = ({ email, tenantId }: Grant) =>
  Effect.flatMap(Grants, (grants) => Effect.map(grants.holder(email), (holder) => holder === tenantId))

/**
 * Returns the tenant that receives mail for an address, or null. It is the tenant with the nearest domain of the
 * address, else the tenant that has connected the address. Archived tenants and HIPAA tenants receive no mail. In an
 * older database two tenants may have the same domain: then the one that has connected the address receives the mail,
 * else the older one.
 */
export const findMailOwner = Effect.fnUntraced(function* (email: string) {
  const tenants = yield* Tenants
  const [onDomains, holder] = yield* Effect.all([
    tenants.ofDomains(domainsOf(email)),
    Effect.flatMap(Grants, (grants) => grants.holder(email))
  ])
  const [first = null, ...others] = nearestOwners(email, onDomains)
  const connected = [first, ...others].find((tenant) => tenant !== null && tenant.tenantId === holder)
  const owner =
    first === null && holder !== null
      ? yield* tenants.get(holder).pipe(Effect.catchTag("TenantNotFound", () => Effect.succeed(null)))
      : (connected ?? first)
  return owner === null || owner.hipaa ? null : owner
})

import { Effect } from "effect"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { Grant } from "../../domain/email/Grant.ts"
import { domainsOf, nearestOwners } from "../../domain/email/Mailbox.ts"

/** Whether an account owns its mailbox. Another tenant does where an older database has the mailbox twice. */
export const ownsMailbox = ({ email, tenantId }: Grant) =>
  Effect.flatMap(Grants, (grants) => Effect.map(grants.holder(email), (holder) => holder === tenantId))

/**
 * The tenant that mail for an address belongs to, or null. It is the tenant of the nearest domain that the address is
 * on; on nobody's domain it is the tenant that has connected the address. An archived tenant receives no mail, and
 * neither does one under HIPAA. Where an older database has two tenants with one domain, the tenant that has connected
 * the address receives its mail, else the older tenant.
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

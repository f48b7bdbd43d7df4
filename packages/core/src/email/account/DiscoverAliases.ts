import { Clock, Effect } from "effect"
import { Grants } from "../../port/Grants.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { discovered } from "./Alias.ts"

/**
 * Adds addresses on the tenant's domain at which mail arrived to the aliases of its connected account (specification,
 * alias auto-discovery). Answers what the list had no room for. Runs inside a unit of work.
 */
export const discoverAliases = Effect.fnUntraced(function* (
  { domain, tenantId }: Pick<Tenant, "domain" | "tenantId">,
  recipients: ReadonlyArray<string>
) {
  const grants = yield* Grants
  const grant = yield* grants.current(tenantId)
  if (grant === null || domain === null) return []
  const { aliases, skipped } = discovered(grant, recipients, domain)
  if (aliases.length > grant.aliases.length) {
    const updatedAt = yield* Clock.currentTimeMillis
    // Disconnected in this moment: nobody is left to have aliases.
    yield* grants.update({ ...grant, aliases, updatedAt }).pipe(Effect.catchTag("GrantNotFound", () => Effect.void))
  }
  return skipped
})

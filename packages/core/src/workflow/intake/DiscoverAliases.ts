import { Clock, Effect } from "effect"
import { Grants } from "../../port/repository/conversation/Grants.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { discovered } from "../../domain/email/Alias.ts"
import type { Grant } from "../../domain/email/Grant.ts"

/**
 * Sets the aliases, except those that another tenant has connected. No effect when the account has been disconnected.
 */
const setFree = Effect.fnUntraced(function* (grant: Grant, aliases: ReadonlyArray<string>) {
  const grants = yield* Grants
  const updatedAt = yield* Clock.currentTimeMillis
  const set = (list: ReadonlyArray<string>) => grants.setAliases({ ...grant, aliases: list, updatedAt })
  yield* set(aliases).pipe(
    Effect.catchTag("AddressTaken", ({ addresses }) => set(aliases.filter((email) => !addresses.includes(email)))),
    Effect.catchTag(["GrantNotFound", "AddressTaken"], () => Effect.void)
  )
})

/**
 * Adds the recipients on the tenant's domain to the aliases of its connected account (specification, alias
 * auto-discovery). Returns those that exceed the limit of aliases. Runs inside a unit of work.
 */
export const discoverAliases = Effect.fnUntraced(function* (
  { domain, tenantId }: Pick<Tenant, "domain" | "tenantId">,
  recipients: ReadonlyArray<string>
) {
  const grant = yield* (yield* Grants).current(tenantId)
  if (grant === null || domain === null) return []
  const { aliases, skipped } = discovered(grant, recipients, domain)
  if (aliases.length > grant.aliases.length) yield* setFree(grant, aliases)
  return skipped
})

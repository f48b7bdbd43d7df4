import { Effect } from "effect"
import { ConfigChanges } from "../../port/repository/tenant/ConfigChanges.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import { ConfigVersionNotFound } from "../../domain/tenant/Tenant.ts"

/** A configuration as it was saved under a version, and who saved it; null for the change: the tenant began with it. */
export const readConfigVersion = Effect.fn("readConfigVersion")(function* (tenantId: string, version: number) {
  const tenants = yield* Tenants
  yield* tenants.get(tenantId)
  const config = yield* tenants.configAt(tenantId, version)
  if (config === null) return yield* new ConfigVersionNotFound({ tenantId, version })
  return { config, change: yield* (yield* ConfigChanges).find(tenantId, version) }
})

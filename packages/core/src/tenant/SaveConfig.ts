import { Data, Effect } from "effect"
import { Tenants } from "../port/Tenants.ts"
import { checkConfig, type ConfigIssue } from "./CheckConfig.ts"
import type { TenantConfig } from "./TenantConfig.ts"

/** The configuration was not saved: everything that is wrong with it. */
export class ConfigInvalid extends Data.TaggedError("ConfigInvalid")<{ readonly issues: ReadonlyArray<ConfigIssue> }> {}

/** Checks a configuration as a whole and saves it as the tenant's next version. */
export const saveConfig = Effect.fn("saveConfig")(function* (tenantId: string, config: TenantConfig) {
  const tenants = yield* Tenants
  const tenant = yield* tenants.get(tenantId)
  const issues = yield* checkConfig(config)
  if (issues.length > 0) return yield* new ConfigInvalid({ issues })
  const configVersion = yield* tenants.saveConfig(tenantId, config, tenant.configVersion)
  return { ...tenant, config, configVersion }
})

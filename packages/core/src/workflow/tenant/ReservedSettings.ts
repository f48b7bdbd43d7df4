import { Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"

/** The caller changes a setting that only administrators may change. */
export class SettingReserved extends TaggedError("SettingReserved")<{ readonly field: string }> {}

/**
 * Returns a new configuration of a tenant. Fails with `SettingReserved` if it changes a setting that is reserved for
 * administrators, and the caller is none.
 */
export const checkReserved = (
  { config: before }: Pick<Tenant, "config">,
  config: TenantConfig,
  isAdministrator: boolean
): Effect.Effect<TenantConfig, SettingReserved> =>
  isAdministrator || before.linkTracking === config.linkTracking
    ? Effect.succeed(config)
    : Effect.fail(new SettingReserved({ field: "link_tracking" }))

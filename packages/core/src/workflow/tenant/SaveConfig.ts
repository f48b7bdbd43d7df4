import { Clock, Data, Effect } from "effect"
import { recordAuditChange } from "../access/Audited.ts"
import { ConfigChanges, Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { checkConfig, type ConfigIssue } from "./CheckConfig.ts"
import type { ChangeAction } from "../../domain/tenant/ConfigChange.ts"
import { compareDecisions } from "../../domain/tenant/ConfigDifferences.ts"
import { ConfigOutdated, type Tenant } from "../../domain/tenant/Tenant.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"

/** The configuration was not saved: everything that is wrong with it. */
export class ConfigInvalid extends Data.TaggedError("ConfigInvalid")<{ readonly issues: ReadonlyArray<ConfigIssue> }> {}

/** Who changes a configuration, and how. */
export interface ConfigEdit {
  /** Name of the principal (`principalName`). */
  readonly changedBy: string
  readonly action: ChangeAction
  /** Preset that the new configuration was made from; absent: none. */
  readonly preset?: string
  /** The version has to be one of these; absent or null: whichever it is. */
  readonly versions?: ReadonlyArray<number> | null
}

/** Of a change that nobody asked for by name. */
const byItself: ConfigEdit = { changedBy: "system", action: "replace" }

const save = Effect.fnUntraced(function* (tenant: Tenant, config: TenantConfig, edit: ConfigEdit) {
  const { configVersion: fromVersion, tenantId } = tenant
  const version = yield* (yield* Tenants).saveConfig(tenantId, config, fromVersion)
  yield* (yield* ConfigChanges).insert({
    tenantId,
    version,
    fromVersion,
    action: edit.action,
    preset: edit.preset ?? null,
    changedBy: edit.changedBy,
    changedAt: yield* Clock.currentTimeMillis,
    ...compareDecisions(tenant.config, config)
  })
  // What is different stands in the configuration's own audit, under the version.
  yield* recordAuditChange({ before: { version: fromVersion }, after: { version } })
  return version
})

/**
 * Changes a tenant's configuration: `change` makes the new one from how the tenant stands, which is checked as a whole
 * and saved as the next version together with who changed what. What somebody else saved in between is a
 * `ConfigConflict`, and never lost; a version that the caller has not seen is a `ConfigOutdated`.
 */
export const changeConfig = Effect.fn("changeConfig")(function* <E, R>(
  tenantId: string,
  change: (tenant: Tenant) => Effect.Effect<TenantConfig, E, R>,
  edit: ConfigEdit
) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const { versions = null } = edit
  if (versions !== null && !versions.includes(tenant.configVersion)) {
    return yield* new ConfigOutdated({ currentVersion: tenant.configVersion })
  }
  const config = yield* change(tenant)
  const issues = yield* checkConfig(config)
  if (issues.length > 0) return yield* new ConfigInvalid({ issues })
  const saving = (yield* Transactions).atomically(tenantId, save(tenant, config, edit))
  // Who named the version to change is told in the same way whenever it was too late.
  const configVersion = yield* versions === null
    ? saving
    : Effect.catchTag(saving, "ConfigConflict", ({ currentVersion }) =>
        Effect.fail(new ConfigOutdated({ currentVersion }))
      )
  const changed: Tenant = { ...tenant, config, configVersion }
  return changed
})

/** Replaces a tenant's configuration. */
export const saveConfig = (tenantId: string, config: TenantConfig, edit: ConfigEdit = byItself) =>
  changeConfig(tenantId, () => Effect.succeed(config), edit)

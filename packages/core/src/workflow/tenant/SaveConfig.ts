/**
 * Manages tenants, their configurations and their phone numbers. The limits of a configuration do not belong here
 * (`domain/tenant`). Tests: `packages/testkit/src/suite/tenant`, `packages/core/test/domain/tenant`.
 */
import { Clock, Effect } from "effect"
import { TaggedError } from "../../domain/TaggedError.ts"
import { recordAuditChange } from "../access/Audited.ts"
import { ConfigChanges, Tenants } from "../../port/repository/tenant/Tenants.ts"
import { Reports } from "../../port/repository/tenant/Reports.ts"
import { Transactions } from "../../port/system/Transactions.ts"
import { below, checkConfig, type ConfigIssue } from "./CheckConfig.ts"
import { checkFieldFacts } from "../../domain/rule/CheckFieldFacts.ts"
import { isFieldFact } from "../../domain/rule/RecordFact.ts"
import { checkUrl } from "../../domain/webhook/EgressUrl.ts"
import { EgressRefused } from "../../domain/webhook/EgressPolicy.ts"
import { Egress } from "../../port/system/Egress.ts"
import { fieldOfTrigger, fieldsSetBy, recordFactsIn } from "../../domain/rule/UsedFacts.ts"
import type { Rule } from "../../domain/rule/Rule.ts"
import { CustomFields } from "../../port/repository/contact/CustomFields.ts"
import { Segments } from "../../port/repository/contact/Segments.ts"
import type { ChangeAction } from "../../domain/tenant/ConfigChange.ts"
import { compareDecisions } from "../../domain/tenant/ConfigDifferences.ts"
import { ConfigOutdated, type Tenant } from "../../domain/tenant/Tenant.ts"
import type { TenantConfig } from "../../domain/tenant/TenantConfig.ts"
import { queueRuleJobs } from "../cause/QueueRuleJobs.ts"
import { actingUserRecord } from "../ActingUser.ts"
import { withSpan } from "../WithSpan.ts"

/** The configuration has errors and was not saved. */
export class ConfigInvalid extends TaggedError("ConfigInvalid")<{ readonly issues: ReadonlyArray<ConfigIssue> }> {}

/** The author and the kind of a configuration change. */
export interface ConfigEdit {
  /** The name of the principal (`principalName`). */
  readonly changedBy: string
  readonly action: ChangeAction
  /** The preset from which the new configuration comes. Absent if there is none. */
  readonly preset?: string
  /** Why the caller makes the change. Absent if the caller states nothing. */
  readonly comment?: string
  /** The versions that the caller accepts as the current one. If absent or null, every version is accepted. */
  readonly versions?: ReadonlyArray<number> | null
}

/** The edit of a change that the program itself makes. */
const byItself: ConfigEdit = { changedBy: "system", action: "replace" }

const officeTime = ({ timeZone, voice }: TenantConfig): string => JSON.stringify([timeZone, voice.callbackHours])

/**
 * Stores the next version of a checked configuration and its record. A new time zone or new callback hours cause a
 * recount of the reports. Runs inside a unit of work.
 */
export const storeConfig = Effect.fnUntraced(function* (tenant: Tenant, config: TenantConfig, edit: ConfigEdit) {
  const { configVersion: fromVersion, tenantId } = tenant
  const version = yield* (yield* Tenants).saveConfig(tenantId, config, fromVersion)
  const { userId, userName } = yield* actingUserRecord
  yield* (yield* ConfigChanges).insert({
    tenantId,
    version,
    fromVersion,
    action: edit.action,
    preset: edit.preset ?? null,
    changedBy: edit.changedBy,
    changedByUser: userId,
    changedByUserName: userName,
    comment: edit.comment ?? null,
    changedAt: yield* Clock.currentTimeMillis,
    ...compareDecisions(tenant.config, config)
  })
  yield* queueRuleJobs(tenantId, tenant.config, config, yield* Clock.currentTimeMillis)
  if (officeTime(config) !== officeTime(tenant.config)) yield* (yield* Reports).recountAll(tenantId)
  return version
})

/** Returns the invalid uses of custom fields in the rules. Reads the fields only if a rule uses one. */
export const checkFieldsInRules = Effect.fnUntraced(function* (tenantId: string, { rules }: TenantConfig) {
  const areUsed =
    recordFactsIn(rules).some(isFieldFact) ||
    rules.some((rule) => fieldOfTrigger(rule) !== null || fieldsSetBy(rule).length > 0)
  if (!areUsed) return []
  const fields = yield* (yield* CustomFields).list(tenantId, null)
  return checkFieldFacts(rules, fields).map(below("rules"))
})

const segmentOf = ({ trigger }: Rule): string | null =>
  trigger?.type === "schedule" ? (trigger.segment ?? null) : null

/**
 * Returns an issue for each unknown segment that a rule names and no rule has named before. A segment may be deleted
 * while a rule names it, and such a rule must not prevent other changes.
 */
const checkSegmentsInRules = Effect.fnUntraced(function* (
  { config: before, tenantId }: Tenant,
  { rules }: TenantConfig
) {
  const known = new Set(before.rules.map(segmentOf))
  const isNew = rules.some((rule) => !known.has(segmentOf(rule)))
  const ids: ReadonlySet<string | null> = isNew
    ? new Set((yield* (yield* Segments).list(tenantId)).map(({ segmentId }) => segmentId))
    : new Set()
  return rules.flatMap((rule, index): ReadonlyArray<ConfigIssue> => {
    const segment = segmentOf(rule)
    if (segment === null || known.has(segment) || ids.has(segment)) return []
    return [{ path: `rules.${index}.trigger.segment`, message: `There is no segment ${segment}.` }]
  })
})

/** Returns an issue for each URL of an action that this server refuses to call. Requests check it again. */
const checkUrlsInRules = Effect.fnUntraced(function* ({ rules }: TenantConfig) {
  const { policy } = yield* Egress
  return rules.flatMap(({ actions }, index) =>
    actions.flatMap((action, position): ReadonlyArray<ConfigIssue> => {
      const url = action.type === "call_webhook" ? checkUrl(action.url, policy) : null
      const path = `rules.${index}.actions.${position}.url`
      return url instanceof EgressRefused ? [{ path, message: url.reason }] : []
    })
  )
})

const save = Effect.fnUntraced(function* (tenant: Tenant, config: TenantConfig, edit: ConfigEdit) {
  // Inside the unit of work, so that no concurrent request removes a field that the rules compare.
  const issues = [
    ...(yield* checkFieldsInRules(tenant.tenantId, config)),
    ...(yield* checkSegmentsInRules(tenant, config)),
    ...(yield* checkUrlsInRules(config))
  ]
  if (issues.length > 0) return yield* new ConfigInvalid({ issues })
  const version = yield* storeConfig(tenant, config, edit)
  // The audit trail contains only the versions. The record of the configuration change contains the differences.
  yield* recordAuditChange({ before: { version: tenant.configVersion }, after: { version } })
  return version
})

/**
 * Changes a tenant's configuration. `change` computes the new configuration, which is validated and saved as the next
 * version, together with its author and its differences. Fails with `ConfigConflict` after a concurrent change. Fails
 * with `ConfigOutdated` when the caller does not accept the current version. Saves nothing if `change` returns the
 * configuration of the tenant itself.
 */
export const changeConfig = Effect.fnUntraced(function* <E, R>(
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
  if (config === tenant.config) return tenant
  const issues = yield* checkConfig(config)
  if (issues.length > 0) return yield* new ConfigInvalid({ issues })
  yield* Effect.yieldNow
  const saving = (yield* Transactions).atomically(tenantId, save(tenant, config, edit))
  // A caller that names the accepted versions gets the same error, whether the conflict is found at the start or during
  // saving.
  const configVersion = yield* versions === null
    ? saving
    : Effect.catchTag(saving, "ConfigConflict", ({ currentVersion }) =>
        Effect.fail(new ConfigOutdated({ currentVersion }))
      )
  const changed: Tenant = { ...tenant, config, configVersion }
  return changed
}, withSpan("changeConfig"))

/** Replaces a tenant's configuration. */
export const saveConfig = (tenantId: string, config: TenantConfig, edit: ConfigEdit = byItself) =>
  changeConfig(tenantId, () => Effect.succeed(config), edit)

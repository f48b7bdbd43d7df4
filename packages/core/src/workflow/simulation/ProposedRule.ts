import { Effect } from "effect"
import type { Rule } from "../../domain/rule/Rule.ts"
import { SimulationInvalid } from "../../domain/simulation/Simulation.ts"
import type { Tenant } from "../../domain/tenant/Tenant.ts"
import { checkConfig } from "../tenant/CheckConfig.ts"
import { checkFieldsInRules } from "../tenant/SaveConfig.ts"

/**
 * Returns a tenant with a rule, enabled, in place of the one with its id. Fails with `SimulationInvalid` if the rule could
 * not be saved. `path` is the field of the request that contains the rule.
 */
export const withProposedRule = Effect.fnUntraced(function* (tenant: Tenant, rule: Rule, path: string) {
  const { config, tenantId } = tenant
  const rules = [...config.rules.filter(({ id }) => id !== rule.id), { ...rule, enabled: true }]
  const changed: Tenant = { ...tenant, config: { ...config, rules } }
  const issues = [...(yield* checkConfig(changed.config)), ...(yield* checkFieldsInRules(tenantId, changed.config))]
  if (issues.length === 0) return changed
  const place = `rules.${rules.length - 1}`
  const shown = (at: string) => (at === place || at.startsWith(`${place}.`) ? path + at.slice(place.length) : at)
  return yield* new SimulationInvalid({
    issues: issues.map(({ message, path: at }) => ({ path: shown(at), message }))
  })
})

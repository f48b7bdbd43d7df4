/**
 * Reads, changes, orders and tests single rules of a tenant. The rules are a part of the configuration, so each change
 * is a version of it (`workflow/tenant/SaveConfig.ts`). The run of a message belongs to `workflow/pipeline`. Tests:
 * `packages/server/test/http/rule`.
 */
import { Effect, Ref } from "effect"
import type { Rule } from "../../domain/rule/Rule.ts"
import {
  checkOrder,
  findRule,
  orderRules,
  pathIssueOf,
  type RuleChange,
  RuleExists,
  type RuleListChange,
  RuleNotFound,
  withChange,
  withEnabled
} from "../../domain/rule/RuleList.ts"
import { ConfigConflict } from "../../domain/tenant/Tenant.ts"
import { Tenants } from "../../port/repository/tenant/Tenants.ts"
import type { ConfigIssue } from "../tenant/CheckConfig.ts"
import { changeConfig, type ConfigEdit, ConfigInvalid } from "../tenant/SaveConfig.ts"
import { withSpan } from "../WithSpan.ts"

/** The author of a change, its comment, and the accepted versions. */
export type RuleEdit = Omit<ConfigEdit, "action" | "preset">

/**
 * The number of attempts to save a change, if other requests change the configuration at the same time. The change of
 * one rule does not depend on the other rules, so it can be repeated.
 */
const maxAttempts = 5

/**
 * Converts an issue of the configuration to an issue of the request, which contains one rule. An issue of another rule
 * has no path in the request, so its message names the rule.
 */
const inRequest =
  ({ index, rules }: RuleListChange) =>
  ({ message, path }: ConfigIssue): ConfigIssue => {
    const [, at, rest = ""] = /^rules(?:\.(\d+)(?:\.(.*))?)?$/u.exec(path) ?? []
    if (at === undefined) return { path: path === "rules" ? "" : path, message }
    return Number(at) === index
      ? { path: rest, message }
      : { path: "", message: `Rule "${rules[Number(at)]?.id}": ${message}` }
  }

/**
 * Saves a change of the rules as a new version of the configuration, unless it returns the same list. Repeats the change
 * after a concurrent one, except if the caller names the accepted versions.
 */
const changeRules = Effect.fnUntraced(function* <E extends RuleNotFound | RuleExists | ConfigInvalid>(
  tenantId: string,
  change: (rules: ReadonlyArray<Rule>) => Effect.Effect<RuleListChange, E>,
  edit: RuleEdit
) {
  const tried = yield* Ref.make<RuleListChange>({ rules: [], index: -1 })
  const save = changeConfig(
    tenantId,
    Effect.fnUntraced(function* ({ config }) {
      const changed = yield* change(config.rules)
      yield* Ref.set(tried, changed)
      return changed.rules === config.rules ? config : { ...config, rules: changed.rules }
    }),
    { ...edit, action: "rules" }
  )
  return yield* save.pipe(
    Effect.retry({ while: (error) => error instanceof ConfigConflict, times: maxAttempts - 1 }),
    Effect.catchTag("ConfigInvalid", ({ issues }) =>
      Effect.flatMap(Ref.get(tried), (changed) =>
        Effect.fail(new ConfigInvalid({ issues: issues.map(inRequest(changed)) }))
      )
    )
  )
})

const found = (rules: ReadonlyArray<Rule>, ruleId: string) => {
  const rule = findRule(rules, ruleId)
  return rule === null ? Effect.fail(new RuleNotFound({ ruleId })) : Effect.succeed(rule)
}

/** Saves a change of one rule. Returns the rule, and the tenant with the new configuration. */
const changeRule = Effect.fnUntraced(function* (
  tenantId: string,
  ruleId: string,
  change: (rule: Rule) => Rule,
  edit: RuleEdit
) {
  const replaced = Effect.fnUntraced(function* (rules: ReadonlyArray<Rule>) {
    const { index, rule } = yield* found(rules, ruleId)
    const changed = change(rule)
    return { rules: changed === rule ? rules : rules.with(index, changed), index }
  })
  const tenant = yield* changeRules(tenantId, replaced, edit)
  const { rule } = yield* found(tenant.config.rules, ruleId)
  return { tenant, rule }
})

/** Returns a rule, and its tenant. */
export const readRule = Effect.fnUntraced(function* (tenantId: string, ruleId: string) {
  const tenant = yield* (yield* Tenants).get(tenantId)
  const { rule } = yield* found(tenant.config.rules, ruleId)
  return { tenant, rule }
}, withSpan("readRule"))

/** Adds a rule at the end of the list. Its priority determines when it runs. */
export const createRule = Effect.fnUntraced(function* (tenantId: string, rule: Rule, edit: RuleEdit) {
  const issue = pathIssueOf(rule.id)
  if (issue !== null) return yield* new ConfigInvalid({ issues: [issue] })
  const added = (rules: ReadonlyArray<Rule>) =>
    findRule(rules, rule.id) === null
      ? Effect.succeed({ rules: [...rules, rule], index: rules.length })
      : Effect.fail(new RuleExists({ ruleId: rule.id }))
  return { tenant: yield* changeRules(tenantId, added, edit), rule }
}, withSpan("createRule"))

/** Changes fields of a rule. */
export const updateRule = (tenantId: string, ruleId: string, change: RuleChange, edit: RuleEdit) =>
  changeRule(tenantId, ruleId, (rule) => withChange(rule, change), edit).pipe(withSpan("updateRule"))

/** Enables or disables a rule. */
export const enableRule = (tenantId: string, ruleId: string, enabled: boolean, edit: RuleEdit) =>
  changeRule(tenantId, ruleId, (rule) => withEnabled(rule, enabled), edit).pipe(withSpan("enableRule"))

/** Deletes a rule. Earlier versions of the configuration still contain it. */
export const deleteRule = Effect.fnUntraced(function* (tenantId: string, ruleId: string, edit: RuleEdit) {
  const removed = Effect.fnUntraced(function* (rules: ReadonlyArray<Rule>) {
    const { index } = yield* found(rules, ruleId)
    return { rules: rules.toSpliced(index, 1), index: -1 }
  })
  return yield* changeRules(tenantId, removed, edit)
}, withSpan("deleteRule"))

/** Orders the rules, so that they run in the order of these ids. Returns the tenant with the new configuration. */
export const reorderRules = Effect.fnUntraced(function* (tenantId: string, ids: ReadonlyArray<string>, edit: RuleEdit) {
  const ordered = (rules: ReadonlyArray<Rule>) => {
    const issues = checkOrder(rules, ids)
    return issues.length > 0
      ? Effect.fail(new ConfigInvalid({ issues }))
      : Effect.succeed({ rules: orderRules(rules, ids), index: -1 })
  }
  return yield* changeRules(tenantId, ordered, edit)
}, withSpan("reorderRules"))

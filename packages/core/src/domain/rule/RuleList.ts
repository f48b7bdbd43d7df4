import { TaggedError } from "../TaggedError.ts"
import { isEnabled, type Rule, type RuleIssue, runningOrder } from "./Rule.ts"
import type { Trigger } from "./Trigger.ts"

/** The tenant has no rule with this id. */
export class RuleNotFound extends TaggedError("RuleNotFound")<{ readonly ruleId: string }> {}

/** The tenant already has a rule with this id. */
export class RuleExists extends TaggedError("RuleExists")<{ readonly ruleId: string }> {}

/** The fields of a rule to change. Absent fields stay. Null removes the trigger. */
export type RuleChange = Partial<Pick<Rule, "name" | "priority" | "enabled" | "when" | "actions">> & {
  readonly trigger?: Trigger | null
}

/** A list of rules, and the index of the rule that a request changed. */
export interface RuleListChange {
  readonly rules: ReadonlyArray<Rule>
  readonly index: number
}

/**
 * Returns why no URL can contain an id; null if one can. Clients and proxies remove `.` and `..` from paths, also when
 * they are percent-encoded (RFC 3986, section 5.2.4), and half of a surrogate pair has no percent-encoding.
 */
export const pathIssueOf = (ruleId: string): RuleIssue | null =>
  ruleId !== "." && ruleId !== ".." && ruleId.isWellFormed()
    ? null
    : { path: "id", message: "No URL can contain this id. Choose another id, for example one of letters and digits." }

/** Returns the rule with this id and its index; null if there is none. */
export const findRule = (rules: ReadonlyArray<Rule>, ruleId: string): { rule: Rule; index: number } | null => {
  const index = rules.findIndex(({ id }) => id === ruleId)
  const rule = rules[index]
  return rule === undefined ? null : { rule, index }
}

/** The fields of a rule as text, in a fixed order. */
const textOf = ({ actions, enabled, id, name, priority, trigger, when }: Rule): string =>
  JSON.stringify([id, name, priority, enabled, trigger, when, actions])

/** Returns the rule with the changes, or the same object if they change nothing. */
export const withChange = (rule: Rule, { trigger, ...fields }: RuleChange): Rule => {
  const { trigger: before, ...rest } = { ...rule, ...fields }
  const wanted = trigger === undefined ? before : trigger
  const changed: Rule = wanted === null || wanted === undefined ? rest : { ...rest, trigger: wanted }
  return textOf(changed) === textOf(rule) ? rule : changed
}

/** Returns the rule in the wanted state, or the same object if it has this state. */
export const withEnabled = (rule: Rule, enabled: boolean): Rule =>
  isEnabled(rule) === enabled ? rule : { ...rule, enabled }

/** Returns the rules in running order. Disabled rules are included. */
export const inRunningOrder = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> =>
  runningOrder(rules).flatMap((index) => rules[index] ?? [])

/** The maximum number of missing ids that one message names. */
const maxNamed = 5

/** Returns the errors in a new order of rules. The order must contain every rule exactly once. */
export const checkOrder = (rules: ReadonlyArray<Rule>, ids: ReadonlyArray<string>): ReadonlyArray<RuleIssue> => {
  const known = new Set(rules.map(({ id }) => id))
  const named = new Set<string>()
  const issues: Array<RuleIssue> = []
  for (const [index, id] of ids.entries()) {
    const path = `rule_ids.${index}`
    if (!known.has(id)) issues.push({ path, message: `Unknown rule "${id}". Send the ids of existing rules.` })
    else if (named.has(id)) issues.push({ path, message: `The rule "${id}" is listed twice. List each rule once.` })
    named.add(id)
  }
  const missing = [...known].filter((id) => !named.has(id))
  if (missing.length === 0) return issues
  const names = missing.slice(0, maxNamed).map((id) => `"${id}"`)
  const more = missing.length > maxNamed ? ` and ${missing.length - maxNamed} more` : ""
  const message = `The order lacks ${names.join(", ")}${more}. List every rule, including disabled ones.`
  return [...issues, { path: "rule_ids", message }]
}

/**
 * Returns the rules so that they run in this order. The priorities stay at their places: the first rule gets the lowest
 * existing priority, the second one the next. A rule that is added later with a chosen priority therefore still runs
 * between the same places. Returns the same list if the rules already run in this order. `ids` must have passed
 * `checkOrder`.
 */
export const orderRules = (rules: ReadonlyArray<Rule>, ids: ReadonlyArray<string>): ReadonlyArray<Rule> => {
  const before = inRunningOrder(rules)
  if (before.every(({ id }, place) => id === ids[place])) return rules
  const byId = new Map(rules.map((rule) => [rule.id, rule]))
  return ids.flatMap((id, place) => {
    const rule = byId.get(id)
    const priority = before[place]?.priority
    return rule === undefined || priority === undefined ? [] : [{ ...rule, priority }]
  })
}

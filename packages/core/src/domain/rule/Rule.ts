import { Schema } from "effect"
import { leadStates } from "../lead/LeadState.ts"
import { Condition, maxConditionDepth, maxConditionNodes } from "./Condition.ts"
import { CrmRuleAction } from "./CrmRuleAction.ts"
import { checkComparison } from "./Operator.ts"

const text = (maxLength: number) => Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(maxLength))

/** What a matched rule asks for. */
export const Action = Schema.Union([
  /** Gives the lead to somebody. */
  Schema.Struct({ type: Schema.Literal("assign"), to: text(200) }),
  /** Puts a tag on the contact. */
  Schema.Struct({ type: Schema.Literal("tag"), tag: text(64) }),
  /** Opens a task. */
  Schema.Struct({
    type: Schema.Literal("create_task"),
    task_type: Schema.Literals(["reply_approval", "callback", "follow_up", "review"]),
    title: Schema.optionalKey(text(200)),
    /** Minutes from now, at most a year. */
    due_in_minutes: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 525_600 })))
  }),
  /** Moves the lead, if the step is legal. */
  Schema.Struct({
    type: Schema.Literal("transition"),
    state: Schema.Literals(leadStates)
  }),
  /** Answers from a template, or in the tenant's usual way; `mode` overrides the tenant's for this reply. */
  Schema.Struct({
    type: Schema.Literal("reply"),
    template: Schema.optionalKey(text(10_000)),
    mode: Schema.optionalKey(Schema.Literals(["draft", "auto"]))
  }),
  /** Tells partner applications, by the outbound event `rule.notified`. */
  Schema.Struct({
    type: Schema.Literal("notify"),
    /** A template of what to say. */
    message: text(2_000),
    /** Whom it is for, in words that the receiver of the event understands: a name, an address, a channel. */
    to: Schema.optionalKey(text(200))
  }),
  /** Changes the contact in the tenant's CRM, by an job that workers do. */
  CrmRuleAction,
  /** Leaves the message unanswered, whatever other rules say. */
  Schema.Struct({ type: Schema.Literal("suppress_reply") }),
  /** Lets no later rule run. */
  Schema.Struct({ type: Schema.Literal("stop") })
]).annotate({ identifier: "Action" })
export type Action = typeof Action.Type

/** One rule of a tenant. */
export const Rule = Schema.Struct({
  id: text(64),
  name: text(200),
  /** Lower runs earlier; rules of the same priority run in the order they are listed. */
  priority: Schema.Int,
  /** Absent is true. */
  enabled: Schema.optionalKey(Schema.Boolean),
  when: Condition,
  actions: Schema.NonEmptyArray(Action).check(Schema.isMaxLength(20))
}).annotate({ identifier: "Rule" })
export type Rule = typeof Rule.Type

/** A rule that is switched on. */
export const isEnabled = (rule: Rule): boolean => rule.enabled !== false

/** Positions of the rules in the order they run: by priority, then as listed. Disabled ones included. */
export const runningOrder = (rules: ReadonlyArray<Rule>): ReadonlyArray<number> =>
  rules
    .map((rule, index) => ({ priority: rule.priority, index }))
    .toSorted((a, b) => a.priority - b.priority || a.index - b.index)
    .map((place) => place.index)

/** Rules of one tenant. */
export const maxRules = 200

/** Something that keeps rules from being saved. */
export interface RuleIssue {
  /** Where, for example `0.when.all.1.value`: positions and names, joined with dots; empty for the whole list. */
  readonly path: string
  readonly message: string
}

/** Whether a condition always holds or never does, whatever the facts; null when it depends on them. */
const constantOf = (condition: Condition): boolean | null => {
  if ("all" in condition) {
    const parts = condition.all.map(constantOf)
    return parts.includes(false) ? false : parts.includes(null) ? null : true
  }
  if ("any" in condition) {
    const parts = condition.any.map(constantOf)
    return parts.includes(true) ? true : parts.includes(null) ? null : false
  }
  if ("not" in condition) {
    const part = constantOf(condition.not)
    return part === null ? null : !part
  }
  return null
}

const childrenOf = (condition: Condition): ReadonlyArray<readonly [name: string, child: Condition]> => {
  if ("all" in condition) return condition.all.map((child, index) => [`all.${index}`, child])
  if ("any" in condition) return condition.any.map((child, index) => [`any.${index}`, child])
  return "not" in condition ? [["not", condition.not]] : []
}

/** Comparisons and branches of a condition that `checkCondition` has passed, which bounds its depth. */
export const countNodes = (condition: Condition): number =>
  childrenOf(condition).reduce((sum, [, child]) => sum + countNodes(child), 1)

/**
 * What is wrong with the condition of one rule. Walks it with a list of its own, so that no condition can exhaust the
 * stack. `rootPath` goes before the place of each issue.
 */
export const checkCondition = (root: Condition, rootPath: string): ReadonlyArray<RuleIssue> => {
  const issues: Array<RuleIssue> = []
  const open = [{ condition: root, path: rootPath, depth: 1 }]
  let nodes = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { condition, path, depth } = next
    nodes++
    if (nodes > maxConditionNodes) {
      return [{ path: rootPath, message: `A rule has at most ${maxConditionNodes} conditions.` }]
    }
    if (depth > maxConditionDepth) {
      issues.push({ path, message: `Conditions nest at most ${maxConditionDepth} deep.` })
      continue
    }
    if ("fact" in condition) {
      const wrong = checkComparison(condition)
      if (wrong !== null) issues.push({ path: `${path}.${wrong.part}`, message: wrong.message })
    }
    if ("any" in condition && condition.any.length === 0) {
      issues.push({ path: `${path}.any`, message: `"any" of nothing never holds; give it a condition.` })
    }
    const children = childrenOf(condition).toReversed()
    for (const [name, child] of children) open.push({ condition: child, path: `${path}.${name}`, depth: depth + 1 })
  }
  return issues
}

const textOf = (condition: Condition): string => JSON.stringify(condition)
const conjuncts = (condition: Condition): ReadonlyArray<Condition> =>
  "all" in condition ? condition.all.flatMap(conjuncts) : [condition]
const disjuncts = (condition: Condition): ReadonlyArray<Condition> =>
  "any" in condition ? condition.any.flatMap(disjuncts) : [condition]

/** A rule that lets no later one run: what it asks for, as alternatives of comparisons and branches that all have to hold. */
interface Stopper {
  readonly id: string
  readonly always: boolean
  readonly alternatives: ReadonlyArray<ReadonlyArray<string>>
}

/**
 * Rules that cannot run because one before them stops whenever they would. Seen is what can be read off the conditions:
 * one that always holds, the same one again, and one that asks for the same and more.
 */
const unreachable = (rules: ReadonlyArray<Rule>): ReadonlyArray<RuleIssue> => {
  const issues: Array<RuleIssue> = []
  const stoppers: Array<Stopper> = []
  for (const index of runningOrder(rules)) {
    const rule = rules[index]
    if (rule === undefined || !isEnabled(rule)) continue
    const requested = new Set(conjuncts(rule.when).map(textOf))
    const before = stoppers.find(
      ({ alternatives, always }) => always || alternatives.some((parts) => parts.every((part) => requested.has(part)))
    )
    if (before !== undefined) {
      const when = before.always ? "always stops" : "stops whenever it would"
      issues.push({ path: String(index), message: `Never runs: the rule "${before.id}" before it ${when}.` })
    } else if (rule.actions.some((action) => action.type === "stop")) {
      const alternatives = disjuncts(rule.when).map((alternative) => conjuncts(alternative).map(textOf))
      stoppers.push({ id: rule.id, always: constantOf(rule.when) === true, alternatives })
    }
  }
  return issues
}

/**
 * Everything that is wrong with a list of rules, with the place of each; empty when they may be saved. Reply templates
 * are not looked into: what can be rendered is for the port that renders them to say.
 */
export const checkRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<RuleIssue> => {
  if (rules.length > maxRules) return [{ path: "", message: `There are at most ${maxRules} rules.` }]
  const issues = rules.flatMap((rule, index) => checkCondition(rule.when, `${index}.when`))
  if (issues.length > 0) return issues
  const seen = new Set<string>()
  const duplicates: Array<RuleIssue> = []
  for (const [index, rule] of rules.entries()) {
    if (seen.has(rule.id)) duplicates.push({ path: `${index}.id`, message: `Another rule has the id "${rule.id}".` })
    seen.add(rule.id)
  }
  return [...duplicates, ...unreachable(rules)]
}

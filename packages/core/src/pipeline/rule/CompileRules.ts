import type { Facts } from "./Fact.ts"
import { compileCondition, type Predicate } from "./Predicate.ts"
import { type Action, checkCondition, isEnabled, type Rule, type RuleIssue, runningOrder } from "./Rule.ts"
import { type SlotReader, slotReader, type SlotValue, type View } from "./Slot.ts"

/** A rule that held. */
export interface MatchedRule {
  readonly ruleId: string
  readonly name: string
  readonly actions: ReadonlyArray<Action>
}

/** What the rules say about one set of facts. */
export interface Evaluation {
  /** In the order the rules ran. */
  readonly matched: ReadonlyArray<MatchedRule>
  /** Id of the rule whose `stop` ended the evaluation; null when all rules were asked. */
  readonly stoppedBy: string | null
}

interface CompiledRule {
  readonly holds: Predicate
  readonly match: MatchedRule
  readonly stops: boolean
}

/** Rules ready to be evaluated many times. Make it once per version of the configuration. */
export interface CompiledRules {
  readonly rules: ReadonlyArray<CompiledRule>
  readonly readers: ReadonlyArray<SlotReader>
  /**
   * Why some rules were left out. Rules are checked when they are saved, so this is empty but for rules that were saved
   * by a version that knew other facts; such a rule never runs, since half of a condition may mean its opposite.
   */
  readonly skipped: ReadonlyArray<RuleIssue>
}

/** Compiles the enabled rules, in running order (`priority` upwards, then as listed). */
export const compileRules = (rules: ReadonlyArray<Rule>): CompiledRules => {
  const readers: Array<SlotReader> = []
  const slots = new Map<string, number>()
  const slotOf = (fact: string, view: View): number => {
    const key = `${view} ${fact}`
    const known = slots.get(key)
    if (known !== undefined) return known
    slots.set(key, readers.length)
    return readers.push(slotReader(fact, view)) - 1
  }
  const compiled: Array<CompiledRule> = []
  const skipped: Array<RuleIssue> = []
  for (const index of runningOrder(rules)) {
    const rule = rules[index]
    if (rule === undefined || !isEnabled(rule)) continue
    const issues = checkCondition(rule.when, `${index}.when`)
    skipped.push(...issues)
    if (issues.length > 0) continue
    compiled.push({
      holds: compileCondition(rule.when, slotOf),
      match: { ruleId: rule.id, name: rule.name, actions: rule.actions },
      stops: rule.actions.some((action) => action.type === "stop")
    })
  }
  return { rules: compiled, readers, skipped }
}

/**
 * Asks every rule in order. A rule with `stop` among its actions is the last one; its other actions count. Texts are
 * compared trimmed and in lower case; a missing fact equals nothing, contains nothing and is in no list.
 */
export const evaluateRules = (compiled: CompiledRules, facts: Facts): Evaluation => {
  const slots: Array<SlotValue> = []
  for (const read of compiled.readers) slots.push(read(facts))
  const matched: Array<MatchedRule> = []
  for (const rule of compiled.rules) {
    if (!rule.holds(slots)) continue
    matched.push(rule.match)
    if (rule.stops) return { matched, stoppedBy: rule.match.ruleId }
  }
  return { matched, stoppedBy: null }
}

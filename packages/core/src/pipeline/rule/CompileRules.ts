import { type Budget, unlimited } from "../budget/Budget.ts"
import type { Facts } from "./Fact.ts"
import { compileCondition, type Predicate } from "./Predicate.ts"
import { type Action, checkCondition, countNodes, isEnabled, type Rule, type RuleIssue, runningOrder } from "./Rule.ts"
import { readSteps, type SlotReader, slotReader, type SlotValue, type View } from "./Slot.ts"

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
  readonly steps: number
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
      stops: rule.actions.some((action) => action.type === "stop"),
      steps: stepsPerRule + stepsPerNode * countNodes(rule.when)
    })
  }
  return { rules: compiled, readers, skipped }
}

/** An evaluation that can be interrupted between two rules. */
export interface Evaluating {
  /** Asks rules until all have been asked, or `until` says to stop between two: then false, and it goes on from there. */
  readonly advance: (until: () => boolean) => boolean
  readonly result: () => Evaluation
}

/** Steps that asking a rule costs apart from what its comparisons spend, and those of each comparison and branch. */
const stepsPerRule = 20
const stepsPerNode = 2

/** Begins to ask every rule in order. Each fact is read, and its text folded, once for all rules. */
export const beginRules = (compiled: CompiledRules, facts: Facts, budget: Budget): Evaluating => {
  const slots: Array<SlotValue> = []
  for (const read of compiled.readers) {
    const value = read(facts)
    budget.spend(readSteps(value))
    slots.push(value)
  }
  const matched: Array<MatchedRule> = []
  let stoppedBy: string | null = null
  let next = 0
  const advance = (until: () => boolean): boolean => {
    while (next < compiled.rules.length && !until()) {
      const rule = compiled.rules[next++]
      if (rule === undefined) break
      budget.spend(rule.steps)
      if (!rule.holds(slots, budget)) continue
      matched.push(rule.match)
      if (!rule.stops) continue
      stoppedBy = rule.match.ruleId
      next = compiled.rules.length
    }
    return next >= compiled.rules.length
  }
  return { advance, result: () => ({ matched, stoppedBy }) }
}

/**
 * Asks every rule in order. A rule with `stop` among its actions is the last one; its other actions count. Texts are
 * compared trimmed and in lower case; a missing fact equals nothing, contains nothing and is in no list. Throws
 * `BudgetExceeded`.
 */
export const evaluateRules = (compiled: CompiledRules, facts: Facts, budget: Budget = unlimited()): Evaluation => {
  const evaluating = beginRules(compiled, facts, budget)
  evaluating.advance(() => false)
  return evaluating.result()
}

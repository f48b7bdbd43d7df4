import { type Budget, unlimited } from "../budget/Budget.ts"
import type { Facts } from "./Fact.ts"
import { compileCondition, type Predicate } from "./Predicate.ts"
import { type Action, checkCondition, countNodes, isEnabled, type Rule, type RuleIssue, runningOrder } from "./Rule.ts"
import { readSteps, type SlotReader, slotReader, type Slots, type SlotValue, type View } from "./Slot.ts"

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
  /** What asking all of them costs, apart from searching texts and lists. */
  readonly steps: number
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
  let steps = 0
  for (const index of runningOrder(rules)) {
    const rule = rules[index]
    if (rule === undefined || !isEnabled(rule)) continue
    const issues = checkCondition(rule.when, `${index}.when`)
    skipped.push(...issues)
    if (issues.length > 0) continue
    steps += stepsPerRule + stepsPerNode * countNodes(rule.when)
    compiled.push({
      holds: compileCondition(rule.when, slotOf),
      match: { ruleId: rule.id, name: rule.name, actions: rule.actions },
      stops: rule.actions.some((action) => action.type === "stop")
    })
  }
  return { rules: compiled, readers, steps, skipped }
}

/** How far an evaluation has come. */
export interface Progress {
  readonly slots: Slots
  readonly matched: Array<MatchedRule>
  stoppedBy: string | null
  /** Position of the rule that is asked next. */
  next: number
}

/** Steps that asking a rule costs apart from what its comparisons spend, and those of each comparison and branch. */
const stepsPerRule = 20
const stepsPerNode = 2

/**
 * Begins to ask rules: reads each fact, and folds its text, once for all of them, and spends what asking every rule costs
 * apart from its searches.
 */
export const beginRules = (compiled: CompiledRules, facts: Facts, budget: Budget): Progress => {
  const slots: Array<SlotValue> = []
  let steps = compiled.steps
  for (const read of compiled.readers) {
    const value = read(facts)
    if (typeof value === "string") steps += 2 * value.length
    else if (typeof value === "object" && value !== null) steps += readSteps(value)
    slots.push(value)
  }
  budget.spend(steps)
  return { slots, matched: [], stoppedBy: null, next: 0 }
}

/** Asks rules until all have been asked; or, with `until`, until it says to stop between two. True: that was all. */
export const continueRules = (
  { rules }: CompiledRules,
  progress: Progress,
  budget: Budget,
  until: (() => boolean) | null
): boolean => {
  while (progress.next < rules.length) {
    if (until !== null && until()) return false
    const rule = rules[progress.next++]
    if (rule === undefined || !rule.holds(progress.slots, budget)) continue
    progress.matched.push(rule.match)
    if (!rule.stops) continue
    progress.stoppedBy = rule.match.ruleId
    return true
  }
  return true
}

/** What rules said that have all been asked. */
export const evaluationOf = ({ matched, stoppedBy }: Progress): Evaluation => ({ matched, stoppedBy })

/**
 * Asks every rule in order. A rule with `stop` among its actions is the last one; its other actions count. Texts are
 * compared trimmed and in lower case; a missing fact equals nothing, contains nothing and is in no list. Throws
 * `BudgetExceeded`.
 */
export const evaluateRules = (compiled: CompiledRules, facts: Facts, budget: Budget = unlimited()): Evaluation => {
  const progress = beginRules(compiled, facts, budget)
  continueRules(compiled, progress, budget, null)
  return evaluationOf(progress)
}

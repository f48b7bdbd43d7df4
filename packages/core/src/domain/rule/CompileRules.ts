import { type Budget, unlimited } from "../budget/Budget.ts"
import { type Facts, factTable, isFactName } from "./Fact.ts"
import { compileProgram, continueProgram, predicateOf, type Program } from "./Program.ts"
import { type Action, checkCondition, countNodes, isEnabled, type Rule, type RuleIssue, runningOrder } from "./Rule.ts"
import { readSteps, type SlotReader, slotReader, type Slots, type SlotValue, type View } from "./Slot.ts"
import { type Look, maxLength, type Predicate, stepsOver } from "./CompileComparison.ts"

/** A rule whose condition holds for a message. */
export interface MatchedRule {
  readonly ruleId: string
  readonly name: string
  readonly actions: ReadonlyArray<Action>
}

/** The result of evaluating all rules for one set of facts. */
export interface Evaluation {
  /** The matched rules in the order of evaluation. */
  readonly matched: ReadonlyArray<MatchedRule>
  /** The id of the rule whose `stop` ended the evaluation. Null when all rules were evaluated. */
  readonly stoppedBy: string | null
}

interface CompiledRule {
  readonly holds: Predicate
  readonly program: Program
  readonly match: MatchedRule
  readonly stops: boolean
}

/** Rules prepared for many evaluations. Compile them once for each version of the configuration. */
export interface CompiledRules {
  readonly rules: ReadonlyArray<CompiledRule>
  readonly readers: ReadonlyArray<SlotReader>
  /** The part of the steps of evaluating all rules that does not depend on the length of texts and lists. */
  readonly steps: number
  /**
   * The additional steps of reading and searching texts and lists, if every comparison runs. There is one entry for
   * each pair of a slot and a maximum length.
   */
  readonly looks: ReadonlyArray<Look>
  /** The sum of the base steps in `looks`. */
  readonly base: number
  /** Slots that contain lists. The items of a list are read one by one. */
  readonly lists: ReadonlyArray<number>
  /** Slots that contain texts or lists of any length. */
  readonly long: ReadonlyArray<number>
  /**
   * The reasons why rules were skipped. Rules are checked when they are saved, so a rule is skipped only if a version
   * with other facts saved it. Such a rule is skipped as a whole, because a condition without one of its parts may mean
   * the opposite.
   */
  readonly skipped: ReadonlyArray<RuleIssue>
}

/** Returns true for a fact whose length is not limited. Numbers, booleans, and facts with fixed values are limited. */
const mayBeLong = (fact: string, view: View): boolean =>
  view !== "number" && view !== "boolean" && !(isFactName(fact) && "oneOf" in factTable[fact])

/** Half steps of reading and normalising one character. */
const readHalfSteps = 4

/** Adds up the costs of all comparisons, and the costs of reading the texts in these slots. */
const sumLooks = (rules: ReadonlyArray<CompiledRule>, texts: ReadonlyArray<number>): ReadonlyArray<Look> => {
  const sums = new Map<string, Look>()
  const reads = texts.map((slot): Look => ({ slot, base: 0, halfSteps: readHalfSteps, maxChars: maxLength }))
  for (const one of [reads, ...rules.map(({ program }) => program.instructions.map(({ test }) => test.look))]) {
    for (const look of one) {
      if (look === null) continue
      const key = `${look.slot} ${look.maxChars}`
      const { base, halfSteps } = sums.get(key) ?? { base: 0, halfSteps: 0 }
      sums.set(key, { ...look, base: base + look.base, halfSteps: halfSteps + look.halfSteps })
    }
  }
  return Array.from(sums.values())
}

/**
 * Compiles the enabled rules in running order: lowest `priority` first, and rules of equal priority in the order of the
 * list.
 */
export const compileRules = (rules: ReadonlyArray<Rule>): CompiledRules => {
  const readers: Array<SlotReader> = []
  const texts: Array<number> = []
  const lists: Array<number> = []
  const slots = new Map<string, number>()
  const slotOf = (fact: string, view: View): number => {
    const key = `${view} ${fact}`
    const known = slots.get(key)
    if (known !== undefined) return known
    slots.set(key, readers.length)
    if (view === "list") lists.push(readers.length)
    else if (mayBeLong(fact, view)) texts.push(readers.length)
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
    const program = compileProgram(rule.when, slotOf)
    compiled.push({
      holds: predicateOf(program),
      program,
      match: { ruleId: rule.id, name: rule.name, actions: rule.actions },
      stops: rule.actions.some((action) => action.type === "stop")
    })
  }
  const looks = sumLooks(compiled, texts)
  const base = looks.reduce((sum, look) => sum + look.base, 0)
  return { rules: compiled, readers, steps, looks, base, lists, long: [...texts, ...lists], skipped }
}

/** The steps of a rule without its comparisons and branches, and the steps of each comparison or branch. */
const stepsPerRule = 20
const stepsPerNode = 2

/**
 * The maximum number of steps for texts and lists that are spent in advance for all comparisons: about 250 µs. Up to
 * this cost, the evaluation takes the fastest path. Above it, each comparison spends its own steps before it runs, so
 * comparisons that do not run cost nothing.
 */
export const paidAtOnce = 50_000

/** Reads each fact once for all rules, and normalises texts. */
export const readSlots = ({ readers }: CompiledRules, facts: Facts): Slots => {
  const slots: Array<SlotValue> = []
  for (const read of readers) slots.push(read(facts))
  return slots
}

/**
 * Spends the steps of reading the facts and of evaluating every rule.
 *
 * - Returns true if the spent steps include the comparisons of texts and lists. Then call `evaluatePaidRules`.
 * - Returns false if these comparisons cost more than `paidAtOnce`. Then call `continueRules`, which spends their steps
 *   one by one.
 */
export const payAtOnce = (
  { base, lists, long, looks, steps }: CompiledRules,
  slots: Slots,
  budget: Budget
): boolean => {
  let looking = 0
  for (const { halfSteps, maxChars, slot } of looks) looking += stepsOver(slots[slot], halfSteps, maxChars)
  for (const slot of lists) looking += readSteps(slots[slot])
  const isPaid = base + looking <= paidAtOnce
  if (isPaid) budget.spend(steps + base + looking)
  else budget.spend(long.reduce((sum, slot) => sum + readSteps(slots[slot]), steps))
  return isPaid
}

/** Evaluates rules whose steps were spent by `payAtOnce`. */
export const evaluatePaidRules = ({ rules }: CompiledRules, slots: Slots): Evaluation => {
  const matched: Array<MatchedRule> = []
  for (const rule of rules) {
    if (!rule.holds(slots)) continue
    matched.push(rule.match)
    if (rule.stops) return { matched, stoppedBy: rule.match.ruleId }
  }
  return { matched, stoppedBy: null }
}

/** The progress of an evaluation that spends steps at each comparison. */
export interface Progress {
  readonly matched: Array<MatchedRule>
  stoppedBy: string | null
  /** The index of the current or next rule. */
  next: number
  /** The position in the program of the rule `next`. Null at the start of the program. */
  at: number | null
}

/** Creates the progress of an evaluation that has not started. */
export const newProgress = (): Progress => ({ matched: [], stoppedBy: null, next: 0, at: null })

/**
 * Continues an evaluation. Returns true when all rules are evaluated. If `until` returns true between two comparisons,
 * the evaluation stops there and returns false.
 */
export const continueRules = (
  { rules }: CompiledRules,
  slots: Slots,
  progress: Progress,
  budget: Budget,
  until: (() => boolean) | null
): boolean => {
  for (let rule = rules[progress.next]; rule !== undefined; rule = rules[++progress.next]) {
    const { program } = rule
    const held = continueProgram(program, progress.at ?? program.start, slots, budget, until)
    progress.at = typeof held === "number" ? held : null
    if (typeof held === "number") return false
    if (!held) continue
    progress.matched.push(rule.match)
    if (!rule.stops) continue
    progress.stoppedBy = rule.match.ruleId
    return true
  }
  return true
}

/** Returns the result of a completed evaluation. */
export const evaluationOf = ({ matched, stoppedBy }: Progress): Evaluation => ({ matched, stoppedBy })

/** A shared budget without limits. Creating a budget takes longer than evaluating a rule. */
const boundless = unlimited()

/**
 * Evaluates all rules in order. A matched rule with the action `stop` ends the evaluation, but its other actions apply.
 * Texts are compared after they are trimmed and converted to lower case. A missing fact equals nothing, contains
 * nothing and is in no list. Throws `BudgetExceeded`.
 */
export const evaluateRules = (compiled: CompiledRules, facts: Facts, budget: Budget = boundless): Evaluation => {
  const slots = readSlots(compiled, facts)
  if (payAtOnce(compiled, slots, budget)) return evaluatePaidRules(compiled, slots)
  const progress = newProgress()
  continueRules(compiled, slots, progress, budget, null)
  return evaluationOf(progress)
}

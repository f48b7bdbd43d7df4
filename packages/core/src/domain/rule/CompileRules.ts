import { type Budget, unlimited } from "../budget/Budget.ts"
import { type Facts, factTable, isFactName } from "./Fact.ts"
import { compileProgram, continueProgram, predicateOf, type Program } from "./Program.ts"
import { type Action, checkCondition, countNodes, isEnabled, type Rule, type RuleIssue, runningOrder } from "./Rule.ts"
import { readSteps, type SlotReader, slotReader, type Slots, type SlotValue, type View } from "./Slot.ts"
import { type Look, maxLength, type Predicate, stepsOver } from "./Test.ts"

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
  readonly program: Program
  readonly match: MatchedRule
  readonly stops: boolean
}

/** Rules ready to be evaluated many times. Make it once per version of the configuration. */
export interface CompiledRules {
  readonly rules: ReadonlyArray<CompiledRule>
  readonly readers: ReadonlyArray<SlotReader>
  /** What asking all of them costs however long texts and lists are. */
  readonly steps: number
  /** What reading and looking through texts and lists adds if every comparison is asked, one for each slot and length. */
  readonly looks: ReadonlyArray<Look>
  /** The sum of their bases. */
  readonly base: number
  /** Slots of lists, whose items are read one by one. */
  readonly lists: ReadonlyArray<number>
  /** Slots whose text or list may be long, so that reading them costs something. */
  readonly long: ReadonlyArray<number>
  /**
   * Why some rules were left out. Rules are checked when they are saved, so this is empty but for rules that were saved
   * by a version that knew other facts; such a rule never runs, since half of a condition may mean its opposite.
   */
  readonly skipped: ReadonlyArray<RuleIssue>
}

/** Facts of few known values, numbers and truth values are never long. */
const mayBeLong = (fact: string, view: View): boolean =>
  view !== "number" && view !== "boolean" && !(isFactName(fact) && "oneOf" in factTable[fact])

/** Half steps of reading a character of a text. */
const readHalfSteps = 4

/** Adds up the looks of all comparisons, and the reading of the texts in these slots. */
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

/** Compiles the enabled rules, in running order (`priority` upwards, then as listed). */
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

/** Steps that asking a rule costs apart from what its comparisons spend, and those of each comparison and branch. */
const stepsPerRule = 20
const stepsPerNode = 2

/**
 * What reading and looking through texts and lists may cost to be spent at once, as if every comparison were asked: about 250 µs. Asking
 * is fastest then. Beyond it each comparison spends before it is asked, and those that are not asked cost nothing.
 */
export const paidAtOnce = 50_000

/** Reads each fact, and folds its text, once for all rules. */
export const readSlots = ({ readers }: CompiledRules, facts: Facts): Slots => {
  const slots: Array<SlotValue> = []
  for (const read of readers) slots.push(read(facts))
  return slots
}

/**
 * Spends what asking every rule costs, the reading of the facts included. False: looking through long texts and lists is not
 * paid for, so the rules have to be asked by `continueRules`.
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

/** Asks rules that are paid for. */
export const evaluatePaidRules = ({ rules }: CompiledRules, slots: Slots): Evaluation => {
  const matched: Array<MatchedRule> = []
  for (const rule of rules) {
    if (!rule.holds(slots)) continue
    matched.push(rule.match)
    if (rule.stops) return { matched, stoppedBy: rule.match.ruleId }
  }
  return { matched, stoppedBy: null }
}

/** How far an evaluation has come that spends at every comparison. */
export interface Progress {
  readonly matched: Array<MatchedRule>
  stoppedBy: string | null
  /** Position of the rule that is asked next, or is being asked. */
  next: number
  /** Position in its program, null at the beginning. */
  at: number | null
}

/** No rule has been asked. */
export const newProgress = (): Progress => ({ matched: [], stoppedBy: null, next: 0, at: null })

/**
 * Asks rules until all have been asked; or, with `until`, until it says to stop between two comparisons. True: that was all.
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

/** What rules said that have all been asked. */
export const evaluationOf = ({ matched, stoppedBy }: Progress): Evaluation => ({ matched, stoppedBy })

/** Shared: making one for each evaluation takes longer than a rule. */
const boundless = unlimited()

/**
 * Asks every rule in order. A rule with `stop` among its actions is the last one; its other actions count. Texts are
 * compared trimmed and in lower case; a missing fact equals nothing, contains nothing and is in no list. Throws
 * `BudgetExceeded`.
 */
export const evaluateRules = (compiled: CompiledRules, facts: Facts, budget: Budget = boundless): Evaluation => {
  const slots = readSlots(compiled, facts)
  if (payAtOnce(compiled, slots, budget)) return evaluatePaidRules(compiled, slots)
  const progress = newProgress()
  continueRules(compiled, slots, progress, budget, null)
  return evaluationOf(progress)
}

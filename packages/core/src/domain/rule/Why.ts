import { Schema } from "effect"
import type { Budget } from "../budget/Budget.ts"
import { type Facts, isFactName, metadataKeyOf } from "./Fact.ts"
import { type Comparison, type Condition, RuleValue } from "./Condition.ts"
import { Operator } from "./Operator.ts"
import { compileProgram, runProgram } from "./Program.ts"
import { isFieldFact } from "./RecordFact.ts"
import { countNodes } from "./Rule.ts"
import { readSteps, slotReader, type SlotValue, type View } from "./Slot.ts"

/** A comparison whose opposite result would have made a rule match. */
export class Missed extends Schema.Opaque<Missed>()(
  Schema.Struct({
    fact: Schema.String.annotate({ description: "The compared fact" }),
    op: Operator.annotate({ description: "The operator" }),
    value: RuleValue.annotate({ description: "The value that the rule names" }),
    actual: Schema.NullOr(RuleValue).annotate({
      description: "The value of the fact; null: missing. Long values are truncated"
    }),
    negated: Schema.Boolean.annotate({ description: "Whether the comparison is true but has to be false" })
  })
) {}

/** The maximum number of comparisons that a near match lists. */
const maxMissed = 3

/** Evaluates and explains conditions for one set of facts. All methods throw `BudgetExceeded`. */
export interface Explainer {
  readonly holds: (condition: Condition) => boolean
  /**
   * Describes the part of a condition that decides its result. Users need this description to find out why a rule did
   * not match.
   */
  readonly why: (condition: Condition) => string
  /**
   * Returns the comparisons that alone prevent a false condition from being true, while another part of it is true. A
   * list with several entries contains alternatives. Empty if the condition misses by more than one comparison.
   */
  readonly missedBy: (condition: Condition) => ReadonlyArray<Missed>
}

/** The steps of compiling a comparison or branch. */
const stepsPerNode = 100

/** The maximum length of a value in a reason. */
const shown = 80

/** Replaces characters that some databases cannot store, so that a reason is the same on every database. */
const plain = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("\0", "\uFFFD").toWellFormed() : value

/** Cuts a value to the displayed length. This happens before serialisation, because a value may be a megabyte long. */
const beginning = (value: unknown): unknown => {
  if (typeof value === "string") return value.slice(0, shown + 1)
  return Array.isArray(value) ? value.slice(0, shown).map(beginning) : value
}

const show = (value: unknown): string => {
  const text = value === undefined || value === null ? "missing" : JSON.stringify(beginning(value), plain)
  return text.length <= shown ? text : `${text.slice(0, shown).toWellFormed()}…`
}

const isRuleValue = Schema.is(RuleValue)

const valueOf = (fact: string, facts: Facts): unknown => {
  if (isFactName(fact) || isFieldFact(fact)) return facts[fact]
  const key = metadataKeyOf(fact)
  return key !== null && Object.hasOwn(facts.metadata, key) ? facts.metadata[key] : null
}

/** Returns a fact as a value of a rule, cut to the displayed length. Null: missing, or of another type. */
const actualOf = (fact: string, facts: Facts): RuleValue | null => {
  const value = valueOf(fact, facts)
  const json: unknown =
    value === null || value === undefined ? null : JSON.parse(JSON.stringify(beginning(value), plain))
  return isRuleValue(json) ? json : null
}

const comparison = ({ fact, op, value }: Comparison, facts: Facts): string =>
  `${fact} ${op} ${show(value)}: it is ${show(valueOf(fact, facts))}`

/** Creates an explainer. It reads each fact once for all conditions. */
export const explainer = (facts: Facts, budget: Budget): Explainer => {
  const slots: Array<SlotValue> = []
  const places = new Map<string, number>()
  const slotOf = (fact: string, view: View): number => {
    const key = `${view} ${fact}`
    const known = places.get(key)
    if (known !== undefined) return known
    const value = slotReader(fact, view)(facts)
    budget.spend(readSteps(value))
    places.set(key, slots.length)
    return slots.push(value) - 1
  }
  const holds = (condition: Condition): boolean => {
    budget.spend(stepsPerNode * countNodes(condition))
    return runProgram(compileProgram(condition, slotOf), slots, budget)
  }
  const why = (condition: Condition): string => {
    if ("fact" in condition) return comparison(condition, facts)
    if ("not" in condition) return `not (${why(condition.not)})`
    const held = holds(condition)
    const [children, deciding] = "all" in condition ? [condition.all, !held] : [condition.any, held]
    // A false "all" is decided by its first false part, a true "any" by its first true part. Otherwise all parts
    // decide.
    const reported = deciding ? children.filter((child) => holds(child) === held).slice(0, 1) : children.slice(0, 3)
    const more = deciding || children.length <= reported.length ? "" : `; and ${children.length - reported.length} more`
    return reported.length === 0 ? "always" : `${reported.map(why).join("; ")}${more}`
  }
  const missed = (condition: Condition, wanted: boolean, isPartlyMet: boolean): ReadonlyArray<Missed> => {
    if ("fact" in condition) {
      const { fact, op, value } = condition
      return isPartlyMet ? [{ fact, op, value, actual: actualOf(fact, facts), negated: !wanted }] : []
    }
    if ("not" in condition) return missed(condition.not, !wanted, isPartlyMet)
    const [children, isAny] = "all" in condition ? [condition.all, false] : [condition.any, true]
    // One part decides a true "any" and a false "all", so every part is an alternative. Otherwise all parts have to
    // change, and only the last wrong one is a near match.
    if (isAny === wanted) return children.flatMap((child) => missed(child, wanted, isPartlyMet))
    const wrong = children.filter((child) => holds(child) !== wanted)
    const [last] = wrong
    if (last === undefined || wrong.length > 1) return []
    return missed(last, wanted, isPartlyMet || children.length > 1)
  }
  const missedBy = (condition: Condition) => missed(condition, true, false).slice(0, maxMissed)
  return { holds, why, missedBy }
}

import type { Budget } from "../budget/Budget.ts"
import { type Facts, isFactName, metadataKeyOf } from "./Fact.ts"
import type { Comparison, Condition } from "./Condition.ts"
import { compileProgram, runProgram } from "./Program.ts"
import { isFieldFact } from "./RecordFact.ts"
import { countNodes } from "./Rule.ts"
import { readSteps, slotReader, type SlotValue, type View } from "./Slot.ts"

/** Evaluates and explains conditions for one set of facts. Both methods throw `BudgetExceeded`. */
export interface Explainer {
  readonly holds: (condition: Condition) => boolean
  /**
   * Describes the part of a condition that decides its result. Users need this description to find out why a rule did
   * not match.
   */
  readonly why: (condition: Condition) => string
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

const valueOf = (fact: string, facts: Facts): unknown => {
  if (isFactName(fact) || isFieldFact(fact)) return facts[fact]
  const key = metadataKeyOf(fact)
  return key !== null && Object.hasOwn(facts.metadata, key) ? facts.metadata[key] : null
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
  return { holds, why }
}

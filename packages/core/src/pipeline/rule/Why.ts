import { type Facts, isFactName, metadataKeyOf } from "./Fact.ts"
import type { Comparison, Condition } from "./Condition.ts"
import { compileCondition } from "./Predicate.ts"
import { type SlotReader, slotReader } from "./Slot.ts"

/** Whether a condition holds, worked out for once. */
export const holds = (condition: Condition, facts: Facts): boolean => {
  const readers: Array<SlotReader> = []
  const predicate = compileCondition(condition, (fact, view) => readers.push(slotReader(fact, view)) - 1)
  return predicate(readers.map((read) => read(facts)))
}

/** Characters of a value that a reason repeats. */
const shown = 80

/** A text that every database holds, so that a reason is the same whichever kept the message. */
const plain = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll("\0", "\uFFFD").toWellFormed() : value

const show = (value: unknown): string => {
  const text = value === undefined || value === null ? "missing" : JSON.stringify(value, plain)
  return text.length <= shown ? text : `${text.slice(0, shown).toWellFormed()}…`
}

const valueOf = (fact: string, facts: Facts): unknown => {
  if (isFactName(fact)) return facts[fact]
  const key = metadataKeyOf(fact)
  return key !== null && Object.hasOwn(facts.metadata, key) ? facts.metadata[key] : null
}

const comparison = ({ fact, op, value }: Comparison, facts: Facts): string =>
  `${fact} ${op} ${show(value)}: it is ${show(valueOf(fact, facts))}`

/** The first thing that makes a condition hold or not hold, in words: for people who wonder why a rule did not match. */
export const why = (condition: Condition, facts: Facts): string => {
  const held = holds(condition, facts)
  if ("fact" in condition) return comparison(condition, facts)
  if ("not" in condition) return `not (${why(condition.not, facts)})`
  const [children, deciding] = "all" in condition ? [condition.all, !held] : [condition.any, held]
  // Of "all" the first that fails decides, of "any" the first that holds; else every one of them does.
  const told = deciding ? children.filter((child) => holds(child, facts) === held).slice(0, 1) : children.slice(0, 3)
  const more = deciding || children.length <= told.length ? "" : `; and ${children.length - told.length} more`
  return told.length === 0 ? "always" : `${told.map((child) => why(child, facts)).join("; ")}${more}`
}

import type { FactType } from "./Fact.ts"
import { globTest } from "./Glob.ts"
import { factTypeOf } from "./Operator.ts"
import type { Comparison, Condition, Operator, RuleValue } from "./Condition.ts"
import { foldText, type Slots, type View } from "./Slot.ts"
import { wordsOf } from "../model/Words.ts"

/** A compiled condition. */
export type Predicate = (slots: Slots) => boolean

/** Gives a fact in a view its slot; the same slot every time. */
export type SlotOf = (fact: string, view: View) => number

/** A missing fact: a positive comparison with it does not hold, a negative one does. */
const not =
  (predicate: Predicate): Predicate =>
  (slots) =>
    !predicate(slots)

const onText =
  (slot: number, test: (text: string) => boolean): Predicate =>
  (slots) => {
    const value = slots[slot]
    return typeof value === "string" && test(value)
  }

const onNumber =
  (slot: number, test: (value: number) => boolean): Predicate =>
  (slots) => {
    const value = slots[slot]
    return typeof value === "number" && test(value)
  }

const onList =
  (slot: number, test: (list: ReadonlyArray<string>) => boolean): Predicate =>
  (slots) => {
    const value = slots[slot]
    return typeof value === "object" && value !== null && test(value)
  }

const equals =
  (slot: number, expected: string | number | boolean): Predicate =>
  (slots) =>
    slots[slot] === expected

const isAmong = (slot: number, expected: ReadonlyArray<string | number>): Predicate => {
  const set = new Set<unknown>(expected)
  return (slots) => set.has(slots[slot])
}

const exists =
  (slot: number): Predicate =>
  (slots) => {
    const value = slots[slot]
    if (value === null || value === undefined || value === "") return false
    return typeof value !== "object" || value.length > 0
  }

const scalar = (value: RuleValue): string | number | boolean =>
  typeof value === "object" ? "" : typeof value === "string" ? foldText(value) : value

const texts = (value: RuleValue): ReadonlyArray<string> =>
  (typeof value === "object" ? value : [value]).map((item) => foldText(String(item)))

const numbers = (value: RuleValue): ReadonlyArray<number> => (typeof value === "object" ? value : [value]).map(Number)

const textPredicate = (slot: number, op: Operator, value: RuleValue): Predicate => {
  const expected = String(scalar(value))
  switch (op) {
    case "contains":
      return onText(slot, (text) => text.includes(expected))
    case "not_contains":
      return not(onText(slot, (text) => text.includes(expected)))
    case "starts_with":
      return onText(slot, (text) => text.startsWith(expected))
    case "ends_with":
      return onText(slot, (text) => text.endsWith(expected))
    default:
      return onText(slot, globTest(expected))
  }
}

const numberPredicate = (slot: number, op: Operator, value: RuleValue): Predicate => {
  const [first = 0, second = 0] = numbers(value)
  switch (op) {
    case "gt":
      return onNumber(slot, (number) => number > first)
    case "gte":
      return onNumber(slot, (number) => number >= first)
    case "lt":
      return onNumber(slot, (number) => number < first)
    case "lte":
      return onNumber(slot, (number) => number <= first)
    default:
      return onNumber(slot, (number) => number >= first && number <= second)
  }
}

const listPredicate = (slot: number, op: Operator, value: RuleValue): Predicate => {
  const expected = texts(value)
  const any = onList(slot, (list) => expected.some((item) => list.includes(item)))
  if (op === "not_includes") return not(any)
  return op === "includes_all" ? onList(slot, (list) => expected.every((item) => list.includes(item))) : any
}

const viewOf: Readonly<Record<FactType, View>> = { string: "text", number: "number", boolean: "boolean", list: "list" }

/** Compiles a comparison that `checkComparison` has passed. */
const compileComparison = (comparison: Comparison, slotOf: SlotOf): Predicate => {
  const { fact, op, value } = comparison
  const type = factTypeOf(comparison) ?? "string"
  if (op === "has_word") {
    const phrase = wordsOf(String(value))
    return onText(slotOf(fact, "words"), (words) => words.includes(phrase))
  }
  const slot = slotOf(fact, viewOf[type])
  switch (op) {
    case "exists":
      return value === true ? exists(slot) : not(exists(slot))
    case "eq":
      return equals(slot, scalar(value))
    case "neq":
      return not(equals(slot, scalar(value)))
    case "in":
      return isAmong(slot, type === "number" ? numbers(value) : texts(value))
    case "not_in":
      return not(isAmong(slot, type === "number" ? numbers(value) : texts(value)))
    default:
      if (type === "list") return listPredicate(slot, op, value)
      return type === "number" ? numberPredicate(slot, op, value) : textPredicate(slot, op, value)
  }
}

const all = (predicates: ReadonlyArray<Predicate>): Predicate => {
  const [first, second] = predicates
  if (first === undefined) return () => true
  if (second === undefined) return first
  if (predicates.length === 2) return (slots) => first(slots) && second(slots)
  const rest = all(predicates.slice(1))
  return (slots) => first(slots) && rest(slots)
}

const any = (predicates: ReadonlyArray<Predicate>): Predicate => {
  const [first, second] = predicates
  if (first === undefined) return () => false
  if (second === undefined) return first
  if (predicates.length === 2) return (slots) => first(slots) || second(slots)
  const rest = any(predicates.slice(1))
  return (slots) => first(slots) || rest(slots)
}

/** How much work a condition is, roughly: searching a text is ten times an equality. */
const costOf = (condition: Condition): number => {
  if ("all" in condition) return condition.all.reduce((sum, part) => sum + costOf(part), 1)
  if ("any" in condition) return condition.any.reduce((sum, part) => sum + costOf(part), 1)
  if ("not" in condition) return costOf(condition.not)
  return ["contains", "not_contains", "has_word", "matches"].includes(condition.op) ? 10 : 1
}

/** Cheap parts first: the order changes nothing but how soon the answer is known. */
const compileParts = (parts: ReadonlyArray<Condition>, slotOf: SlotOf): ReadonlyArray<Predicate> =>
  parts.toSorted((a, b) => costOf(a) - costOf(b)).map((part) => compileCondition(part, slotOf))

/** Compiles a checked condition to closures over slots. */
export const compileCondition = (condition: Condition, slotOf: SlotOf): Predicate => {
  if ("all" in condition) return all(compileParts(condition.all, slotOf))
  if ("any" in condition) return any(compileParts(condition.any, slotOf))
  if ("not" in condition) return not(compileCondition(condition.not, slotOf))
  return compileComparison(condition, slotOf)
}

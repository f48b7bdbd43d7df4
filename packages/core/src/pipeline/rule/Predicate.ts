import type { Budget } from "../budget/Budget.ts"
import type { FactType } from "./Fact.ts"
import { compileGlob } from "./Glob.ts"
import { factTypeOf } from "./Operator.ts"
import type { Comparison, Condition, Operator, RuleValue } from "./Condition.ts"
import { foldText, type Slots, type View } from "./Slot.ts"
import { searchSteps, searchWeight, textSearch } from "./TextSearch.ts"
import { wordsOf } from "../model/Words.ts"

/** A compiled condition. It spends what looking through texts and lists costs, and throws `BudgetExceeded`. */
export type Predicate = (slots: Slots, budget: Budget) => boolean

/** Gives a fact in a view its slot; the same slot every time. */
export type SlotOf = (fact: string, view: View) => number

/** A missing fact: a positive comparison with it does not hold, a negative one does. */
const not =
  (predicate: Predicate): Predicate =>
  (slots, budget) =>
    !predicate(slots, budget)

/** A test that looks at a bounded part of a text. */
const onText =
  (slot: number, test: (text: string) => boolean): Predicate =>
  (slots) => {
    const value = slots[slot]
    return typeof value === "string" && test(value)
  }

/** Whether a text holds a part. */
const onPart = (slot: number, part: string): Predicate => {
  const find = textSearch(part)
  const weight = searchWeight(part)
  return (slots, budget) => {
    const value = slots[slot]
    if (typeof value !== "string") return false
    budget.spend(searchSteps(value.length, weight))
    return find(value, 0) >= 0
  }
}

const onPattern = (slot: number, pattern: string): Predicate => {
  const { steps, test } = compileGlob(pattern)
  return (slots, budget) => {
    const value = slots[slot]
    if (typeof value !== "string") return false
    budget.spend(steps(value.length))
    return test(value)
  }
}

const onNumber =
  (slot: number, test: (value: number) => boolean): Predicate =>
  (slots) => {
    const value = slots[slot]
    return typeof value === "number" && test(value)
  }

/** A test that goes through a list once for each of so many items. */
const onList =
  (slot: number, items: number, test: (list: ReadonlyArray<string>) => boolean): Predicate =>
  (slots, budget) => {
    const value = slots[slot]
    if (typeof value !== "object" || value === null) return false
    budget.spend(4 + 2 * value.length * items)
    return test(value)
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
      return onPart(slot, expected)
    case "not_contains":
      return not(onPart(slot, expected))
    case "starts_with":
      return onText(slot, (text) => text.startsWith(expected))
    case "ends_with":
      return onText(slot, (text) => text.endsWith(expected))
    default:
      return onPattern(slot, expected)
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
  const { length } = expected
  const any = onList(slot, length, (list) => expected.some((item) => list.includes(item)))
  if (op === "not_includes") return not(any)
  return op === "includes_all" ? onList(slot, length, (list) => expected.every((item) => list.includes(item))) : any
}

const viewOf: Readonly<Record<FactType, View>> = { string: "text", number: "number", boolean: "boolean", list: "list" }

/** Compiles a comparison that `checkComparison` has passed. */
const compileComparison = (comparison: Comparison, slotOf: SlotOf): Predicate => {
  const { fact, op, value } = comparison
  const type = factTypeOf(comparison) ?? "string"
  if (op === "has_word") {
    return onPart(slotOf(fact, "words"), wordsOf(String(value)))
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

/** Built from the last to the first, so that a long list costs no more than its length. */
const all = (predicates: ReadonlyArray<Predicate>): Predicate => {
  let rest = predicates.at(-1) ?? (() => true)
  for (let index = predicates.length - 2; index >= 0; index--) {
    const [first, others] = [predicates[index], rest]
    if (first !== undefined) rest = (slots, budget) => first(slots, budget) && others(slots, budget)
  }
  return rest
}

const any = (predicates: ReadonlyArray<Predicate>): Predicate => {
  let rest = predicates.at(-1) ?? (() => false)
  for (let index = predicates.length - 2; index >= 0; index--) {
    const [first, others] = [predicates[index], rest]
    if (first !== undefined) rest = (slots, budget) => first(slots, budget) || others(slots, budget)
  }
  return rest
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
  parts
    .map((part) => ({ part, cost: costOf(part) }))
    .toSorted((a, b) => a.cost - b.cost)
    .map(({ part }) => compileCondition(part, slotOf))

/** Compiles a checked condition to closures over slots. */
export const compileCondition = (condition: Condition, slotOf: SlotOf): Predicate => {
  if ("all" in condition) return all(compileParts(condition.all, slotOf))
  if ("any" in condition) return any(compileParts(condition.any, slotOf))
  if ("not" in condition) return not(compileCondition(condition.not, slotOf))
  return compileComparison(condition, slotOf)
}

import type { FactType } from "./Fact.ts"
import { compileGlob } from "./Glob.ts"
import { factTypeOf } from "./CheckComparison.ts"
import type { Comparison, RuleValue } from "./Condition.ts"
import type { Operator } from "./Operator.ts"
import { foldText, type Slots, type SlotValue, type View } from "./Slot.ts"
import { searchCost, textTest } from "./TextSearch.ts"
import { wordsOf } from "../classification/Words.ts"

/** A condition on facts, compiled to a function. */
export type Predicate = (slots: Slots) => boolean

/** The cost of searching a text or list in a slot. It depends on the length of the text or list. */
export interface Look {
  readonly slot: number
  /** Steps that do not depend on the length. */
  readonly base: number
  /** Half steps for each character or list item that is read. */
  readonly halfSteps: number
  /** The maximum number of characters that are read. The rest of the text is ignored. */
  readonly maxChars: number
}

/** A number above the length of any text or list. */
export const maxLength = 2 ** 30 - 1

/**
 * A compiled comparison. `holds` spends no steps. The caller must spend the steps of `look` before it calls `holds`.
 */
export interface Test {
  readonly holds: Predicate
  /** Null when the cost does not depend on the lengths of facts. */
  readonly look: Look | null
}

/** Returns the slot that contains a fact in a view. Equal arguments give the same slot. */
export type SlotOf = (fact: string, view: View) => number

/** Returns the steps of reading the characters or items of a value. */
export const stepsOver = (value: SlotValue | undefined, halfSteps: number, maxChars: number): number =>
  typeof value === "string" || (typeof value === "object" && value !== null)
    ? Math.ceil((halfSteps * (value.length < maxChars ? value.length : maxChars)) / 2)
    : 0

/** Returns the steps of a test for these facts. */
export const stepsOfTest = ({ look }: Test, slots: Slots): number =>
  look === null ? 0 : look.base + stepsOver(slots[look.slot], look.halfSteps, look.maxChars)

const constant = (holds: Predicate): Test => ({ holds, look: null })

/** Negates a test. If the fact is missing, a comparison is false, so its negation is true. */
const not = ({ holds, look }: Test): Test => ({ holds: (slots) => !holds(slots), look })

const onText =
  (slot: number, test: (text: string) => boolean): Predicate =>
  (slots) => {
    const value = slots[slot]
    return typeof value === "string" && test(value)
  }

/** Builds a test for the occurrence of a part in a text. */
const onPart = (slot: number, part: string): Test => ({
  holds: onText(slot, textTest(part)),
  look: { slot, maxChars: maxLength, ...searchCost(part) }
})

const onPattern = (slot: number, pattern: string): Test => {
  const { cost, test } = compileGlob(pattern)
  return { holds: onText(slot, test), look: { slot, ...cost } }
}

const onNumber = (slot: number, test: (value: number) => boolean): Test =>
  constant((slots) => {
    const value = slots[slot]
    return typeof value === "number" && test(value)
  })

/** Builds a test that reads a list once for each of the `items` values that it compares. */
const onList = (slot: number, items: number, test: (list: ReadonlyArray<string>) => boolean): Test => ({
  holds: (slots) => {
    const value = slots[slot]
    return typeof value === "object" && value !== null && test(value)
  },
  look: { slot, base: 4, halfSteps: 4 * items, maxChars: maxLength }
})

const equals = (slot: number, expected: string | number | boolean): Test =>
  constant((slots) => slots[slot] === expected)

const isAmong = (slot: number, expected: ReadonlyArray<string | number>): Test => {
  const set = new Set<unknown>(expected)
  return constant((slots) => set.has(slots[slot]))
}

const exists = (slot: number): Test =>
  constant((slots) => {
    const value = slots[slot]
    if (value === null || value === undefined || value === "") return false
    return typeof value !== "object" || value.length > 0
  })

const scalar = (value: RuleValue): string | number | boolean =>
  typeof value === "object" ? "" : typeof value === "string" ? foldText(value) : value

const texts = (value: RuleValue): ReadonlyArray<string> =>
  (typeof value === "object" ? value : [value]).map((item) => foldText(String(item)))

const numbers = (value: RuleValue): ReadonlyArray<number> => (typeof value === "object" ? value : [value]).map(Number)

type TextOperator = Extract<Operator, "contains" | "not_contains" | "starts_with" | "ends_with" | "matches">
type NumberOperator = Extract<Operator, "gt" | "gte" | "lt" | "lte" | "between">
type ListOperator = Extract<Operator, "includes" | "not_includes" | "includes_any" | "includes_all">

const textPredicate = (slot: number, op: TextOperator, value: RuleValue): Test => {
  const expected = String(scalar(value))
  switch (op) {
    case "contains":
      return onPart(slot, expected)
    case "not_contains":
      return not(onPart(slot, expected))
    case "starts_with":
      return constant(onText(slot, (text) => text.startsWith(expected)))
    case "ends_with":
      return constant(onText(slot, (text) => text.endsWith(expected)))
    case "matches":
      return onPattern(slot, expected)
  }
}

const numberPredicate = (slot: number, op: NumberOperator, value: RuleValue): Test => {
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
    case "between":
      return onNumber(slot, (number) => number >= first && number <= second)
  }
}

const listPredicate = (slot: number, op: ListOperator, value: RuleValue): Test => {
  const expected = texts(value)
  const { length } = expected
  const any = onList(slot, length, (list) => expected.some((item) => list.includes(item)))
  if (op === "not_includes") return not(any)
  return op === "includes_all" ? onList(slot, length, (list) => expected.every((item) => list.includes(item))) : any
}

const viewOf: Readonly<Record<FactType, View>> = { string: "text", number: "number", boolean: "boolean", list: "list" }

/** Compiles a comparison. The comparison must have passed `checkComparison`. */
export const compileTest = (comparison: Comparison, slotOf: SlotOf): Test => {
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
    case "contains":
    case "not_contains":
    case "starts_with":
    case "ends_with":
    case "matches":
      return textPredicate(slot, op, value)
    case "gt":
    case "gte":
    case "lt":
    case "lte":
    case "between":
      return numberPredicate(slot, op, value)
    case "includes":
    case "not_includes":
    case "includes_any":
    case "includes_all":
      return listPredicate(slot, op, value)
  }
}

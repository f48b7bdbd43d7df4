import { type FactSpec, type FactType, factTable, isFactName, metadataKeyOf } from "./Fact.ts"
import type { Comparison, RuleValue } from "./Condition.ts"
import { isFieldFact } from "./RecordFact.ts"
import { type Operator, operatorsOf } from "./Operator.ts"
import { foldText } from "./Slot.ts"
import { wordsOf } from "../classification/Words.ts"

const isString = (value: unknown): value is string => typeof value === "string"
const isNumber = (value: unknown): value is number => typeof value === "number"
const isBoolean = (value: unknown): value is boolean => typeof value === "boolean"

/** Returns the value as a non-empty list of items of one type, or null. */
const listOf = <A>(value: RuleValue, is: (item: unknown) => item is A): ReadonlyArray<A> | null =>
  Array.isArray(value) && value.length > 0 && value.every(is) ? value : null

/**
 * Returns the type of a fact that follows from the operator and the value of the comparison. Metadata has no declared
 * types. The types of custom fields are checked when rules are saved (`checkFieldFacts`).
 */
const impliedType = ({ op, value }: Comparison): FactType => {
  if (operatorsOf.list.includes(op) && op !== "exists") return "list"
  const sample: unknown = Array.isArray(value) ? value[0] : value
  if (["gt", "gte", "lt", "lte", "between"].includes(op) || isNumber(sample)) return "number"
  return isBoolean(sample) && op !== "exists" ? "boolean" : "string"
}

/** Returns the type of the fact in a comparison; null for an unknown fact. */
export const factTypeOf = (comparison: Comparison): FactType | null => {
  if (isFactName(comparison.fact)) return factTable[comparison.fact].type
  const isImplied = metadataKeyOf(comparison.fact) !== null || isFieldFact(comparison.fact)
  return isImplied ? impliedType(comparison) : null
}

/** Describes the values that an operator accepts for facts of a type. */
export const expectedValue = (op: Operator, type: FactType): string => {
  if (op === "exists") return "true or false"
  if (op === "between") return "a list of two numbers, the smaller one first"
  if (op === "has_word") return "a text with at least one word"
  const many = ["in", "not_in", "includes_any", "includes_all"].includes(op)
  const one = type === "number" ? "number" : type === "boolean" ? "true or false" : "text"
  return many ? `a list of at least one ${one}` : type === "boolean" ? one : `a ${one}`
}

const valueFits = (op: Operator, type: FactType, value: RuleValue): boolean => {
  switch (op) {
    case "exists":
      return isBoolean(value)
    case "between": {
      const [low, high, ...more] = listOf(value, isNumber) ?? []
      return low !== undefined && high !== undefined && more.length === 0 && low <= high
    }
    case "in":
    case "not_in":
      return listOf<string | number>(value, type === "number" ? isNumber : isString) !== null
    case "includes_any":
    case "includes_all":
      return listOf(value, isString) !== null
    case "has_word":
      return isString(value) && wordsOf(value).trim() !== ""
    case "eq":
    case "neq":
      return type === "number" ? isNumber(value) : type === "boolean" ? isBoolean(value) : isString(value)
    case "gt":
    case "gte":
    case "lt":
    case "lte":
      return isNumber(value)
    case "contains":
    case "not_contains":
    case "starts_with":
    case "ends_with":
    case "matches":
    case "includes":
    case "not_includes":
      return isString(value) && value !== ""
  }
}

/**
 * Operators that compare the whole value or whole items. For them, a value outside the fact's `oneOf` can never match
 * and is rejected.
 */
const wholeValue: ReadonlyArray<Operator> = ["eq", "neq", "in", "not_in", ...operatorsOf.list]

/** An invalid part of a comparison, with the reason. */
export interface ComparisonIssue {
  readonly part: "fact" | "op" | "value"
  readonly message: string
}

/** Returns the first part of a comparison that does not suit the type of its fact; null if the comparison is valid. */
export const checkAgainst = (
  { fact, op, value }: Comparison,
  { oneOf, type }: Omit<FactSpec, "about">
): ComparisonIssue | null => {
  if (!operatorsOf[type].includes(op)) {
    const kind = metadataKeyOf(fact) === null ? `"${fact}" is a ${type}` : `Compared with this value, it is a ${type}`
    return { part: "op", message: `${kind}. Its operators are ${operatorsOf[type].join(", ")}.` }
  }
  if (!valueFits(op, type, value)) return { part: "value", message: `"${op}" needs ${expectedValue(op, type)}.` }
  if (oneOf !== undefined && wholeValue.includes(op)) {
    const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
    const allowed = new Set(oneOf.map(foldText))
    const wrong = values.find((item) => isString(item) && !allowed.has(foldText(item)))
    if (wrong !== undefined)
      return { part: "value", message: `Unknown value "${wrong}". Use one of ${oneOf.join(", ")}.` }
  }
  return null
}

/** Returns the first invalid part of a comparison; null if the comparison is valid. */
export const checkComparison = (comparison: Comparison): ComparisonIssue | null => {
  const { fact } = comparison
  const type = factTypeOf(comparison)
  if (type === null)
    return { part: "fact", message: `Unknown fact "${fact}". Use a documented fact or metadata.<key>.` }
  return checkAgainst(comparison, isFactName(fact) ? factTable[fact] : { type })
}

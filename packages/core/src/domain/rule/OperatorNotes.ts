import type { Comparison } from "./Condition.ts"
import type { FactType } from "./Fact.ts"
import type { Operator } from "./Operator.ts"

/** The meaning of each operator, for `docs/reference/rules.md` and the catalogue. */
export const operatorNotes: Readonly<Record<Operator, string>> = {
  eq: "The fact equals the value.",
  neq: "The fact differs from the value, or is missing.",
  contains: "The text contains the value, also within a word.",
  not_contains: "The text does not contain the value, or is missing.",
  starts_with: "The text starts with the value.",
  ends_with: "The text ends with the value.",
  in: "The fact equals one of the values.",
  not_in: "The fact equals none of the values, or is missing.",
  matches: "The whole text matches the pattern. `*` stands for any characters, `?` for one character.",
  has_word: "The text contains the value as whole words.",
  gt: "The number is greater than the value.",
  gte: "The number is greater than the value, or equal to it.",
  lt: "The number is less than the value.",
  lte: "The number is less than the value, or equal to it.",
  between: "The number is in the range, including both ends.",
  includes: "The list includes the value.",
  not_includes: "The list does not include the value, or is missing.",
  includes_any: "The list includes at least one of the values.",
  includes_all: "The list includes all of the values.",
  exists: "`true`: the fact has a value. `false`: the fact is missing or empty."
}

/** The fact in the examples of each type. */
export const exampleFacts: Readonly<Record<FactType, Comparison["fact"]>> = {
  string: "message.text",
  number: "score.value",
  boolean: "contact.is_new",
  list: "contact.tags"
}

/** An example value for each operator and type of fact. */
export const exampleValue = (op: Operator, type: FactType): Comparison["value"] => {
  if (op === "exists") return true
  if (op === "between") return [40, 69]
  if (op === "matches") return "*order #????*"
  const value = { string: "insurance", number: 70, boolean: true, list: "vip" }[type]
  return ["in", "not_in", "includes_any", "includes_all"].includes(op)
    ? [value, ...{ string: ["warranty"], number: [80], boolean: [false], list: ["returning"] }[type]]
    : value
}

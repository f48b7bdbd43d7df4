import { Schema } from "effect"

/** Longest text a rule compares with. */
export const maxValueLength = 500
/** Most values in one list. */
export const maxListLength = 200

/** How a rule compares a fact. Which operators a fact takes depends on its type (`Operator`). */
export const Operator = Schema.Literals([
  "eq",
  "neq",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "in",
  "not_in",
  "matches",
  "has_word",
  "gt",
  "gte",
  "lt",
  "lte",
  "between",
  "includes",
  "not_includes",
  "includes_any",
  "includes_all",
  "exists"
])
export type Operator = typeof Operator.Type

const Scalar = Schema.Union([Schema.String.check(Schema.isMaxLength(maxValueLength)), Schema.Finite, Schema.Boolean])

/** What a fact is compared with. */
export const RuleValue = Schema.Union([Scalar, Schema.Array(Scalar).check(Schema.isMaxLength(maxListLength))])
export type RuleValue = typeof RuleValue.Type

/** One comparison. */
export const Comparison = Schema.Struct({
  fact: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(200)),
  op: Operator,
  value: RuleValue
}).annotate({
  identifier: "Comparison"
})
export type Comparison = typeof Comparison.Type

/** Comparisons and branches in one rule. */
export const maxConditionNodes = 500

/** Levels of `all`, `any` and `not` in one condition, the comparison included. */
export const maxConditionDepth = 8

/** A tree of comparisons. `all` of nothing holds; `any` of nothing is refused when a rule is checked. */
export type Condition =
  | { readonly all: ReadonlyArray<Condition> }
  | { readonly any: ReadonlyArray<Condition> }
  | { readonly not: Condition }
  | Comparison

/**
 * A condition with so many levels below it. The schema is unrolled instead of recursive: decoding never goes deeper
 * than this, so that no request, however nested, can exhaust the stack.
 */
const conditionAbove = (levels: number): Schema.Codec<Condition> => {
  if (levels === 0) return Comparison
  const inner = conditionAbove(levels - 1)
  return Schema.Union(
    [
      Schema.Struct({ all: Schema.Array(inner).check(Schema.isMaxLength(maxConditionNodes)) }),
      Schema.Struct({ any: Schema.Array(inner).check(Schema.isMaxLength(maxConditionNodes)) }),
      Schema.Struct({ not: inner }),
      Comparison
    ],
    { mode: "oneOf" }
  ).annotate({ identifier: levels === maxConditionDepth - 1 ? "Condition" : `Condition${levels + 1}` })
}

/** The same on the wire: exactly one of `all`, `any`, `not` and a comparison at each place. */
export const Condition: Schema.Codec<Condition> = conditionAbove(maxConditionDepth - 1)

import { Schema } from "effect"
import { Operator } from "./Operator.ts"

/** The maximum length of a text in a comparison. */
export const maxValueLength = 500
/** The maximum number of values in a list. */
export const maxListLength = 200

const Scalar = Schema.Union([Schema.String.check(Schema.isMaxLength(maxValueLength)), Schema.Finite, Schema.Boolean])

/** The value that a fact is compared with. */
export const RuleValue = Schema.Union([Scalar, Schema.Array(Scalar).check(Schema.isMaxLength(maxListLength))])
export type RuleValue = typeof RuleValue.Type

/** The comparison of one fact with a value. */
export const Comparison = Schema.Struct({
  fact: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(200)),
  op: Operator,
  value: RuleValue
}).annotate({
  identifier: "Comparison"
})
export type Comparison = typeof Comparison.Type

/** The maximum number of comparisons and branches in one rule. */
export const maxConditionNodes = 500

/** The maximum depth of a condition: levels of `all`, `any` and `not`, plus the comparison. */
export const maxConditionDepth = 8

/** A tree of comparisons. An empty `all` is true. An empty `any` is rejected when a rule is saved. */
export type Condition =
  | { readonly all: ReadonlyArray<Condition> }
  | { readonly any: ReadonlyArray<Condition> }
  | { readonly not: Condition }
  | Comparison

/**
 * Builds the schema of a condition with at most `levels` levels below it. The schema is not recursive, so decoding
 * stops at this depth and a request with deeper nesting cannot exhaust the stack.
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

/** The schema of a condition: each node has exactly one of `all`, `any`, `not` or a comparison. */
export const Condition: Schema.Codec<Condition> = conditionAbove(maxConditionDepth - 1)

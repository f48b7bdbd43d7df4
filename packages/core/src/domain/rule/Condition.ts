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
  fact: Schema.String.check(Schema.isNonEmpty(), Schema.isMaxLength(200)).annotate({
    description: "The name of a fact, for example `score.tier`, or `metadata.<key>` for a value that the sender set"
  }),
  op: Operator.annotate({
    description:
      "The operator. Texts: eq, neq, contains, starts_with, ends_with, in, matches (a pattern with `*` and `?`), has_word; numbers: eq, gt, gte, lt, lte, between; lists: includes…; all: exists"
  }),
  value: RuleValue.annotate({
    description:
      "The value to compare with. Lists: at most 200 values; texts: at most 500 characters; `exists` expects a boolean"
  })
}).annotate({
  identifier: "Comparison",
  description:
    "The comparison of one fact with a value. If the fact is missing, only `neq`, `not_contains`, `not_in`, `not_includes` and `exists` with false are true"
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
      Schema.Struct({
        all: Schema.Array(inner)
          .check(Schema.isMaxLength(maxConditionNodes))
          .annotate({ description: "True if all conditions are true; an empty list is true" })
      }),
      Schema.Struct({
        any: Schema.Array(inner)
          .check(Schema.isMaxLength(maxConditionNodes))
          .annotate({ description: "True if one of the conditions is true; an empty list is rejected" })
      }),
      Schema.Struct({ not: inner }),
      Comparison
    ],
    { mode: "oneOf" }
  ).annotate({
    identifier: levels === maxConditionDepth - 1 ? "Condition" : `Condition${levels + 1}`,
    description: "A tree of comparisons: exactly one of `all`, `any`, `not`, or a comparison"
  })
}

/** The schema of a condition: each node has exactly one of `all`, `any`, `not` or a comparison. */
export const Condition: Schema.Codec<Condition> = conditionAbove(maxConditionDepth - 1)

/**
 * Returns the comparisons of a condition. Uses an explicit stack, so a deep condition cannot exhaust the call stack.
 */
export const comparisonsOf = (root: Condition): ReadonlyArray<Comparison> => {
  const open: Array<Condition> = [root]
  const found: Array<Comparison> = []
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if ("fact" in next) found.push(next)
    else if ("not" in next) open.push(next.not)
    else for (const child of "all" in next ? next.all : next.any) open.push(child)
  }
  return found
}

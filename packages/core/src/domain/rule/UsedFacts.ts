import { comparisonsOf } from "./Condition.ts"
import { fieldFactOf, type FieldReference, isCompanyFact, isFieldFact } from "./RecordFact.ts"
import type { Rule } from "./Rule.ts"

const factsIn = ({ when }: Rule): ReadonlyArray<string> => comparisonsOf(when).map(({ fact }) => fact)

/** Returns the names of the record facts in the conditions of rules, without duplicates. */
export const recordFactsIn = (rules: ReadonlyArray<Rule>): ReadonlyArray<string> => [
  ...new Set(rules.flatMap(factsIn).filter((name) => isCompanyFact(name) || isFieldFact(name)))
]

/** Returns the rules that compare a custom field, including disabled rules. */
export const rulesWithField = (rules: ReadonlyArray<Rule>, field: FieldReference): ReadonlyArray<Rule> =>
  rules.filter((rule) => factsIn(rule).includes(fieldFactOf(field)))

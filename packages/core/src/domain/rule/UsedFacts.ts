import { comparisonsOf } from "./Condition.ts"
import { fieldFactOf, type FieldReference, isCompanyFact, isFieldFact } from "./RecordFact.ts"
import type { Rule } from "./Rule.ts"

const factsIn = ({ when }: Rule): ReadonlyArray<string> => comparisonsOf(when).map(({ fact }) => fact)

/** Returns the names of the record facts in the conditions of rules, without duplicates. */
export const recordFactsIn = (rules: ReadonlyArray<Rule>): ReadonlyArray<string> => [
  ...new Set(rules.flatMap(factsIn).filter((name) => isCompanyFact(name) || isFieldFact(name)))
]

/** Returns the custom field to whose changes a rule reacts; null: to none. */
export const fieldOfTrigger = ({ trigger }: Pick<Rule, "trigger">): FieldReference | null =>
  trigger?.type === "field_changed" || trigger?.type === "date_reached"
    ? { entity: "contact", key: trigger.field }
    : null

/** Returns the rules that compare a custom field or react to its changes, including disabled rules. */
export const rulesWithField = (rules: ReadonlyArray<Rule>, field: FieldReference): ReadonlyArray<Rule> => {
  const name = fieldFactOf(field)
  return rules.filter((rule) => {
    const watched = fieldOfTrigger(rule)
    return factsIn(rule).includes(name) || (watched !== null && fieldFactOf(watched) === name)
  })
}

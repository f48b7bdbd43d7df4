import { comparisonsOf } from "./Condition.ts"
import { fieldFactOf, type FieldReference, storedNameOf } from "./RecordFact.ts"
import type { Rule } from "./Rule.ts"

const factsIn = ({ when }: Rule): ReadonlyArray<string> => comparisonsOf(when).map(({ fact }) => fact)

/** Returns the names of the values that the conditions of rules read on demand, without duplicates. */
export const recordFactsIn = (rules: ReadonlyArray<Rule>): ReadonlyArray<string> => [
  ...new Set(rules.flatMap((rule) => factsIn(rule).flatMap((fact) => storedNameOf(fact) ?? [])))
]

/** Returns the custom field to whose changes a rule reacts; null: to none. */
export const fieldOfTrigger = ({ trigger }: Pick<Rule, "trigger">): FieldReference | null =>
  trigger?.type === "field_changed" || trigger?.type === "date_reached"
    ? { entity: trigger.entity ?? "contact", key: trigger.field }
    : null

/** Returns the custom fields that the actions of a rule set. */
export const fieldsSetBy = ({ actions }: Pick<Rule, "actions">): ReadonlyArray<FieldReference> =>
  actions.flatMap((action): ReadonlyArray<FieldReference> => {
    if (action.type === "set_field") return [{ entity: action.entity ?? "contact", key: action.field }]
    if (action.type !== "call_webhook") return []
    return Object.keys(action.store ?? {}).map((key) => ({ entity: "contact", key }))
  })

/** Returns the rules that set, compare a custom field or react to its changes, including disabled rules. */
export const rulesWithField = (rules: ReadonlyArray<Rule>, field: FieldReference): ReadonlyArray<Rule> => {
  const name = fieldFactOf(field)
  return rules.filter((rule) => {
    const watched = fieldOfTrigger(rule)
    const isSet = fieldsSetBy(rule).some((each) => fieldFactOf(each) === name)
    return isSet || factsIn(rule).includes(name) || (watched !== null && fieldFactOf(watched) === name)
  })
}

import type { CustomField, FieldType } from "../field/CustomField.ts"
import { FieldValueInvalid, setFieldValues } from "../field/FieldValues.ts"
import { type ComparisonIssue, checkAgainst } from "./CheckComparison.ts"
import type { Comparison } from "./Condition.ts"
import type { FactSpec, FactType } from "./Fact.ts"
import { fieldFactOf, type FieldReference, fieldOfFact } from "./RecordFact.ts"
import { fieldOfTrigger } from "./UsedFacts.ts"
import { checkCondition, type Rule, type RuleIssue } from "./Rule.ts"

/** The type of the fact for each type of custom field. */
const factTypes: Readonly<Record<FieldType, FactType>> = {
  text: "string",
  number: "number",
  date: "string",
  boolean: "boolean",
  select: "string",
  multi_select: "list",
  url: "string",
  user: "string"
}

/** Returns the type of the fact with the value of a custom field, and its possible values. */
export const specOfField = ({ options, type }: CustomField): Omit<FactSpec, "about"> => ({
  type: factTypes[type],
  ...(options.length > 0 && { oneOf: options })
})

const unknownField = ({ entity, key }: FieldReference, fields: ReadonlyArray<CustomField>): ComparisonIssue => {
  const known = fields.filter((field) => field.entity === entity).map(fieldFactOf)
  const hint = known.length === 0 ? "Create it first: POST …/fields" : `Known fields: ${known.join(", ")}.`
  return { part: "fact", message: `The entity ${entity} has no custom field "${key}". ${hint}` }
}

/** Returns an issue for each unknown field in which the actions `call_webhook` of a rule store a value. */
const checkStoredFields = (
  { actions }: Rule,
  index: number,
  fields: ReadonlyArray<CustomField>
): ReadonlyArray<RuleIssue> =>
  actions.flatMap((action, position) => {
    const keys = action.type === "call_webhook" ? Object.keys(action.store ?? {}) : []
    return keys.flatMap((key) => {
      if (fields.some((each) => each.entity === "contact" && each.key === key)) return []
      const { message } = unknownField({ entity: "contact", key }, fields)
      return [{ path: `${index}.actions.${position}.store.${key}`, message }]
    })
  })

/** Returns the errors in the actions `set_field` of a rule. */
const checkSetFields = (
  { actions }: Rule,
  index: number,
  fields: ReadonlyArray<CustomField>
): ReadonlyArray<RuleIssue> =>
  actions.flatMap((action, position) => {
    if (action.type !== "set_field") return []
    const { entity = "contact", field: key, value } = action
    const path = `${index}.actions.${position}`
    const field = fields.find((each) => each.entity === entity && each.key === key)
    if (field === undefined) return [{ path: `${path}.field`, message: unknownField({ entity, key }, fields).message }]
    const values = setFieldValues([field], {}, { [key]: value })
    return values instanceof FieldValueInvalid ? [{ path: `${path}.value`, message: values.reason }] : []
  })

/**
 * Returns the errors in the uses of custom fields: unknown fields in comparisons and triggers, and operators and values
 * that do not suit the type of the field. `checkRules` checks all other comparisons.
 */
export const checkFieldFacts = (
  rules: ReadonlyArray<Rule>,
  fields: ReadonlyArray<CustomField>
): ReadonlyArray<RuleIssue> => {
  const specs = new Map<string, Omit<FactSpec, "about">>(
    fields.map((field) => [fieldFactOf(field), specOfField(field)])
  )
  const check = (comparison: Comparison): ComparisonIssue | null => {
    const field = fieldOfFact(comparison.fact)
    if (field === null) return null
    const spec = specs.get(comparison.fact)
    return spec === undefined ? unknownField(field, fields) : checkAgainst(comparison, spec)
  }
  return rules.flatMap((rule, index) => {
    const issues: Array<RuleIssue> = checkCondition(rule.when, `${index}.when`, check).map(({ message, path }) => ({
      message,
      path
    }))
    const watched = fieldOfTrigger(rule)
    issues.push(...checkSetFields(rule, index, fields), ...checkStoredFields(rule, index, fields))
    if (watched === null) return issues
    const path = `${index}.trigger.field`
    const field = fields.find((each) => fieldFactOf(each) === fieldFactOf(watched))
    if (field === undefined) return [...issues, { path, message: unknownField(watched, fields).message }]
    if (rule.trigger?.type !== "date_reached" || field.type === "date") return issues
    return [
      ...issues,
      { path, message: `The field "${field.key}" has the type ${field.type}. Name a field of the type date.` }
    ]
  })
}

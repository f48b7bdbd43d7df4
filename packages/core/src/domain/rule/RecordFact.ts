import { Schema } from "effect"
import type { Company } from "../company/Company.ts"
import { type FieldEntity, fieldEntities } from "../field/CustomField.ts"
import { FieldValue, type FieldValues } from "../field/FieldValues.ts"

/**
 * The facts from stored records that a run reads only if a rule compares them: the company, and custom fields. Null
 * stands for a missing value. A fact that was not read is absent.
 */
export const RecordFacts = Schema.Record(Schema.String, Schema.NullOr(FieldValue))
export type RecordFacts = typeof RecordFacts.Type

/** The name of a fact with the value of a custom field. */
export type FieldFactName = `${FieldEntity}.custom_fields.${string}`

/** The custom field that a fact reads. */
export interface FieldReference {
  readonly entity: FieldEntity
  readonly key: string
}

/** Returns the name of the fact with the value of a custom field. */
export const fieldFactOf = ({ entity, key }: FieldReference): FieldFactName => `${entity}.custom_fields.${key}`

/** Returns the custom field of a fact such as `lead.custom_fields.budget`; null for other facts. */
export const fieldOfFact = (fact: string): FieldReference | null => {
  for (const entity of fieldEntities) {
    const prefix = fieldFactOf({ entity, key: "" })
    if (fact.startsWith(prefix) && fact.length > prefix.length) return { entity, key: fact.slice(prefix.length) }
  }
  return null
}

/** Returns whether a fact is the value of a custom field. */
export const isFieldFact = (fact: string): fact is FieldFactName => fieldOfFact(fact) !== null

/** Returns whether a fact needs the company of the contact. */
export const isCompanyFact = (fact: string): boolean => fact.startsWith("company.")

/** The records with custom fields that a run can read. Null stands for a missing record. */
export interface FactRecords {
  readonly contact: { readonly customFields: FieldValues } | null
  readonly lead: { readonly customFields: FieldValues } | null
  readonly company: Pick<Company, "customFields" | "domain" | "name"> | null
}

const valueOf = (name: string, records: FactRecords): FieldValue | null => {
  if (name === "company.name") return records.company?.name ?? null
  if (name === "company.domain") return records.company?.domain ?? null
  const field = fieldOfFact(name)
  const values = field === null ? undefined : records[field.entity]?.customFields
  return field !== null && values !== undefined && Object.hasOwn(values, field.key) ? (values[field.key] ?? null) : null
}

/** Returns the named facts of these records. */
export const recordFactsOf = (names: ReadonlyArray<string>, records: FactRecords): RecordFacts =>
  Object.fromEntries(names.map((name) => [name, valueOf(name, records)]))

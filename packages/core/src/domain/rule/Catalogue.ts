/** The vocabulary of rules as data, for programs that write rules. It is derived from the schemas that check them. */
import { Schema } from "effect"
import type { CustomField } from "../field/CustomField.ts"
import { expectedValue } from "./CheckComparison.ts"
import { specOfField } from "./CheckFieldFacts.ts"
import type { Comparison } from "./Condition.ts"
import { type FactSpec, factTable, type FactType } from "./Fact.ts"
import { type Operator, operatorsOf } from "./Operator.ts"
import { actionExample } from "./action/ActionExamples.ts"
import { exampleFacts, exampleValue, operatorNotes } from "./OperatorNotes.ts"
import { fieldFactOf } from "./RecordFact.ts"
import { Action } from "./Rule.ts"
import { actionsWithoutMessage, factsWithoutMessage, Trigger } from "./Trigger.ts"

/** A fact that a condition can compare. */
export interface CatalogueFact {
  readonly name: string
  readonly type: FactType
  readonly about: string
  /** The possible values; null: any value of the type. */
  readonly values: ReadonlyArray<string> | null
  readonly operators: ReadonlyArray<Operator>
  /** Whether only rules that react to messages can compare the fact. */
  readonly needsMessage: boolean
}

/** An operator for facts of one type. */
export interface CatalogueOperator {
  readonly name: Operator
  readonly type: FactType
  readonly about: string
  /** The accepted values, for people. */
  readonly value: string
  readonly example: Comparison
}

/** An action or a trigger. */
export interface CatalogueItem {
  readonly type: string
  readonly about: string
  /** Its fields as a JSON Schema (draft 2020-12). */
  readonly schema: Schema.Json
}

/** An action of rules. */
export interface CatalogueAction extends CatalogueItem {
  /** Whether only rules that react to messages can have the action. */
  readonly needsMessage: boolean
  readonly example: Action
}

const factOf = ([name, { about, oneOf, type }]: readonly [string, FactSpec]): CatalogueFact => ({
  name,
  type,
  about,
  values: oneOf ?? null,
  operators: operatorsOf[type],
  needsMessage: !factsWithoutMessage.includes(name)
})

const fieldFact = (field: CustomField): CatalogueFact => ({
  ...factOf([fieldFactOf(field), { ...specOfField(field), about: `${field.label} of the ${field.entity}.` }]),
  needsMessage: false
})

/** Returns all named facts, and those of the tenant's custom fields. Facts `metadata.<key>` have no list. */
export const catalogueFacts = (fields: ReadonlyArray<CustomField>): ReadonlyArray<CatalogueFact> => [
  ...Object.entries<FactSpec>(factTable).map(factOf),
  ...fields.map(fieldFact)
]

const factTypes = ["string", "number", "boolean", "list"] as const satisfies ReadonlyArray<FactType>

/** All operators, once for each type of fact that they compare. */
export const catalogueOperators: ReadonlyArray<CatalogueOperator> = factTypes.flatMap((type) =>
  operatorsOf[type].map((name) => ({
    name,
    type,
    about: operatorNotes[name],
    value: expectedValue(name, type),
    example: { fact: exampleFacts[type], op: name, value: exampleValue(name, type) }
  }))
)

/** The parts of a JSON Schema that the catalogue reads. */
interface ObjectSchema {
  readonly $ref?: string
  readonly anyOf?: ReadonlyArray<ObjectSchema>
  readonly properties?: Readonly<
    Record<string, { readonly enum?: ReadonlyArray<string>; readonly description?: string }>
  >
}

/** An alternative of a schema. */
interface SchemaItem extends CatalogueItem {
  /** The operation of a CRM action; null for others. */
  readonly operation: string | null
}

const isObject = (value: unknown): value is ObjectSchema => typeof value === "object" && value !== null

const isJson = Schema.is(Schema.Json)

/** Returns the alternatives of a schema. A nested union contributes its alternatives. */
const itemsOf = (schema: Schema.Top): ReadonlyArray<SchemaItem> => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  const read = (part: unknown): ReadonlyArray<SchemaItem> => {
    if (!isObject(part) || !isJson(part)) return []
    if (part.$ref !== undefined) return read(definitions[part.$ref.split("/").at(-1) ?? ""])
    if (part.anyOf !== undefined) return part.anyOf.flatMap(read)
    const { action, type } = part.properties ?? {}
    const about = (action ?? type)?.description ?? ""
    return [{ type: type?.enum?.[0] ?? "", operation: action?.enum?.[0] ?? null, about, schema: part }]
  }
  return read(root)
}

const cached = <A>(make: () => A): (() => A) => {
  let value: { readonly made: A } | null = null
  return () => (value ??= { made: make() }).made
}

/** Returns all actions, those of the CRM once for each operation. */
export const catalogueActions: () => ReadonlyArray<CatalogueAction> = cached(() =>
  itemsOf(Action).flatMap(({ operation, ...item }) => {
    const example = actionExample(item.type, operation)
    return example === null ? [] : [{ ...item, needsMessage: !actionsWithoutMessage.includes(item.type), example }]
  })
)

/** Returns all triggers. */
export const catalogueTriggers: () => ReadonlyArray<CatalogueItem> = cached(() =>
  itemsOf(Trigger).map(({ operation: _operation, ...item }) => item)
)

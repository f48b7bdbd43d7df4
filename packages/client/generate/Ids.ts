/**
 * The types of ids. A path parameter such as `lead_id` defines the type `LeadId`. Fields and parameters with this name
 * have this type.
 */
import { type Document, type JsonSchema, referenceOf } from "./Document.ts"
import { answerOf, type Method, parametersIn } from "./Methods.ts"

const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|_)(?<letter>[a-z])/gu, (_, letter: string) => letter.toUpperCase())

/** The types of ids by the names of their fields, and by the schema whose field `id` has this type. */
export interface Ids {
  readonly byField: ReadonlyMap<string, string>
  readonly bySchema: ReadonlyMap<string, string>
}

/** Returns the id at the end of a path; null if the path ends with something else. */
const lastId = (path: string): string | null => /\/\{(?<name>\w+_id)\}$/u.exec(path)?.groups?.["name"] ?? null

/** Returns the name of the id of the items in a list: `lead_id` for `leads`. */
const idOfItems = (list: string): string => `${list.replace(/ies$/u, "y").replace(/s$/u, "")}_id`

/** Returns the schemas by the name of their id: responses of `…/leads/{lead_id}`, and the items of lists `leads`. */
const schemasById = (
  document: Document,
  methods: ReadonlyArray<Method>
): ReadonlyArray<readonly [string, JsonSchema | null]> => [
  ...methods.map((method) => [lastId(method.path) ?? "", answerOf(method)] as const),
  ...Object.values(document.components.schemas).flatMap(({ properties = {} }) =>
    Object.entries(properties).map(([name, { items = null }]) => [idOfItems(name), items] as const)
  )
]

/** Returns the types of the ids in the contract. */
export const idsOf = (document: Document, methods: ReadonlyArray<Method>): Ids => {
  const names = methods.flatMap((method) => parametersIn(method, "path").map(({ name }) => name))
  const byField = new Map(names.filter((name) => name.endsWith("_id")).map((name) => [name, pascalCase(name)]))
  const bySchema = new Map(
    schemasById(document, methods).flatMap(([id, schema]) => {
      const type = byField.get(id)
      const name = schema === null ? null : referenceOf(schema)
      return type === undefined || name === null ? [] : [[name, type] as const]
    })
  )
  return { byField, bySchema }
}

const isText = ({ anyOf, enum: values, type }: JsonSchema): boolean =>
  anyOf === undefined
    ? type === "string" && values === undefined
    : anyOf.some((part) => isText(part)) && anyOf.every((part) => part.type === "null" || isText(part))

/** Returns the type of an id: of a field, or of the field `id` of a schema. Returns null if the field is not an id. */
export const idType = (
  { byField, bySchema }: Ids,
  field: string,
  schema: JsonSchema,
  owner: string | null
): string | null => {
  const type = field === "id" ? bySchema.get(owner ?? "") : byField.get(field)
  if (type === undefined || !isText(schema)) return null
  return schema.anyOf === undefined ? type : `${type} | null`
}

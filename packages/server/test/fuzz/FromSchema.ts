import fc from "fast-check"

/** The part of JSON Schema 2020-12 that the contract uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | JsonSchema
  readonly items?: JsonSchema | false
  readonly prefixItems?: ReadonlyArray<JsonSchema>
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
}

/** Resolves a reference. */
export type Resolve = (reference: string) => JsonSchema

const plain = fc.constantFrom(
  "Jane Miller",
  "jane@customer.example",
  "+1 415 555 2671",
  "2026-03-02T09:00:00.000Z",
  "roof",
  "How much is a new kitchen?",
  "https://hooks.example.com/in"
)

const textOf = ({ format, pattern }: JsonSchema): fc.Arbitrary<unknown> => {
  if (format === "date-time") return fc.constantFrom("2026-03-02T09:00:00.000Z", "2024-02-29")
  return pattern === undefined ? plain : fc.oneof(plain, fc.stringMatching(/^[a-z0-9_-]{1,20}$/u))
}

const objectOf = (schema: JsonSchema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> => {
  const fields = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => [name, fromSchema(field, resolve, depth - 1)] as const
  )
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [...(schema.required ?? [])] })
  if (fields.length > 0) return known
  return fc.dictionary(fc.constantFrom("a", "b c", "ä"), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 })
}

/**
 * Returns values that match a schema approximately. The server must reject values that violate rules outside the
 * schema.
 */
export const fromSchema = (schema: JsonSchema, resolve: Resolve, depth = 6): fc.Arbitrary<unknown> => {
  if (depth <= 0) return fc.constant(null)
  if (schema.$ref !== undefined) return fromSchema(resolve(schema.$ref), resolve, depth - 1)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined && schema.enum.length > 0) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined && choices.length > 0)
    return fc.oneof(...choices.map((choice) => fromSchema(choice, resolve, depth - 1)))
  const [type] = typeof schema.type === "string" ? [schema.type] : (schema.type ?? [])
  switch (type) {
    case "object":
      return objectOf(schema, resolve, depth)
    case "array": {
      const item = schema.items === undefined || schema.items === false ? fc.constant("x") : schema.items
      const items = "generate" in item ? item : fromSchema(item, resolve, depth - 1)
      return fc.array(items, { minLength: Math.min(schema.minItems ?? 0, 3), maxLength: 3 })
    }
    case "integer":
    case "number":
      return fc.integer({ min: Math.max(schema.minimum ?? 0, -1_000), max: Math.min(schema.maximum ?? 1_000, 10_000) })
    case "boolean":
      return fc.boolean()
    case "null":
      return fc.constant(null)
    case "string":
      return textOf(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

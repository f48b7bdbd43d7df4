import { readFileSync } from "node:fs"

/** The part of a JSON schema that the references show. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
}

/** One operation of the contract. */
export interface Operation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> }>
  >
}

interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const document: Document = JSON.parse(readFileSync(new URL("../../api/openapi.json", import.meta.url), "utf8"))

/** All operations of the contract. */
export const operations: ReadonlyArray<Operation> = Object.values(document.paths).flatMap((path) => Object.values(path))

/** The named schemas of the contract. */
export const schemas: Readonly<Record<string, JsonSchema>> = document.components.schemas

/** Follows a reference to a named schema. */
export const resolveSchema = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : { ...schemas[schema.$ref.split("/").at(-1) ?? ""], ...schema }

const nameOf = (schema: JsonSchema): string => {
  const { anyOf, enum: values, items, type } = resolveSchema(schema)
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(", ")
  if (anyOf !== undefined) return anyOf.map(nameOf).join(" or ")
  return type === "array" ? `list of ${items === undefined ? "values" : nameOf(items)}` : (type ?? "any")
}

/** Returns the type of a field in words, for example `string or null`. */
export const typeName = nameOf

import { type JsonSchema, referenceOf } from "./Document.ts"
import { type Ids, idType } from "./Ids.ts"

const noIds: Ids = { byField: new Map(), bySchema: new Map() }

/** Returns an indented one-line doc comment, or an empty string without a text. */
export const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "* /")} */\n`

const isOpen = (schema: JsonSchema): boolean =>
  (schema.allOf ?? []).some((part) => part.type === "object" && part.additionalProperties !== undefined)

const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name))

const fields = (schema: JsonSchema, indent: string, ids: Ids, owner: string | null): string => {
  const inner = `${indent}  `
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const required = (schema.required ?? []).includes(name)
    const type = idType(ids, name, property, owner) ?? typeText(property, inner, ids)
    // `| undefined` lets callers with exactOptionalPropertyTypes pass an optional value on.
    const rest = required ? `: ${type}` : `?: ${type} | undefined`
    return `${comment(property.description, inner)}${inner}readonly ${propertyName(name)}${rest}\n`
  })
  const open = isOpen(schema) ? `${inner}readonly [key: string]: unknown\n` : ""
  return `{\n${lines.join("")}${open}${indent}}`
}

const recordText = ({ additionalProperties }: JsonSchema, indent: string, ids: Ids): string => {
  const values = typeof additionalProperties === "object" ? typeText(additionalProperties, indent, ids) : "unknown"
  return `Readonly<Record<string, ${values}>>`
}

const arrayText = (schema: JsonSchema, indent: string, ids: Ids): string => {
  const item = schema.items === undefined ? "unknown" : typeText(schema.items, indent, ids)
  // The contract uses tuples only for lists with at least one item.
  return schema.prefixItems === undefined ? `ReadonlyArray<${item}>` : `readonly [${item}, ...ReadonlyArray<${item}>]`
}

/**
 * Converts a schema to a TypeScript type. Supports only the schemas of the contract. `owner` is the name of the schema.
 * @throws Error for any other schema, so that no type becomes `unknown` unnoticed
 */
export const typeText = (schema: JsonSchema, indent = "", ids = noIds, owner: string | null = null): string => {
  const reference = referenceOf(schema)
  if (reference !== null) return reference
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  if (schema.anyOf !== undefined)
    return [...new Set(schema.anyOf.map((part) => typeText(part, indent, ids)))].join(" | ")
  switch (schema.type) {
    case "string":
      return "string"
    case "integer":
    case "number":
      return "number"
    case "boolean":
      return "boolean"
    case "null":
      return "null"
    case "array":
      return arrayText(schema, indent, ids)
    case "object":
      return schema.properties === undefined ? recordText(schema, indent, ids) : fields(schema, indent, ids, owner)
    default:
      if (Object.keys(schema).every((key) => key === "description")) return "unknown"
      throw new Error(`Unsupported schema: ${JSON.stringify(schema)}`)
  }
}

/** Returns the declaration of a named schema. */
export const declaration = (name: string, schema: JsonSchema, ids: Ids): string => {
  const text = typeText(schema, "", ids, name)
  const isInterface = schema.properties !== undefined
  const head = comment(schema.description, "")
  return isInterface ? `${head}export interface ${name} ${text}\n` : `${head}export type ${name} = ${text}\n`
}

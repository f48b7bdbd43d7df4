import { type JsonSchema, referenceOf } from "./Document.ts"

/** Returns an indented one-line doc comment, or an empty string without a text. */
export const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "* /")} */\n`

const isOpen = (schema: JsonSchema): boolean =>
  (schema.allOf ?? []).some((part) => part.type === "object" && part.additionalProperties !== undefined)

const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name))

const fields = (schema: JsonSchema, indent: string): string => {
  const inner = `${indent}  `
  const lines = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const required = (schema.required ?? []).includes(name)
    const type = typeText(property, inner)
    // `| undefined` lets callers with exactOptionalPropertyTypes pass an optional value on.
    const rest = required ? `: ${type}` : `?: ${type} | undefined`
    return `${comment(property.description, inner)}${inner}readonly ${propertyName(name)}${rest}\n`
  })
  const open = isOpen(schema) ? `${inner}readonly [key: string]: unknown\n` : ""
  return `{\n${lines.join("")}${open}${indent}}`
}

const objectText = (schema: JsonSchema, indent: string): string => {
  if (schema.properties !== undefined) return fields(schema, indent)
  const values =
    typeof schema.additionalProperties === "object" ? typeText(schema.additionalProperties, indent) : "unknown"
  return `Readonly<Record<string, ${values}>>`
}

const arrayText = (schema: JsonSchema, indent: string): string => {
  const item = schema.items === undefined ? "unknown" : typeText(schema.items, indent)
  // The contract uses tuples only for lists with at least one item.
  return schema.prefixItems === undefined ? `ReadonlyArray<${item}>` : `readonly [${item}, ...ReadonlyArray<${item}>]`
}

/**
 * Converts a schema to a TypeScript type. Supports only the schemas of the contract.
 * @throws Error for any other schema, so that no type becomes `unknown` unnoticed
 */
export const typeText = (schema: JsonSchema, indent = ""): string => {
  const reference = referenceOf(schema)
  if (reference !== null) return reference
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map((part) => typeText(part, indent)))].join(" | ")
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
      return arrayText(schema, indent)
    case "object":
      return objectText(schema, indent)
    default:
      if (Object.keys(schema).every((key) => key === "description")) return "unknown"
      throw new Error(`Unsupported schema: ${JSON.stringify(schema)}`)
  }
}

/** Returns the declaration of a named schema. */
export const declaration = (name: string, schema: JsonSchema): string => {
  const text = typeText(schema)
  const isInterface = schema.properties !== undefined
  const head = comment(schema.description, "")
  return isInterface ? `${head}export interface ${name} ${text}\n` : `${head}export type ${name} = ${text}\n`
}

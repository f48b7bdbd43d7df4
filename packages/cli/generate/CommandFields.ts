/** Converts the parameters and the body of an operation to the arguments and options of its command. */
import { type Document, jsonBody, type JsonSchema, type Parameter, resolve } from "../../client/generate/Document.ts"
import type { Method } from "../../client/generate/Methods.ts"
import type { Field } from "../src/operation/Operation.ts"

/** The fields that contain credentials. */
const secrets = ["api_key", "code", "X-Assistant-Secret"]

/** The headers that the command sets by an option of its own, or that repeat a query parameter. */
const commonHeaders = ["idempotency-key", "if-match", "last-event-id", "x-acting-user"]

/** The fields of bodies that are arguments of their commands. */
const bodyArguments: Readonly<Record<string, string>> = { "search.search": "query" }

/** Returns a text of the contract in the style of the help: without markup, and with a small first letter. */
export const helpText = (text: string): string =>
  text
    .replaceAll("`", "")
    .replace(/\.$/u, "")
    .replace(/^[A-Z](?=[a-z ])/u, (letter) => letter.toLowerCase())

/** The names of options that differ from the field, because an option of the program has the name. */
const optionNames: Readonly<Record<string, string>> = {
  "assistant.setRetellKey.api_key": "retell-key",
  "drafts.send.version": "expected-version",
  "drafts.update.version": "expected-version",
  "scheduled.update.version": "expected-version"
}

type Shape = Pick<Field, "type" | "choices" | "range">

const choicesOf = (schema: JsonSchema): { readonly choices?: ReadonlyArray<string> } =>
  schema.enum === undefined ? {} : { choices: schema.enum.map(String) }

const numberShape = ({ maximum, minimum, type }: JsonSchema): Shape =>
  type === "integer" && minimum !== undefined && maximum !== undefined
    ? { type: "number", range: [minimum, maximum] }
    : { type: "number" }

/** Returns the type of an option for a schema; null for objects and for lists of objects. */
const shapeOf = (document: Document, given: JsonSchema | undefined): Shape | null => {
  const schema = resolve(document, given ?? null)
  const parts = (schema?.anyOf ?? []).filter(({ type }) => type !== "null")
  if (parts.length > 0) {
    const shapes = parts.map((part) => shapeOf(document, part))
    if (shapes.includes(null)) return null
    return shapes.length === 1 ? (shapes[0] ?? null) : { type: "text" }
  }
  switch (schema?.type) {
    case "string":
      return { type: "text", ...choicesOf(schema) }
    case "integer":
    case "number":
      return numberShape(schema)
    case "boolean":
      return { type: "boolean" }
    case "array": {
      const item = shapeOf(document, schema.items)
      return item === null || item.type === "list" ? null : { ...item, type: "list" }
    }
    default:
      return null
  }
}

const aboutOf = (name: string, description: string | undefined): string =>
  name === "tenant_id"
    ? "the tenant (default: LEADLOOM_TENANT or the profile's tenant)"
    : // An option cannot set null.
      helpText((description ?? name).replace(/; null: [^;]+$/u, ""))

const parameterField = (document: Document, method: Method, parameter: Parameter): Field => {
  const { description, in: place, name, required, schema } = parameter
  const isTenantOption = name === "tenant_id" && method.group !== "tenants"
  if (place !== "path" && place !== "query" && place !== "header") throw new Error(`No option for ${place} ${name}`)
  return {
    name,
    place,
    ...(shapeOf(document, schema) ?? { type: "text" }),
    about: aboutOf(name, description),
    ...(place === "path" && !isTenantOption ? { argument: true } : {}),
    ...(required === true && (place === "path" || place === "query") ? { required: true } : {}),
    ...(secrets.includes(name) ? { secret: true } : {})
  }
}

const bodyField = (document: Document, { operation }: Method, name: string, schema: JsonSchema): Field | null => {
  const shape = shapeOf(document, schema)
  if (shape === null) return null
  const option = optionNames[`${operation.operationId}.${name}`]
  const described = schema.description ?? resolve(document, schema)?.description
  return {
    name,
    place: "body",
    ...shape,
    about: aboutOf(name, described),
    ...(bodyArguments[operation.operationId] === name ? { argument: true } : {}),
    ...(secrets.includes(name) ? { secret: true } : {}),
    ...(option === undefined ? {} : { option })
  }
}

/** Returns the properties of a JSON body. */
export const bodyProperties = (document: Document, { operation }: Method): Readonly<Record<string, JsonSchema>> =>
  operation["x-outside-contract"] === true ? {} : (resolve(document, jsonBody(operation.requestBody))?.properties ?? {})

/** Returns the arguments and options of an operation. */
export const fieldsOf = (document: Document, method: Method): ReadonlyArray<Field> => [
  ...(method.operation.parameters ?? [])
    .filter(({ name }) => !commonHeaders.includes(name))
    .map((parameter) => parameterField(document, method, parameter)),
  ...Object.entries(bodyProperties(document, method)).flatMap(
    ([name, schema]) => bodyField(document, method, name, schema) ?? []
  )
]

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "@leadloom/testkit/Sources"

/** The provider's API description, if it is present next to the repository. */
const file = join(repository, "../shared/providers/openapi/openai.trimmed.json")

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null
}

/** Creates a validator for the part of JSON schema that this description uses. */
const makeChecker = (schemas: Json) => {
  const check = (schema: unknown, value: unknown, at: string): ReadonlyArray<string> => {
    if (!isObject(schema)) return []
    const { $ref, allOf, anyOf, enum: literals, items, maximum, minimum, oneOf, properties, required, type } = schema
    if (typeof $ref === "string") return check(schemas[$ref.replace("#/components/schemas/", "")], value, at)
    const known = typeof type === "string" ? kinds[type] : undefined
    if (known !== undefined && !known(value)) return [`${at} is no ${String(type)}`]
    const alternatives = [...listOf(anyOf), ...listOf(oneOf)]
    return [
      ...(alternatives.length > 0 && alternatives.every((each) => check(each, value, at).length > 0)
        ? [`${at} is none of its alternatives`]
        : []),
      ...listOf(allOf).flatMap((each) => check(each, value, at)),
      ...(Array.isArray(literals) && !literals.includes(value) ? [`${at} is not one of ${literals.join()}`] : []),
      ...(typeof value === "number" && value > Number(maximum ?? value) ? [`${at} is too great`] : []),
      ...(typeof value === "number" && value < Number(minimum ?? value) ? [`${at} is too small`] : []),
      ...(isObject(value)
        ? [
            ...listOf(required).flatMap((name) => (String(name) in value ? [] : [`${at}.${String(name)} is missing`])),
            ...Object.entries(isObject(properties) ? properties : {}).flatMap(([name, inner]) =>
              name in value ? check(inner, value[name], `${at}.${name}`) : []
            )
          ]
        : []),
      ...listOf(value).flatMap((each, index) => check(items, each, `${at}[${index}]`))
    ]
  }
  return check
}

/** Returns the differences of a request from the provider's description; null without a description. */
export const checkCompletionRequest: ((body: unknown) => ReadonlyArray<string>) | null = existsSync(file)
  ? (body) => {
      const { components } = JSON.parse(readFileSync(file, "utf8"))
      return makeChecker(components.schemas)({ $ref: "#/components/schemas/CreateChatCompletionRequest" }, body, "body")
    }
  : null

/** A suffix of test titles when requests are not checked. */
export const specificationNote =
  checkCompletionRequest === null ? " (NOT CHECKED: no API description beside the repository)" : ""

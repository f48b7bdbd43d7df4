import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { SeenRequest, StandInAnswer } from "@leadloom/testkit/highlevel/StandInState"
import { repository } from "@leadloom/testkit/Sources"
import { Ajv2020 } from "ajv/dist/2020.js"

/** The provider's API descriptions, if they are present next to the repository. */
const folder = join(repository, "../shared/providers/openapi")
const files = ["highlevel_contacts.json", "highlevel_oauth.json"].map((name) => join(folder, name))

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)
const objectOf = (value: unknown): Json => (isObject(value) ? value : {})
const listOf = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isObject) : [])

/**
 * Converts OpenAPI 3.0 to JSON schema: `nullable` becomes a type. The CRM rejects unknown properties of a request with
 * 422, and so does `closed`. A schema without properties (`SearchBodyV2DTO`) accepts everything.
 */
const schemaOf = (value: unknown, closed: boolean): unknown => {
  if (Array.isArray(value)) return value.map((each) => schemaOf(each, closed))
  if (!isObject(value)) return value
  const { example: _, nullable, ...rest } = value
  const entries = Object.entries(rest).map(([name, inner]) => [name, schemaOf(inner, closed)])
  const schema: Json = Object.fromEntries(entries)
  const typed = nullable === true && typeof rest["type"] === "string" ? { type: [rest["type"], "null"] } : {}
  const shut =
    closed && Object.keys(objectOf(rest["properties"])).length > 0 && rest["type"] === "object"
      ? { additionalProperties: false }
      : {}
  return { ...schema, ...typed, ...shut }
}

interface Operation {
  readonly path: RegExp
  readonly method: string
  readonly description: Json
  readonly components: Json
}

const operationsOf = (file: string): ReadonlyArray<Operation> => {
  const document = objectOf(JSON.parse(readFileSync(file, "utf8")))
  return Object.entries(objectOf(document["paths"])).flatMap(([path, methods]) =>
    Object.entries(objectOf(methods)).map(([method, description]) => ({
      path: new RegExp(`^${path.replaceAll(/\{\w+\}/gu, "(?!search|upsert)[^/]+")}$`, "u"),
      method: method.toUpperCase(),
      description: objectOf(description),
      components: objectOf(document["components"])
    }))
  )
}

type Validate = ReturnType<Ajv2020["compile"]>

const compile = (components: Json, schema: unknown, closed: boolean): Validate => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  return ajv.compile({ ...objectOf(schemaOf(schema, closed)), components: schemaOf(components, closed) })
}

/** Caches validators by schema, because thousands of requests are checked. */
const made = { closed: new WeakMap<object, Validate>(), open: new WeakMap<object, Validate>() }

const check = (components: Json, schema: unknown, value: unknown, closed: boolean): ReadonlyArray<string> => {
  const key = objectOf(schema)
  const known = closed ? made.closed : made.open
  const validate = known.get(key) ?? compile(components, key, closed)
  known.set(key, validate)
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ""}`)
}

const contentOf = (part: unknown): readonly [string, unknown] | null => {
  const [content] = Object.entries(objectOf(objectOf(part)["content"]))
  return content === undefined ? null : [content[0], objectOf(content[1])["schema"]]
}

const checkParameters = ({ description }: Operation, { headers, query }: SeenRequest): ReadonlyArray<string> => {
  const parameters = listOf(description["parameters"])
  const known = parameters.filter((each) => each["in"] === "query").map((each) => each["name"])
  const strange = [...query.keys()].filter((name) => !known.includes(name)).map((name) => `query ${name} is unknown`)
  const missing = parameters.flatMap((each) => {
    const name = String(each["name"])
    const value = each["in"] === "query" ? query.get(name) : headers[name.toLowerCase()]
    if (each["in"] === "path" || (value === undefined || value === null ? each["required"] !== true : false)) return []
    const allowed = objectOf(each["schema"])["enum"]
    return value === undefined || value === null || (Array.isArray(allowed) && !allowed.includes(value))
      ? [`${String(each["in"])} ${name} is ${String(value)}`]
      : []
  })
  return [...strange, ...missing]
}

const checkBody = ({ components, description }: Operation, { headers, text }: SeenRequest): ReadonlyArray<string> => {
  const content = contentOf(description["requestBody"])
  if (content === null) return text === "" ? [] : ["a body that nobody asked for"]
  const [type, schema] = content
  if (headers["content-type"] !== type) return [`the body is ${String(headers["content-type"])} and not ${type}`]
  const form = type === "application/x-www-form-urlencoded"
  const value: unknown = form ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text)
  return check(components, schema, value, true)
}

const checkAnswer = (
  { components, description }: Operation,
  { json, status }: StandInAnswer
): ReadonlyArray<string> => {
  const described = objectOf(description["responses"])[String(status)]
  if (described === undefined) return [`the answer ${status} is not described`]
  const content = contentOf(described)
  return content === null ? [] : check(components, content[1], json, false)
}

/**
 * Returns the differences of a request and its response from the provider's description; null without a description.
 */
export const checkExchange: ((request: SeenRequest, answer: StandInAnswer) => ReadonlyArray<string>) | null =
  files.every((file) => existsSync(file))
    ? (() => {
        const operations = files.flatMap(operationsOf)
        return (request: SeenRequest, answer: StandInAnswer) => {
          const operation = operations.find(({ method, path }) => method === request.method && path.test(request.path))
          if (operation === undefined) return [`${request.method} ${request.path} is not described`]
          const problems = [...checkParameters(operation, request), ...checkBody(operation, request)]
          return [...problems, ...checkAnswer(operation, answer)].map(
            (problem) => `${request.method} ${request.path}: ${problem}`
          )
        }
      })()
    : null

/** A suffix of test titles when requests are not checked. */
export const specificationNote =
  checkExchange === null ? " (NOT CHECKED: no API description beside the repository)" : ""

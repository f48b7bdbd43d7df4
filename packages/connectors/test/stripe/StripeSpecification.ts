import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "@leadloom/testkit/Sources"
import type { StripeRequest } from "@leadloom/testkit/stripe/StripeStandIn"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import qs from "qs"

/** The provider's API description and examples, if they are present next to the repository. */
const folder = join(repository, "../shared/providers/openapi")
const files = { description: join(folder, "stripe.trimmed.json"), fixtures: join(folder, "stripe_fixtures3.json") }

/** Whether requests and responses can be checked against the provider's description. */
export const isDescribed = existsSync(files.description) && existsSync(files.fixtures)

/** A suffix of test titles when requests are not checked. */
export const specificationNote = isDescribed ? "" : " (NOT CHECKED: no API description beside the repository)"

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"))

/** Returns an example of the provider: `subscription`, `checkout.session` and so on. */
export const fixture = (name: string): Record<string, unknown> => {
  const found = at(readJson(files.fixtures), "resources", name)
  if (!isRecord(found)) throw new Error(`there is no fixture ${name}`)
  return found
}

/** Creates an Ajv instance for OpenAPI 3.0, with `nullable` and without strict keywords. */
const makeAjv = (description: unknown) => {
  const ajv = new Ajv2020({
    strict: false,
    coerceTypes: true,
    allErrors: true,
    validateFormats: true,
    discriminator: false
  })
  formats.default(ajv)
  for (const format of ["unix-time", "decimal"]) ajv.addFormat(format, true)
  ajv.addSchema({ $id: "stripe", components: at(description, "components") })
  return ajv
}

/** Rewrites the references of a schema to the whole description. */
const pointed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(pointed)
  if (!isRecord(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === "$ref" && typeof value === "string" ? [key, `stripe${value}`] : [key, pointed(value)]
    )
  )
}

const querySchema = (operation: unknown): unknown => {
  const parameters = at(operation, "parameters")
  const list = (Array.isArray(parameters) ? parameters : []).filter((each: unknown) => at(each, "in") === "query")
  return {
    type: "object",
    additionalProperties: false,
    required: list.filter((each: unknown) => at(each, "required") === true).map((each: unknown) => at(each, "name")),
    properties: Object.fromEntries(list.map((each: unknown) => [at(each, "name"), at(each, "schema")]))
  }
}

const operationOf = (description: unknown, { method, path }: StripeRequest): unknown => {
  const paths = at(description, "paths")
  const template = Object.keys(isRecord(paths) ? paths : {}).find((known) =>
    new RegExp(`^${known.replace(/\{[^}]+\}/gu, "[^/]+")}$`, "u").test(path)
  )
  return template === undefined ? undefined : at(paths, template, method.toLowerCase())
}

/** Creates a check that returns the differences of a request from the description. */
export const makeCheck = (): ((request: StripeRequest) => ReadonlyArray<string>) => {
  const description = readJson(files.description)
  const ajv = makeAjv(description)
  return (request) => {
    const operation = operationOf(description, request)
    if (operation === undefined) return [`there is no ${request.method} ${request.path}`]
    const form = at(operation, "requestBody", "content", "application/x-www-form-urlencoded", "schema")
    const schema = pointed(request.method === "POST" ? form : querySchema(operation))
    if (!isRecord(schema)) return ["the description has no schema for it"]
    const fields = qs.parse(request.fields, { depth: 10, arrayLimit: 100 })
    const validate = ajv.compile(schema)
    validate(fields)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
}

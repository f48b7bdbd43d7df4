import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { repository } from "@leadloom/testkit/Sources"
import addFormats from "ajv-formats"
import { Ajv2020 } from "ajv/dist/2020.js"
import { parse } from "qs"

/** The provider's API description, if it is present next to the repository. */
const file = join(repository, "../shared/providers/openapi/twilio_api_v2010.json")

/** A suffix of test titles when requests are not checked. */
export const specificationNote = existsSync(file) ? "" : " (NOT CHECKED: no API description beside the repository)"

/** A sent request. */
export interface SentRequest {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly body: string
  /** Without its question mark. */
  readonly query?: string
}

type Check = (request: SentRequest) => ReadonlyArray<string>

const at = (value: unknown, ...keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value
  )

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/gu, "[^/.]+")}$`, "u")

/** Returns the query parameters of an operation. */
const queryOf = (operation: unknown): Readonly<Record<string, unknown>> => {
  const parameters = at(operation, "parameters")
  const named = (Array.isArray(parameters) ? parameters : []).filter((each) => at(each, "in") === "query")
  return Object.fromEntries(named.map((each) => [String(at(each, "name")), at(each, "schema")]))
}

const makeCheck = (): Check => {
  const spec: unknown = JSON.parse(readFileSync(file, "utf8"))
  const paths = Object(at(spec, "paths"))
  const ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: "array" })
  addFormats.default(ajv)
  for (const format of ["endpoint", "phone-number", "http-method"]) ajv.addFormat(format, true)
  const faults = (schema: object, values: unknown): ReadonlyArray<string> => {
    const validate = ajv.compile({ ...schema, additionalProperties: false, components: at(spec, "components") })
    if (validate(values)) return []
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`
    )
  }
  return ({ body, method, path, query = "" }) => {
    const known = Object.keys(paths).find((each) => patternOf(each).test(path))
    const operation = known === undefined ? undefined : at(paths, known, method.toLowerCase())
    if (operation === undefined) return [`${method} ${path} is not described`]
    const queryFaults = faults({ type: "object", properties: queryOf(operation) }, parse(query))
    const schema = at(operation, "requestBody", "content", "application/x-www-form-urlencoded", "schema")
    if (schema === undefined) return [...queryFaults, ...(body === "" ? [] : [`${method} ${path} takes no body`])]
    return [...queryFaults, ...faults(Object(schema), parse(body, { parameterLimit: 100 }))]
  }
}

/** Returns the differences of a request from the provider's description; none without a description. */
export const checkRequest: Check = existsSync(file) ? makeCheck() : () => []

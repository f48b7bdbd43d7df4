import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { Gate } from "../src/Access.ts"
import { Api } from "../src/Api.ts"
import { transportCodes } from "../src/errors.ts"

interface Described {
  readonly name: string
  readonly gated: boolean
  readonly summary: string | undefined
  readonly errors: ReadonlyArray<number>
}

const described: Array<Described> = []
HttpApi.reflect(Api, {
  onGroup: () => undefined,
  onEndpoint: ({ endpoint, errors, group, mergedAnnotations }) => {
    described.push({
      name: `${group.identifier}.${endpoint.identifier}`,
      gated: Context.getOrUndefined(endpoint.annotations, Gate) !== undefined,
      summary: Context.getOrUndefined(mergedAnnotations, OpenApi.Summary),
      errors: [...errors.keys()]
    })
  }
})

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null
const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)

const document: unknown = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))
const entries = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  isRecord(value) ? Object.entries(value) : []

const operations = entries(at(document, "paths")).flatMap(([path, methods]) =>
  entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const)
)

/** Returns the possible schemas of a response. */
const schemasOf = (response: unknown): ReadonlyArray<unknown> => {
  const schema = at(response, "content", "application/json", "schema")
  const choices = at(schema, "anyOf")
  return (Array.isArray(choices) ? choices : [schema]).map((choice) => {
    const reference = at(choice, "$ref")
    return typeof reference === "string" ? at(document, ...reference.slice(2).split("/")) : choice
  })
}

const isEnvelope = (schema: unknown): boolean =>
  typeof at(schema, "properties", "error", "properties", "code", "enum", "0") === "string" &&
  at(schema, "properties", "error", "properties", "message", "type") === "string"

const isActionFailure = (schema: unknown): boolean =>
  at(schema, "properties", "success") !== undefined && at(schema, "properties", "error", "type") === "string"

describe("every endpoint", () => {
  it.each(described.map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s has a gate and a summary",
    (_, endpoint) => {
      expect(endpoint.gated).toBe(true)
      expect(endpoint.summary).toMatch(/^[A-Z].{5,}[^.]$/u)
      expect(endpoint.errors.length).toBeGreaterThan(0)
    }
  )

  it.each(operations)("%s fails in the envelope, an action in its own", (name, operation) => {
    const failures = entries(at(operation, "responses")).filter(([status]) => Number(status) >= 400)
    expect(failures.length).toBeGreaterThan(0)
    for (const [status, response] of failures) {
      for (const schema of schemasOf(response)) {
        const fits = isEnvelope(schema) || (name.includes("/actions/") && status === "400" && isActionFailure(schema))
        expect([status, fits]).toEqual([status, true])
      }
    }
  })

  it("has a unique operation id and, except for health, MCP and the document at the root, a versioned path", () => {
    const ids = operations.map(([, operation]) => at(operation, "operationId"))
    expect(new Set(ids).size).toBe(operations.length)
    const elsewhere = operations.map(([name]) => name).filter((name) => !name.includes(" /api/v1/"))
    expect(elsewhere).toEqual(["GET /health", "GET /openapi.json", "POST /mcp", "DELETE /mcp"])
  })
})

describe("the HTTP layer's own codes", () => {
  it("are upper snake case, with one code per status", () => {
    const codes = Object.values(transportCodes)
    expect(new Set(codes).size).toBe(codes.length)
    for (const code of codes) expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/u)
  })
})

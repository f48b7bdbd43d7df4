import { OpenApi } from "effect/http-api"
import { describe, expect, it } from "vitest"
import { Api } from "../src/Api.ts"

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null
const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
const list = (value: unknown): ReadonlyArray<Record<string, unknown>> =>
  Array.isArray(value) ? value.filter(isRecord) : []

const document = record(JSON.parse(JSON.stringify(OpenApi.fromApi(Api))))
const schemas = record(record(document["components"])["schemas"])

const operations = Object.values(record(document["paths"])).flatMap((path) => Object.values(record(path)).map(record))

const isText = (value: unknown): boolean => typeof value === "string" && value.trim().length > 3

/** Returns whether a schema has a description, directly or in the schema that it refers to. */
const isDescribed = (schema: unknown): boolean => {
  const { $ref, description } = record(schema)
  return (
    isText(description) ||
    (typeof $ref === "string" && isText(record(schemas[$ref.split("/").at(-1) ?? ""])["description"]))
  )
}

/** Returns the paths of all properties without a description. */
const undescribed = (schema: unknown, path: string): ReadonlyArray<string> => {
  const { additionalProperties, allOf, anyOf, items, oneOf, prefixItems, properties } = record(schema)
  const own = Object.entries(record(properties)).flatMap(([name, property]) => [
    ...(isDescribed(property) ? [] : [`${path}.${name}`]),
    ...undescribed(property, `${path}.${name}`)
  ])
  const parts = [anyOf, allOf, oneOf, prefixItems, [items], [additionalProperties]].flatMap(list)
  return [...own, ...parts.flatMap((part) => undescribed(part, path))]
}

const bodySchemas = (content: unknown): ReadonlyArray<unknown> =>
  Object.values(record(content)).map((media) => record(media)["schema"])

describe("the published document describes", () => {
  it("every operation by a summary and a description", () => {
    const missing = operations.filter(({ description, summary }) => !isText(summary) || !isText(description))
    expect(missing.map(({ operationId }) => operationId)).toEqual([])
    expect(operations.length).toBeGreaterThan(100)
  })

  it("the callers of every operation", () => {
    const missing = operations.filter(({ description }) => !String(description).includes("Callers: "))
    expect(missing.map(({ operationId }) => operationId)).toEqual([])
  })

  it("every parameter, outside its schema", () => {
    const parameters = operations.flatMap(({ operationId, parameters }) =>
      list(parameters).map((parameter) => [`${String(operationId)} ${String(parameter["name"])}`, parameter] as const)
    )
    expect(parameters.filter(([, { description }]) => !isText(description)).map(([name]) => name)).toEqual([])
    expect(parameters.length).toBeGreaterThan(300)
  })

  it("every request body and every response, and does not name the schema only", () => {
    const bodies = operations.flatMap(({ operationId, requestBody, responses }) => [
      ...(requestBody === undefined ? [] : [[`${String(operationId)} request`, requestBody] as const]),
      ...Object.entries(record(responses)).map(
        ([status, response]) => [`${String(operationId)} ${status}`, response] as const
      )
    ])
    const missing = bodies.filter(([, body]) => {
      const { description } = record(body)
      return (
        !isText(description) ||
        String(description)
          .split(" | ")
          .every((name) => name in schemas || `${name}Error` in schemas)
      )
    })
    expect(missing.map(([name]) => name)).toEqual([])
  })

  it("every schema", () => {
    const missing = Object.entries(schemas).filter(([, schema]) => !isText(record(schema)["description"]))
    expect(missing.map(([name]) => name)).toEqual([])
    expect(Object.keys(schemas).length).toBeGreaterThan(200)
  })

  it("every property of every schema, request and response", () => {
    const inline = operations.flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(record(responses))].flatMap((body) =>
        bodySchemas(record(body)["content"]).flatMap((schema) => undescribed(schema, String(operationId)))
      )
    )
    const named = Object.entries(schemas).flatMap(([name, schema]) => undescribed(schema, name))
    expect([...named, ...inline]).toEqual([])
  })

  it("every tag and every credential", () => {
    const tags = list(document["tags"]).filter(({ description }) => !isText(description))
    const credentials = Object.values(record(record(document["components"])["securitySchemes"])).map(record)
    expect([...tags, ...credentials.filter(({ description }) => !isText(description))]).toEqual([])
  })

  it("no schema twice under a numbered name", () => {
    expect(Object.keys(schemas).filter((name) => /_\d+$/u.test(name))).toEqual([])
  })
})

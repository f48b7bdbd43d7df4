import { readFileSync } from "node:fs"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { describe, expect, it } from "vitest"
import { openApiText } from "../src/OpenApiText.ts"

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null
const record = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

const examples = JSON.parse(readFileSync(new URL("../examples.json", import.meta.url), "utf8"))
const document = record(JSON.parse(openApiText(examples)))
const components = record(document["components"])
const schemas = record(components["schemas"])
const shared = record(components["examples"])

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addSchema({ $id: "document", components: { schemas } })

const validators = new Map<string, ReturnType<typeof ajv.compile>>()

/** Compiles a schema of the document once. */
const validatorOf = (schema: unknown): ReturnType<typeof ajv.compile> => {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text))
  validators.set(text, validate)
  return validate
}

/** Returns the errors of a value against a schema of the document. */
const faults = (schema: unknown, value: unknown): ReadonlyArray<string> => {
  const validate = validatorOf(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

interface Body {
  readonly name: string
  readonly status: number | null
  readonly media: Record<string, unknown>
}

const operations = Object.values(record(document["paths"]))
  .flatMap((path) => Object.values(record(path)).map(record))
  .filter((operation) => operation["x-outside-contract"] !== true)

const jsonOf = (body: unknown): Record<string, unknown> | undefined => {
  const media = record(record(body)["content"])["application/json"]
  return isRecord(media) && record(media["schema"])["format"] !== "binary" ? media : undefined
}

const bodies: ReadonlyArray<Body> = operations.flatMap(({ operationId, requestBody, responses }) => {
  const request = jsonOf(requestBody)
  const answers = Object.entries(record(responses)).flatMap(([status, response]) => {
    const media = jsonOf(response)
    return media === undefined ? [] : [{ name: `${String(operationId)} ${status}`, status: Number(status), media }]
  })
  return [
    ...(request === undefined ? [] : [{ name: `${String(operationId)} request`, status: null, media: request }]),
    ...answers
  ]
})

const valueOf = (example: unknown): unknown => {
  const { $ref, value } = record(example)
  return typeof $ref === "string" ? record(shared[$ref.split("/").at(-1) ?? ""])["value"] : value
}

/** Returns all example values of a body. */
const valuesOf = ({ media }: Body): ReadonlyArray<unknown> =>
  "example" in media ? [media["example"]] : Object.values(record(media["examples"])).map(valueOf)

describe("the examples of the document", () => {
  it("exist for every JSON request and success response", () => {
    const missing = bodies.filter((body) => (body.status ?? 200) < 400 && valuesOf(body).length === 0)
    expect(missing.map(({ name }) => name)).toEqual([])
    expect(bodies.length).toBeGreaterThan(500)
  })

  it("exist for every code of an error response", () => {
    const codes = (schema: unknown): ReadonlyArray<unknown> => {
      const { $ref, anyOf, properties } = record(schema)
      if (Array.isArray(anyOf)) return anyOf.flatMap(codes)
      if (typeof $ref === "string") return codes(schemas[$ref.split("/").at(-1) ?? ""])
      const values = record(record(record(record(properties)["error"])["properties"])["code"])["enum"]
      return Array.isArray(values) ? values : ["ACTION_FAILED"]
    }
    const missing = bodies.filter(({ media, status }) => {
      const names = Object.keys(record(media["examples"]))
      return (status ?? 0) >= 400 && codes(media["schema"]).some((code) => !names.includes(String(code)))
    })
    expect(missing.map(({ name }) => name)).toEqual([])
  })

  it("exist for every schema", () => {
    const missing = Object.entries(schemas).filter(([, schema]) => record(schema)["examples"] === undefined)
    expect(missing.map(([name]) => name)).toEqual([])
  })

  it("are valid in requests and responses", () => {
    const wrong = bodies.flatMap((body) =>
      valuesOf(body).flatMap((value) => faults(body.media["schema"], value).map((fault) => `${body.name}: ${fault}`))
    )
    expect(wrong).toEqual([])
  })

  it("are valid in schemas", () => {
    const wrong = Object.entries(schemas).flatMap(([name, schema]) => {
      const { examples = [] } = record(schema)
      return (Array.isArray(examples) ? examples : []).flatMap((value) =>
        faults({ $ref: `#/components/schemas/${name}` }, value).map((fault) => `${name}: ${fault}`)
      )
    })
    expect(wrong).toEqual([])
  })

  it("name one tenant, and no machine or secret of the run that produced them", () => {
    const tenants = new Set(Array.from(JSON.stringify(examples).matchAll(/"tenant_id":"([^"]+)"/gu), ([, id]) => id))
    expect([...tenants]).toEqual(["demo"])
    expect(JSON.stringify(examples)).not.toMatch(/127\.0\.0\.1|localhost|\/tmp\//u)
  })
})

import { Api } from "@leadloom/api/internal/Api"
import { bodyLimits, formatBytes } from "@leadloom/api/internal/BodyLimits"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Schema, SchemaAST } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { endpointFaults, outsideFaults } from "../../src/http/middleware/EndpointFaults.ts"
import { maxItemsOf } from "../../src/http/validation/LongArrays.ts"
import { outsideRoutes } from "../../src/http/OutsideRoutes.ts"
import { bodies, endpoints } from "../world/Endpoints.ts"
import { adminKey, at, startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld, sourceId, type World } from "../world/World.ts"

const document: unknown = JSON.parse(JSON.stringify(OpenApi.fromApi(Api)))

interface Operation {
  readonly method: string
  /** With parameters such as `:tenant_id`. */
  readonly path: string
  readonly operation: unknown
}

const entries = (value: unknown) => Object.entries(Object(value))

const operations: ReadonlyArray<Operation> = entries(at(document, "paths")).flatMap(([path, methods]) =>
  entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/gu, ":$1"),
    operation
  }))
)

let server: TestServer
let world: World
beforeAll(async () => {
  server = startServer({
    LEADLOOM_MCP: "yes",
    LEADLOOM_LIMIT_ADMIN: "100000",
    LEADLOOM_LIMIT_WEBHOOK: "100000",
    LEADLOOM_LIMIT_PUBLIC: "1000"
  })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const mediaOf = (header: string | null): string => (header ?? "").split(";", 1)[0] ?? ""

/** Requests that provoke every response of a route, including errors of the transport. */
const provocations: ReadonlyArray<RequestInit & { readonly method?: string }> = [
  { method: "PROPFIND" },
  {},
  { headers: { authorization: "Bearer nonsense" } },
  { headers: { "content-type": "image/png" }, body: "x" },
  { body: "{", headers: { "content-type": "application/json" } },
  { body: " ".repeat(5 * 1024 * 1024), headers: { "content-type": "application/json" } },
  { headers: { "if-none-match": "*" } }
]

const large = ["batches.create", "leads.import", "import.email", "dataRights.importArchive"]

describe("the published document", () => {
  it("contains every route of the server and no other", () => {
    const served = [
      ...endpoints.map(({ method, path }) => `${method} ${path}`),
      ...outsideRoutes.map(([method, path]) => `${method} ${path}`)
    ]
    expect(operations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(served.toSorted())
  })

  it.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))(
    "%s documents every status and media type of the server's responses",
    async (_, { method, operation, path }) => {
      const name = String(at(operation, "operationId"))
      const params: Readonly<Record<string, string>> = {
        tenant_id: name === "tenants.archive" ? "nobody" : "acme",
        source_id: sourceId
      }
      const url = path.replaceAll(/:(\w+)/gu, (_, param: string) => params[param] ?? "of_nothing")
      const query =
        ["tasks.callbacks"].includes(name) || name.startsWith("billing.")
          ? "?tenant_id=acme"
          : name === "eventFeed.stream"
            ? "?follow=false"
            : ""
      for (const { body = null, headers = {}, method: other = method } of provocations) {
        if (typeof body === "string" && (method === "GET" || (body.length > 1_000 && large.includes(name)))) continue
        for (const credential of [
          {},
          { authorization: `Bearer ${name === "events.send" ? world.acme.sourceKey : adminKey}` }
        ]) {
          const sent = new Headers({ ...credential, ...Object.fromEntries(new Headers(headers)) })
          const response = await server.fetch(
            new Request(`http://leadloom.test${url}${query}`, { method: other, headers: sent, body })
          )
          const documented = at(operation, "responses", String(response.status))
          expect([response.status, documented === undefined]).toEqual([response.status, false])
          const media = mediaOf(response.headers.get("content-type"))
          const known = Object.keys(Object(at(documented, "content")))
          if (media !== "") expect([media, known.includes(media) || known.includes("*/*")]).toEqual([media, true])
          await response.body?.cancel()
        }
      }
    }
  )

  it.each(Object.entries(bodyLimits))("documents the body limit of %s", (name, { bytes }) => {
    const found = operations.find(({ operation }) => at(operation, "operationId") === name)
    expect(at(found?.operation, "responses", "413", "description")).toBe(
      `The body is larger than ${formatBytes(bytes)}`
    )
  })

  it("marks the routes as deprecated that send deprecation headers", async () => {
    const deprecated = operations.filter(({ operation }) => at(operation, "deprecated") === true)
    expect(deprecated.map(({ operation }) => at(operation, "operationId"))).toEqual([
      "tasks.callbacks",
      "crmActions.runAlias"
    ])
    for (const { operation } of deprecated) {
      expect(at(operation, "responses", "200", "headers", "Deprecation")).toBeDefined()
      expect(at(operation, "responses", "200", "headers", "Link")).toBeDefined()
    }
    const callbacks = await server.call("GET", "/api/v1/callbacks?tenant_id=acme", { as: adminKey })
    expect(callbacks.headers.get("deprecation")).toMatch(/^@\d+$/u)
    const body = bodies["crmActions.runAlias"]
    const alias = await server.call("POST", "/api/v1/actions/add_tag", { as: adminKey, body })
    expect([alias.headers.get("deprecation"), alias.headers.get("link")]).toEqual([
      expect.stringMatching(/^@\d+$/u),
      '</api/v1/actions/crm/add_tag>; rel="successor-version"'
    ])
  })

  it("marks nullable fields", () => {
    const schema = at(document, "components", "schemas", "Conversation")
    for (const field of ["contact_name", "contact_email", "lead_id", "lead_state", "score_tier"]) {
      const choices = at(schema, "properties", field, "anyOf")
      expect([field, Array.isArray(choices) && choices.some((choice) => at(choice, "type") === "null")]).toEqual([
        field,
        true
      ])
    }
  })
})

describe("a route without limits", () => {
  it("prevents the start of the server", () => {
    expect([...endpointFaults(Api), ...outsideFaults()]).toEqual([])
    const open = HttpApiGroup.make("g").add(
      HttpApiEndpoint.post("a", "/a", { payload: Schema.Struct({ a: Schema.String }) })
    )
    expect(endpointFaults(HttpApi.make("test").add(open))).toEqual([
      "POST /a is not validated",
      "POST /a reads a body without a limit"
    ])
    expect(outsideFaults([["POST", "/b", "docs.page"]])).toEqual(["POST /b reads a body without a limit"])
  })

  it("is reported if an array of a body has no maximum", () => {
    const unbounded: Array<string> = []
    const walk = (ast: SchemaAST.AST, path: string): void => {
      if (SchemaAST.isArrays(ast)) {
        if (maxItemsOf(ast) === null) unbounded.push(path)
        for (const item of ast.rest) walk(item, `${path}[]`)
      } else if (SchemaAST.isObjects(ast)) {
        for (const { name, type } of ast.propertySignatures) walk(type, `${path}.${String(name)}`)
        for (const { type } of ast.indexSignatures) walk(type, `${path}.*`)
      } else if (SchemaAST.isUnion(ast)) for (const member of ast.types) walk(member, path)
    }
    HttpApi.reflect(Api, {
      onGroup: () => undefined,
      onEndpoint: ({ endpoint, group }) => {
        for (const { ast } of endpoint.payload.get("application/json")?.schemas ?? [])
          walk(ast, `${group.identifier}.${endpoint.identifier}`)
      }
    })
    expect(unbounded).toEqual([])
  })
})

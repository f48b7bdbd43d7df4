import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { capReached } from "../world/Broken.ts"
import { at, adminKey, startServer, type TestServer } from "../world/TestServer.ts"
import { importOf, mail, makeWorld, sourceId, type World } from "../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
})
afterAll(() => server.close())

const actions = ["score-contact", "classify-conversation", "generate-reply"]
const event = { entity: { id: "1" }, content: { body: "Hello" } }

/** The error table of the specification, row by row. */
describe("400 BAD_REQUEST", () => {
  it.each([
    ["without tenant_id", {}],
    ["with malformed JSON", "{"],
    ["with an empty tenant_id", { tenant_id: "" }],
    ["with a tenant and a location", { tenant_id: "acme", location_id: "loc" }],
    ["with an empty location_id", { location_id: "" }],
    ["with an empty body", ""]
  ])("answers a session request %s", async (_, body) => {
    const answer = await server.call("POST", "/api/v1/sessions", { as: adminKey, body })
    expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"])
    expect(at(answer.json, "error", "details", 0, "message")).toEqual(expect.any(String))
  })

  it("lists every invalid field", async () => {
    const body = { tenant_id: 5, name: "", domain: 7, nonsense: true }
    const answer = await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body })
    const details = at(answer.json, "error", "details")
    const paths = Array.isArray(details) ? details.map((detail) => at(detail, "path")) : []
    expect(paths.toSorted()).toEqual(["domain", "name", "nonsense", "tenant_id"])
  })
})

describe("400 action failure", () => {
  it.each(actions)("answers invalid JSON and payloads on %s in the envelope of actions", async (action) => {
    for (const body of ["{", "", "[]", {}, { message: "" }, { message: "  " }, { message: "Hi", channel: "fax" }]) {
      const path = `/api/v1/actions/automation/acme/${action}`
      const answer = await server.call("POST", path, { as: world.acme.apiKey, body })
      expect([answer.status, at(answer.json, "success")]).toEqual([400, false])
      expect(at(answer.json, "error")).toEqual(expect.any(String))
    }
  })

  it.each(["classify-conversation", "generate-reply"])("answers %s without a model", async (action) => {
    const path = `/api/v1/actions/automation/acme/${action}`
    const answer = await server.call("POST", path, { as: world.acme.apiKey, body: { message: "Hi" } })
    expect(answer.status).toBe(400)
    expect(Object.keys(Object(answer.json)).toSorted()).toEqual(["error", "success"])
    expect(at(answer.json, "success")).toBe(false)
    expect(at(answer.json, "error")).toMatch(/^LLM provider not configured/u)
  })
})

describe("401 UNAUTHORIZED", () => {
  it.each([
    ["a missing credential", {}],
    ["an invalid credential", { authorization: "Bearer nonsense" }]
  ])("answers %s", async (_, headers) => {
    for (const [method, path] of [
      ["GET", "/api/v1/tenants/acme/contacts"],
      ["POST", "/api/v1/sessions"],
      ["POST", `/api/v1/events/acme/${sourceId}`]
    ] as const) {
      const answer = await server.call(method, path, { headers })
      expect([path, answer.status, answer.code]).toEqual([path, 401, "UNAUTHORIZED"])
      expect(answer.headers.get("www-authenticate")).toBe("Bearer")
    }
  })

  it("answers a tenant API key on the custom event endpoint", async () => {
    const answer = await server.call("POST", `/api/v1/events/acme/${sourceId}`, { as: world.acme.apiKey, body: event })
    expect([answer.status, answer.code]).toEqual([401, "UNAUTHORIZED"])
  })
})

describe("403", () => {
  it("is FORBIDDEN when the caller has no access to the tenant", async () => {
    const answer = await server.call("GET", "/api/v1/tenants/other/contacts", { as: world.acme.apiKey })
    expect([answer.status, answer.code]).toEqual([403, "FORBIDDEN"])
    const session = await server.call("POST", "/api/v1/sessions", {
      as: world.acme.apiKey,
      body: { tenant_id: "acme" }
    })
    expect([session.status, session.code]).toEqual([403, "FORBIDDEN"])
  })

  it("is HIPAA_RESTRICTED on an email endpoint of a HIPAA tenant, whatever the credential", async () => {
    const body = importOf(mail({}, "Hello"))
    const answer = await server.call("POST", "/api/v1/import/clinic/email", { as: adminKey, body })
    expect([answer.status, answer.code]).toEqual([403, "HIPAA_RESTRICTED"])
  })
})

describe("404 NOT_FOUND", () => {
  it("answers an unknown tenant on custom events, in both modes", async () => {
    for (const mode of ["", "?mode=sync"]) {
      const path = `/api/v1/events/nobody/global${mode}`
      const answer = await server.call("POST", path, { as: world.globalSourceKey, body: event })
      expect([answer.status, answer.code]).toEqual([404, "NOT_FOUND"])
    }
  })

  it.each(actions)("answers an unknown tenant on %s", async (action) => {
    const path = `/api/v1/actions/automation/nobody/${action}`
    const answer = await server.call("POST", path, { as: adminKey, body: { message: "Hi" } })
    expect([answer.status, answer.code]).toEqual([404, "NOT_FOUND"])
  })

  it("answers an unknown tenant on sessions", async () => {
    const answer = await server.call("POST", "/api/v1/sessions", { as: adminKey, body: { tenant_id: "nobody" } })
    expect([answer.status, answer.code]).toEqual([404, "NOT_FOUND"])
  })
})

describe("429", () => {
  it.each([
    ["USAGE_LIMIT_REACHED", "actions", actions],
    ["AI_LIMIT_REACHED", "ai_calls", ["classify-conversation", "generate-reply"]]
  ])("is %s if the tenant's %s are used up", async (code, spent, blocked) => {
    const capped = startServer({}, capReached(spent))
    const { acme } = await makeWorld(capped)
    for (const action of blocked) {
      const path = `/api/v1/actions/automation/acme/${action}`
      const answer = await capped.call("POST", path, { as: acme.apiKey, body: { message: "Hi" } })
      expect([action, answer.status, answer.code]).toEqual([action, 429, code])
    }
    await capped.close()
  })
})

describe("503 SERVICE_UNAVAILABLE", () => {
  it("answers sessions without a secret to sign them", async () => {
    const bare = startServer({ LEADLOOM_SESSION_SECRET: "" })
    const answer = await bare.call("POST", "/api/v1/sessions", { as: adminKey, body: { tenant_id: "acme" } })
    expect([answer.status, answer.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    await bare.close()
  })

  it("answers a custom event when no source key is configured that could open its URL", async () => {
    const answer = await server.call("POST", "/api/v1/events/acme/unheard", { as: world.acme.sourceKey, body: event })
    expect([answer.status, answer.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
  })
})

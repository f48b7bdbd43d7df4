import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodies } from "../../world/Endpoints.ts"
import { adminKey, startServer, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, sourceId, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_BAD_CREDENTIALS: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

/** One endpoint per authorisation middleware. */
const doors = [
  ["GET", "/api/v1/tenants/acme/contacts", undefined],
  ["POST", `/api/v1/events/acme/${sourceId}`, bodies["events.send"]],
  ["POST", "/api/v1/sessions", bodies["sessions.mint"]],
  ["POST", "/api/v1/actions/crm/add_tag", bodies["crmActions.run"]]
] as const

// The permission matrix defines the rights (`Permissions.test.ts`).
describe("an unknown credential", () => {
  it.each([
    ["a text", "nonsense"],
    ["an unknown API key", "llk_00000000_00000000000000000000000000000000000000"],
    ["a session token with another signature", `${Buffer.from("{}").toString("base64url")}.c2lnbmF0dXJl`],
    ["a prefix of the admin key", adminKey.slice(0, -1)],
    ["the admin key with a further character", `${adminKey}x`]
  ])("is rejected: %s", async (_, credential) => {
    for (const [method, path, body] of doors) {
      const answer = await server.call(method, path, { as: credential, ...(body === undefined ? {} : { body }) })
      expect([path, answer.status, answer.code]).toEqual([path, 401, "UNAUTHORIZED"])
    }
  })
})

describe("the order of checks", () => {
  const wrongBody = { as: "", body: { nonsense: true } }

  it("checks the route before the credential", async () => {
    expect((await server.call("GET", "/api/v1/nothing")).status).toBe(404)
    expect((await server.call("DELETE", "/api/v1/sessions")).status).toBe(405)
  })

  it("checks the credential before the tenant", async () => {
    expect((await server.call("GET", "/api/v1/tenants/nobody/contacts", { as: "nonsense" })).code).toBe("UNAUTHORIZED")
  })

  it("checks the right before the tenant, so that it reveals no tenant", async () => {
    const requesting = { as: world.acme.apiKey }
    const existing = await server.call("GET", "/api/v1/tenants/other/contacts", requesting)
    const missing = await server.call("GET", "/api/v1/tenants/nobody/contacts", requesting)
    expect([existing.status, missing.status]).toEqual([403, 403])
    expect(missing.text).toBe(existing.text)
  })

  it("checks the tenant before the payload", async () => {
    const answer = await server.call("POST", "/api/v1/tenants/nobody/contacts", { ...wrongBody, as: adminKey })
    expect([answer.status, answer.code]).toEqual([404, "NOT_FOUND"])
  })

  it("checks HIPAA before the payload", async () => {
    const answer = await server.call("POST", "/api/v1/import/clinic/email", { ...wrongBody, as: adminKey })
    expect([answer.status, answer.code]).toEqual([403, "HIPAA_RESTRICTED"])
  })

  it("checks HIPAA before the right", async () => {
    const answer = await server.call("POST", "/api/v1/import/clinic/email", { as: world.clinic.apiKey, body: {} })
    expect([answer.status, answer.code]).toEqual([403, "HIPAA_RESTRICTED"])
  })

  it("checks the payload before existence", async () => {
    const path = "/api/v1/tenants/acme/contacts/con_nothing"
    expect((await server.call("PATCH", path, { as: world.acme.apiKey, body: { name: 5 } })).status).toBe(400)
    expect((await server.call("PATCH", path, { as: world.acme.apiKey, body: { name: "x" } })).status).toBe(404)
  })
})

describe("a tenant in the query", () => {
  it("is authorised in the same way as the endpoint reads it, whatever precedes it in the query", async () => {
    for (const path of ["/api/v1/callbacks", "/api/v1/billing/status"]) {
      for (const begin of ["?", ";", "#", "?tenant_id=other&", ";tenant_id=other?", "#tenant_id=other?"]) {
        const url = `${path}${begin}tenant_id=other`
        for (const as of [world.acme.session, world.acme.apiKey]) {
          const { status } = await server.call("GET", url, { as })
          expect([url, status]).toEqual([url, begin.startsWith("?") ? 403 : 404])
        }
      }
    }
  })
})

describe("a revoked credential", () => {
  it("is rejected, and its replacement is accepted", async () => {
    const { other } = world
    const contacts = async (as: string) => (await server.call("GET", "/api/v1/tenants/other/contacts", { as })).status
    expect(await contacts(other.apiKey)).toBe(200)
    await server.call("DELETE", `/api/v1/tenants/other/api-keys/${other.keyId}`, { as: adminKey })
    expect(await contacts(other.apiKey)).toBe(401)
  })

  it("cannot distinguish an archived tenant from an unknown one", async () => {
    await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: { tenant_id: "gone", name: "Gone" } })
    expect((await server.call("DELETE", "/api/v1/admin/tenants/gone", { as: adminKey })).status).toBe(204)
    expect((await server.call("GET", "/api/v1/tenants/gone/contacts", { as: adminKey })).code).toBe("NOT_FOUND")
    expect((await server.call("GET", "/api/v1/admin/tenants/gone", { as: adminKey })).code).toBe("NOT_FOUND")
  })
})

describe("the operator", () => {
  it("has no access if no admin key is configured", async () => {
    const closed = startServer({ LEADLOOM_ADMIN_KEY: "" })
    for (const as of ["", "null", "undefined", adminKey]) {
      expect((await closed.call("GET", "/api/v1/admin/tenants", { as })).status).toBe(401)
    }
    await closed.close()
  })

  it("requires the Bearer scheme, in any case", async () => {
    const sendRequest = async (authorization: string) =>
      (await server.call("GET", "/api/v1/admin/tenants", { headers: { authorization } })).status
    expect(await sendRequest(`bearer ${adminKey}`)).toBe(200)
    expect(await sendRequest(adminKey)).toBe(401)
    expect(await sendRequest(`Basic ${adminKey}`)).toBe(401)
  })
})

describe("a source key", () => {
  const event = { entity: { id: "1" }, content: { body: "Hello" } }
  const send = (path: string, headers: Record<string, string>) => server.call("POST", path, { body: event, headers })

  it("is accepted as Bearer credential or in X-Source-Key", async () => {
    const path = `/api/v1/events/acme/${sourceId}`
    expect((await send(path, { authorization: `Bearer ${world.acme.sourceKey}` })).status).toBe(200)
    expect((await send(path, { "x-source-key": world.acme.sourceKey })).status).toBe(200)
    expect((await send(path, { "x-source-key": world.other.sourceKey })).status).toBe(401)
  })

  it("is valid for its source only; a global key is valid for its source in every tenant", async () => {
    expect((await send("/api/v1/events/acme/global", { "x-source-key": world.globalSourceKey })).status).toBe(200)
    expect((await send("/api/v1/events/other/global", { "x-source-key": world.globalSourceKey })).status).toBe(200)
    expect((await send("/api/v1/events/acme/global", { "x-source-key": world.acme.sourceKey })).status).toBe(401)
    expect((await send(`/api/v1/events/acme/${sourceId}`, { "x-source-key": world.globalSourceKey })).status).toBe(401)
  })
})

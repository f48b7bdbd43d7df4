import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
})
afterAll(() => server.close())

const entriesIn = ({ json }: Answer): ReadonlyArray<unknown> => {
  const found = at(json, "entries")
  return Array.isArray(found) ? found : []
}

const trail = (path = "/api/v1/tenants/acme/audit", as = adminKey) => server.call("GET", path, { as })

const newest = async (): Promise<unknown> => entriesIn(await trail())[0]

describe("the audit trail", () => {
  it("records the creation of a tenant and all later actions of its operator", async () => {
    const entries = entriesIn(await trail()).map((entry) => at(entry, "action"))
    expect(entries).toEqual(["sources.create", "sessions.mint", "apiKeys.create", "tenants.create"])
    const deployment = entriesIn(await trail("/api/v1/admin/audit"))
    const ofTenant = (tenantId: string) =>
      ["sources.create", "apiKeys.create", "tenants.create"].map((action) => [action, null, tenantId])
    expect(
      deployment.map((entry) => [at(entry, "action"), at(entry, "tenant_id"), at(entry, "target", "tenant_id")])
    ).toEqual([
      ...ofTenant("clinic"),
      ...ofTenant("other"),
      ...ofTenant("acme"),
      ["sources.createGlobal", null, undefined]
    ])
  })

  it("records revoked keys and archived tenants for the operator, whoever the caller is", async () => {
    const made = await server.call("POST", "/api/v1/tenants/other/api-keys", { as: adminKey, body: { name: "more" } })
    const key_id = textAt(made.json, "id")
    await server.call("DELETE", `/api/v1/tenants/other/api-keys/${key_id}`, { as: adminKey })
    await server.call("DELETE", "/api/v1/admin/tenants/clinic", { as: adminKey })
    const [archived, revoked, created] = entriesIn(await trail("/api/v1/admin/audit"))
    expect(archived).toMatchObject({
      tenant_id: null,
      actor: "admin",
      action: "tenants.archive",
      target: { tenant_id: "clinic" },
      change: { before: { archived_at: null } }
    })
    expect(revoked).toMatchObject({ action: "apiKeys.revoke", target: { tenant_id: "other", key_id } })
    expect(created).toMatchObject({ action: "apiKeys.create", target: { tenant_id: "other" } })
  })

  it("records actor, action, time, address and differences", async () => {
    const made = await server.call("POST", "/api/v1/tenants/acme/api-keys", { as: adminKey, body: { name: "more" } })
    const key_id = textAt(made.json, "id")
    await server.call("DELETE", `/api/v1/tenants/acme/api-keys/${key_id}`, {
      as: adminKey,
      headers: { "x-request-id": "my-request" }
    })
    const keyBefore = { key_id, name: "more", prefix: textAt(made.json, "prefix"), scopes: null, expires_at: null }
    expect(await newest()).toEqual({
      id: expect.stringMatching(/^aud_/u),
      tenant_id: "acme",
      timestamp: expect.stringMatching(/^\d{4}-/u),
      actor: "admin",
      action: "apiKeys.revoke",
      user_id: null,
      user_name: null,
      target: { key_id },
      address: null,
      request_id: "my-request",
      change: { before: { ...keyBefore, revoked_at: null }, after: { ...keyBefore, revoked_at: expect.any(Number) } }
    })
  })

  it("records configuration versions and no secrets", async () => {
    await server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: { reply_mode: "off" } })
    expect(await newest()).toMatchObject({
      action: "config.update",
      change: { before: { version: 1 }, after: { version: 2 } }
    })
    const { text } = await trail("/api/v1/tenants/acme/audit?limit=250")
    for (const secret of [world.acme.apiKey, world.acme.session, world.acme.sourceKey])
      expect(text).not.toContain(secret)
  })

  it("omits rejected requests, reads and work of agents", async () => {
    const before = await newest()
    const refused = await server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: { reply_mode: "loud" } })
    expect(refused.status).toBe(400)
    const forbidden = await server.call("PATCH", "/api/v1/config/acme", { as: world.acme.apiKey, body: {} })
    expect(forbidden.status).toBe(403)
    await server.call("GET", "/api/v1/config/acme", { as: adminKey })
    await server.call("POST", "/api/v1/tenants/acme/contacts", { as: adminKey, body: { name: "Jo" } })
    expect(await newest()).toEqual(before)
  })

  it("records an export", async () => {
    expect((await server.call("GET", "/api/v1/tenants/acme/export", { as: adminKey })).status).toBe(200)
    expect(await newest()).toMatchObject({ action: "dataRights.exportTenant", change: null })
  })

  it("is paginated, filtered and visible to admins only", async () => {
    const first = await trail("/api/v1/tenants/acme/audit?limit=1&action=apiKeys.create")
    expect(entriesIn(first)).toHaveLength(1)
    const cursor = encodeURIComponent(textAt(first.json, "next_cursor"))
    const second = await trail(`/api/v1/tenants/acme/audit?limit=1&action=apiKeys.create&cursor=${cursor}`)
    expect([entriesIn(second).length, at(second.json, "next_cursor")]).toEqual([1, null])
    expect((await trail(`/api/v1/tenants/acme/audit?cursor=${cursor}`)).status).toBe(400)
    expect(entriesIn(await trail("/api/v1/tenants/acme/audit?actor=nobody"))).toEqual([])
    for (const as of [world.acme.apiKey, world.acme.session])
      expect([
        (await trail("/api/v1/tenants/acme/audit", as)).status,
        (await trail("/api/v1/admin/audit", as)).status
      ]).toEqual([403, 403])
    expect((await trail("/api/v1/tenants/nobody/audit")).status).toBe(404)
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodies } from "../../world/Endpoints.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld } from "../../world/World.ts"

let server: TestServer
beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  await makeWorld(server)
})
afterAll(() => server.close())

const keysPath = (tenant: string) => `/api/v1/tenants/${tenant}/api-keys`
const create = (body: unknown, tenant = "acme") => server.call("POST", keysPath(tenant), { as: adminKey, body })
const rotate = (key_id: string, tenant = "acme") =>
  server.call("POST", `${keysPath(tenant)}/rotate`, { as: adminKey, body: { key_id } })
const revoke = (id: string) => server.call("DELETE", `${keysPath("acme")}/${id}`, { as: adminKey })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** Creates a key of acme for one test and revokes it afterwards, because a tenant has at most three keys. */
const withKey = async (body: unknown, test: (key: string, id: string) => Promise<void>) => {
  const { json } = await create(body)
  const id = textAt(json, "id")
  await test(textAt(json, "key"), id)
  await revoke(id)
}

describe("the scopes of an API key", () => {
  it("are named in the rejection", async () => {
    await withKey({ name: "form", scopes: ["messages"] }, async (key) => {
      const refused = await server.call("GET", "/api/v1/tenants/acme/contacts", { as: key })
      expect(refused.text).toContain("limited to: messages")
    })
  })

  it("are listed without duplicates in the order of the contract, and stay after a rotation", async () => {
    const made = await create({ name: "console", scopes: ["messages", "read", "messages"] }, "other")
    expect(made.json).toEqual({
      id: expect.stringMatching(/^key_/u),
      name: "console",
      prefix: textAt(made.json, "key").slice(0, 12),
      key: expect.stringMatching(/^llk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/u),
      scopes: ["read", "messages"],
      status: "active",
      created_at: expect.any(String),
      expires_at: null,
      last_used_at: null
    })
    const rotated = await rotate(textAt(made.json, "id"), "other")
    expect(at(rotated.json, "scopes")).toEqual(["read", "messages"])
    const as = textAt(rotated.json, "key")
    expect((await server.call("GET", "/api/v1/tenants/other/contacts", { as })).status).toBe(200)
    expect((await server.call("POST", "/api/v1/test/other", { as, body: bodies["pipeline.dryRun"] })).status).toBe(403)
    const list = await server.call("GET", keysPath("other"), { as: adminKey })
    const listedKeys = at(list.json, "api_keys")
    expect(listedKeys).toMatchObject([
      { name: "partner", scopes: null, status: "active", last_used_at: null },
      { name: "console", scopes: ["read", "messages"], status: "rotated" },
      { name: "console", scopes: ["read", "messages"], status: "active", last_used_at: expect.any(String) }
    ])
    expect(list.text).not.toContain(as)
  })

  it.each([
    ["scopes", { scopes: [] }],
    ["scopes.0", { scopes: ["admin"] }],
    ["scopes", { scopes: "read" }],
    ["scopes", { scopes: null }],
    ["expires_at", { expires_at: "soon" }],
    ["expires_at", { expires_at: inDays(-1) }],
    ["expires_at", { expires_at: null }]
  ])("are rejected at %s if invalid", async (path, body) => {
    const answer = await create({ name: "wrong", ...body })
    expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, path])
  })
})

describe("an API key with an expiry", () => {
  it("has a successor with the same lifetime, and the rotation does not extend it", async () => {
    const [soon, later] = [inDays(1), inDays(90)]
    const short = await create({ name: "short", expires_at: soon })
    expect(at(short.json, "expires_at")).toBe(soon)
    const long = await create({ name: "long", expires_at: later })
    const ids = [textAt(short.json, "id"), textAt(long.json, "id")]
    for (const id of ids) {
      const answer = await rotate(id)
      expect([answer.status, Date.parse(textAt(answer.json, "expires_at")) > Date.now()]).toEqual([200, true])
      expect((await rotate(id)).code).toBe("CONFLICT")
      await revoke(textAt(answer.json, "id"))
    }
    const list = await server.call("GET", keysPath("acme"), { as: adminKey })
    const expiries = ids.map((id) => {
      const keys = at(list.json, "api_keys")
      return Array.isArray(keys)
        ? at(
            keys.find((key) => at(key, "id") === id),
            "expires_at"
          )
        : undefined
    })
    expect(expiries[0]).toBe(soon)
    const grace = Date.parse(String(expiries[1])) - Date.now()
    expect(grace).toBeGreaterThan(71 * 3_600_000)
    expect(grace).toBeLessThanOrEqual(72 * 3_600_000)
  })
})

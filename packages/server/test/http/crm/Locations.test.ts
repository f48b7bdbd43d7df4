import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
})
afterAll(() => server.close())

const path = "/api/v1/admin/locations"
const put = (body: unknown, as = adminKey) => server.call("PUT", path, { as, body })

describe("locations of a CRM", () => {
  it("are linked to a tenant and define its sessions", async () => {
    const made = await put({ location_id: "ve9EPM428h8vShlRW1KT", tenant_id: "acme", sessions: "sso" })
    expect(made.status).toBe(200)
    expect(made.json).toMatchObject({ location_id: "ve9EPM428h8vShlRW1KT", tenant_id: "acme", sessions: "sso" })
    const changed = await put({ location_id: "ve9EPM428h8vShlRW1KT", tenant_id: "acme", sessions: "off" })
    expect(at(changed.json, "created_at")).toBe(at(made.json, "created_at"))
    await put({ location_id: "another", tenant_id: "other", sessions: "open" })
    const listed = await server.call("GET", path, { as: adminKey })
    expect(at(listed.json, "locations")).toEqual([
      expect.objectContaining({ location_id: "another", tenant_id: "other", sessions: "open" }),
      changed.json
    ])
    expect((await server.call("DELETE", `${path}/another`, { as: adminKey })).status).toBe(204)
    expect((await server.call("DELETE", `${path}/another`, { as: adminKey })).code).toBe("NOT_FOUND")
  })

  it("cannot move to another tenant or be linked to an unknown one", async () => {
    await put({ location_id: "mine", tenant_id: "acme", sessions: "off" })
    const accepted = await put({ location_id: "mine", tenant_id: "other", sessions: "open" })
    expect([accepted.status, accepted.code]).toEqual([409, "CONFLICT"])
    expect(accepted.text).not.toContain("acme")
    expect((await put({ location_id: "probeCode", tenant_id: "nobody", sessions: "off" })).status).toBe(404)
  })

  it("have a mode and a plain id, and require the operator", async () => {
    for (const wrong of [
      { location_id: "mine", tenant_id: "acme" },
      { location_id: "mine", tenant_id: "acme", sessions: "ajar" },
      { location_id: "a/b", tenant_id: "acme", sessions: "off" },
      { location_id: "", tenant_id: "acme", sessions: "off" },
      { location_id: "x".repeat(129), tenant_id: "acme", sessions: "off" }
    ])
      expect((await put(wrong)).code).toBe("BAD_REQUEST")
    const body = { location_id: "mine", tenant_id: "acme", sessions: "open" }
    expect((await put(body, world.acme.apiKey)).status).toBe(403)
    expect((await put(body, world.acme.session)).status).toBe(403)
    expect((await server.call("PUT", path, { body })).status).toBe(401)
  })
})

import { createClient } from "@leadloom/client"
import { proofOf, sealProof } from "@leadloom/testkit/highlevel/SealProof"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

const secret = "the-apps-shared-secret"
const modes = { front: "open", back: "sso", closed: "off" }

let server: TestServer
let world: World

const map = async (on: TestServer, locationId: string, tenantId: string, sessions: string) => {
  const body = { location_id: locationId, tenant_id: tenantId, sessions }
  expect((await on.call("PUT", "/api/v1/admin/locations", { as: adminKey, body })).status).toBe(200)
}
const mint = (body: unknown, as?: string, on = server) =>
  on.call("POST", "/api/v1/sessions", { ...(as === undefined ? {} : { as }), body })

beforeAll(async () => {
  server = startServer({ LEADLOOM_CRM_SSO_SECRET: secret, LEADLOOM_LIMIT_BAD_CREDENTIALS: "1000" })
  world = await makeWorld(server)
  for (const [locationId, sessions] of Object.entries(modes)) await map(server, locationId, "acme", sessions)
  await map(server, "elsewhere", "other", "sso")
})
afterAll(() => server.close())

describe("a session by location", () => {
  it("needs no credential for an open location, and reaches its tenant for an hour", async () => {
    const before = Date.now()
    const answer = await mint({ location_id: "front" })
    expect(answer.status).toBe(200)
    expect(at(answer.json, "tenant_id")).toBe("acme")
    const left = Number(at(answer.json, "expires_at")) - before
    expect(left).toBeGreaterThanOrEqual(3_600_000)
    expect(left).toBeLessThan(3_660_000)
    const as = textAt(answer.json, "token")
    expect((await server.call("GET", "/api/v1/tenants/acme/contacts", { as })).status).toBe(200)
    expect((await server.call("GET", "/api/v1/tenants/other/contacts", { as })).status).toBe(403)
    expect((await server.call("GET", "/api/v1/config/acme", { as })).status).toBe(403)
    expect(answer.headers.get("x-ratelimit-limit")).toBe("1000")
  })

  it("is available in the client without a credential", async () => {
    const client = createClient({
      baseUrl: "http://leadloom.test",
      fetch: (url, init) => server.fetch(new Request(url, init))
    })
    expect(await client.sessions.mint({ location_id: "front" })).toMatchObject({ tenant_id: "acme" })
    const sealed = { location_id: "back", proof: proofOf("back", secret) }
    expect(await client.sessions.mint(sealed)).toMatchObject({ tenant_id: "acme" })
    await expect(client.sessions.mint({ tenant_id: "acme" })).rejects.toMatchObject({ code: "UNAUTHORIZED" })
  })

  it("requires a user proof of the CRM if the location does", async () => {
    const answer = await mint({ location_id: "back", proof: proofOf("back", secret) })
    expect([answer.status, at(answer.json, "tenant_id")]).toEqual([200, "acme"])
  })

  it.each([
    ["without a proof", undefined, 401],
    ["with a forged proof", proofOf("back", "somebody-elses-secret"), 401],
    ["with a malformed proof", "nonsense", 401],
    ["with an encrypted empty object", sealProof("{}", secret), 401],
    ["with a proof of another location", proofOf("elsewhere", secret), 403],
    ["with a proof of another location of the same tenant", proofOf("front", secret), 403],
    ["with a proof of an agency user", proofOf(null, secret), 403]
  ])("is rejected %s", async (_, proof, status) => {
    const answer = await mint({ location_id: "back", ...(proof === undefined ? {} : { proof }) })
    expect([answer.status, answer.code]).toEqual([status, status === 401 ? "UNAUTHORIZED" : "FORBIDDEN"])
  })

  it("is rejected with one error if sessions are off, the location is unknown or its tenant is archived", async () => {
    const gone = { tenant_id: "gone", name: "Gone" }
    await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: gone })
    await map(server, "left", "gone", "open")
    await server.call("DELETE", "/api/v1/admin/tenants/gone", { as: adminKey })
    for (const locationId of ["closed", "probeCode", "left"]) {
      const answer = await mint({ location_id: locationId, proof: proofOf(locationId, secret) })
      expect([locationId, answer.status, answer.code]).toEqual([locationId, 403, "FORBIDDEN"])
      expect(answer.text.replace(locationId, "…")).toContain("This server permits no sessions for the location ….")
    }
  })

  it("checks a credential that is sent anyway", async () => {
    expect((await mint({ location_id: "front" }, "nonsense")).status).toBe(401)
    expect((await mint({ location_id: "front" }, world.acme.apiKey)).status).toBe(403)
    expect((await mint({ location_id: "front" }, adminKey)).status).toBe(200)
    expect((await mint({ location_id: "back" }, adminKey)).status).toBe(401)
  })

  it.each([
    ["a tenant", { tenant_id: "acme" }, 401],
    ["a tenant and a location", { tenant_id: "acme", location_id: "front" }, 401],
    ["an empty object", {}, 401],
    ["a string instead of an object", '"location_id"', 401],
    ["malformed JSON", '{"location_id":', 401],
    ["a location that is not a string", { location_id: 7 }, 400],
    ["an empty location", { location_id: "" }, 400],
    ["an unknown field", { location_id: "front", role: "admin" }, 400],
    ["a proof that is too long", { location_id: "back", proof: "A".repeat(5_000) }, 400]
  ])("is rejected without a credential for %s", async (_, body, status) => {
    const answer = await mint(body)
    expect([answer.status, answer.code]).toEqual([status, status === 401 ? "UNAUTHORIZED" : "BAD_REQUEST"])
  })

  it("counts against the caller's network, whatever the response", async () => {
    const narrow = startServer({ LEADLOOM_LIMIT_BAD_CREDENTIALS: "3" })
    const location = { location_id: "probeCode" }
    const codes = [await mint(location, undefined, narrow), await mint(location, undefined, narrow)].map(
      ({ code }) => code
    )
    expect(codes).toEqual(["FORBIDDEN", "FORBIDDEN"])
    await mint({ location_id: "front" }, undefined, narrow)
    const refused = await mint({ location_id: "front" }, undefined, narrow)
    expect([refused.status, refused.code]).toEqual([429, "RATE_LIMITED"])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    await narrow.close()
  })

  it("names the missing secret of the operator", async () => {
    const bare = startServer()
    await makeWorld(bare)
    await map(bare, "back", "acme", "sso")
    const unsealed = await mint({ location_id: "back", proof: proofOf("back", secret) }, undefined, bare)
    expect([unsealed.status, unsealed.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(unsealed.text).toContain("LEADLOOM_CRM_SSO_SECRET")
    await bare.close()
    const silent = startServer({ LEADLOOM_SESSION_SECRET: "" })
    const tenant = { tenant_id: "acme", name: "Acme" }
    await silent.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: tenant })
    await map(silent, "front", "acme", "open")
    const unsigned = await mint({ location_id: "front" }, undefined, silent)
    expect([unsigned.status, unsigned.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    await silent.close()
  })
})

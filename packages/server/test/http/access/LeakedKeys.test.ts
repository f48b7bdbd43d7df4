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

const check = async (text: string, revoke?: boolean) =>
  server.call("POST", "/api/v1/admin/leaked-keys", {
    as: adminKey,
    body: { text, ...(revoke === undefined ? {} : { revoke }) }
  })
const contacts = async (as: string) => (await server.call("GET", "/api/v1/tenants/acme/contacts", { as })).status
const prefixOf = (key: string) => key.slice(0, 12)

describe("POST /admin/leaked-keys", () => {
  it("finds keys anywhere in a text, once each, and repeats none of them", async () => {
    const { acme, globalSourceKey, other } = world
    const text = [
      `LEADLOOM_API_KEY=${acme.apiKey}`,
      `{"token":"${acme.apiKey}","type":"leadloom_api_key","url":"https://git.example/a","source":"content"}`,
      `https://example.com/?key=${other.sourceKey}&x=1`,
      `_${globalSourceKey}\n`
    ].join("\n")
    const answer = await check(text)
    expect(answer.status).toBe(200)
    expect(at(answer.json, "leaked_keys")).toEqual([
      {
        kind: "api_key",
        prefix: prefixOf(acme.apiKey),
        status: "active",
        live: true,
        tenant_id: "acme",
        id: acme.keyId,
        revoked: false
      },
      expect.objectContaining({ kind: "source_key", live: true, tenant_id: "other", id: "crm" }),
      expect.objectContaining({ kind: "source_key", live: true, tenant_id: null, id: "global" })
    ])
    for (const key of [acme.apiKey, other.sourceKey, globalSourceKey]) expect(answer.text).not.toContain(key)
    expect(await contacts(acme.apiKey)).toBe(200)
  })

  it("ignores keys with a wrong checksum or with further characters", async () => {
    const { apiKey } = world.acme
    const last = apiKey.endsWith("0") ? "1" : "0"
    const texts = [apiKey.slice(0, -1) + last, `${apiKey}0`, `x${apiKey}`, apiKey.toUpperCase(), adminKey, "llk_"]
    expect(at((await check(texts.join(" "))).json, "leaked_keys")).toEqual([])
  })

  it("recognises keys of another deployment without their details", async () => {
    const elsewhere = startServer()
    const { acme } = await makeWorld(elsewhere)
    await elsewhere.close()
    const unknown = { status: "unknown", live: false, tenant_id: null, id: null, revoked: false }
    expect(at((await check(`${acme.apiKey} ${acme.sourceKey}`, true)).json, "leaked_keys")).toEqual([
      { kind: "api_key", prefix: prefixOf(acme.apiKey), ...unknown },
      { kind: "source_key", prefix: prefixOf(acme.sourceKey), ...unknown }
    ])
  })

  it("revokes active keys on request and reports that once", async () => {
    const { acme, clinic } = world
    const text = `${acme.apiKey}\n${clinic.sourceKey}`
    expect(at((await check(text, true)).json, "leaked_keys")).toMatchObject([
      { id: acme.keyId, status: "active", live: true, revoked: true },
      { id: "crm", tenant_id: "clinic", live: true, revoked: true }
    ])
    expect(await contacts(acme.apiKey)).toBe(401)
    const audit = await server.call("GET", "/api/v1/tenants/acme/audit", { as: adminKey })
    expect(at(audit.json, "entries", 0)).toMatchObject({ action: "leakedKeys.check", actor: "admin" })
    expect(audit.text).not.toContain(acme.apiKey)
    const sources = await server.call("GET", "/api/v1/admin/tenants/clinic/sources", { as: adminKey })
    expect(at(sources.json, "sources")).toEqual([])
    expect(at((await check(text, true)).json, "leaked_keys")).toMatchObject([
      { id: acme.keyId, status: "revoked", live: false, revoked: false },
      { status: "unknown", live: false, revoked: false }
    ])
  })

  it("notifies each tenant of its found keys, with the result and the place", async () => {
    const apart = startServer()
    const { acme, globalSourceKey, other } = await makeWorld(apart)
    const newest = async (path: string) => {
      const { json } = await apart.call("GET", path, { as: adminKey })
      return [at(json, "entries", 0), at(json, "entries", 1)]
    }
    const sendReport = async (revoke: boolean) => {
      const report = [
        { token: acme.apiKey, type: "leadloom_api_key", url: "https://git.example/a?x#L1", source: "commit" },
        { token: other.apiKey, type: "leadloom_api_key", url: `https://git.example/${other.apiKey}`, source: "a b" },
        { token: other.sourceKey, type: "leadloom_source_key", url: "javascript:alert(1)", source: 7 },
        { token: globalSourceKey, type: "leadloom_source_key" }
      ]
      const body = { text: JSON.stringify(report), revoke }
      const headers = { "x-request-id": `revoke ${revoke}`.replace(" ", "-") }
      expect((await apart.call("POST", "/api/v1/admin/leaked-keys", { as: adminKey, body, headers })).status).toBe(200)
    }
    const acmeKey = { key_id: acme.keyId, prefix: prefixOf(acme.apiKey), revoked_at: null }
    const entry = { action: "leakedKeys.check", actor: "admin" }
    const found_at = [{ prefix: prefixOf(acme.apiKey), url: "https://git.example/a", source: "commit" }]
    await sendReport(false)
    expect((await newest("/api/v1/tenants/acme/audit"))[0]).toMatchObject({
      ...entry,
      request_id: "revoke-false",
      change: { before: { api_keys: [acmeKey], sources: [] }, after: { api_keys: [acmeKey], found_at } }
    })
    await sendReport(true)
    const [ended, looked] = await newest("/api/v1/tenants/acme/audit")
    expect(looked).toMatchObject({ request_id: "revoke-false" })
    expect(ended).toMatchObject({
      ...entry,
      request_id: "revoke-true",
      change: { before: { api_keys: [acmeKey] }, after: { api_keys: [{ revoked_at: expect.any(Number) }], found_at } }
    })
    const [both, none] = [await newest("/api/v1/tenants/other/audit"), await newest("/api/v1/tenants/clinic/audit")]
    expect(both[0]).toMatchObject({
      ...entry,
      request_id: "revoke-true",
      change: {
        before: { api_keys: [{ key_id: other.keyId }], sources: [{ source_id: "crm" }] },
        after: {
          api_keys: [{ revoked_at: expect.any(Number) }],
          sources: [],
          found_at: [{ prefix: prefixOf(other.apiKey), url: "https://git.example/…", source: null }]
        }
      }
    })
    expect(JSON.stringify(both)).not.toContain(other.apiKey.slice(13))
    expect(at(none[0], "action")).toBe("sources.create")
    expect((await newest("/api/v1/admin/audit"))[0]).toMatchObject({
      ...entry,
      tenant_id: null,
      change: { before: { sources: [{ source_id: "global" }] }, after: { sources: [], found_at: [] } }
    })
    await apart.close()
  })

  it("requires the operator and has limits", async () => {
    const { session } = world.acme
    expect((await server.call("POST", "/api/v1/admin/leaked-keys", { as: session, body: { text: "" } })).status).toBe(
      403
    )
    expect((await check("x".repeat(1_048_577))).status).toBe(413)
    expect(at((await check("")).json, "leaked_keys")).toEqual([])
  })
})

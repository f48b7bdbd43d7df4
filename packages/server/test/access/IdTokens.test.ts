import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Changes, type Issuer, now, startIssuer } from "../world/Issuer.ts"
import { adminKey, at, startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld } from "../world/World.ts"

let issuer: Issuer
let server: TestServer

beforeAll(async () => {
  issuer = await startIssuer()
  server = startServer({ ...issuer.env, LEADLOOM_LIMIT_BAD_CREDENTIALS: "100000", LEADLOOM_LIMIT_ADMIN: "100000" })
  await makeWorld(server)
})
afterAll(async () => {
  await server.close()
  await issuer.stop()
})

const contacts = "/api/v1/tenants/acme/contacts"
const usage = "/api/v1/usage/acme"
const statusOf = async (as: string, path = contacts, on = server) => (await on.call("GET", path, { as })).status

describe("the ID token of a person", () => {
  it("sets usage for superusers only", async () => {
    const set = async (role: string) =>
      server.call("PUT", "/api/v1/usage/acme", {
        as: await issuer.token({ role }),
        body: { actions: { used: 3, cap: 9 } }
      })
    expect((await set("admin")).code).toBe("FORBIDDEN")
    const answer = await set("superuser")
    expect([answer.status, at(answer.json, "actions")]).toEqual([200, { used: 3, cap: 9 }])
    const read = await server.call("GET", "/api/v1/usage/acme", { as: await issuer.token({ role: "admin" }) })
    expect(at(read.json, "actions")).toEqual({ used: 3, cap: 9 })
  })

  it("gives an admin of a tenant no right of the operator", async () => {
    const wants = [
      ["PATCH", "/api/v1/admin/tenants/acme", { plan: "scale" }],
      ["POST", "/api/v1/admin/tenants/acme/credits", { amount: 1_000, reason: "mine" }],
      [
        "POST",
        "/api/v1/tenants/acme/email/connect",
        { provider: "microsoft", email: "sales@acme.com", provider_grant_id: "the mailbox of another" }
      ]
    ] as const
    for (const [method, path, body] of wants) {
      const sendRequest = async (claims: Changes) => server.call(method, path, { as: await issuer.token(claims), body })
      expect([path, (await sendRequest({ role: "admin" })).code]).toEqual([path, "FORBIDDEN"])
      expect((await sendRequest({ role: "admin", tenants: "*" })).status).not.toBe(403)
    }
  })

  it("mints a session of a tenant in the token, and of no other tenant", async () => {
    const mint = async (tenant_id: string, claims: Changes = {}) =>
      server.call("POST", "/api/v1/sessions", { as: await issuer.token(claims), body: { tenant_id } })
    const minted = await mint("acme")
    expect(minted.status).toBe(200)
    expect(await statusOf(String(at(minted.json, "token")))).toBe(200)
    expect((await mint("other")).code).toBe("FORBIDDEN")
    expect((await mint("acme", { role: "none" })).code).toBe("FORBIDDEN")
    expect((await mint("nobody", { role: "superuser" })).code).toBe("NOT_FOUND")
  })

  it.each([
    ["the highest of several roles", { role: ["viewer", "agent", "admin"] }, "/api/v1/usage/acme", 200],
    ["one tenant without a list", { tenants: "acme" }, contacts, 200],
    ["every tenant", { tenants: "*" }, "/api/v1/tenants/other/contacts", 200],
    ["no tenants", { tenants: undefined }, contacts, 403],
    ["tenants that are not strings", { tenants: [{ id: "acme" }, 7, null] }, contacts, 403],
    ["another spelling of a role", { role: "Agent" }, contacts, 403],
    ["a role that is not a string", { role: { agent: true } }, contacts, 403],
    ["no role", { role: undefined }, contacts, 403]
  ])("reads %s", async (_, claims, path, status) => {
    expect(await statusOf(await issuer.token(claims), path)).toBe(status)
  })
})

describe("a Firebase project", () => {
  it("is configured by its preset: issuer, audience and the operator's key URL", async () => {
    const firebase = startServer({
      LEADLOOM_OIDC_PRESET: "firebase",
      LEADLOOM_OIDC_PROJECT: "demo-project",
      LEADLOOM_OIDC_JWKS_URI: `${issuer.url}/jwks`
    })
    await firebase.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: { tenant_id: "acme", name: "Acme" } })
    /** The form of Firebase tokens, with custom claims at the top level. */
    const claims = {
      iss: "https://securetoken.google.com/demo-project",
      aud: "demo-project",
      auth_time: now() - 60,
      user_id: "ann",
      email: "ann@acme.com",
      email_verified: true,
      firebase: { identities: { email: ["ann@acme.com"] }, sign_in_provider: "password" }
    }
    expect(await statusOf(await issuer.token(claims), contacts, firebase)).toBe(200)
    for (const wrong of [{ aud: "other-project" }, { iss: issuer.url }, { auth_time: now() + 120 }, { sub: "" }]) {
      expect([wrong, await statusOf(await issuer.token({ ...claims, ...wrong }), contacts, firebase)]).toEqual([
        wrong,
        401
      ])
    }
    await firebase.close()
  })
})

// The last test of the file, because it stops the issuer.
describe("an issuer that changes keys or is unavailable", () => {
  it("may sign with a new key immediately", async () => {
    const { keys } = issuer.server.issuer
    const other = startServer(issuer.env)
    expect(await statusOf(await issuer.token({ role: "superuser" }), usage, other)).toBe(404)
    const fresh = await keys.generate("ES256")
    const token = await issuer.server.issuer.buildToken({
      kid: fresh.kid,
      scopesOrTransform: (_, payload) => void Object.assign(payload, issuer.claims(), { role: "superuser" })
    })
    expect(await statusOf(token, usage, other)).toBe(404)
    await other.close()
  })

  it("is only needed for tokens with unknown keys", async () => {
    const known = (claims: Changes) => issuer.signed(issuer.header(), JSON.stringify(issuer.claims(claims)))
    await issuer.stop()
    expect(await statusOf(known({ sub: "bob" }))).toBe(200)
    expect(await statusOf(known({ sub: "eve", role: "none" }))).toBe(403)
    expect(await statusOf(known({ sub: "eve", exp: now() - 61 }))).toBe(401)
    expect(await statusOf(await issuer.forged())).toBe(401)
  })

  it("does not prevent the start of a server, which then answers 503", async () => {
    const early = startServer(issuer.env)
    expect((await early.call("GET", "/health")).status).toBe(200)
    const answer = await early.call("GET", contacts, { as: await issuer.token() })
    expect([answer.status, answer.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(answer.headers.get("retry-after")).toBe("1")
    expect((await early.call("GET", "/api/v1/admin/tenants", { as: adminKey })).status).toBe(200)
    await early.close()
  })
})

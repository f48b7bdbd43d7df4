import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto"
import { exportJWK, SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodies, type Endpoint, endpoints, pathOf } from "../Endpoints.ts"
import { audience, type Changes, type Issuer, startIssuer } from "../Issuer.ts"
import { adminKey, at, startServer, type TestServer } from "../TestServer.ts"
import { makeWorld, sourceId } from "../World.ts"

let issuer: Issuer
let server: TestServer

beforeAll(async () => {
  issuer = await startIssuer()
  server = startServer({ ...issuer.env, LEADLOOM_LIMIT_BAD_CREDENTIALS: "100000", LEADLOOM_LIMIT_ADMIN: "100000" })
  await makeWorld(server)
  await server.call("PATCH", "/api/v1/admin/tenants/acme", { as: adminKey, body: { plan: "growth" } })
})
afterAll(async () => {
  await server.close()
  await issuer.stop()
})

const contacts = "/api/v1/tenants/acme/contacts"
const usage = "/api/v1/usage/acme"
const statusOf = async (as: string, path = contacts, on = server) => (await on.call("GET", path, { as })).status
const now = () => Math.floor(Date.now() / 1_000)

type Verdict = "in" | 401 | 403

/** What the roles of a person open, in the words of the specification; `own`: only where a path names the own tenant. */
const matrix: Readonly<Record<string, Readonly<Record<string, Verdict | "own">>>> = {
  public: { none: "in", agent: "in", manager: "in", admin: "in", superuser: "in" },
  agent: { none: 403, agent: "in", manager: "in", admin: "in", superuser: "in" },
  pipeline: { none: 403, agent: "in", manager: "in", admin: "in", superuser: "in" },
  manage: { none: 403, agent: 403, manager: "in", admin: "in", superuser: "in" },
  administer: { none: 403, agent: 403, manager: 403, admin: "in", superuser: "in" },
  operate: { none: 403, agent: 403, manager: 403, admin: "own", superuser: "in" },
  superuse: { none: 403, agent: 403, manager: 403, admin: 403, superuser: "in" },
  mintSession: { none: 403, agent: "in", manager: "in", admin: "in", superuser: "in" },
  sendEvent: { none: 401, agent: 401, manager: 401, admin: 401, superuser: 401 }
}

const knock = async (endpoint: Endpoint, as: string, tenantId: string): Promise<Verdict> => {
  const body = bodies[endpoint.name]
  const isEvent = endpoint.gate.operation === "sendEvent"
  const path = pathOf(endpoint, { tenant_id: tenantId, ...(isEvent ? { source_id: sourceId } : {}) })
  const { status } = await server.call(endpoint.method, path, { as, ...(body === undefined ? {} : { body }) })
  return status === 401 || status === 403 ? status : "in"
}

const harmless = endpoints.filter(({ name }) => name !== "tenants.archive")
const roles = ["none", "agent", "manager", "admin", "superuser"]

describe("the matrix of roles and endpoints", () => {
  it.each(roles)("%s", async (role) => {
    const as = await issuer.token({ role, tenants: role === "superuser" ? [] : ["acme"] })
    for (const endpoint of harmless) {
      const cell = matrix[endpoint.gate.operation]?.[role]
      const expected = cell === "own" ? (endpoint.path.includes(":tenant_id") ? "in" : 403) : cell
      expect([endpoint.name, await knock(endpoint, as, "acme")]).toEqual([endpoint.name, expected])
    }
  })

  it("keeps everybody but superusers out of tenants that the token does not name", async () => {
    const as = await issuer.token({ role: "admin" })
    for (const endpoint of harmless.filter(
      ({ gate, path }) => gate.operation !== "public" && path.includes(":tenant_id")
    )) {
      const expected = endpoint.gate.operation === "sendEvent" ? 401 : 403
      expect([endpoint.name, await knock(endpoint, as, "other")]).toEqual([endpoint.name, expected])
    }
    expect(
      await statusOf(await issuer.token({ role: "superuser", tenants: [] }), "/api/v1/tenants/other/contacts")
    ).toBe(200)
  })
})

describe("what a person's token is good for", () => {
  it("sets usage, as a superuser and as nobody else", async () => {
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

  it("mints a session of a tenant that it names, and of no other", async () => {
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
    ["a list of roles, of which the highest counts", { role: ["viewer", "agent", "admin"] }, "/api/v1/usage/acme", 200],
    ["one tenant without a list", { tenants: "acme" }, contacts, 200],
    ["every tenant", { tenants: "*" }, "/api/v1/tenants/other/contacts", 200],
    ["no tenants", { tenants: undefined }, contacts, 403],
    ["tenants that are no texts", { tenants: [{ id: "acme" }, 7, null] }, contacts, 403],
    ["another spelling of a role", { role: "Agent" }, contacts, 403],
    ["a role that is no text", { role: { agent: true } }, contacts, 403],
    ["no role", { role: undefined }, contacts, 403]
  ])("reads %s", async (_, claims, path, status) => {
    expect(await statusOf(await issuer.token(claims), path)).toBe(status)
  })
})

/** A token signed with a key of ours, as anybody can make one. */
const forged = async (header: Changes = {}, claims: Changes = {}) => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  return new SignJWT({ role: "superuser", tenants: ["acme"], ...claims })
    .setProtectedHeader({ alg: "RS256", kid: issuerKey().kid, ...header })
    .setIssuer(issuer.url)
    .setAudience(audience)
    .setSubject("mallory")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(privateKey)
}

const issuerKey = () => {
  const [key] = issuer.server.issuer.keys.toJSON(true)
  if (key === undefined) throw new Error("the issuer has no key")
  return key
}
const base64 = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url")
const goodClaims = () => ({
  iss: issuer.url,
  aud: audience,
  sub: "ann",
  iat: now(),
  exp: now() + 3_600,
  role: "agent",
  tenants: ["acme"]
})

/** The genuine key's signature under any text of header and payload. */
const signed = (header: string, payload: string, hash = "sha256") => {
  const input = `${base64(header)}.${base64(payload)}`
  const signature = sign(hash, Buffer.from(input), createPrivateKey({ key: issuerKey(), format: "jwk" }))
  return `${input}.${signature.toString("base64url")}`
}
const head = (changes: Changes = {}) => JSON.stringify({ alg: "RS256", kid: issuerKey().kid, ...changes })
const jwkOf = async () => exportJWK(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey)

/** Tokens that nobody may get in with, each as it would be tried. */
const attacks: Readonly<Record<string, () => Promise<string> | string>> = {
  "an expired one": () => issuer.token({ exp: now() - 61 }),
  "one that is not valid yet": () => issuer.token({ nbf: now() + 90 }),
  "one of the future": () => issuer.token({ iat: now() + 90 }),
  "one that never ends": () => issuer.token({ exp: undefined }),
  "one whose end is no number": () => issuer.token({ exp: "2999-01-01" }),
  "one whose end is beyond numbers": () =>
    signed(head(), JSON.stringify(goodClaims()).replace(/"exp":\d+/u, '"exp":1e999')),
  "one that was never issued": () => issuer.token({ iat: undefined }),
  "one of somebody who signs in tomorrow": () => issuer.token({ auth_time: now() + 86_400 }),
  "one for another audience": () => issuer.token({ aud: "another-app" }),
  "one for no audience": () => issuer.token({ aud: undefined }),
  "one for several that was asked for by another": () =>
    issuer.token({ aud: [audience, "another-app"], azp: "another-app" }),
  "one for several that says not for whom": () => issuer.token({ aud: [audience, "another-app"] }),
  "one of another issuer": () => issuer.token({ iss: "https://evil.example" }),
  "one of the issuer with a slash": () => issuer.token({ iss: `${issuer.url}/` }),
  "one of a list of issuers": () => issuer.token({ iss: [issuer.url] }),
  "one of nobody": () => issuer.token({ sub: "" }),
  "one without a subject": () => issuer.token({ sub: undefined }),
  "one whose subject is a number": () => issuer.token({ sub: 7 }),
  "one whose subject is without end": () => issuer.token({ sub: "a".repeat(256) }),
  "one with a NUL in its subject": () => issuer.token({ sub: "ann\0admin" }),
  "one with a NUL in a role": () => issuer.token({ role: "agent\0" }),
  "one of another kind": () => issuer.token({}, { typ: "at+jwt" }),
  "one with an unknown extension": () => signed(head({ crit: ["exp2"], exp2: 1 }), JSON.stringify(goodClaims())),
  "one with an extension that is no extension": () => signed(head({ crit: ["exp"] }), JSON.stringify(goodClaims())),
  "one signed by somebody else under the issuer's key id": () => forged(),
  "one that brings its own key": async () => forged({ jwk: await jwkOf() }),
  "one that says where its key is": () =>
    forged({ jku: "https://evil.example/jwks.json", x5u: "https://evil.example/x5" }),
  "one under a path as key id": () => forged({ kid: "../../../../dev/null" }),
  "one under a URL as key id": () => forged({ kid: "https://evil.example/key" }),
  "one under SQL as key id": () => forged({ kid: "' UNION SELECT 'secret' --" }),
  "one under a name of every object as key id": () => forged({ kid: "__proto__" }),
  "one under no key id": () => forged({ kid: undefined }),
  "one under an empty key id": () => forged({ kid: "" }),
  "none for a signature": () => `${base64({ alg: "none", typ: "JWT" })}.${base64(goodClaims())}.`,
  "None for a signature": () => `${base64({ alg: "None" })}.${base64(goodClaims())}.AA`,
  "the public key as a shared secret": () => {
    const pem = createPublicKey({ key: issuerKey(), format: "jwk" }).export({ type: "spki", format: "pem" })
    const input = `${base64({ alg: "HS256", kid: issuerKey().kid })}.${base64({ ...goodClaims(), role: "superuser" })}`
    return `${input}.${createHmac("sha256", pem).update(input).digest("base64url")}`
  },
  "an algorithm that is not allowed": () => signed(head({ alg: "RS512" }), JSON.stringify(goodClaims()), "sha512"),
  "a genuine signature under other claims": async () => {
    const [header, , signature] = (await issuer.token()).split(".")
    return `${header}.${base64({ ...goodClaims(), role: "superuser" })}.${signature}`
  },
  "one with its signature cut": async () => (await issuer.token()).slice(0, -8),
  "one with claims twice": () => signed(head(), `{"role":"superuser",${JSON.stringify(goodClaims()).slice(1)}`),
  "one with claims twice, once escaped": () =>
    signed(head(), `{"\\u0072ole":"superuser",${JSON.stringify(goodClaims()).slice(1)}`),
  "one with its header twice": () => signed(`{"alg":"none",${head().slice(1)}`, JSON.stringify(goodClaims())),
  "one whose payload is a list": () => signed(head(), "[]"),
  "one whose payload is not JSON": () => signed(head(), "role=superuser"),
  "one that is too long": () => issuer.token({ padding: "x".repeat(9_000) }),
  dots: () => "..",
  "three empty objects": () => "e30.e30.e30",
  "an encrypted one": () => "e30.e30.e30.e30.e30"
}

describe("a token that is not good", () => {
  it.each(Object.entries(attacks))("is refused: %s", async (_, make) => {
    const token = await make()
    const answer = await server.call("GET", contacts, { as: token })
    expect([answer.status, answer.code]).toEqual([401, "UNAUTHORIZED"])
    expect(answer.text).not.toContain(token.slice(-20))
    // A good token beside it: it is the token that is refused, and not everybody.
    expect(await statusOf(await issuer.token())).toBe(200)
  })

  it("is genuine but for that: the same claims under the same key get in", async () => {
    expect(await statusOf(signed(head(), JSON.stringify(goodClaims())))).toBe(200)
    expect(await statusOf(await issuer.token({ exp: now() - 30 }))).toBe(200)
    expect(await statusOf(await issuer.token({ nbf: now() + 30, iat: now() + 30 }))).toBe(200)
    expect(await statusOf(await issuer.token({ aud: [audience, "another-app"], azp: audience }))).toBe(200)
    expect(await statusOf(await issuer.token({}, { typ: "JWT", jku: "https://evil.example" }))).toBe(200)
  })

  it("is no key of a source", async () => {
    const body = { entity: { id: "1" }, content: { body: "Hello" } }
    const answer = await server.call("POST", "/api/v1/events/acme/crm", { as: await issuer.token(), body })
    expect(answer.status).toBe(401)
  })

  it("is refused where no identity provider is trusted", async () => {
    const alone = startServer()
    expect((await alone.call("GET", "/api/v1/admin/tenants", { as: await issuer.token() })).status).toBe(401)
    await alone.close()
  })
})

// The last of the file, because the issuer goes.
describe("an issuer that comes and goes", () => {
  it("may sign with a new key at once", async () => {
    const { keys } = issuer.server.issuer
    const other = startServer(issuer.env)
    expect(await statusOf(await issuer.token({ role: "superuser" }), usage, other)).toBe(404)
    const fresh = await keys.generate("ES256")
    const token = await issuer.server.issuer.buildToken({
      kid: fresh.kid,
      scopesOrTransform: (_, payload) => void Object.assign(payload, goodClaims(), { role: "superuser" })
    })
    expect(await statusOf(token, usage, other)).toBe(404)
    await other.close()
  })

  it("is not needed for tokens of keys that are known, and is missed for others", async () => {
    const [first] = issuer.server.issuer.keys.toJSON()
    const known = (claims: Changes) => signed(head({ kid: first?.kid }), JSON.stringify({ ...goodClaims(), ...claims }))
    await issuer.stop()
    expect(await statusOf(known({ sub: "bob" }))).toBe(200)
    expect(await statusOf(known({ sub: "eve", role: "none" }))).toBe(403)
    expect(await statusOf(known({ sub: "eve", exp: now() - 61 }))).toBe(401)
    expect(await statusOf(await forged())).toBe(401)
  })

  it("does not keep a server from starting, which then says that it cannot tell", async () => {
    const early = startServer(issuer.env)
    expect((await early.call("GET", "/health")).status).toBe(200)
    const answer = await early.call("GET", contacts, { as: await issuer.token() })
    expect([answer.status, answer.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(answer.headers.get("retry-after")).toBe("1")
    expect((await early.call("GET", "/api/v1/admin/tenants", { as: adminKey })).status).toBe(200)
    await early.close()
  })
})

import { createHmac, createPublicKey, generateKeyPairSync } from "node:crypto"
import { exportJWK } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { audience, base64, type Issuer, now, startIssuer } from "../world/Issuer.ts"
import { startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld } from "../world/World.ts"

let issuer: Issuer
let server: TestServer
beforeAll(async () => {
  issuer = await startIssuer()
  server = startServer({ ...issuer.env, LEADLOOM_LIMIT_BAD_CREDENTIALS: "100000" })
  await makeWorld(server)
})
afterAll(async () => {
  await server.close()
  await issuer.stop()
})

const contacts = "/api/v1/tenants/acme/contacts"
const statusOf = async (as: string) => (await server.call("GET", contacts, { as })).status

/** Tokens that must be rejected, one per attack. */
const attacks: Readonly<Record<string, () => Promise<string> | string>> = {
  "an expired one": () => issuer.token({ exp: now() - 61 }),
  "one that is not valid yet": () => issuer.token({ nbf: now() + 90 }),
  "one issued in the future": () => issuer.token({ iat: now() + 90 }),
  "one without an expiry": () => issuer.token({ exp: undefined }),
  "one whose expiry is not a number": () => issuer.token({ exp: "2999-01-01" }),
  "one whose expiry is too large": () =>
    issuer.signed(issuer.header(), JSON.stringify(issuer.claims()).replace(/"exp":\d+/u, '"exp":1e999')),
  "one without a time of issue": () => issuer.token({ iat: undefined }),
  "one with a future sign-in": () => issuer.token({ auth_time: now() + 86_400 }),
  "one for another audience": () => issuer.token({ aud: "another-app" }),
  "one without an audience": () => issuer.token({ aud: undefined }),
  "one for several audiences, requested by another client": () =>
    issuer.token({ aud: [audience, "another-app"], azp: "another-app" }),
  "one for several audiences without an authorised party": () => issuer.token({ aud: [audience, "another-app"] }),
  "one issued to another party": () => issuer.token({ azp: "another-app" }),
  "one with an audience list, issued to another party": () => issuer.token({ aud: [audience], azp: "another-app" }),
  "one whose authorised party is not a string": () => issuer.token({ azp: [audience] }),
  "one of another issuer": () => issuer.token({ iss: "https://evil.example" }),
  "one whose issuer has an additional slash": () => issuer.token({ iss: `${issuer.url}/` }),
  "one of a list of issuers": () => issuer.token({ iss: [issuer.url] }),
  "one with an empty subject": () => issuer.token({ sub: "" }),
  "one without a subject": () => issuer.token({ sub: undefined }),
  "one whose subject is a number": () => issuer.token({ sub: 7 }),
  "one whose subject is too long": () => issuer.token({ sub: "a".repeat(256) }),
  "one with a NUL in its subject": () => issuer.token({ sub: "ann\0admin" }),
  "one with a NUL in a role": () => issuer.token({ role: "agent\0" }),
  "one of another type": () => issuer.token({}, { typ: "at+jwt" }),
  "one with an unknown extension": () =>
    issuer.signed(issuer.header({ crit: ["exp2"], exp2: 1 }), JSON.stringify(issuer.claims())),
  "one with an invalid extension": () =>
    issuer.signed(issuer.header({ crit: ["exp"] }), JSON.stringify(issuer.claims())),
  "one with another signature and the issuer's key id": () => issuer.forged(),
  "one that contains its own key": async () =>
    issuer.forged({ jwk: await exportJWK(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey) }),
  "one with a URL of its key": () =>
    issuer.forged({ jku: "https://evil.example/jwks.json", x5u: "https://evil.example/x5" }),
  "one with a path as key id": () => issuer.forged({ kid: "../../../../dev/null" }),
  "one with a URL as key id": () => issuer.forged({ kid: "https://evil.example/key" }),
  "one with SQL as key id": () => issuer.forged({ kid: "' UNION SELECT 'secret' --" }),
  "one with a prototype property as key id": () => issuer.forged({ kid: "__proto__" }),
  "one without a key id": () => issuer.forged({ kid: undefined }),
  "one with an empty key id": () => issuer.forged({ kid: "" }),
  "one with the algorithm none": () => `${base64({ alg: "none", typ: "JWT" })}.${base64(issuer.claims())}.`,
  "None for a signature": () => `${base64({ alg: "None" })}.${base64(issuer.claims())}.AA`,
  "one with the public key as a shared secret": () => {
    const pem = createPublicKey({ key: issuer.key(), format: "jwk" }).export({ type: "spki", format: "pem" })
    const input = `${base64({ alg: "HS256", kid: issuer.key().kid })}.${base64({ ...issuer.claims(), role: "superuser" })}`
    return `${input}.${createHmac("sha256", pem).update(input).digest("base64url")}`
  },
  "one with an algorithm that is not accepted": () =>
    issuer.signed(issuer.header({ alg: "RS512" }), JSON.stringify(issuer.claims()), "sha512"),
  "one with a genuine signature of other claims": async () => {
    const [header, , signature] = (await issuer.token()).split(".")
    return `${header}.${base64({ ...issuer.claims(), role: "superuser" })}.${signature}`
  },
  "one with a truncated signature": async () => (await issuer.token()).slice(0, -8),
  "one with repeated claims": () =>
    issuer.signed(issuer.header(), `{"role":"superuser",${JSON.stringify(issuer.claims()).slice(1)}`),
  "one with repeated claims, one of them escaped": () =>
    issuer.signed(issuer.header(), `{"\\u0072ole":"superuser",${JSON.stringify(issuer.claims()).slice(1)}`),
  "one with repeated header fields": () =>
    issuer.signed(`{"alg":"none",${issuer.header().slice(1)}`, JSON.stringify(issuer.claims())),
  "one whose payload is a list": () => issuer.signed(issuer.header(), "[]"),
  "one whose payload is not JSON": () => issuer.signed(issuer.header(), "role=superuser"),
  "one that is too long": () => issuer.token({ padding: "x".repeat(9_000) }),
  dots: () => "..",
  "three empty objects": () => "e30.e30.e30",
  "an encrypted one": () => "e30.e30.e30.e30.e30"
}

describe("an ID token", () => {
  it.each(Object.entries(attacks))("is rejected: %s", async (_, make) => {
    const token = await make()
    const answer = await server.call("GET", contacts, { as: token })
    expect([answer.status, answer.code]).toEqual([401, "UNAUTHORIZED"])
    expect(answer.text).not.toContain(token.slice(-20))
    // A valid token is accepted, so the rejection concerns the invalid one.
    expect(await statusOf(await issuer.token())).toBe(200)
  })

  it("is accepted with the variations that the rules permit", async () => {
    expect(await statusOf(issuer.signed(issuer.header(), JSON.stringify(issuer.claims())))).toBe(200)
    expect(await statusOf(await issuer.token({ exp: now() - 30 }))).toBe(200)
    expect(await statusOf(await issuer.token({ nbf: now() + 30, iat: now() + 30 }))).toBe(200)
    expect(await statusOf(await issuer.token({ aud: [audience, "another-app"], azp: audience }))).toBe(200)
    expect(await statusOf(await issuer.token({ aud: [audience], azp: audience }))).toBe(200)
    expect(await statusOf(await issuer.token({ azp: audience }))).toBe(200)
    expect(await statusOf(await issuer.token({}, { typ: "JWT", jku: "https://evil.example" }))).toBe(200)
  })

  it("is not accepted as a source key", async () => {
    const body = { entity: { id: "1" }, content: { body: "Hello" } }
    const answer = await server.call("POST", "/api/v1/events/acme/crm", { as: await issuer.token(), body })
    expect(answer.status).toBe(401)
  })

  it("is rejected if no identity provider is configured", async () => {
    const alone = startServer()
    expect((await alone.call("GET", "/api/v1/admin/tenants", { as: await issuer.token() })).status).toBe(401)
    await alone.close()
  })
})

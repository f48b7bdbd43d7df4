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
  "one of the future": () => issuer.token({ iat: now() + 90 }),
  "one that never ends": () => issuer.token({ exp: undefined }),
  "one whose end is no number": () => issuer.token({ exp: "2999-01-01" }),
  "one whose end is beyond numbers": () =>
    issuer.signed(issuer.header(), JSON.stringify(issuer.claims()).replace(/"exp":\d+/u, '"exp":1e999')),
  "one that was never issued": () => issuer.token({ iat: undefined }),
  "one of somebody who signs in tomorrow": () => issuer.token({ auth_time: now() + 86_400 }),
  "one for another audience": () => issuer.token({ aud: "another-app" }),
  "one for no audience": () => issuer.token({ aud: undefined }),
  "one for several that was asked for by another": () =>
    issuer.token({ aud: [audience, "another-app"], azp: "another-app" }),
  "one for several that says not for whom": () => issuer.token({ aud: [audience, "another-app"] }),
  "one for us that was issued to another": () => issuer.token({ azp: "another-app" }),
  "one for us alone in a list that was issued to another": () => issuer.token({ aud: [audience], azp: "another-app" }),
  "one whose party is no text": () => issuer.token({ azp: [audience] }),
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
  "one with an unknown extension": () =>
    issuer.signed(issuer.header({ crit: ["exp2"], exp2: 1 }), JSON.stringify(issuer.claims())),
  "one with an extension that is no extension": () =>
    issuer.signed(issuer.header({ crit: ["exp"] }), JSON.stringify(issuer.claims())),
  "one signed by somebody else under the issuer's key id": () => issuer.forged(),
  "one that brings its own key": async () =>
    issuer.forged({ jwk: await exportJWK(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey) }),
  "one that says where its key is": () =>
    issuer.forged({ jku: "https://evil.example/jwks.json", x5u: "https://evil.example/x5" }),
  "one under a path as key id": () => issuer.forged({ kid: "../../../../dev/null" }),
  "one under a URL as key id": () => issuer.forged({ kid: "https://evil.example/key" }),
  "one under SQL as key id": () => issuer.forged({ kid: "' UNION SELECT 'secret' --" }),
  "one under a name of every object as key id": () => issuer.forged({ kid: "__proto__" }),
  "one under no key id": () => issuer.forged({ kid: undefined }),
  "one under an empty key id": () => issuer.forged({ kid: "" }),
  "none for a signature": () => `${base64({ alg: "none", typ: "JWT" })}.${base64(issuer.claims())}.`,
  "None for a signature": () => `${base64({ alg: "None" })}.${base64(issuer.claims())}.AA`,
  "the public key as a shared secret": () => {
    const pem = createPublicKey({ key: issuer.key(), format: "jwk" }).export({ type: "spki", format: "pem" })
    const input = `${base64({ alg: "HS256", kid: issuer.key().kid })}.${base64({ ...issuer.claims(), role: "superuser" })}`
    return `${input}.${createHmac("sha256", pem).update(input).digest("base64url")}`
  },
  "an algorithm that is not allowed": () =>
    issuer.signed(issuer.header({ alg: "RS512" }), JSON.stringify(issuer.claims()), "sha512"),
  "a genuine signature under other claims": async () => {
    const [header, , signature] = (await issuer.token()).split(".")
    return `${header}.${base64({ ...issuer.claims(), role: "superuser" })}.${signature}`
  },
  "one with its signature cut": async () => (await issuer.token()).slice(0, -8),
  "one with claims twice": () =>
    issuer.signed(issuer.header(), `{"role":"superuser",${JSON.stringify(issuer.claims()).slice(1)}`),
  "one with claims twice, once escaped": () =>
    issuer.signed(issuer.header(), `{"\\u0072ole":"superuser",${JSON.stringify(issuer.claims()).slice(1)}`),
  "one with its header twice": () =>
    issuer.signed(`{"alg":"none",${issuer.header().slice(1)}`, JSON.stringify(issuer.claims())),
  "one whose payload is a list": () => issuer.signed(issuer.header(), "[]"),
  "one whose payload is not JSON": () => issuer.signed(issuer.header(), "role=superuser"),
  "one that is too long": () => issuer.token({ padding: "x".repeat(9_000) }),
  dots: () => "..",
  "three empty objects": () => "e30.e30.e30",
  "an encrypted one": () => "e30.e30.e30.e30.e30"
}

describe("an invalid token", () => {
  it.each(Object.entries(attacks))("is refused: %s", async (_, make) => {
    const token = await make()
    const answer = await server.call("GET", contacts, { as: token })
    expect([answer.status, answer.code]).toEqual([401, "UNAUTHORIZED"])
    expect(answer.text).not.toContain(token.slice(-20))
    // A valid token is accepted, so the rejection concerns the invalid one.
    expect(await statusOf(await issuer.token())).toBe(200)
  })

  it("differs from a valid token only in the tested property", async () => {
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

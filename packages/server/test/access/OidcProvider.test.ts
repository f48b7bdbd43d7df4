import { createHash, randomBytes } from "node:crypto"
import { type OpenIdProvider, type People, startOpenIdProvider } from "@leadloom/testkit/oidc/OpenIdProvider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { adminKey, at, readResponse, requestOf, textAt } from "../world/TestServer.ts"

const people: People = {
  ann: { role: "agent", tenants: ["acme"] },
  root: { role: "superuser", tenants: [] },
  guest: {}
}

let provider: OpenIdProvider
let leadloom: ServerProcess
let url: string
const folder = temporaryFolder()

beforeAll(async () => {
  provider = await startOpenIdProvider(people)
  leadloom = startProcess({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests",
    LEADLOOM_OIDC_ISSUER: provider.issuer,
    LEADLOOM_OIDC_AUDIENCE: provider.clientId
  })
  url = await leadloom.url
  await call("POST", "/api/v1/admin/tenants", adminKey, { tenant_id: "acme", name: "Acme" })
})
afterAll(async () => {
  leadloom.kill("SIGTERM")
  await leadloom.exit
  provider.close()
  folder.remove()
})

const call = async (method: string, path: string, as: string, body?: unknown) =>
  readResponse(await fetch(requestOf(method, path, { as, ...(body === undefined ? {} : { body }) }, url)))

/** Follows redirects with cookies, as a browser does, until the provider returns to the application. */
const follow = async (start: string): Promise<URL> => {
  const cookies = new Map<string, string>()
  let next = start
  for (let steps = 0; steps < 20 && next.startsWith(provider.issuer); steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(next, { redirect: "manual", headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/u.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get("location")
    if (location === null) throw new Error(`${next} answers ${response.status}: ${await response.text()}`)
    next = new URL(location, next).href
  }
  return new URL(next)
}

/** Signs a person in with the code flow and PKCE, and returns the ID token. */
const signIn = async (who: string): Promise<string> => {
  const verifier = randomBytes(32).toString("base64url")
  const query = new URLSearchParams({
    client_id: provider.clientId,
    redirect_uri: provider.redirectUri,
    response_type: "code",
    scope: "openid",
    nonce: "n",
    login_hint: who,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256"
  })
  const back = await follow(`${provider.issuer}/auth?${query}`)
  const response = await fetch(`${provider.issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      client_id: provider.clientId,
      redirect_uri: provider.redirectUri,
      code_verifier: verifier
    })
  })
  return textAt(await response.json(), "id_token")
}

describe("people of a certified OpenID provider, with a server in a separate process", () => {
  it("are authorised by their ID token according to their role", async () => {
    const token = await signIn("ann")
    expect((await call("GET", "/api/v1/tenants/acme/contacts", token)).status).toBe(200)
    expect((await call("GET", "/api/v1/config/acme", token)).code).toBe("FORBIDDEN")
    const minted = await call("POST", "/api/v1/sessions", token, { tenant_id: "acme" })
    expect((await call("GET", "/api/v1/tenants/acme/contacts", textAt(minted.json, "token"))).status).toBe(200)
  })

  it("may set usage as superusers", async () => {
    const token = await signIn("root")
    const set = await call("PUT", "/api/v1/usage/acme", token, { ai_calls: { cap: 7 } })
    expect([set.status, at(set.json, "ai_calls", "cap")]).toEqual([200, 7])
    const read = await call("GET", "/api/v1/usage/acme", adminKey)
    expect(at(read.json, "ai_calls", "cap")).toBe(7)
    const audit = await call("GET", "/api/v1/tenants/acme/audit", adminKey)
    expect(at(audit.json, "entries", 0)).toMatchObject({ action: "usage.set", actor: "user:root" })
  })

  it("are authenticated without a role but permitted nothing, and a modified token is rejected", async () => {
    const token = await signIn("guest")
    expect((await call("GET", "/api/v1/tenants/acme/contacts", token)).status).toBe(403)
    const [header = "", , signature = ""] = token.split(".")
    const more = Buffer.from(JSON.stringify({ sub: "guest", role: "superuser" })).toString("base64url")
    expect((await call("GET", "/api/v1/tenants/acme/contacts", `${header}.${more}.${signature}`)).status).toBe(401)
    expect(leadloom.stdout() + leadloom.stderr()).not.toContain(token.slice(-30))
  })
})

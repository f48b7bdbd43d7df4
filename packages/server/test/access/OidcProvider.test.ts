import { createHash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { exportJWK, generateKeyPair } from "jose"
import Provider, { type Configuration } from "oidc-provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { adminKey, at, readResponse, requestOf, textAt } from "../world/TestServer.ts"

/** People by id, with the provider's claims about them. */
const people: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  ann: { role: "agent", tenants: ["acme"] },
  root: { role: "superuser", tenants: [] },
  guest: {}
}

const client = {
  client_id: "console",
  redirect_uris: ["http://127.0.0.1/back"],
  application_type: "native",
  token_endpoint_auth_method: "none",
  id_token_signed_response_alg: "ES256"
} as const

const configuration = async (): Promise<Configuration> => {
  const { privateKey } = await generateKeyPair("ES256", { extractable: true })
  return {
    clients: [client],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: "first", alg: "ES256", use: "sig" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    features: { devInteractions: { enabled: false } },
    claims: { openid: ["sub", "role", "tenants"] },
    conformIdTokenClaims: false,
    interactions: { url: (_, { uid }) => `/sign-in/${uid}` },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    // Skips the consent page.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId: client.client_id, accountId: oidc.session?.accountId ?? "" })
      grant.addOIDCScope("openid")
      await grant.save()
      return grant
    }
  }
}

let web: Server
let issuer: string
let provider: Provider
let leadloom: ServerProcess
let url: string
const folder = temporaryFolder()

/** Serves the provider and the sign-in page. The request names the person. */
const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.url?.startsWith("/sign-in/") !== true) return provider.callback()(request, response)
  const { params, prompt } = await provider.interactionDetails(request, response)
  const login = { accountId: String(params["login_hint"]) }
  await provider.interactionFinished(request, response, prompt.name === "login" ? { login } : { consent: {} })
}

beforeAll(async () => {
  web = createServer((request, response) => void serve(request, response))
  web.listen(0, "127.0.0.1")
  await once(web, "listening")
  issuer = `http://127.0.0.1:${(web.address() as AddressInfo).port}`
  provider = new Provider(issuer, await configuration())
  leadloom = startProcess({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_SESSION_SECRET: "a-secret-that-signs-sessions-of-tests",
    LEADLOOM_OIDC_ISSUER: issuer,
    LEADLOOM_OIDC_AUDIENCE: client.client_id
  })
  url = await leadloom.url
  await call("POST", "/api/v1/admin/tenants", adminKey, { tenant_id: "acme", name: "Acme" })
})
afterAll(async () => {
  leadloom.kill("SIGTERM")
  await leadloom.exit
  web.closeAllConnections()
  web.close()
  folder.remove()
})

const call = async (method: string, path: string, as: string, body?: unknown) =>
  readResponse(await fetch(requestOf(method, path, { as, ...(body === undefined ? {} : { body }) }, url)))

/** Follows redirects with cookies, as a browser does, until the provider returns to the application. */
const follow = async (start: string): Promise<URL> => {
  const cookies = new Map<string, string>()
  let next = start
  for (let steps = 0; steps < 20 && next.startsWith(issuer); steps++) {
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
    client_id: client.client_id,
    redirect_uri: client.redirect_uris[0],
    response_type: "code",
    scope: "openid",
    nonce: "n",
    login_hint: who,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256"
  })
  const back = await follow(`${issuer}/auth?${query}`)
  const response = await fetch(`${issuer}/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code: back.searchParams.get("code") ?? "",
      client_id: client.client_id,
      redirect_uri: client.redirect_uris[0],
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

import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { type NylasStandIn, startNylas } from "@leadloom/testkit/nylas/NylasStandIn"
import { Effect, Exit, Scope } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { type Issuer, startIssuer } from "../world/Issuer.ts"
import { type Answer, adminKey, at, startServer, type TestServer, textAt } from "../world/TestServer.ts"

let nylas: NylasStandIn
let issuer: Issuer
let server: TestServer
let scope: Scope.Closeable

const begin = async (database: "sqlite" | "postgres"): Promise<void> => {
  scope = Effect.runSync(Scope.make())
  nylas = await startNylas()
  issuer = await startIssuer()
  const url = database === "sqlite" ? null : await Effect.runPromise(Scope.provide(migratedDatabase, scope))
  server = startServer({
    ...(url === null ? {} : { LEADLOOM_DATABASE_URL: url }),
    ...issuer.env,
    LEADLOOM_NYLAS_API_URL: nylas.url,
    LEADLOOM_NYLAS_API_KEY: nylas.apiKey,
    LEADLOOM_NYLAS_CLIENT_ID: nylas.clientId,
    LEADLOOM_NYLAS_REDIRECT_URI: nylas.redirectUri
  })
  for (const [id, domain] of [
    ["acme", "acme.com"],
    ["other", "other.com"],
    ["solo", null],
    ["duo", null]
  ] as const) {
    expect((await open(id, domain)).status).toBe(201)
  }
}

afterEach(async () => {
  await server.close()
  await nylas.close()
  await issuer.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const open = (tenant_id: string, domain: string | null): Promise<Answer> =>
  server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: { tenant_id, name: tenant_id, domain } })

const managerOf = (tenantId: string): Promise<string> => issuer.token({ role: "manager", tenants: [tenantId] })

const email = (method: string, tenantId: string, path: string, as: string, body?: unknown): Promise<Answer> =>
  server.call(method, `/api/v1/tenants/${tenantId}/email${path}`, { as, ...(body === undefined ? {} : { body }) })

const connect = (tenantId: string, address: string, as: string): Promise<Answer> =>
  email("POST", tenantId, "/connect", as, { provider: "smtp", email: address })

const signIn = async (tenantId: string, address: string, as: string): Promise<Answer> => {
  const authUrl = await email("GET", tenantId, "/auth-url?provider=google", as)
  const state = new URL(textAt(authUrl.json, "url")).searchParams.get("state") ?? ""
  return email("POST", tenantId, "/callback", as, { code: nylas.signIn(address), state })
}

const taken = { status: 409, code: "CONFLICT" }

describe.each(["sqlite", "postgres"] as const)("mailboxes and domains on %s", (database) => {
  it("are connected through the relay on the tenant's own domain, and elsewhere by the operator only", async () => {
    await begin(database)
    const [other, solo] = [await managerOf("other"), await managerOf("solo")]
    for (const [tenantId, address, as] of [
      ["other", "sales@acme.com", other],
      ["other", "sales@elsewhere.example", other],
      ["other", "a@other.com.elsewhere.example", other],
      ["solo", "shop@elsewhere.example", solo]
    ] as const) {
      const refused = await connect(tenantId, address, as)
      expect([refused.status, at(refused.json, "error", "details", 0, "path")]).toEqual([400, "email"])
    }
    expect((await connect("other", "Sales@mail.Other.com", other)).status).toBe(201)
    expect((await connect("solo", "shop@elsewhere.example", adminKey)).status).toBe(201)
    expect(await connect("duo", "Shop+x@elsewhere.example", adminKey)).toMatchObject(taken)
    expect(await connect("duo", "sales@acme.com", adminKey)).toMatchObject(taken)
  })

  it("belong to one tenant, however they are connected, and an error does not name the owner", async () => {
    await begin(database)
    const [solo, duo] = [await managerOf("solo"), await managerOf("duo")]
    expect((await signIn("solo", "team@gmail.com", solo)).status).toBe(201)
    const refused = await signIn("duo", "team@gmail.com", duo)
    expect(refused).toMatchObject(taken)
    expect(refused.text).not.toContain("solo")
    expect(await signIn("duo", "boss@acme.com", duo)).toMatchObject(taken)
    const id = nylas.grant("team@gmail.com")?.id
    const body = { provider: "google", email: "team@gmail.com", provider_grant_id: id }
    expect(await email("POST", "duo", "/connect", adminKey, body)).toMatchObject(taken)
    const grants = at((await email("GET", "solo", "/grants", solo)).json, "grants", 0, "grant_id")
    expect((await email("DELETE", "solo", `/grants/${String(grants)}`, solo)).status).toBe(204)
    expect((await signIn("duo", "team@gmail.com", duo)).status).toBe(201)
  })

  it("become aliases of their owner only", async () => {
    await begin(database)
    const [solo, other] = [await managerOf("solo"), await managerOf("other")]
    const setAliases = (tenantId: string, as: string, ...aliases: ReadonlyArray<string>) =>
      email("PATCH", tenantId, "/aliases", as, { aliases })
    expect((await signIn("solo", "team@gmail.com", solo)).status).toBe(201)
    expect((await setAliases("solo", solo, "victim@gmail.com")).status).toBe(400)
    expect((await setAliases("solo", solo, "Team+shop@gmail.com")).status).toBe(200)
    expect((await connect("other", "a@other.com", other)).status).toBe(201)
    expect((await setAliases("other", other, "b@acme.com")).status).toBe(400)
    expect((await open("shop", "shop.other.com")).status).toBe(201)
    expect(await setAliases("other", other, "b@shop.other.com")).toMatchObject(taken)
    expect((await setAliases("other", other, "B@Other.com")).json).toEqual({ aliases: ["b@other.com"] })
  })

  it("belong, if they are domains, to one tenant until it is archived, in any spelling; public domains are rejected", async () => {
    await begin(database)
    for (const domain of ["gmail.com", "mail.gmail.com", "yahoo.co.uk", "web.de", "live.com", "co.uk", "github.io"]) {
      expect([domain, (await open("new", domain)).status]).toEqual([domain, 400])
    }
    expect(await open("new", "ACME.com.")).toMatchObject(taken)
    expect((await open("new", "Bücher.example")).json).toMatchObject({ domain: "xn--bcher-kva.example" })
    expect(await open("newer", "bücher.EXAMPLE")).toMatchObject(taken)
    expect((await server.call("DELETE", "/api/v1/admin/tenants/acme", { as: adminKey })).status).toBe(204)
    expect((await open("newer", "acme.com")).status).toBe(201)
  })
})

import { startServer, adminKey, at, type TestServer } from "../../world/TestServer.ts"
import { createClient, LeadloomError } from "@leadloom/client"
import { Usages } from "@leadloom/core/internal/port/repository/tenant/Usages"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { month, onSteadyMonth } from "../../world/SteadyMonth.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({}, onSteadyMonth)
  world = await makeWorld(server)
})
afterAll(() => server.close())

const client = (credential = adminKey) =>
  createClient({
    baseUrl: "http://leadloom.test",
    credential,
    maxRetries: 0,
    fetch: (url, init) => server.fetch(new Request(url, init))
  })

const failure = async (call: Promise<unknown>): Promise<readonly [number, string | null]> => {
  try {
    await call
  } catch (error) {
    if (error instanceof LeadloomError) return [error.status, error.code]
    throw error
  }
  throw new Error("it did not fail")
}

const acme = { tenantId: "acme" }

describe("billing without a provider", () => {
  it("reports the account of a tenant", async () => {
    expect(await client().billing.status(acme)).toEqual({
      tenant_id: "acme",
      plan: "trial",
      status: "trialing",
      provider: "local",
      subscribed_plan: null,
      trial_ends_at: null,
      current_period_start: null,
      current_period_end: null,
      cancel_at_period_end: false,
      grace_ends_at: null,
      credits: 0
    })
  })

  it("changes a plan without payment, with immediate effect on caps and allowances", async () => {
    const batch = () =>
      server.call("POST", "/api/v1/tenants/acme/pipeline/batch", {
        as: adminKey,
        body: { items: [{ message: "Hello", contact: { email: "jane@customer.example" } }] }
      })
    expect((await batch()).code).toBe("PLAN_RESTRICTED")
    const { billing, checkout } = await client().billing.activate({ plan: "growth" }, acme)
    expect([billing.plan, billing.status, checkout]).toEqual(["growth", "active", null])
    expect(billing.current_period_start).toMatch(/^\d{4}-/u)
    expect((await batch()).status).toBe(202)
    expect((await client().usage.get("acme")).actions.cap).toBe(50_000)
    expect((await client().billing.activate({}, acme)).billing.plan).toBe("growth")
    expect((await client().billing.activate({}, { tenantId: "other" })).billing.plan).toBe("starter")
  })

  it("rejects payments", async () => {
    expect(await failure(client().billing.checkout({ plan: "growth" }, acme))).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(await failure(client().billing.checkout({ credits: 5 }, acme))).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(await failure(client().billing.portal(acme))).toEqual([503, "SERVICE_UNAVAILABLE"])
  })

  it.each([
    ["nothing", {}],
    ["two things", { plan: "growth", credits: 5 }],
    ["no credits", { credits: 0 }],
    ["the trial", { plan: "trial" }],
    ["an unknown field", { plan: "growth", more: 1 }]
  ])("rejects a checkout of %s", async (_, body) => {
    const answer = await server.call("POST", "/api/v1/billing/checkout?tenant_id=acme", { as: adminKey, body })
    expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"])
  })

  it("rejects events, because none can be verified", async () => {
    const answer = await server.call("POST", "/api/v1/webhook/providers/stripe", { body: {} })
    expect([answer.status, answer.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
  })
})

describe("credits", () => {
  it("are granted by the operator, once per reference", async () => {
    const given = { amount: 30, reference: "contract 7", note: "For the fair" }
    const first = await client().billing.grant("acme", given)
    expect(first).toMatchObject({ kind: "grant", amount: 30, balance: 30, reference: "grant:contract 7" })
    expect(first.id).toMatch(/^crd_[0-9a-z]{26}$/u)
    const path = "/api/v1/admin/tenants/acme/credits"
    const again = await server.call("POST", path, { as: adminKey, body: given })
    expect([again.status, again.json, again.headers.get("idempotent-replayed")]).toEqual([201, first, "true"])
    expect(await failure(client().billing.grant("acme", { ...given, amount: 31 }))).toEqual([409, "CONFLICT"])
    await client().billing.grant("acme", { kind: "expire", amount: -4, reference: "the end of June" })
    expect(await client().billing.balance(acme)).toEqual({ tenant_id: "acme", balance: 26 })
    expect((await client().billing.status(acme)).credits).toBe(26)
  })

  it.each([
    { amount: 0, reference: "a" },
    { amount: -1, reference: "a" },
    { kind: "expire", amount: 1, reference: "a" },
    { amount: 1.5, reference: "a" },
    { amount: 1, reference: "" },
    { kind: "purchase", amount: 1, reference: "a" }
  ])("are not granted with %j", async (body) => {
    const answer = await server.call("POST", "/api/v1/admin/tenants/acme/credits", { as: adminKey, body })
    expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"])
  })

  it("pay for use beyond the plan, line by line, until they are used up", async () => {
    await server.call("POST", "/api/v1/admin/tenants/clinic/credits", {
      as: adminKey,
      body: { amount: 2, reference: "a" }
    })
    const score = () =>
      server.call("POST", "/api/v1/actions/automation/clinic/score-contact", { as: adminKey, body: { message: "Hi" } })
    const useUp = Effect.flatMap(Usages, (usages) => usages.set("clinic", "actions", month, 500))
    await server.run(useUp)
    expect((await client().usage.get("clinic")).actions).toEqual({ used: 500, cap: 500 })
    expect([(await score()).status, (await score()).status]).toEqual([200, 200])
    expect((await score()).status).toBe(429)
    const clinic = { tenantId: "clinic" }
    const first = await client().billing.transactions({ ...clinic, limit: 2 })
    expect(first.transactions.map(({ amount, balance, kind }) => [kind, amount, balance])).toEqual([
      ["use", -1, 0],
      ["use", -1, 1]
    ])
    const cursor = first.next_cursor ?? ""
    const second = await client().billing.transactions({ ...clinic, limit: 2, cursor })
    expect([second.transactions.length, second.next_cursor]).toEqual([1, null])
    expect(await failure(client().billing.transactions({ ...acme, cursor }))).toEqual([400, "BAD_REQUEST"])
  })
})

describe("authorisation", () => {
  const reads = ["/billing/status", "/billing/credits/balance", "/billing/credits/transactions"]
  const writes = ["/billing/activate", "/billing/checkout", "/billing/portal", "/admin/tenants/acme/credits"]

  it.each(["apiKey", "session"] as const)("rejects a credential of kind %s", async (kind) => {
    const as = world.acme[kind]
    for (const path of reads) {
      expect((await server.call("GET", `/api/v1${path}?tenant_id=acme`, { as })).code).toBe("FORBIDDEN")
    }
    for (const path of writes) {
      const body = path.endsWith("portal") ? {} : { body: {} }
      const query = path.startsWith("/admin") ? "" : "?tenant_id=acme"
      expect((await server.call("POST", `/api/v1${path}${query}`, { as, ...body })).code).toBe("FORBIDDEN")
    }
  })

  it("requires the tenant if the credential has several", async () => {
    for (const path of reads) {
      const answer = await server.call("GET", `/api/v1${path}`, { as: adminKey })
      expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, "tenant_id"])
      expect((await server.call("GET", `/api/v1${path}?tenant_id=nobody`, { as: adminKey })).code).toBe("NOT_FOUND")
    }
    expect(await failure(client().billing.activate({}, { tenantId: "nobody" }))).toEqual([404, "NOT_FOUND"])
    expect(await failure(client().billing.grant("nobody", { amount: 1, reference: "a" }))).toEqual([404, "NOT_FOUND"])
  })
})

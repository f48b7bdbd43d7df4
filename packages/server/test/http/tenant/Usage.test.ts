import {
  startServer,
  type TestServer,
  adminKey,
  type Answer,
  type Call,
  readResponse,
  requestOf
} from "../../world/TestServer.ts"
import { Authorization, Principal } from "@leadloom/api/internal/Access"
import { UsageGroup } from "@leadloom/api/internal/admin/Usage"
import { createClient, LeadloomError } from "@leadloom/client"
import { type Role, roles } from "@leadloom/core/internal/domain/access/Principal"
import { Effect, Layer, Redacted } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { requireRight } from "../../../src/http/middleware/Authorization.ts"
import { gateOf } from "../../../src/http/middleware/Gates.ts"
import * as Usage from "../../../src/http/handler/admin/Usage.ts"
import * as Validation from "../../../src/http/validation/Validation.ts"
import { month, onSteadyMonth } from "../../world/SteadyMonth.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
let people: { readonly handler: (request: Request) => Promise<Response>; readonly dispose: () => Promise<void> }

/** Authorises a person by a role instead of a verified ID token. */
const byRole = Authorization.of({
  bearer: (next, { credential, endpoint }) =>
    Effect.gen(function* () {
      const role = roles.find((known): known is Role => known === Redacted.value(credential)) ?? "agent"
      const principal = { _tag: "IdToken" as const, subject: "ann", role, tenants: ["acme"] }
      const { tenant_id } = yield* HttpRouter.params
      yield* requireRight(principal, (yield* gateOf(endpoint)).operation, tenant_id ?? null)
      return yield* Effect.provideService(next, Principal, principal)
    })
})

const client = (credential: string) =>
  createClient({
    baseUrl: "http://leadloom.test",
    credential,
    maxRetries: 0,
    fetch: (url, init) => server.fetch(new Request(url, init))
  })

beforeAll(async () => {
  server = startServer({}, onSteadyMonth)
  world = await makeWorld(server)
  const app = HttpApiBuilder.layer(HttpApi.make("leadloom").add(UsageGroup)).pipe(
    Layer.provide(Usage.layer),
    Layer.provide([Layer.succeed(Authorization, byRole), Validation.layer]),
    HttpRouter.provideRequest(Layer.succeedContext(await server.services())),
    Layer.provide(HttpServer.layerServices)
  )
  people = HttpRouter.toWebHandler(app, { disableLogger: true })
})
afterAll(async () => {
  await people.dispose()
  await server.close()
})

const asPerson = async (method: string, path: string, call: Call = {}): Promise<Answer> =>
  readResponse(await people.handler(requestOf(method, path, { as: "superuser", ...call })))

const score = (tenant: string, as = adminKey) =>
  server.call("POST", `/api/v1/actions/automation/${tenant}/score-contact`, { as, body: { message: "Hi" } })

const used = { actions: { used: 0, cap: 500 }, ai_calls: { used: 0, cap: 200 }, ai_tokens: { input: 0, output: 0 } }

describe("GET /usage", () => {
  it("returns this month's use of a tenant's plan", async () => {
    await score("clinic")
    expect(await client(adminKey).usage.get("clinic")).toEqual({
      tenant_id: "clinic",
      plan: "trial",
      month,
      ...used,
      actions: { used: 1, cap: 500 }
    })
  })

  it("returns another month on request, and rejects invalid months", async () => {
    expect(await client(adminKey).usage.get("clinic", { month: "2024-02" })).toMatchObject({
      month: "2024-02",
      ...used
    })
    for (const wrong of ["2024-13", "2024", "24-01", "", "2024-02-01"]) {
      const answer = await server.call("GET", `/api/v1/usage/acme?month=${wrong}`, { as: adminKey })
      expect([wrong, answer.status, answer.code]).toEqual([wrong, 400, "BAD_REQUEST"])
    }
  })

  it("requires an admin, so the tenant's key and managers are rejected", async () => {
    await expect(client(world.acme.apiKey).usage.get("acme")).rejects.toMatchObject({ status: 403, code: "FORBIDDEN" })
    const answers = await Promise.all(roles.map((as) => asPerson("GET", "/api/v1/usage/acme", { as })))
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 200, 200])
    await expect(client(adminKey).usage.get("nobody")).rejects.toBeInstanceOf(LeadloomError)
  })
})

describe("PUT /usage", () => {
  const put = (body: unknown, call: Call = {}, query = "") =>
    asPerson("PUT", `/api/v1/usage/acme${query}`, { body, ...call })

  it("requires a superuser", async () => {
    const answers = await Promise.all(roles.map((as) => put({ actions: { used: 0 } }, { as })))
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 200])
    await expect(client(adminKey).usage.set("acme", { actions: { used: 0 } })).rejects.toMatchObject({ status: 403 })
  })

  it("sets use and caps, regardless of earlier values", async () => {
    const body = { actions: { used: 7, cap: 8 }, ai_calls: { cap: 0 }, ai_tokens: { input: 12_000_000_000, output: 3 } }
    const answer = await put(body)
    expect([answer.status, answer.json]).toEqual([
      200,
      {
        tenant_id: "acme",
        plan: "trial",
        month,
        actions: { used: 7, cap: 8 },
        ai_calls: { used: 0, cap: 0 },
        ai_tokens: { input: 12_000_000_000, output: 3 }
      }
    ])
    expect(await client(adminKey).usage.get("acme")).toEqual(answer.json)
    expect((await score("acme")).status).toBe(200)
    const capped = await score("acme", world.acme.apiKey)
    expect([capped.status, capped.code]).toEqual([429, "USAGE_LIMIT_REACHED"])
  })

  it("answers 429 AI_LIMIT_REACHED without remaining calls, and counts no action", async () => {
    await put({ actions: { used: 0, cap: null }, ai_calls: { cap: 0 } })
    const path = "/api/v1/actions/automation/acme/classify-conversation"
    const capped = await server.call("POST", path, { as: world.acme.apiKey, body: { message: "Hi" } })
    expect([capped.status, capped.code]).toEqual([429, "AI_LIMIT_REACHED"])
    expect(await client(adminKey).usage.get("acme")).toMatchObject({ actions: { used: 0, cap: 500 } })
  })

  it("removes an override with null, and keeps fields that are missing", async () => {
    await put({ actions: { used: 5, cap: 9 }, ai_calls: { cap: 4 } })
    const answer = await put({ ai_calls: { cap: null } })
    expect(answer.json).toMatchObject({ actions: { used: 5, cap: 9 }, ai_calls: { used: 0, cap: 200 } })
  })

  it("changes only the counts of another month", async () => {
    expect((await put({ actions: { used: 321 } }, {}, "?month=2024-02")).json).toMatchObject({ actions: { used: 321 } })
    expect(await client(adminKey).usage.get("acme")).toMatchObject({ actions: { used: 5 } })
  })

  it.each([
    ["", {}],
    ["", { actions: {} }],
    ["actions.used", { actions: { used: -1 } }],
    ["actions.used", { actions: { used: 1.5 } }],
    ["actions.used", { actions: { used: null } }],
    ["actions.cap", { actions: { cap: "many" } }],
    ["ai_calls.cap", { ai_calls: { cap: 1e15 } }],
    ["ai_tokens.cap", { ai_tokens: { cap: 1 } }],
    ["tokens", { tokens: { input: 1 } }]
  ])("rejects a body with an invalid field %s", async (path, body) => {
    const answer = await put(body)
    expect([answer.status, answer.json]).toEqual([
      400,
      { error: expect.objectContaining({ details: [{ path, message: expect.any(String) }] }) }
    ])
  })
})

describe("the plan of a tenant", () => {
  it("is assigned and changed by the operator, with immediate effect on caps", async () => {
    const operator = client(adminKey)
    const made = await operator.tenants.create({ tenant_id: "planned", name: "Planned", plan: "starter" })
    expect(made.plan).toBe("starter")
    await score("planned")
    expect(await operator.tenants.update("planned", { plan: "growth", name: "Grown" })).toEqual({
      ...made,
      plan: "growth",
      name: "Grown"
    })
    expect(await operator.tenants.get("planned")).toMatchObject({ plan: "growth", name: "Grown" })
    expect(await operator.usage.get("planned")).toMatchObject({ plan: "growth", actions: { used: 1, cap: 50_000 } })
    expect(await operator.tenants.update("planned", {})).toMatchObject({ plan: "growth", name: "Grown" })
  })

  it("must exist and belong to an active tenant", async () => {
    for (const body of [{ plan: "gold" }, { name: "" }, { domain: "gmail.com" }]) {
      const answer = await server.call("PATCH", "/api/v1/admin/tenants/acme", { as: adminKey, body })
      expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"])
    }
    await expect(client(adminKey).tenants.update("nobody", { plan: "scale" })).rejects.toMatchObject({ status: 404 })
    await expect(client(world.acme.apiKey).tenants.update("acme", { plan: "scale" })).rejects.toMatchObject({
      status: 403
    })
  })
})

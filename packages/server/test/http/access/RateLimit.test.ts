import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import * as Store from "@leadloom/store/internal/Store"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Layer } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { type Answer, adminKey, startServer, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, sourceId } from "../../world/World.ts"

let server: TestServer
afterEach(() => server.close())

const rateOf = ({ headers }: Answer) => ({
  limit: headers.get("x-ratelimit-limit"),
  remaining: headers.get("x-ratelimit-remaining"),
  reset: headers.get("x-ratelimit-reset"),
  retryAfter: headers.get("retry-after")
})

describe("the admin limiter", () => {
  it("counts each credential separately and reports its state on every response", async () => {
    server = startServer({ LEADLOOM_LIMIT_ADMIN: "3", LEADLOOM_LIMIT_WEBHOOK: "100" })
    await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: { tenant_id: "acme", name: "A" } })
    const before = Math.floor(Date.now() / 1000)
    const failed = await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: {} })
    const last = await server.call("GET", "/api/v1/admin/tenants", { as: adminKey })
    const refused = await server.call("GET", "/api/v1/admin/tenants", { as: adminKey })
    expect(rateOf(failed)).toMatchObject({ limit: "3", remaining: "1", retryAfter: null })
    expect([failed.status, last.status, refused.status, refused.code]).toEqual([400, 200, 429, "RATE_LIMITED"])
    expect(rateOf(last)).toMatchObject({ limit: "3", remaining: "0", retryAfter: null })
    expect(rateOf(refused)).toMatchObject({ limit: "3", remaining: "0" })
    const reset = Number(rateOf(refused).reset)
    expect(reset).toBeGreaterThanOrEqual(before)
    expect(reset).toBeLessThanOrEqual(before + 62)
    expect(Number(rateOf(refused).retryAfter)).toBeGreaterThanOrEqual(1)
    expect(Number(rateOf(refused).retryAfter)).toBeLessThanOrEqual(60)
  })

  it("does not affect other credentials", async () => {
    server = startServer({ LEADLOOM_LIMIT_ADMIN: "20" })
    const { acme } = await makeWorld(server)
    const list = (as: string) => server.call("GET", "/api/v1/tenants/acme/contacts", { as })
    expect(rateOf(await list(acme.apiKey)).remaining).toBe("19")
    for (let count = 0; count < 20; count++) await list(adminKey)
    expect((await list(adminKey)).code).toBe("RATE_LIMITED")
    expect(rateOf(await list(acme.apiKey)).remaining).toBe("18")
    expect(rateOf(await list(acme.session)).remaining).toBe("19")
  })

  it("checks the rate before the payload and after the right", async () => {
    server = startServer({ LEADLOOM_LIMIT_ADMIN: "1000", LEADLOOM_LIMIT_WEBHOOK: "1" })
    const { acme } = await makeWorld(server)
    const path = "/api/v1/actions/automation/acme/score-contact"
    expect((await server.call("POST", path, { as: acme.apiKey, body: "{" })).status).toBe(400)
    expect((await server.call("POST", path, { as: acme.apiKey, body: "{" })).code).toBe("RATE_LIMITED")
    expect((await server.call("POST", path, { as: acme.session, body: "{" })).code).toBe("FORBIDDEN")
  })
})

describe("the webhook limiter", () => {
  it("counts per tenant, whoever the caller is, and does not affect other tenants", async () => {
    server = startServer({ LEADLOOM_LIMIT_WEBHOOK: "2" })
    const { acme, other } = await makeWorld(server)
    const score = (tenant: string, as: string) =>
      server.call("POST", `/api/v1/actions/automation/${tenant}/score-contact`, { as, body: { message: "Hi" } })
    expect(rateOf(await score("acme", acme.apiKey))).toMatchObject({ limit: "2", remaining: "1" })
    expect((await score("acme", adminKey)).status).toBe(200)
    expect((await score("acme", acme.apiKey)).code).toBe("RATE_LIMITED")
    const dryRun = await server.call("POST", "/api/v1/test/acme", { as: acme.apiKey, body: { message: "Hi" } })
    expect(dryRun.code).toBe("RATE_LIMITED")
    expect((await score("other", other.apiKey)).status).toBe(200)
    expect((await server.call("GET", "/api/v1/tenants/acme/contacts", { as: acme.apiKey })).status).toBe(200)
  })
})

describe("the limiter of bad credentials", () => {
  it("answers 429 instead of 401 above the limit, and never rejects a valid credential", async () => {
    server = startServer({ LEADLOOM_LIMIT_BAD_CREDENTIALS: "2" })
    const guess = () => server.call("GET", "/api/v1/admin/tenants", { as: "guess" })
    const statuses = [await guess(), await guess(), await guess()].map(({ status }) => status)
    expect(statuses).toEqual([401, 401, 429])
    const refused = await guess()
    expect(refused.code).toBe("RATE_LIMITED")
    expect(Number(rateOf(refused).retryAfter)).toBeGreaterThanOrEqual(1)
    expect((await server.call("GET", "/api/v1/admin/tenants", { as: adminKey })).status).toBe(200)
    expect((await server.call("GET", "/api/v1/admin/tenants")).status).toBe(401)
  })

  it("counts a bad source key once and sends no Retry-After", async () => {
    server = startServer({ LEADLOOM_LIMIT_BAD_CREDENTIALS: "2" })
    const { acme } = await makeWorld(server)
    const send = (headers: Record<string, string>) =>
      server.call("POST", `/api/v1/events/acme/${sourceId}`, { body: {}, headers })
    const guesses = [
      await send({ "x-source-key": "guess" }),
      await send({ authorization: "Bearer guess" }),
      await send({ authorization: "Bearer guess", "x-source-key": "guess" })
    ]
    expect(guesses.map(({ status }) => status)).toEqual([401, 401, 429])
    expect(guesses.map((answer) => rateOf(answer).retryAfter)).toEqual([null, null, null])
    expect((await send({ "x-source-key": acme.sourceKey })).status).toBe(400)
  })
})

describe("routes without a limiter", () => {
  it("send no rate-limit headers", async () => {
    server = startServer()
    const { acme } = await makeWorld(server)
    const event = await server.call("POST", `/api/v1/events/acme/${sourceId}`, {
      headers: { "x-source-key": acme.sourceKey },
      body: { entity: { id: "1" }, content: { body: "Hello" } }
    })
    for (const answer of [event, await server.call("GET", "/health")]) {
      expect(answer.status).toBe(200)
      expect(rateOf(answer)).toEqual({ limit: null, remaining: null, reset: null, retryAfter: null })
    }
  })
})

/** Counters on a closed Postgres store. */
const closedCounters = Layer.effect(
  RateLimits,
  Effect.scoped(
    Effect.flatMap(migratedDatabase, (url) =>
      Effect.provide(Effect.service(RateLimits), Layer.fresh(Store.layer({ url })))
    )
  )
)

describe("a failing limiter", () => {
  it("permits all requests and sends no rate-limit headers", async () => {
    server = startServer({ LEADLOOM_LIMIT_ADMIN: "1", LEADLOOM_LIMIT_BAD_CREDENTIALS: "1" }, (services) =>
      Layer.provideMerge(closedCounters, services)
    )
    for (let count = 0; count < 3; count++) {
      const listed = await server.call("GET", "/api/v1/admin/tenants", { as: adminKey })
      expect(listed.status).toBe(200)
      expect(rateOf(listed)).toEqual({ limit: null, remaining: null, reset: null, retryAfter: null })
      expect((await server.call("GET", "/api/v1/admin/tenants", { as: "guess" })).status).toBe(401)
    }
  })
})

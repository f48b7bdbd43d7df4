import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer } from "../../world/TestServer.ts"

const nextAdminKey = "the-operators-next-admin-key-of-the-tests"
const server = startServer({ LEADLOOM_ADMIN_KEY: `${nextAdminKey},${adminKey}` })
beforeAll(() =>
  server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: { tenant_id: "acme", name: "Acme" } })
)
afterAll(() => server.close())

const run = (key: string | null) =>
  server.call("POST", "/api/v1/webhook/automation/acme", {
    as: adminKey,
    body: { message: "How much is a roof?", contact: { email: "jo@customer.example" } },
    headers: key === null ? {} : { "idempotency-key": key }
  })

describe("a pipeline request", () => {
  it("that is repeated with its key returns the first run", async () => {
    const [first, again] = [await run("order-1"), await run("order-1")]
    expect(first.status).toBe(200)
    expect(again.json).toEqual(first.json)
  })

  it("with another key or none is another message", async () => {
    const answers = [await run("order-2"), await run("order-3"), await run(null), await run(null)]
    expect(new Set(answers.map(({ json }) => at(json, "signal_id"))).size).toBe(4)
  })

  it("accepts a key of at most 255 characters", async () => {
    expect((await run("k".repeat(255))).status).toBe(200)
    expect((await run("k".repeat(256))).code).toBe("BAD_REQUEST")
  })
})

describe.each([
  ["a contact", "/api/v1/tenants/acme/contacts", { name: "Jo" }, 201],
  ["a lead", "/api/v1/tenants/acme/leads", { contact: { email: "ann@customer.example" } }, 201],
  ["an API key", "/api/v1/tenants/acme/api-keys", { name: "partner" }, 201],
  ["a webhook", "/api/v1/tenants/acme/webhooks", { url: "https://hooks.example.com/in" }, 201],
  ["a tenant", "/api/v1/admin/tenants", { tenant_id: "fresh", name: "Fresh" }, 201],
  ["an email account", "/api/v1/tenants/acme/email/connect", { provider: "smtp", email: "sales@acme.com" }, 201]
])("a request for %s", (_, path, body, status) => {
  const post = (key: string, payload: unknown = body) =>
    server.call("POST", path, { as: adminKey, body: payload, headers: { "idempotency-key": key } })

  it("runs once per key, and a repetition returns the same response including secrets", async () => {
    const [first, again] = [await post("k1"), await post("k1")]
    expect([first.status, first.headers.get("idempotent-replayed")]).toEqual([status, null])
    expect([again.status, again.headers.get("idempotent-replayed"), again.text]).toEqual([status, "true", first.text])
    const other = await post("k1", { ...body, name: "Somebody else" })
    expect([other.status, other.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"])
    expect((await post("k".repeat(256))).code).toBe("BAD_REQUEST")
  })

  it("that fails leaves its key free", async () => {
    const wrong = { ...body, nonsense: 1 }
    expect((await post("k3", wrong)).status).toBe(400)
    expect((await post("k3", { ...wrong, nonsense: 2 })).code).toBe("BAD_REQUEST")
  })
})

describe("a stored response", () => {
  it("is returned to all concurrent repetitions", async () => {
    const post = () =>
      server.call("POST", "/api/v1/tenants/acme/contacts", {
        as: adminKey,
        body: { name: "Many" },
        headers: { "idempotency-key": "many" }
      })
    const answers = await Promise.all(Array.from({ length: 8 }, post))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ json }) => at(json, "id"))).size).toBe(1)
  })

  it("is returned to the operator with either of two admin keys", async () => {
    await server.call("PATCH", "/api/v1/admin/tenants/acme", { as: adminKey, body: { plan: "growth" } })
    for (const [path, body] of [
      ["/api/v1/tenants/acme/contacts", { name: "Rotated" }],
      ["/api/v1/admin/tenants", { tenant_id: "rotated", name: "Rotated" }],
      [
        "/api/v1/tenants/acme/pipeline/batch",
        { items: [{ message: "Roof?", contact: { email: "jo@customer.example" } }] }
      ]
    ] as const) {
      const post = (as: string) => server.call("POST", path, { as, body, headers: { "idempotency-key": "rotated" } })
      const [first, again] = [await post(adminKey), await post(nextAdminKey)]
      expect([path, again.headers.get("idempotent-replayed"), again.text]).toEqual([path, "true", first.text])
    }
  })

  it("is stored encrypted and deleted with an erased contact", async () => {
    const post = () =>
      server.call("POST", "/api/v1/tenants/acme/contacts", {
        as: adminKey,
        body: { name: "Erased" },
        headers: { "idempotency-key": "gone" }
      })
    const id = at((await post()).json, "id")
    const erased = await server.call("POST", `/api/v1/tenants/acme/contacts/${String(id)}/erase`, {
      as: adminKey,
      body: { confirm: id }
    })
    expect(erased.status).toBe(200)
    const again = await post()
    expect([again.status, again.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"])
    expect(again.text).not.toContain("Erased")
  })
})

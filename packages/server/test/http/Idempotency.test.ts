import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer } from "../TestServer.ts"

const server = startServer()
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
  it("that comes again under its key answers with the first run", async () => {
    const [first, again] = [await run("order-1"), await run("order-1")]
    expect(first.status).toBe(200)
    expect(again.json).toEqual(first.json)
  })

  it("under another key or none is another message", async () => {
    const answers = [await run("order-2"), await run("order-3"), await run(null), await run(null)]
    expect(new Set(answers.map(({ json }) => at(json, "signal_id"))).size).toBe(4)
  })

  it("has a key of 255 characters at most", async () => {
    expect((await run("k".repeat(255))).status).toBe(200)
    expect((await run("k".repeat(256))).code).toBe("BAD_REQUEST")
  })
})

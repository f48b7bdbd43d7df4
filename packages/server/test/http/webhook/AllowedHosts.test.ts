import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { callQueue } from "@leadloom/core/internal/workflow/action/RunCall"
import { triggerQueue } from "@leadloom/core/internal/workflow/trigger/RunTrigger"
import { workOnce } from "@leadloom/core/internal/workflow/worker/Worker"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let receiver: Server
let port: number
let open: TestServer
let closed: TestServer
let world: World
const got: Array<{ readonly path: string | undefined; readonly headers: IncomingHttpHeaders }> = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    got.push({ path: request.url, headers: request.headers })
    request.resume()
    response.writeHead(200, { "content-type": "application/json" }).end('{"plan":"gold"}')
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  port = (receiver.address() as AddressInfo).port
  open = startServer({ LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${port}`, LEADLOOM_LIMIT_ADMIN: "100000" })
  closed = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(open)
  await makeWorld(closed)
  const body = { key: "plan", label: "Plan", type: "text" }
  for (const server of [open, closed]) await server.call("POST", "/api/v1/tenants/acme/fields", { as: adminKey, body })
})
afterAll(async () => {
  await Promise.all([open.close(), closed.close()])
  receiver.close()
  receiver.closeAllConnections()
})

const subscribe = (server: TestServer, url: string) =>
  server.call("POST", "/api/v1/tenants/acme/webhooks", { as: adminKey, body: { url, events: ["lead.received"] } })

const saveRule = (server: TestServer, url: string, webhookId: string) => {
  const actions = [{ type: "call_webhook", url, webhook_id: webhookId, store: { plan: "/plan" } }]
  const rule = { id: "call", name: "Call", priority: 1, trigger: { type: "manual" }, when: { all: [] }, actions }
  return server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: { rules: [rule] } })
}

describe("LEADLOOM_WEBHOOK_ALLOW_HOSTS", () => {
  it("permits one private host and port, for subscriptions and for calls of rules", async () => {
    const url = `http://127.0.0.1:${port}/hook`
    const made = await subscribe(open, url)
    expect(made.status).toBe(201)
    const webhookId = textAt(made.json, "id")
    expect((await saveRule(open, url, webhookId)).status).toBe(200)
    const body = { name: "Ann", email: "ann@customer.example" }
    const contact = await open.call("POST", "/api/v1/tenants/acme/contacts", { as: adminKey, body })
    const contactId = textAt(contact.json, "id")
    const start = { as: world.acme.apiKey, body: { contact_id: contactId } }
    const started = await open.call("POST", "/api/v1/tenants/acme/pipeline/rules/call/runs", start)
    expect(started.status).toBe(201)
    await open.run(workOnce(triggerQueue))
    await open.run(workOnce(callQueue))
    expect(got.map(({ path }) => path)).toEqual(["/hook"])
    expect(got[0]?.headers["webhook-signature"]).toMatch(/^v1,/u)
    const found = await open.call("GET", `/api/v1/tenants/acme/contacts/${contactId}`, { as: adminKey })
    expect(at(found.json, "custom_fields")).toEqual({ plan: "gold" })
    // Another port of the host stays blocked.
    const other = `http://127.0.0.1:${port === 65_535 ? 1 : port + 1}/hook`
    expect((await subscribe(open, other)).status).toBe(400)
    expect((await saveRule(open, other, webhookId)).status).toBe(400)
  })

  it("is empty by default, so no private host is called", async () => {
    const refused = await subscribe(closed, `http://127.0.0.1:${port}/hook`)
    expect([refused.status, at(refused.json, "error", "details", 0, "path")]).toEqual([400, "url"])
    const webhookId = textAt((await subscribe(closed, "https://receiver.example/hook")).json, "id")
    const rule = await saveRule(closed, `http://127.0.0.1:${port}/hook`, webhookId)
    expect([rule.status, at(rule.json, "error", "details", 0, "path")]).toEqual([400, "rules.0.actions.0.url"])
    expect(got).toHaveLength(1)
  })
})

import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { signDelivery } from "@leadloom/core/internal/workflow/webhook/SignWebhook"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, textAt, type TestServer } from "../../world/TestServer.ts"
import { makeWorld } from "../../world/World.ts"

interface Got {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

let receiver: Server
let server: TestServer
let url: string
const got: Array<Got> = []

beforeAll(async () => {
  receiver = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      got.push({ path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks).toString() })
      if (request.url === "/broken") response.writeHead(500).end("x".repeat(5_000))
      else response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
  const { port } = receiver.address() as AddressInfo
  url = `http://127.0.0.1:${port}`
  server = startServer({ LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${port}` })
  await makeWorld(server)
})
afterAll(async () => {
  await server.close()
  receiver.close()
  receiver.closeAllConnections()
})

const base = "/api/v1/tenants/acme/webhooks"
const call = (method: string, path = "", body?: unknown) =>
  server.call(method, `${base}${path}`, body === undefined ? { as: adminKey } : { as: adminKey, body })
const create = (path: string, more: object = {}) => call("POST", "", { url: `${url}${path}`, ...more })
const issuesOf = (json: unknown): ReadonlyArray<unknown> => {
  const details = at(json, "error", "details")
  return Array.isArray(details) ? details.map((detail) => at(detail, "path")) : []
}

describe("webhook subscriptions", () => {
  it("show their secret once, and all other fields", async () => {
    const created = await create("/hooks", { events: ["lead.received"], description: "Ours" })
    expect(created.status).toBe(201)
    expect(textAt(created.json, "secret")).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/u)
    const id = textAt(created.json, "id")
    const read = await call("GET", `/${id}`)
    expect(read.json).toMatchObject({
      id,
      url: `${url}/hooks`,
      events: ["lead.received"],
      description: "Ours",
      max_in_flight: 1,
      status: "active",
      inactive_reason: null,
      consecutive_failures: 0
    })
    expect(read.text).not.toContain("whsec_")
    expect((await call("GET")).text).not.toContain("whsec_")
    const rotated = await call("POST", `/${id}/rotate-secret`)
    expect(textAt(rotated.json, "secret")).not.toBe(textAt(created.json, "secret"))
    expect((await call("DELETE", `/${id}`)).status).toBe(204)
    expect((await call("GET", `/${id}`)).status).toBe(404)
    expect((await call("DELETE", `/${id}`)).status).toBe(404)
  })

  it("are rejected with the invalid fields", async () => {
    const wrong = await call("POST", "", {
      url: "http://169.254.169.254/latest",
      events: ["lead.born"],
      max_in_flight: 99
    })
    expect([wrong.status, wrong.code]).toEqual([400, "BAD_REQUEST"])
    expect(issuesOf(wrong.json)).toEqual(["url", "events.0", "max_in_flight"])
    const { json } = await create("/hooks")
    const id = textAt(json, "id")
    const moved = await call("PATCH", `/${id}`, { url: "https://user:pass@receiver.example/" })
    expect([moved.status, issuesOf(moved.json)]).toEqual([400, ["url"]])
    expect((await call("PATCH", `/${id}`, { status: "asleep" })).status).toBe(400)
    const paused = await call("PATCH", `/${id}`, { status: "paused", events: [], max_in_flight: 4 })
    expect(paused.json).toMatchObject({ status: "paused", inactive_reason: "person", max_in_flight: 4 })
    expect((await call("PATCH", `/${id}`, { status: "active" })).json).toMatchObject({ inactive_reason: null })
    await call("DELETE", `/${id}`)
  })

  it("are limited to fifty per tenant", async () => {
    const made = await Promise.all(Array.from({ length: 51 }, () => create("/many")))
    expect(made.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 50 }, () => 201), 409])
    const ids = made.filter(({ status }) => status === 201).map(({ json }) => textAt(json, "id"))
    await Promise.all(ids.map((id) => call("DELETE", `/${id}`)))
  })

  it("are tested with a signed event over a real socket, and report the receiver's answer", async () => {
    const { json } = await create("/broken", { events: ["lead.scored"] })
    const tested = await call("POST", `/${textAt(json, "id")}/test`)
    expect(tested.json).toMatchObject({ success: false, event_type: "lead.scored", attempt: { status_code: 500 } })
    expect(textAt(tested.json, "attempt", "response_body")).toHaveLength(4_096)
    const [first] = got.splice(0)
    if (first === undefined) throw new Error("nothing came")
    const { body, headers } = first
    const secret = textAt(json, "secret")
    expect(headers["x-webhook-signature"]).toBe(signDelivery(secret, Number(headers["x-webhook-timestamp"]), body))
    expect(JSON.parse(body)).toMatchObject({ event_id: at(tested.json, "event_id"), tenant_id: "acme" })
    const named = await call("POST", `/${textAt(json, "id")}/test`, { event_type: "lead.born" })
    expect([named.status, issuesOf(named.json)]).toEqual([400, ["event_type"]])
    expect((await call("GET", `/${textAt(json, "id")}`)).json).toMatchObject({ consecutive_failures: 0 })
    await call("DELETE", `/${textAt(json, "id")}`)
  })

  it("have no deliveries at first, and reject ids of other tenants", async () => {
    const { json } = await create("/hooks")
    const id = textAt(json, "id")
    expect((await call("GET", `/${id}/deliveries`)).json).toEqual({ deliveries: [], next_cursor: null })
    expect((await call("GET", `/${id}/deliveries?cursor=nonsense`)).status).toBe(400)
    expect((await call("POST", `/${id}/deliveries/dlv_00000000000000000000000000/redeliver`)).status).toBe(404)
    expect((await call("POST", `/${id}/recover`, { since: "2020-01-01" })).status).toBe(400)
    expect((await call("POST", `/${id}/recover`, { since: new Date().toISOString() })).json).toEqual({ recovered: 0 })
    const foreign = await server.call("GET", `/api/v1/tenants/globex/webhooks/${id}`, { as: adminKey })
    expect(foreign.status).toBe(404)
    await call("DELETE", `/${id}`)
  })
})

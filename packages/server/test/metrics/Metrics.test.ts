import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { connect } from "node:net"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { LLMock } from "@copilotkit/aimock"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { metricsUrlOf, type Page, readMetrics, scrape } from "../world/MetricsText.ts"
import { answerAll } from "../world/ModelServer.ts"
import { openRaw, type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { adminKey, type Answer, type Call, readResponse, requestOf, textAt } from "../world/TestServer.ts"

const folder = temporaryFolder()
const model = new LLMock({ port: 0 })
const receiver: Server = createServer((request, response) => {
  request.resume().on("end", () => response.writeHead(request.url === "/broken" ? 500 : 204).end())
})
let server: ServerProcess
let url: string
let metrics: string

const portOf = (of: Server): number => {
  const address = of.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const call = async (method: string, path: string, more: Call = {}): Promise<Answer> =>
  readResponse(await fetch(requestOf(method, path, { as: adminKey, ...more }, url)))

/** Waits, because an operation may be counted after its response. */
const until = (check: (page: Page) => void): Promise<Page> =>
  vi.waitFor(
    async () => {
      const page = await scrape(metrics)
      check(page)
      return page
    },
    { timeout: 60_000, interval: 50 }
  )

beforeAll(async () => {
  await model.start()
  answerAll(model)
  receiver.listen(0, "127.0.0.1")
  await once(receiver, "listening")
  server = startProcess({
    LEADLOOM_DATA_DIR: join(folder.path, "data"),
    LEADLOOM_METRICS_PORT: "0",
    LEADLOOM_LIMIT_BAD_CREDENTIALS: "2",
    LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${portOf(receiver)}`,
    LEADLOOM_LLM_MODEL: "gpt-test",
    LEADLOOM_LLM_BASE_URL: `${model.url}/v1`
  })
  url = await server.url
  metrics = metricsUrlOf(server.stdout())
  await call("POST", "/api/v1/admin/tenants", { body: { tenant_id: "acme", name: "Acme", domain: "acme.com" } })
})
afterAll(async () => {
  server.kill("SIGKILL")
  await server.exit
  receiver.close()
  receiver.closeAllConnections()
  await model.stop()
  folder.remove()
})

describe("a server's metrics", () => {
  it("are served on this machine only, in the text format", async () => {
    expect(new URL(metrics).hostname).toBe("127.0.0.1")
    const page = await fetch(metrics)
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"])
    expect(readMetrics(await page.text()).samples.length).toBeGreaterThan(50)
    const head = await fetch(metrics, { method: "HEAD" })
    expect([head.status, await head.text()]).toEqual([200, ""])
    const post = await fetch(metrics, { method: "POST", body: "x" })
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    for (const path of ["/", "/metrics/", "/health", "/api/v1/admin/tenants"]) {
      const other = await readResponse(await fetch(new URL(path, metrics)))
      expect([path, other.status, other.code]).toEqual([path, 404, "NOT_FOUND"])
    }
    expect((await call("GET", "/metrics")).status).toBe(404)
    expect(await openRaw(metrics, "NONSENSE\r\n\r\n").end).toMatch(/^HTTP\/1\.1 400 /u)
  })

  it("include the process metrics that Node dashboards expect", async () => {
    const page = await scrape(metrics)
    expect(page.value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000)
    expect(page.value("process_cpu_seconds_total")).toBeGreaterThan(0)
    const startedAt = page.value("process_start_time_seconds") ?? 0
    expect(Math.abs(Date.now() / 1_000 - startedAt)).toBeLessThan(3_600)
    expect(page.value("nodejs_heap_size_used_bytes")).toBeGreaterThan(1_000_000)
    expect(page.value("nodejs_eventloop_lag_p99_seconds")).toBeGreaterThanOrEqual(0)
    expect(page.value("leadloom_build_info", { store: "sqlite", version: "0.1.0" })).toBe(1)
    expect(page.value("leadloom_store_up")).toBe(1)
    for (const queue of ["signals", "sends", "jobs", "events", "webhook_calls"]) {
      expect(page.value("leadloom_backlog_due", { queue })).toBeGreaterThanOrEqual(0)
      expect(page.value("leadloom_backlog_oldest_seconds", { queue })).toBeGreaterThanOrEqual(0)
    }
  })

  it("count requests by operation, with their duration", async () => {
    for (const method of ["GET", "GET", "HEAD"]) await fetch(`${url}/health`, { method })
    await call("GET", "/api/v1/tenants/acme/contacts")
    await call("GET", "/api/v1/tenants/nobody-here/contacts")
    const operation = "contacts.list"
    const page = await until((page) => {
      expect(page.value("leadloom_http_requests_total", { operation, status: "404" })).toBe(1)
      expect(page.value("leadloom_http_requests_total", { operation: "system.health", method: "HEAD" })).toBe(1)
    })
    expect(page.value("leadloom_http_requests_total", { operation, method: "GET", status: "200" })).toBe(1)
    expect(page.value("leadloom_http_requests_total", { operation: "system.health", method: "GET" })).toBe(2)
    expect(page.value("leadloom_http_request_duration_seconds_count", { operation })).toBe(2)
    expect(page.value("leadloom_http_request_duration_seconds_sum", { operation })).toBeGreaterThan(0)
  })

  it("create no series for invented paths, methods, tenants and ids", async () => {
    const before = await scrape(metrics)
    const paths = [
      "/made-up",
      "/api/v1/made-up",
      "/api/v1/tenants/acme/made-up",
      "/%2e%2e/made-up",
      "/metrics?made-up=1"
    ]
    for (let number = 0; number < 20; number++) {
      for (const path of paths) await fetch(`${url}${path}/${number}`)
      await call("GET", `/api/v1/tenants/made-up-${number}/contacts/made-up-${number}`)
      await call("POST", `/api/v1/tenants/acme/contacts/made-up-${number}`)
    }
    for (const method of ["PROPFIND", "MKCOL"]) await fetch(`${url}/made-up`, { method })
    await openRaw(url, 'GET /made-up?\\"}\n{ HTTP/1.1\r\nHost: x\r\n\r\n').end
    const after = await until((page) =>
      expect(page.value("leadloom_http_requests_total", { operation: "none", method: "other" })).toBe(2)
    )
    const nowhere = { operation: "none", method: "GET", status: "404" }
    const [from = 0, to = 0] = [before, after].map((page) => page.value("leadloom_http_requests_total", nowhere) ?? 0)
    expect(to - from).toBe(100)
    const added = after.series.filter((series) => !before.series.includes(series))
    expect(added.filter((series) => series.startsWith("leadloom_http_requests_total{"))).toEqual([
      expect.stringContaining('operation="contacts.get",status="404"'),
      expect.stringContaining('operation="none",status="405"'),
      expect.stringContaining('method="other",operation="none",status="404"')
    ])
    expect(added.filter((series) => /made.?up/u.test(series))).toEqual([])
  })

  it("count clients that disconnect before the response", async () => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, "connect")
    const head = `POST /api/v1/admin/tenants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminKey}\r\n`
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 99\r\nExpect: 100-continue\r\n\r\n`)
    await once(socket, "data")
    socket.destroy()
    await until((page) =>
      expect(page.value("leadloom_http_requests_total", { operation: "tenants.create", status: "499" })).toBe(1)
    )
  })

  it("count requests that a limiter rejects, without the caller", async () => {
    for (let number = 0; number < 5; number++) await call("GET", "/api/v1/admin/tenants", { as: `made-up-${number}` })
    const page = await until((page) =>
      expect(page.value("leadloom_rate_limited_requests_total", { limiter: "bad_credentials" })).toBe(3)
    )
    expect(page.value("leadloom_rate_limited_requests_total", { limiter: "admin" })).toBe(0)
    expect(page.series.join("\n")).not.toContain("127.0.0.1")
  })

  it("count messages, pipeline results and webhook deliveries", async () => {
    for (const path of ["good", "broken"]) {
      const subscription = { url: `http://127.0.0.1:${portOf(receiver)}/${path}`, events: ["lead.received"] }
      expect((await call("POST", "/api/v1/tenants/acme/webhooks", { body: subscription })).status).toBe(201)
    }
    const source = await call("POST", "/api/v1/admin/tenants/acme/sources", { body: { source_id: "shop" } })
    const event = {
      entity: { id: "customer-1" },
      content: { body: "How much is a roof?", metadata: { message_id: "event-1" } }
    }
    for (const status of ["accepted", "accepted"]) {
      const sent = await call("POST", "/api/v1/events/acme/shop", { as: textAt(source.json, "key"), body: event })
      expect(textAt(sent.json, "status")).toBe(status)
    }
    const page = await until((page) => {
      expect(page.value("leadloom_pipeline_runs_total", { outcome: "done" })).toBe(1)
      expect(page.value("leadloom_webhook_attempts_total", { outcome: "2xx" })).toBe(1)
      expect(page.value("leadloom_webhook_attempts_total", { outcome: "5xx" })).toBeGreaterThanOrEqual(1)
    })
    const messages = page.samples.filter(({ name, value }) => name === "leadloom_messages_total" && value > 0)
    expect(messages.map(({ labels, value }) => [labels["channel"], labels["outcome"], value])).toEqual([
      ["webhook", "message", 1],
      ["webhook", "duplicate_of", 1]
    ])
    expect(page.value("leadloom_webhook_attempt_duration_seconds_count")).toBeGreaterThanOrEqual(2)
  })

  it("count sends by final state, and requests to a model", async () => {
    await call("POST", "/api/v1/tenants/acme/email/connect", { body: { provider: "smtp", email: "sales@acme.com" } })
    const mail = { to: [{ email: "jane@customer.example" }], subject: "Roof", body: "Hello" }
    expect((await call("POST", "/api/v1/tenants/acme/email/send", { body: mail })).status).toBeLessThan(300)
    const before = await scrape(metrics)
    const body = { message: "How much is a roof?" }
    expect((await call("POST", "/api/v1/actions/automation/acme/classify-conversation", { body })).status).toBe(200)
    const page = await until((page) =>
      expect(page.value("leadloom_sends_total", { channel: "email", state: "confirmed" })).toBe(1)
    )
    expect(page.value("leadloom_sends_total", { channel: "email", state: "failed" })).toBe(0)
    const more = (name: string, labels: Readonly<Record<string, string>>): number =>
      (page.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0)
    expect(more("leadloom_model_requests_total", { purpose: "classify", outcome: "answered" })).toBe(1)
    expect(more("leadloom_model_requests_total", { purpose: "reply", outcome: "answered" })).toBe(0)
    expect(more("leadloom_model_request_duration_seconds_count", { purpose: "classify" })).toBe(1)
    expect(more("leadloom_model_tokens_total", { direction: "read" })).toBe(100)
    expect(more("leadloom_model_tokens_total", { direction: "written" })).toBe(20)
  })

  it("count blocks of the main thread, and the log names the operation", async () => {
    // A stopped process answers as little as a blocked one.
    server.kill("SIGSTOP")
    await setTimeout(700)
    server.kill("SIGCONT")
    const blocks = (page: Page) =>
      page.samples.filter(({ name }) => name === "leadloom_event_loop_block_duration_seconds_count")
    const page = await until((page) => expect(blocks(page).length).toBeGreaterThan(0))
    const operation = blocks(page)[0]?.labels["operation"] ?? ""
    const lines = server
      .stdout()
      .split("\n")
      .filter((line) => line.includes("event loop blocked"))
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.join("\n")).toContain(`"operation":"${operation}"`)
  })

  it("are all on the documentation page, which lists no others", async () => {
    const page = readFileSync(new URL("../../../../docs/how-to/metrics.md", import.meta.url), "utf8")
    const names = page.match(/\b(?:leadloom|process|nodejs)_[a-z0-9_]+/gu) ?? []
    const documented = new Set(names.map((name) => name.replace(/_seconds_count$/u, "_seconds")))
    const text = await (await fetch(metrics)).text()
    // These may be missing: a job or a garbage collection may not have happened, and other systems have no /proc.
    const here = new Set(["leadloom_jobs_total", "nodejs_gc_duration_seconds", "process_open_fds"])
    for (const [, name = ""] of text.matchAll(/^# TYPE (\S+)/gmu)) here.add(name)
    expect([...documented].toSorted()).toEqual([...here].toSorted())
  })

  it("contain no tenant, person or secret", async () => {
    const text = await (await fetch(metrics)).text()
    expect(text).not.toMatch(/acme|jane|customer|shop|Roof|gpt-test|127\.0\.0\.1/u)
    expect(text).not.toContain(adminKey)
  })
})

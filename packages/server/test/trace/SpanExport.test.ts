import { createServer, type IncomingHttpHeaders, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { serve } from "../../src/main.ts"
import * as SpanExport from "../../src/trace/SpanExport.ts"
import { temporaryFolder } from "../world/ServerProcess.ts"
import { adminKey } from "../world/TestServer.ts"

let folder: ReturnType<typeof temporaryFolder>
let collector: Server
let received: Array<{ readonly path: string | undefined; readonly headers: IncomingHttpHeaders; readonly body: string }>
/** False: the collector accepts connections and never answers. */
let answers: boolean

beforeEach(async () => {
  folder = temporaryFolder()
  received = []
  answers = true
  collector = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push({ path: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() })
      if (answers) response.writeHead(200).end("{}")
    })
  })
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
})
afterEach(async () => {
  collector.closeAllConnections()
  await new Promise((resolve) => collector.close(resolve))
  folder.remove()
})

/** Runs a server, sends it one request, and stops it. Returns the status and the exit code. */
const runWithOneRequest = async (env: Readonly<Record<string, string>>) => {
  const stop = new AbortController()
  const listening = Promise.withResolvers<string>()
  const exit = serve(
    {
      LEADLOOM_DATA_DIR: join(folder.path, "data"),
      LEADLOOM_PORT: "0",
      LEADLOOM_ADMIN_KEY: adminKey,
      LEADLOOM_LOG_LEVEL: "error",
      ...env
    },
    { signal: stop.signal, onListening: ({ url }) => listening.resolve(url) }
  )
  const response = await fetch(`${await listening.promise}/api/v1/tenants/acme/leads?secret=in-the-query`, {
    headers: { authorization: `Bearer ${adminKey}`, "x-other": "in-a-header" }
  })
  await response.text()
  stop.abort()
  return { status: response.status, exitCode: await exit }
}

const endpoint = (): string => `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

describe("the export of spans", () => {
  it("sends the span of a request to the collector when the server stops, without credentials and addresses", async () => {
    expect(
      await runWithOneRequest({
        OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint()}/`,
        OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=a%20key",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.name=other",
        OTEL_SERVICE_NAME: "leads-eu"
      })
    ).toEqual({ status: 404, exitCode: 0 })
    const [first] = received
    expect(first).toMatchObject({ path: "/v1/traces", headers: { "x-collector-key": "a key" } })
    const traces = received.map(({ body }) => JSON.parse(body))
    const resource = Object.fromEntries(
      traces[0].resourceSpans[0].resource.attributes.map(({ key, value }: never) => [key, Object.values(value)[0]])
    )
    expect(resource).toMatchObject({ "service.name": "leads-eu", "deployment.environment.name": "test" })
    const spans = traces.flatMap((trace) => trace.resourceSpans[0].scopeSpans[0].spans)
    const span = spans.find(({ name }) => name === "leads.list")
    const attributes = span.attributes.map(({ key, value }: never) => [key, Object.values(value)[0]])
    expect(Object.fromEntries(attributes)).toEqual({
      "http.request.method": "GET",
      "http.route": "/api/v1/tenants/:tenant_id/leads",
      "http.response.status_code": 404
    })
    for (const { body } of received) expect(body).not.toMatch(/in-the-query|in-a-header|127\.0\.0\.1/u)
    expect(received.some(({ body }) => body.includes(adminKey))).toBe(false)
  })

  it("exports neither the message of an error nor attributes that may contain secrets", async () => {
    const failing = Effect.fail(new Error("secret in a message")).pipe(
      Effect.withSpan("work", {
        attributes: { password: "secret in an attribute", "server.address": "secret.example" }
      }),
      Effect.exit
    )
    const to = { url: `${endpoint()}/v1/traces`, headers: {}, serviceName: "leadloom", attributes: {} }
    await Effect.runPromise(Effect.provide(failing, SpanExport.layer(to)))
    const [{ body } = { body: "" }] = received
    expect(body).not.toContain("secret")
    expect(JSON.parse(body).resourceSpans[0].scopeSpans[0].spans).toMatchObject([
      { name: "work", attributes: [], status: { code: 2, message: "Error" } }
    ])
  })

  it("neither fails nor stops the server when the collector is down or does not answer", async () => {
    answers = false
    const silent = endpoint()
    expect(await runWithOneRequest({ OTEL_EXPORTER_OTLP_ENDPOINT: silent })).toEqual({ status: 404, exitCode: 0 })
    expect(received.map(({ path }) => path)).toContain("/v1/traces")
    const down = createServer()
    await new Promise<void>((resolve) => down.listen(0, "127.0.0.1", resolve))
    const { port } = down.address() as AddressInfo
    await new Promise((resolve) => down.close(resolve))
    expect(await runWithOneRequest({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })).toEqual({
      status: 404,
      exitCode: 0
    })
  })

  it("is disabled without an endpoint", async () => {
    expect((await runWithOneRequest({ OTEL_SERVICE_NAME: "leads-eu" })).exitCode).toBe(0)
    expect(received).toEqual([])
  })
})

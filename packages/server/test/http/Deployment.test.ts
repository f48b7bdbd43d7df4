import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Classifier } from "@leadloom/core/internal/port/provider/Classifier"
import { Effect } from "effect"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { DoctorProcess, layerOf } from "../../src/doctor/DoctorProcess.ts"
import { adminKey, at, startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld, sourceId, type World } from "../world/World.ts"

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)
const secret = "a-key-that-no-finding-contains"

/** A language model whose answer a test changes. */
let model: Server
let answer: { readonly status: number; readonly headers: Readonly<Record<string, string>> }
let server: TestServer

beforeAll(async () => {
  answer = { status: 503, headers: { "retry-after": "600" } }
  model = createServer((_, response) => void response.writeHead(answer.status, answer.headers).end("{}"))
  await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve))
  const address = model.address()
  const port = typeof address === "object" ? address?.port : 0
  server = startServer({
    LEADLOOM_LLM_MODEL: "gpt-test",
    LEADLOOM_LLM_API_KEY: secret,
    LEADLOOM_LLM_BASE_URL: `http://127.0.0.1:${port}/v1`,
    LEADLOOM_PORT: "0"
  })
})
afterAll(async () => {
  await server.close()
  model.close()
})

let made: Promise<World> | null = null
/** Creates the tenants once. */
const world = (): Promise<World> => (made ??= makeWorld(server))

const read = async (path: string) => {
  const { json, status } = await server.call("GET", `/api/v1/admin/${path}`, { as: adminKey })
  expect(status).toBe(200)
  return json
}

describe("GET /admin/doctor", () => {
  it("answers with the findings of the doctor for the environment of the server, without secrets", async () => {
    const { json, status, text } = await server.call("GET", "/api/v1/admin/doctor", { as: adminKey })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      examined_at: time,
      findings: expect.arrayContaining([
        expect.objectContaining({ check: "database", level: "ok", advice: null }),
        // The stand-in of the model answers its check with 503.
        expect.objectContaining({ check: "language model", level: "problem", advice: expect.any(String) })
      ])
    })
    expect(text).not.toContain(secret)
    expect(text).not.toContain(adminKey)
  })
})

describe("the process of the doctor", () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "leadloom-doctor-"))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const examine = (program: string, calls = 1) => {
    const file = join(folder, "program.mjs")
    writeFileSync(file, program)
    const each = Effect.flatMap(DoctorProcess, (doctor) => doctor.examine)
    return Effect.runPromise(
      Effect.provide(
        Effect.all(
          Array.from({ length: calls }, () => each),
          { concurrency: calls }
        ),
        layerOf(file, {})
      )
    )
  }

  it("is shared by concurrent requests", async () => {
    const found = await examine(
      'console.log(JSON.stringify([{ check: "pid", level: "ok", found: String(process.pid), advice: null }]))',
      3
    )
    expect(new Set(found.map((findings) => findings[0]?.found)).size).toBe(1)
  })

  it.each([
    ["ends with an error", "process.exit(3)", "its process ended with exit code 3."],
    ["writes something else", "console.log('no findings')", "its findings were not readable."]
  ])("is a finding with the cause and the next step if it %s", async (_, program, cause) => {
    expect(await examine(program)).toEqual([
      [
        {
          check: "doctor",
          level: "problem",
          found: `The examination failed: ${cause}`,
          advice: "Run leadloom doctor on the machine of the server."
        }
      ]
    ])
  })
})

describe("GET /admin/queues", () => {
  it("counts due and failed work of all tenants, and waiting jobs by kind", async () => {
    const queues = ["signals", "sends", "jobs", "events", "webhook_calls"].map((queue) => ({
      queue,
      due: 0,
      oldest_due_at: null,
      failed: 0
    }))
    expect(await read("queues")).toEqual({ queues, jobs: [] })
    const { acme } = await world()
    const body = { entity: { name: "Ann" }, content: { body: "Hello" } }
    const sent = await server.call("POST", `/api/v1/events/acme/${sourceId}`, { as: acme.sourceKey, body })
    expect(sent.status).toBeLessThan(300)
    expect(at(await read("queues"), "queues", 0)).toEqual({ queue: "signals", due: 1, oldest_due_at: time, failed: 0 })
  })
})

describe("GET /admin/providers", () => {
  const classify = () =>
    server.run(
      Effect.flatMap(Classifier, (classifier) =>
        Effect.exit(classifier.classify({ tenantName: "Acme", channel: "email", subject: null, text: "Hello" }))
      )
    )
  const modelState = async () => at(await read("providers"), "providers", 5)

  it("shows unused and missing providers, an outage with its pause, and the next answer", async () => {
    const idle = {
      consecutive_failures: 0,
      last_answer_at: null,
      last_failure_at: null,
      last_failure: null,
      paused_until: null
    }
    expect(await read("providers")).toEqual({
      providers: [
        { service: "payments", state: "not_configured", ...idle },
        { service: "crm", state: "not_configured", ...idle },
        { service: "mail", state: "unused", ...idle },
        { service: "sms", state: "not_configured", ...idle },
        { service: "voice", state: "not_configured", ...idle },
        { service: "model", state: "unused", ...idle }
      ]
    })
    await classify()
    await classify()
    expect(await modelState()).toEqual({
      service: "model",
      state: "paused",
      consecutive_failures: 2,
      last_answer_at: null,
      last_failure_at: time,
      last_failure: expect.any(String),
      paused_until: time
    })
    // A rejected request is an answer.
    answer = { status: 401, headers: {} }
    await classify()
    expect(await modelState()).toMatchObject({
      state: "answering",
      consecutive_failures: 0,
      last_answer_at: time,
      last_failure_at: time,
      paused_until: null
    })
  })
})

describe("the state of the deployment", () => {
  it.each(["doctor", "queues", "providers"])("is hidden from API keys of a tenant: %s", async (path) => {
    const { acme } = await world()
    const { code, status } = await server.call("GET", `/api/v1/admin/${path}`, { as: acme.apiKey })
    expect([status, code]).toEqual([403, "FORBIDDEN"])
  })
})

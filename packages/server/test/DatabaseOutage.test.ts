import { setTimeout as pause } from "node:timers/promises"
import { makeDatabaseProxy, type DatabaseProxy } from "@leadloom/testkit/postgres/DatabaseProxy"
import { freePort } from "@leadloom/testkit/FreePort"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { type ServerProcess, startProcess, temporaryFolder } from "./world/ServerProcess.ts"
import { adminKey, at, textAt } from "./world/TestServer.ts"

let folder: ReturnType<typeof temporaryFolder>
let scope: Scope.Closeable
let door: DatabaseProxy
let server: ServerProcess
let base: string

beforeEach(async () => {
  folder = temporaryFolder()
  scope = Effect.runSync(Scope.make())
  door = await makeDatabaseProxy(await Effect.runPromise(Scope.provide(temporaryDatabase, scope)))
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  door.shut()
  server = startProcess({
    LEADLOOM_PORT: String(port),
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_DATABASE_URL: door.url,
    LEADLOOM_LIMIT_ADMIN: "1000000"
  })
})
afterEach(async () => {
  server.kill("SIGKILL")
  await server.exit
  await door.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  folder.remove()
})

const call = async (method: string, path: string, as: string, body?: unknown) => {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const json: unknown = await response.json()
  return { status: response.status, retryAfter: response.headers.get("retry-after"), json }
}

const health = () => call("GET", "/health", "")
const listed = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

it("a server waits for its database, answers 503 during an outage and recovers", async () => {
  await vi.waitFor(async () => expect(textAt((await health()).json, "error", "message")).toContain("database"), 60_000)
  expect(await health()).toMatchObject({ status: 503, retryAfter: "1" })
  expect(await call("GET", "/api/v1/tenants/acme/contacts", adminKey)).toMatchObject({ status: 503, retryAfter: "1" })
  door.open()
  await server.url
  expect((await health()).status).toBe(200)

  await call("POST", "/api/v1/admin/tenants", adminKey, { tenant_id: "acme", name: "Acme" })
  const source = await call("POST", "/api/v1/admin/tenants/acme/sources", adminKey, { source_id: "shop" })
  const key = textAt(source.json, "key")
  const post = (number: number) =>
    call("POST", "/api/v1/events/acme/shop", key, {
      entity: { id: `customer-${number}` },
      content: { body: `Question ${number}`, metadata: { message_id: `event-${number}` } }
    })
  expect((await post(0)).json).toMatchObject({ status: "accepted" })

  const accepted = new Set<number>([0])
  const seen = new Set<string>()
  const loading = new AbortController()
  let next = 1
  const senders = Array.from({ length: 8 }, async () => {
    while (!loading.signal.aborted) {
      const number = next++
      const { json, status } = await post(number)
      expect([status, at(json, "status")]).toSatisfy(
        ([code, word]) => code === 200 && (word === "accepted" || word === "skipped")
      )
      seen.add(textAt(json, "status"))
      if (at(json, "status") === "accepted") accepted.add(number)
      else expect(json).toEqual({ status: "skipped", reason: "state_store_unavailable" })
      // A server without a pause stores thousands of events, which all have to be read at the end.
      await pause(20)
    }
  })
  await vi.waitFor(() => expect(accepted.size).toBeGreaterThan(50), 60_000)
  door.shut()
  await vi.waitFor(() => expect(seen).toContain("skipped"), 60_000)
  expect(await health()).toMatchObject({ status: 503, retryAfter: expect.any(String) })
  for (const [method, path] of [
    ["GET", "/api/v1/tenants/acme/contacts"],
    ["GET", "/api/v1/tenants/acme/conversations"],
    ["POST", "/api/v1/webhook/automation/acme"],
    ["POST", "/api/v1/events/acme/shop?mode=sync"]
  ] as const) {
    const answer = await call(
      method,
      path,
      path.includes("mode=sync") ? key : adminKey,
      method === "GET" ? undefined : {}
    )
    expect([path, answer.status, at(answer.json, "error", "code")]).toEqual([path, 503, "SERVICE_UNAVAILABLE"])
    expect(answer.retryAfter).toMatch(/^\d+$/u)
  }
  const before = accepted.size
  door.open()
  await vi.waitFor(() => expect(accepted.size).toBeGreaterThan(before + 50), 60_000)
  loading.abort()
  await Promise.all(senders)
  expect((await health()).status).toBe(200)

  const bodies = new Set<string>()
  for (let cursor: unknown = ""; cursor !== null;) {
    const query = cursor === "" ? "" : `?cursor=${encodeURIComponent(String(cursor))}`
    const page = await call("GET", `/api/v1/tenants/acme/conversations${query}`, adminKey)
    for (const conversation of listed(at(page.json, "conversations"))) bodies.add(textAt(conversation, "last_message"))
    cursor = at(page.json, "next_cursor")
  }
  expect([...accepted].filter((number) => !bodies.has(`Question ${number}`))).toEqual([])
}, 300_000)

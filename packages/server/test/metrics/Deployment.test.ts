import { join } from "node:path"
import { freePort } from "@leadloom/testkit/FreePort"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { type DatabaseProxy, makeDatabaseProxy } from "@leadloom/testkit/postgres/DatabaseProxy"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { metricsUrlOf, type Page, scrape } from "../world/MetricsText.ts"
import { type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { adminKey } from "../world/TestServer.ts"

let folder: ReturnType<typeof temporaryFolder>
let scope: Scope.Closeable
const processes: Array<ServerProcess> = []

beforeEach(() => {
  folder = temporaryFolder()
  scope = Effect.runSync(Scope.make())
})
afterEach(async () => {
  for (const running of processes.splice(0)) {
    running.kill("SIGKILL")
    await running.exit
  }
  await Effect.runPromise(Scope.close(scope, Exit.void))
  folder.remove()
})

const start = (name: string, env: Readonly<Record<string, string>>): ServerProcess => {
  const started = startProcess({ LEADLOOM_DATA_DIR: join(folder.path, name), ...env })
  processes.push(started)
  return started
}

const until = (url: string, check: (page: Page) => void): Promise<void> =>
  vi.waitFor(async () => check(await scrape(url)), { timeout: 60_000, interval: 100 })

it("a server serves no metrics without a configured port", async () => {
  const server = start("quiet", { LEADLOOM_METRICS_HOST: "127.0.0.1" })
  await server.url
  expect(() => metricsUrlOf(server.stdout())).toThrow("no metrics")
})

it("a server whose metrics port is in use fails with one line, before it touches its data", async () => {
  const first = start("first", { LEADLOOM_METRICS_PORT: "0" })
  await first.url
  const { port } = new URL(metricsUrlOf(first.stdout()))
  // On the same data, because any access to it would fail with another message.
  const second = start("first", { LEADLOOM_METRICS_PORT: port })
  expect(await second.exit).toEqual({ code: 1, signal: null })
  expect(second.stderr()).toBe(
    `Port ${port} on 127.0.0.1 is in use. Stop the other program or set LEADLOOM_METRICS_PORT.\n`
  )
})

it("servers on one Postgres report separate values, and whether they reach it", async () => {
  const database = await Effect.runPromise(Scope.provide(temporaryDatabase, scope))
  const door: DatabaseProxy = await makeDatabaseProxy(database)
  door.shut()
  const port = String(await freePort())
  const away = start("away", {
    LEADLOOM_DATABASE_URL: door.url,
    LEADLOOM_METRICS_PORT: port,
    LEADLOOM_SECRET_KEY: "the-secret-key-of-both-of-the-servers"
  })
  const metrics = `http://127.0.0.1:${port}/metrics`
  // It waits for its database and reports that.
  await vi.waitFor(() => expect(away.stdout()).toContain("serving metrics"), 60_000)
  const page = await scrape(metrics)
  expect([page.value("leadloom_store_up"), page.value("leadloom_build_info", { store: "postgres" })]).toEqual([0, 1])
  expect(page.value("leadloom_backlog_due", { queue: "signals" })).toBeNull()

  door.open()
  const url = await away.url
  const beside = start("beside", {
    LEADLOOM_DATABASE_URL: database,
    LEADLOOM_METRICS_PORT: "0",
    LEADLOOM_SECRET_KEY: "the-secret-key-of-both-of-the-servers"
  })
  await beside.url
  const sendRequest = { headers: { authorization: `Bearer ${adminKey}` } }
  for (let time = 0; time < 3; time++) await (await fetch(`${url}/api/v1/admin/tenants`, sendRequest)).text()
  const listed = (page: Page) =>
    page.value("leadloom_http_requests_total", { operation: "tenants.list", status: "200" })
  await until(metrics, (page) => expect([listed(page), page.value("leadloom_store_up")]).toEqual([3, 1]))
  const other = await scrape(metricsUrlOf(beside.stdout()))
  expect([listed(other), other.value("leadloom_store_up")]).toEqual([null, 1])
  expect(other.value("leadloom_backlog_due", { queue: "signals" })).toBe(0)

  door.shut()
  await until(metrics, (page) => {
    expect(page.value("leadloom_store_up")).toBe(0)
    expect(page.value("leadloom_backlog_oldest_seconds", { queue: "sends" })).toBeNull()
    expect(listed(page)).toBe(3)
  })
  expect((await scrape(metricsUrlOf(beside.stdout()))).value("leadloom_store_up")).toBe(1)
  await door.close()
})

import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { jobLeaseMillis } from "@leadloom/core/internal/domain/job/Job"
import { programArguments } from "@leadloom/testkit/Program"
import { expect, it, vi } from "vitest"
import { offsetVariable } from "../world/HangingServer.ts"
import { type ServerProcess, startProcess, temporaryFolder } from "../world/ServerProcess.ts"
import { adminKey, at, textAt } from "../world/TestServer.ts"

const program = programArguments("HangingServer", fileURLToPath(new URL("../world/HangingServer.ts", import.meta.url)))
const rows = 5_000

const call = async (server: ServerProcess, path: string, body?: unknown): Promise<unknown> => {
  const response = await fetch(`${await server.url}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.json()
}

it("imports each record once, although the server is killed during the import", async () => {
  const folder = temporaryFolder()
  const env = { LEADLOOM_DATA_DIR: join(folder.path, "data"), LEADLOOM_LIMIT_ADMIN: "1000000" }
  const start = (offset: number) => startProcess({ ...env, [offsetVariable]: String(offset) }, program)
  let server = start(0)
  try {
    await call(server, "/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
    const lines = Array.from({ length: rows }, (_, index) => `Person ${index},p${index}@x.example`)
    const body = { csv: ["Name,Mail", ...lines].join("\n"), mapping: { Name: "name", Mail: "email" } }
    const path = `/tenants/acme/imports/${textAt(await call(server, "/tenants/acme/contacts/import", body), "id")}`
    const processed = async () => Number(at(await call(server, path), "processed"))
    await vi.waitUntil(async () => (await processed()) > 0, { timeout: 60_000, interval: 5 })
    server.kill("SIGKILL")
    await server.exit
    // The lease of the killed server has expired at the clock of the next one.
    server = start(jobLeaseMillis + 1_000)
    expect(await processed()).toBeLessThan(rows)
    await vi.waitUntil(async () => at(await call(server, path), "status") === "done", { timeout: 120_000 })
    expect(await call(server, path)).toMatchObject({ processed: rows, created: rows, skipped: 0, failed: 0 })
    const events = await call(server, `/tenants/acme/events?after=${rows - 1}`)
    expect(at(events, "events")).toMatchObject([{ sequence: rows }])
  } finally {
    server.kill("SIGKILL")
    await server.exit
    folder.remove()
  }
}, 300_000)

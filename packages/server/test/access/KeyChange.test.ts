import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Layer, Logger } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHandler } from "../../src/Handler.ts"
import {
  adminKey,
  at,
  readResponse,
  requestOf,
  servicesOf,
  startServer,
  type TestServer,
  textAt
} from "../world/TestServer.ts"

const servers: Array<TestServer> = []
const folder = mkdtempSync(join(tmpdir(), "leadloom-keys-"))
afterAll(async () => {
  for (const server of servers) await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = async (env: Readonly<Record<string, string>>) => {
  const server = startServer(env)
  servers.push(server)
  const body = { tenant_id: "acme", name: "Acme" }
  await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body })
  return server
}
const mint = async (server: TestServer) =>
  textAt((await server.call("POST", "/api/v1/sessions", { as: adminKey, body: { tenant_id: "acme" } })).json, "token")
const contacts = async (server: TestServer, as: string) =>
  (await server.call("GET", "/api/v1/tenants/acme/contacts", { as })).status

describe("a session secret", () => {
  it("is replaced by another one without signing anyone out", async () => {
    const before = await open({ LEADLOOM_SESSION_SECRET: "the-old-secret-that-signs-sessions" })
    const during = await open({
      LEADLOOM_SESSION_SECRET: "the-new-secret-that-signs-sessions,the-old-secret-that-signs-sessions"
    })
    const after = await open({ LEADLOOM_SESSION_SECRET: "the-new-secret-that-signs-sessions" })
    const [old, fresh] = [await mint(before), await mint(during)]
    expect([await contacts(before, old), await contacts(during, old), await contacts(after, old)]).toEqual([
      200, 200, 401
    ])
    expect([await contacts(before, fresh), await contacts(during, fresh), await contacts(after, fresh)]).toEqual([
      401, 200, 200
    ])
  })
})

describe("an admin key", () => {
  const logged: Array<string> = []
  const next = "the-operators-next-key-of-the-tests"
  let handler: ReturnType<typeof makeHandler>
  beforeAll(() => {
    const log = Logger.layer([
      Logger.make((entry) => void logged.push(JSON.stringify(Logger.formatStructured.log(entry))))
    ])
    const env = { LEADLOOM_DATA_DIR: folder, LEADLOOM_ADMIN_KEY: `${next},${adminKey}` }
    handler = makeHandler(Layer.provideMerge(servicesOf(env), log))
  })
  afterAll(() => handler.close())

  it("is replaced while both keys are valid, and the audit trail distinguishes them", async () => {
    const call = async (as: string, method: string, path: string, body?: unknown) =>
      readResponse(await handler.fetch(requestOf(method, path, { as, ...(body === undefined ? {} : { body }) })))
    await call(next, "POST", "/api/v1/admin/tenants", { tenant_id: "acme", name: "Acme" })
    for (const [as, name] of [
      [next, "Next"],
      [adminKey, "Old"]
    ] as const) {
      const answer = await call(as, "PATCH", "/api/v1/config/acme", { assistant: { instructions: name } })
      expect(answer.status).toBe(200)
    }
    const audit = await call(next, "GET", "/api/v1/config/acme/audit")
    const changes = at(audit.json, "entries")
    const who = Array.isArray(changes) ? changes.map((change) => at(change, "changed_by")) : []
    expect(new Set(who).size).toBe(2)
    for (const each of who) expect(each).toMatch(/^admin:[0-9a-f]{8}$/u)
    expect((await call(`${next},${adminKey}`, "GET", "/api/v1/admin/tenants")).status).toBe(401)
    expect(logged.join("")).not.toContain(next)
  })
})

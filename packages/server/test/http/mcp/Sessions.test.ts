import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeMcpSessions } from "../../../src/http/mcp/McpSessions.ts"
import { adminKey, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"
import { connectClient, type McpClient } from "./McpClient.ts"

let server: TestServer
let world: World
beforeAll(async () => {
  server = startServer({ LEADLOOM_MCP: "yes", LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const idOf = ({ transport }: McpClient): string => transport.sessionId ?? "none"

/** Uses a session with a credential. */
const ping = (id: string, as: string, path = "/mcp") =>
  server.call("POST", path, {
    as,
    body: { jsonrpc: "2.0", id: 1, method: "ping" },
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-session-id": id,
      "mcp-protocol-version": "2025-11-25"
    }
  })

describe("a session", () => {
  it("belongs to the credential and the tenant that opened it", async () => {
    const body = { name: "second" }
    const made = await server.call("POST", "/api/v1/tenants/acme/api-keys", { as: adminKey, body })
    const id = idOf(await connectClient(server, world.acme.apiKey))
    expect((await ping(id, world.acme.apiKey)).status).toBe(200)
    for (const other of [textAt(made.json, "key"), world.other.apiKey, world.acme.session])
      expect((await ping(id, other)).status).toBe(404)
    const operators = idOf(await connectClient(server, adminKey, "?tenant_id=acme"))
    expect((await ping(operators, adminKey, "/mcp?tenant_id=acme")).status).toBe(200)
    expect((await ping(operators, adminKey, "/mcp?tenant_id=other")).status).toBe(404)
  })

  it("cannot be ended by another credential, and is unknown after its end", async () => {
    const mcp = await connectClient(server, world.acme.apiKey)
    const id = idOf(mcp)
    const ended = await server.call("DELETE", "/mcp", { as: world.other.apiKey, headers: { "mcp-session-id": id } })
    expect(ended.status).toBe(404)
    expect((await ping(id, world.acme.apiKey)).status).toBe(200)
    await mcp.transport.terminateSession()
    expect((await ping(id, world.acme.apiKey)).status).toBe(404)
  })

  it("ends when its key is revoked", async () => {
    const body = { name: "short" }
    const made = await server.call("POST", "/api/v1/tenants/other/api-keys", { as: adminKey, body })
    const key = textAt(made.json, "key")
    const id = idOf(await connectClient(server, key))
    await server.call("DELETE", `/api/v1/tenants/other/api-keys/${textAt(made.json, "id")}`, { as: adminKey })
    expect((await ping(id, key)).status).toBe(401)
  })

  it("displaces the least recently used session of a credential above the limit, and no other", async () => {
    const foreign = idOf(await connectClient(server, world.clinic.apiKey))
    const ids: Array<string> = []
    for (let count = 0; count < 21; count++) ids.push(idOf(await connectClient(server, world.other.apiKey)))
    const statuses = []
    for (const id of ids) statuses.push((await ping(id, world.other.apiKey)).status)
    expect(statuses).toEqual([404, ...Array.from({ length: 20 }, () => 200)])
    expect((await ping(foreign, world.clinic.apiKey)).status).toBe(200)
  })
})

describe("the list of sessions", () => {
  const limits = { maxPerOwner: 2, maxTotal: 3, idleMillis: 100 }

  it("forgets a session that was not used for the idle time", () => {
    const sessions = makeMcpSessions(limits)
    sessions.add("a", "ann", 0)
    expect(sessions.use("a", "ann", 99)).toBe(true)
    expect(sessions.use("a", "ann", 198)).toBe(true)
    expect(sessions.use("a", "ann", 298)).toBe(false)
    expect(sessions.add("b", "ann", 298)).toEqual(["a"])
  })

  it("accepts no further owner when it is full, until sessions expire or end", () => {
    const sessions = makeMcpSessions(limits)
    expect(sessions.add("a", "ann", 0)).toEqual([])
    expect(sessions.add("b", "ann", 0)).toEqual([])
    expect(sessions.add("c", "bob", 0)).toEqual([])
    expect(sessions.add("d", "cid", 0)).toBe(null)
    expect(sessions.use("d", "cid", 0)).toBe(false)
    expect(sessions.add("e", "ann", 0)).toEqual(["a"])
    sessions.remove("c")
    expect(sessions.add("f", "cid", 0)).toEqual([])
    expect(sessions.add("g", "dan", 100)).toEqual(["b", "e", "f"])
  })
})

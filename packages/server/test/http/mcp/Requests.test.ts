import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"
import { connectClient } from "./McpClient.ts"

let server: TestServer
let world: World
beforeAll(async () => {
  server = startServer({ LEADLOOM_MCP: "yes", LEADLOOM_LIMIT_ADMIN: "1000", LEADLOOM_LIMIT_BAD_CREDENTIALS: "3" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const accept = { accept: "application/json, text/event-stream" }
const session = { "mcp-protocol-version": "2025-06-18" }

const post = (body: unknown, headers: Readonly<Record<string, string>> = {}, as = world.acme.apiKey) =>
  server.call("POST", "/mcp", { as, body, headers: { ...accept, ...headers } })

const rpc = (method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id: 7, method, params })

const begin = async (): Promise<Readonly<Record<string, string>>> => {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
  const opened = await post(rpc("initialize", params))
  return { ...session, "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" }
}

describe("an invalid request", () => {
  it("never causes a failure of the server", async () => {
    const open = await begin()
    const bodies: ReadonlyArray<unknown> = [
      "{",
      "null",
      "[]",
      "3",
      "[".repeat(1_000),
      [rpc("ping"), rpc("ping")],
      { jsonrpc: "1.0" },
      rpc("nothing/known"),
      rpc("tools/call"),
      rpc("tools/call", { name: 3 }),
      rpc("tools/call", { name: "no_such_tool", arguments: {} }),
      rpc("tools/call", { name: "get_lead", arguments: [] }),
      rpc("tools/call", { name: "get_lead", arguments: { lead_id: { $ne: null } } }),
      rpc("tools/call", { name: "get_lead", arguments: { lead_id: "../../admin/tenants" } }),
      rpc("tools/call", { name: "get_lead", arguments: { lead_id: "\u0000\uD800" } }),
      rpc("tools/call", { name: "list_leads", arguments: { cursor: "nonsense" } }),
      rpc("tools/call", { name: "__proto__", arguments: {} }),
      rpc("resources/read", { uri: "file:///etc/passwd" }),
      { jsonrpc: "2.0", id: { a: 1 }, method: "ping" },
      rpc("initialize", { protocolVersion: 3 })
    ]
    for (const body of bodies) {
      for (const headers of [{}, open]) {
        const answer = await post(body, headers)
        expect([body, answer.status < 500]).toEqual([body, true])
        expect(answer.text).not.toContain("Internal error")
      }
    }
  })

  it("is rejected if its body is too large, too complex or not JSON", async () => {
    const open = await begin()
    expect((await post(" ".repeat(1_100_000), open)).status).toBe(413)
    expect((await post(rpc("ping", { list: Array.from({ length: 3_000 }, () => 0) }), open)).status).toBe(400)
    expect((await post("x", { ...open, "content-type": "text/plain" })).status).toBe(415)
  })
})

describe("the rate limits", () => {
  it("count the operations of tools, and the client learns when to try again", async () => {
    const narrow = startServer({ LEADLOOM_MCP: "yes", LEADLOOM_LIMIT_ADMIN: "20" })
    const { acme } = await makeWorld(narrow)
    const mcp = await connectClient(narrow, acme.apiKey)
    // The client has sent initialize and a notification. A call consists of a request of MCP and one of the API.
    for (let count = 0; count < 8; count++) expect((await mcp.call("list_leads")).isError).toBe(false)
    await mcp.client.ping()
    const refused = await mcp.call("list_leads")
    expect([refused.isError, refused.text]).toEqual([
      true,
      expect.stringMatching(/^RATE_LIMITED: .* Try again after \d+ s\.$/u)
    ])
    await expect(mcp.client.ping()).rejects.toThrow("RATE_LIMITED")
    const direct = await narrow.call("GET", "/api/v1/tenants/acme/leads", { as: acme.apiKey })
    expect(direct.code).toBe("RATE_LIMITED")
    await narrow.close()
  })

  it("count unknown credentials", async () => {
    const statuses = []
    for (let count = 0; count < 5; count++) statuses.push((await post(rpc("ping"), {}, "nonsense")).status)
    expect(statuses).toEqual([401, 401, 401, 429, 429])
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"
import { connectClient } from "./McpClient.ts"

let server: TestServer
let world: World
beforeAll(async () => {
  server = startServer({ LEADLOOM_MCP: "yes" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const newest = async (count: number): Promise<ReadonlyArray<unknown>> => {
  const { json } = await server.call("GET", `/api/v1/tenants/acme/audit?limit=${count}`, { as: adminKey })
  const entries = at(json, "entries")
  return Array.isArray(entries) ? entries : []
}

describe("the audit trail of tool calls", () => {
  it("names the tool, the credential, the operation and the target, without contents", async () => {
    const body = { contact: { email: "jane@customer.example" }, subject: "Kitchen" }
    const made = await server.call("POST", "/api/v1/tenants/acme/leads", { as: adminKey, body })
    const lead_id = textAt(made.json, "id")
    const mcp = await connectClient(server, world.acme.apiKey)
    await mcp.call("get_lead", { lead_id })
    await mcp.call("update_lead", { lead_id, subject: "A secret subject" })
    await mcp.call("search_contacts", { query: "a secret query" })
    const [search, update, read] = await newest(3)
    expect(read).toEqual({
      id: expect.stringMatching(/^aud_/u),
      timestamp: expect.any(String),
      tenant_id: "acme",
      actor: world.acme.keyId,
      user_id: null,
      user_name: null,
      action: "leads.get",
      target: { lead_id, mcp_tool: "get_lead" },
      address: null,
      request_id: expect.stringMatching(/^req_/u),
      change: null
    })
    expect(update).toMatchObject({ action: "leads.update", target: { lead_id, mcp_tool: "update_lead" }, change: null })
    expect(search).toMatchObject({ action: "search.search", target: { mcp_tool: "search_contacts" } })
    expect(JSON.stringify(await newest(50))).not.toContain("secret")
  })

  it("names the acting user of the MCP client, and none in the operations of managers", async () => {
    const created = await server.call("POST", "/api/v1/tenants/acme/users", {
      as: adminKey,
      body: { name: "Ann", email: "ann@acme.example" }
    })
    const user_id = textAt(created.json, "id")
    const lead = { contact: { email: "kim@customer.example" } }
    const made = await server.call("POST", "/api/v1/tenants/acme/leads", { as: adminKey, body: lead })
    const mcp = await connectClient(server, adminKey, "?tenant_id=acme", { "x-acting-user": user_id })
    const lead_id = textAt(made.json, "id")
    const moved = await mcp.call("move_lead", { lead_id, stage_id: "stg_engaged" })
    expect(moved.isError).toBe(false)
    expect((await mcp.call("list_rules")).isError).toBe(false)
    const [rules, move] = await newest(2)
    expect(move).toMatchObject({ action: "leads.move", user_id, target: { lead_id, mcp_tool: "move_lead" } })
    expect(rules).toMatchObject({ action: "config.get", user_id: null, target: { mcp_tool: "list_rules" } })
  })

  it("has the requests of one tool call under one request id", async () => {
    const body = { contact: { email: "jo@customer.example" }, message: { body: "Hello" } }
    const created = await server.call("POST", "/api/v1/tenants/acme/leads", { as: adminKey, body })
    const mcp = await connectClient(server, world.acme.apiKey)
    await mcp.call("get_conversation", { contact_id: textAt(created.json, "contact_id") })
    const entries = await newest(2)
    expect(entries.map((entry) => at(entry, "target", "mcp_tool"))).toEqual(["get_conversation", "get_conversation"])
    expect(entries.map((entry) => at(entry, "action")).toSorted()).toEqual(["conversations.get", "pipeline.listRuns"])
    expect(new Set(entries.map((entry) => at(entry, "request_id"))).size).toBe(1)
  })

  it("has no entry for a rejected call, and none for requests without a tool", async () => {
    const before = JSON.stringify(await newest(1))
    const mcp = await connectClient(server, world.acme.apiKey)
    await mcp.call("get_lead", { lead_id: "lead_unknown" })
    await server.call("GET", "/api/v1/tenants/acme/leads", { as: world.acme.apiKey })
    await server.call("GET", "/api/v1/tenants/acme/leads", {
      as: world.acme.apiKey,
      headers: { "x-mcp-tool": "<script>" }
    })
    expect(JSON.stringify(await newest(1))).toBe(before)
  })
})

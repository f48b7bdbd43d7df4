import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"
import { connectClient } from "./McpClient.ts"

let server: TestServer
let world: World
beforeAll(async () => {
  server = startServer({ LEADLOOM_MCP: "yes", LEADLOOM_PUBLIC_URL: "https://leads.example" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } }
}
const accept = { accept: "application/json, text/event-stream" }

const begin = (as: string | undefined, headers: Readonly<Record<string, string>> = {}, path = "/mcp") =>
  server.call("POST", path, {
    ...(as === undefined ? {} : { as }),
    body: initialize,
    headers: { ...accept, ...headers }
  })

/** Returns a new key of a tenant. */
const makeKey = async (tenant: string, scopes: ReadonlyArray<string>): Promise<string> => {
  const made = await server.call("POST", `/api/v1/tenants/${tenant}/api-keys`, {
    as: adminKey,
    body: { name: scopes.join(" "), scopes }
  })
  return textAt(made.json, "key")
}

const makeLead = async (tenant: string): Promise<string> => {
  const body = { contact: { email: `jane@${tenant}.example` } }
  return textAt((await server.call("POST", `/api/v1/tenants/${tenant}/leads`, { as: adminKey, body })).json, "id")
}

describe("the credential of an MCP client", () => {
  it("is required, and an unknown one is rejected like at the API", async () => {
    for (const as of [undefined, "nonsense", world.acme.sourceKey]) {
      const refused = await begin(as)
      expect([refused.status, refused.code]).toEqual(
        as === world.acme.sourceKey ? [403, "FORBIDDEN"] : [401, "UNAUTHORIZED"]
      )
    }
    expect((await begin(undefined)).headers.get("www-authenticate")).toBe("Bearer")
  })

  it("needs a tenant if it reaches several, and works in the named one only", async () => {
    const unnamed = await begin(adminKey)
    expect([unnamed.status, unnamed.text]).toEqual([400, expect.stringContaining("?tenant_id=")])
    const mcp = await connectClient(server, adminKey, "?tenant_id=other")
    const lead = await makeLead("other")
    expect((await mcp.call("get_lead", { lead_id: lead })).text).toContain(lead)
    expect((await mcp.call("get_lead", { lead_id: await makeLead("acme") })).text).toMatch(/^NOT_FOUND/u)
  })

  it("reaches no other tenant", async () => {
    expect((await begin(world.acme.apiKey, {}, "/mcp?tenant_id=other")).code).toBe("FORBIDDEN")
    const foreign = await makeLead("other")
    const mcp = await connectClient(server, world.acme.apiKey)
    const read = await mcp.call("get_lead", { lead_id: foreign })
    expect([read.isError, read.text]).toEqual([true, `NOT_FOUND: There is no lead ${foreign}.`])
    expect((await mcp.call("list_leads")).text).not.toContain(foreign)
  })
})

const readers = [
  "search_contacts",
  "search_conversations",
  "list_conversations",
  "get_conversation",
  "get_message",
  "list_leads",
  "get_lead",
  "list_stages",
  "list_tasks",
  "explain_run"
]
const changers = ["send_message", "approve_draft", "update_lead", "transition_lead", "move_lead", "complete_task"]

describe("the tools of a key", () => {
  it("are those that its scopes permit", async () => {
    const read = await connectClient(server, await makeKey("acme", ["read"]))
    expect(await read.toolNames()).toEqual(readers)
    const piped = await connectClient(server, await makeKey("acme", ["read", "pipeline"]))
    expect(await piped.toolNames()).toEqual([...readers, "dry_run_message", "write_draft"])
    const all = await connectClient(server, world.other.apiKey)
    expect(await all.toolNames()).toEqual([...readers, "dry_run_message", "write_draft", ...changers])
    const operator = await connectClient(server, adminKey, "?tenant_id=acme")
    expect(await operator.toolNames()).toEqual([
      ...readers,
      "dry_run_message",
      "list_rules",
      "backtest_rule",
      "write_draft",
      ...changers
    ])
  })

  it("change nothing without the scope, even if the client calls a tool that is not listed", async () => {
    const lead = await makeLead("clinic")
    const mcp = await connectClient(server, await makeKey("clinic", ["read"]))
    const refused = await mcp.call("update_lead", { lead_id: lead, subject: "Changed" })
    expect(refused.isError).toBe(true)
    expect(refused.text).toBe(
      "FORBIDDEN: This credential does not permit this operation. The API key is limited to: read."
    )
    const unchanged = await server.call("GET", `/api/v1/tenants/clinic/leads/${lead}`, { as: adminKey })
    expect(at(unchanged.json, "subject")).toBe(null)
  })

  it("are refused to a key without read access", async () => {
    expect((await begin(await makeKey("clinic", ["messages"]))).code).toBe("FORBIDDEN")
  })

  it("state whether they change something", async () => {
    const { client } = await connectClient(server, world.other.apiKey)
    const { tools } = await client.listTools()
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)
    expect(changing.map(({ name }) => name)).toEqual(changers)
    for (const { annotations } of changing)
      expect(annotations).toMatchObject({ destructiveHint: true, idempotentHint: true })
    for (const { description, inputSchema } of tools) {
      expect(description?.length).toBeLessThan(600)
      expect(inputSchema["additionalProperties"]).toBe(false)
    }
  })
})

describe("a web page", () => {
  it("cannot call the endpoint from another origin, or through a name of its own", async () => {
    const rejected = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { host: "evil.example:4800" },
      { host: "leads.example.evil.example" }
    ]
    for (const headers of rejected) {
      const refused = await begin(world.other.apiKey, headers)
      expect([refused.status, refused.code]).toEqual([403, "FORBIDDEN"])
    }
    const accepted = [
      { origin: "https://leads.example", host: "leads.example" },
      { host: "127.0.0.1:4800" },
      { host: "[::1]:4800" },
      { host: "localhost:4800" },
      { host: "leadloom:4800" }
    ]
    for (const headers of accepted) expect((await begin(world.other.apiKey, headers)).status).toBe(200)
  })
})

describe("a server without LEADLOOM_MCP", () => {
  it("has no endpoint", async () => {
    const off = startServer()
    const refused = await off.call("POST", "/mcp", { as: adminKey, body: initialize, headers: accept })
    expect([refused.status, refused.text]).toEqual([404, expect.stringContaining("LEADLOOM_MCP")])
    await off.close()
  })
})

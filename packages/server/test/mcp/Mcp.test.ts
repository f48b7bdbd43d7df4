import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld, type World } from "../world/World.ts"
import { connectClient } from "./McpClient.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_MCP: "yes" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

describe("MCP over HTTP", () => {
  it("lists tools", async () => {
    const mcp = await connectClient(server, world.acme.apiKey)
    console.log(await mcp.toolNames(), mcp.transport.sessionId, mcp.transport.protocolVersion)
    console.log(await mcp.call("list_leads"))
    console.log(await mcp.call("get_lead", { lead_id: "lead_x" }))
    console.log(await mcp.call("get_lead", { lead_ids: "lead_x" }))
    console.log(JSON.stringify((await mcp.client.listTools()).tools[0], null, 1))
    await mcp.transport.terminateSession()
    expect(1).toBe(1)
  })
})

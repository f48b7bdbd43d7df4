import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fakeTerminal, makeFolder, removeFolder, runOn } from "../FakeTerminal.ts"
import { adminKey, leadloom, type RunningServer, spawnLeadloom, startServer, watch } from "../ServerProcess.ts"

let folder = ""
let server: RunningServer
const clients: Array<Client> = []

const api = async (method: string, path: string, body?: unknown): Promise<Readonly<Record<string, unknown>>> => {
  const response = await fetch(`${server.url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  return Object(await response.json())
}

const makeKey = async (tenant: string, scopes: ReadonlyArray<string>): Promise<string> =>
  String((await api("POST", `tenants/${tenant}/api-keys`, { name: "mcp", scopes }))["key"])

beforeAll(async () => {
  folder = await makeFolder()
  server = await startServer(join(folder, "data"))
  for (const tenant_id of ["acme", "other"]) await api("POST", "admin/tenants", { tenant_id, name: tenant_id })
})
afterAll(async () => {
  for (const client of clients) await client.close()
  await server.stop()
  await removeFolder(folder)
})

/** Starts `leadloom mcp` as an MCP client does. */
const connect = async (apiKey: string, ...options: ReadonlyArray<string>): Promise<Client> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...leadloom, "mcp", "--tenant", "acme", ...options],
    env: { LEADLOOM_URL: server.url, LEADLOOM_API_KEY: apiKey, HOME: folder, PATH: process.env["PATH"] ?? "" }
  })
  const client = new Client({ name: "test", version: "1" })
  await client.connect(transport)
  clients.push(client)
  return client
}

const textOf = (result: unknown): string => {
  const { content } = Object(result) as { readonly content: unknown }
  return String(Object(Array.isArray(content) ? content[0] : null).text)
}

describe("leadloom mcp", () => {
  it("offers the tools that the scopes of the key permit, and calls them on the server", async () => {
    const body = { contact: { email: "jane@customer.example" }, subject: "Kitchen" }
    const lead = String((await api("POST", "tenants/acme/leads", body))["id"])
    const reader = await connect(await makeKey("acme", ["read"]))
    const names = (await reader.listTools()).tools.map(({ name }) => name)
    expect(names).toContain("get_lead")
    expect(names).not.toContain("update_lead")
    expect(names).not.toContain("dry_run_message")
    const read = await reader.callTool({ name: "get_lead", arguments: { lead_id: lead } })
    expect(textOf(read)).toMatch(/<(untrusted-\w+)>Kitchen<\/\1>/u)
    const refused = await reader.callTool({ name: "update_lead", arguments: { lead_id: lead, subject: "New" } })
    expect([refused.isError, textOf(refused)]).toEqual([true, expect.stringContaining("limited to: read")])
  })

  it("changes data with a key that permits it, and the server audits the tool", async () => {
    const lead = String((await api("POST", "tenants/acme/leads", { contact: { email: "bo@customer.example" } }))["id"])
    const writer = await connect(await makeKey("acme", ["read", "messages"]))
    await writer.callTool({ name: "update_lead", arguments: { lead_id: lead, subject: "New" } })
    expect((await api("GET", `tenants/acme/leads/${lead}`))["subject"]).toBe("New")
    const { entries } = await api("GET", "tenants/acme/audit?limit=1&action=leads.update")
    expect(entries).toEqual([
      expect.objectContaining({
        actor: expect.stringMatching(/^key_/u),
        target: { lead_id: lead, mcp_tool: "update_lead" }
      })
    ])
  })

  it("acts for the user of --acting-user, and does not start for an unknown one", async () => {
    const { id: user_id } = await api("POST", "tenants/acme/users", { name: "Ann", email: "ann@acme.example" })
    const lead = String((await api("POST", "tenants/acme/leads", { contact: { email: "li@customer.example" } }))["id"])
    const key = await makeKey("acme", ["read", "messages"])
    const writer = await connect(key, "--acting-user", String(user_id))
    await writer.callTool({ name: "move_lead", arguments: { lead_id: lead, stage_id: "stg_engaged" } })
    const { entries } = await api("GET", "tenants/acme/audit?limit=1&action=leads.move")
    expect(entries).toEqual([expect.objectContaining({ user_id, target: { lead_id: lead, mcp_tool: "move_lead" } })])
    const env = { LEADLOOM_URL: server.url, LEADLOOM_API_KEY: key, LEADLOOM_ACTING_USER: "usr_unknown" }
    const unknown = await runOn(fakeTerminal(folder, env), ["mcp", "--tenant", "acme"])
    expect([unknown.exitCode, unknown.err]).toEqual([4, expect.stringContaining("usr_unknown")])
  })

  it("writes only the protocol to standard output, and ends with its input", async () => {
    const child = spawnLeadloom(["mcp", "--tenant", "acme"], { LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey })
    const watched = watch(child)
    expect(await watched.ends).toBe(0)
    expect(watched.output()).toEqual({ out: "", err: "" })
  })

  it("does not start with the key of another tenant, or without a server", async () => {
    const env = { LEADLOOM_URL: server.url, LEADLOOM_API_KEY: await makeKey("other", ["read"]) }
    const foreign = await runOn(fakeTerminal(folder, env), ["mcp", "--tenant", "acme"])
    expect([foreign.exitCode, foreign.out, foreign.err]).toEqual([4, "", "The key has no rights in the tenant acme.\n"])
    const unknown = await runOn(fakeTerminal(folder, { ...env, LEADLOOM_API_KEY: "nonsense" }), [
      "mcp",
      "--tenant",
      "acme"
    ])
    expect(unknown.exitCode).toBe(4)
    const dead = await runOn(fakeTerminal(folder, { ...env, LEADLOOM_URL: "http://127.0.0.1:1" }), [
      "mcp",
      "--tenant",
      "acme"
    ])
    expect([dead.exitCode, dead.err]).toEqual([3, expect.stringContaining("leadloom serve")])
    const keyless = await runOn(fakeTerminal(folder, { LEADLOOM_URL: server.url }), ["mcp", "--tenant", "acme"])
    expect([keyless.exitCode, keyless.err]).toEqual([4, expect.stringContaining("LEADLOOM_API_KEY")])
  })
})

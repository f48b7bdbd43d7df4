import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { someConfig } from "../../world/Endpoints.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"
import { connectClient, type McpClient } from "./McpClient.ts"

let server: TestServer
let world: World
let mcp: McpClient
let contact_id: string
let signal_id: string

const rule = {
  id: "kitchens",
  name: "Kitchens",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "kitchen" },
  actions: [{ type: "create_task", task_type: "callback", title: "Call back" }]
}

beforeAll(async () => {
  server = startServer({ LEADLOOM_MCP: "yes", LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
  const config = await server.call("PUT", "/api/v1/config/acme", {
    as: adminKey,
    body: { ...someConfig, rules: [rule] }
  })
  if (config.status !== 200) throw new Error(config.text)
  const made = await server.call("POST", "/api/v1/webhook/automation/acme", {
    as: world.acme.apiKey,
    body: { message: "A kitchen, please", contact: { name: "Jane", email: "jane@customer.example" }, channel: "chat" }
  })
  signal_id = textAt(made.json, "signal_id")
  const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
  contact_id = textAt(list.json, "conversations", 0, "contact_id")
  mcp = await connectClient(server, adminKey, "?tenant_id=acme")
})
afterAll(() => server.close())

describe("the tools", () => {
  it("find the lead of a contact and move it", async () => {
    const leads = await mcp.call("list_leads", { contact_id, state: "open" })
    const lead_id = textAt(leads.json, "leads", 0, "lead_id")
    expect(at((await mcp.call("list_leads", { contact_id: "con_unknown" })).json, "leads")).toEqual([])
    expect(at((await mcp.call("get_lead", { lead_id })).json, "factors")).toEqual(expect.any(Array))
    const moved = await mcp.call("transition_lead", { lead_id, state: "archived", reason: "test" })
    expect(at(moved.json, "state")).toBe("archived")
    const refused = await mcp.call("transition_lead", { lead_id, state: "won" })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^CONFLICT: /u)])
    const changed = await mcp.call("update_lead", { lead_id, assignee: "ann@acme.com" })
    expect(textAt(changed.json, "assignee")).toContain("ann@acme.com")
  })

  it("show the deal of a lead and move it to a stage of the pipeline", async () => {
    const lead = { contact: { email: "deal@customer.example" }, value: 1_250_000, currency: "EUR" }
    const made = await server.call("POST", "/api/v1/tenants/acme/leads", { as: adminKey, body: lead })
    const lead_id = textAt(made.json, "id")
    const stages = at((await mcp.call("list_stages")).json, "pipelines", 0, "stages")
    expect(at((await mcp.call("list_stages", { pipeline_id: "pip_unknown" })).json, "pipelines")).toEqual([])
    const engaged = (Array.isArray(stages) ? stages : []).find((stage) => at(stage, "state") === "engaged")
    const stage_id = textAt(engaged, "stage_id")
    const deal = { lead_id, state: "engaged", stage_id, value: 1_250_000, currency: "EUR" }
    expect((await mcp.call("move_lead", { lead_id, stage_id })).json).toMatchObject(deal)
    expect((await mcp.call("move_lead", { lead_id, stage_id })).json).toMatchObject(deal)
    expect(at((await mcp.call("list_leads", { stage_id })).json, "leads")).toMatchObject([deal])
    expect((await mcp.call("get_lead", { lead_id })).json).toMatchObject(deal)
    const skipped = await mcp.call("move_lead", { lead_id, stage_id: "stg_open" })
    expect([skipped.isError, skipped.text]).toEqual([true, expect.stringMatching(/^CONFLICT: /u)])
    expect((await mcp.call("move_lead", { lead_id, stage_id: "stg_unknown" })).isError).toBe(true)
  })

  it("list and complete a task", async () => {
    const task_id = textAt((await mcp.call("list_tasks", { contact_id })).json, "tasks", 0, "task_id")
    expect(at((await mcp.call("list_tasks", { contact_id: "con_unknown" })).json, "tasks")).toEqual([])
    const done = await mcp.call("complete_task", { task_id, disposition: "reached" })
    expect(at(done.json, "status")).toBe("done")
    expect(at((await mcp.call("complete_task", { task_id, disposition: "reached" })).json, "status")).toBe("done")
    expect(at((await mcp.call("list_tasks", { contact_id })).json, "tasks")).toEqual([])
  })

  it("explain a run by its signal and by its message", async () => {
    const bySignal = await mcp.call("explain_run", { signal_id })
    expect(at(bySignal.json, "rules", 0)).toMatchObject({ outcome: "matched" })
    expect(at(bySignal.json, "model")).toEqual({ classification: null, reply: null })
    const byMessage = await mcp.call("explain_run", { signal_id: textAt(bySignal.json, "message_id") })
    expect(at(byMessage.json, "run_id")).toBe(at(bySignal.json, "run_id"))
  })

  it("try a message and a rule without storing anything", async () => {
    const tried = await mcp.call("dry_run_message", { message: "A kitchen?", contact: { name: "Bo" } })
    expect(at(tried.json, "matched_rules")).toBe(1)
    const listed = await mcp.call("list_rules")
    expect(at(listed.json, "rules")).toEqual([
      { id: "kitchens", name: "Kitchens", priority: 1, enabled: true, actions: ["create_task"] }
    ])
    const read = at((await mcp.call("list_rules", { rule_id: "kitchens" })).json, "rule")
    const never = { ...Object(read), when: { fact: "message.text", op: "contains", value: "garden" } }
    const tested = await mcp.call("backtest_rule", { rule: never })
    expect(at(tested.json, "rules", 0)).toMatchObject({ before: 1, after: 0, lost: 1 })
    expect((await mcp.call("list_rules", { rule_id: "kitchens" })).json).toEqual(
      (await mcp.call("list_rules", { rule_id: "kitchens" })).json
    )
    const config = await server.call("GET", "/api/v1/config/acme", { as: adminKey })
    expect(at(config.json, "config", "rules", 0, "when", "value")).toBe("kitchen")
  })

  it("report the invalid fields of a rule", async () => {
    const broken = { ...rule, when: { fact: "no.such.fact", op: "contains", value: "x" } }
    const refused = await mcp.call("backtest_rule", { rule: broken })
    expect(refused.isError).toBe(true)
    expect(refused.text).toMatch(/^BAD_REQUEST: .*\n- rules/su)
  })

  it("write no draft without a language model", async () => {
    const refused = await mcp.call("write_draft", { contact_id })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining("LLM provider not configured")])
  })
})

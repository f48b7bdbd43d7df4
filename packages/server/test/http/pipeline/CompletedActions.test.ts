import { afterAll, beforeAll, expect, it } from "vitest"
import { someConfig } from "../../world/Endpoints.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"

let server: TestServer
const rule = {
  id: "rule_1",
  name: "Everything",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "kitchen" },
  actions: [
    { type: "tag", tag: "kitchen" },
    { type: "crm_action", action: "add_tag", tag: "kitchen" },
    { type: "reply", template: "Thank you." },
    { type: "suppress_reply" }
  ]
}

beforeAll(async () => {
  server = startServer()
  await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: { tenant_id: "acme", name: "Acme" } })
  const saved = await server.call("PUT", "/api/v1/config/acme", {
    as: adminKey,
    body: { ...someConfig, rules: [rule] }
  })
  expect(saved.status).toBe(200)
})
afterAll(() => server.close())

it("lists completed actions; the run has the others with reasons, and a dry run lists all", async () => {
  const body = { message: "A kitchen, please", contact: { email: "jo@customer.example" } }
  const ran = await server.call("POST", "/api/v1/webhook/automation/acme", { as: adminKey, body })
  expect(at(ran.json, "actions_triggered")).toEqual(["tag", "suppress_reply"])
  const path = `/api/v1/tenants/acme/pipeline/runs/${textAt(ran.json, "signal_id")}`
  const run = await server.call("GET", path, { as: adminKey })
  expect(at(run.json, "actions")).toMatchObject([
    { type: "tag", outcome: "done" },
    { type: "crm_action", outcome: "skipped", reason: "no CRM connected" },
    { type: "reply", outcome: "skipped", reason: "rule rule_1 suppresses the reply" },
    { type: "suppress_reply", outcome: "done" }
  ])
  const dry = await server.call("POST", "/api/v1/test/acme", { as: adminKey, body })
  expect(at(dry.json, "actions_triggered")).toEqual(["tag", "crm_action", "reply", "suppress_reply"])
  const wrong = { ...rule, actions: [{ type: "create_task", task_type: "callback", title: "{% nonsense" }] }
  const refused = await server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: { rules: [wrong] } })
  expect([refused.status, at(refused.json, "error", "details", 0, "path")]).toEqual([400, "rules.0.actions.0.title"])
})

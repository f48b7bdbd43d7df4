import { triggerQueue } from "@leadloom/core/internal/workflow/trigger/RunTrigger"
import { workOnce } from "@leadloom/core/internal/workflow/worker/Worker"
import { afterAll, beforeAll, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const start = (ruleId: string, contactId: string, as = world.acme.apiKey, tenant = "acme") =>
  server.call("POST", `/api/v1/tenants/${tenant}/pipeline/rules/${ruleId}/runs`, {
    as,
    body: { contact_id: contactId }
  })

const rule = (id: string, more: object) => ({
  id,
  name: `Rule ${id}`,
  priority: 1,
  when: { all: [] },
  actions: [{ type: "tag", tag: "asked" }],
  ...more
})

it("starts a rule for a contact of the tenant, and lists the run with its outcome", async () => {
  const rules = [
    rule("ask me", { trigger: { type: "manual" } }),
    rule("off", { trigger: { type: "manual" }, enabled: false }),
    rule("message", {})
  ]
  await server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: { rules } })
  const body = { name: "Ann", email: "ann@customer.example" }
  const made = await server.call("POST", "/api/v1/tenants/acme/contacts", { as: adminKey, body })
  const contactId = textAt(made.json, "id")
  const started = await start("ask%20me", contactId)
  expect([started.status, at(started.json, "state"), at(started.json, "trigger")]).toEqual([201, "waiting", "manual"])
  await server.run(workOnce(triggerQueue))
  const path = `/api/v1/tenants/acme/pipeline/trigger-runs?contact_id=${contactId}`
  const { json } = await server.call("GET", path, { as: adminKey })
  expect(at(json, "trigger_runs")).toMatchObject([{ id: textAt(started.json, "id"), rule_id: "ask me", state: "ran" }])
  const contact = await server.call("GET", `/api/v1/tenants/acme/contacts/${contactId}`, { as: adminKey })
  expect(at(contact.json, "tags")).toEqual(["asked"])
  expect((await start("off", contactId)).status).toBe(409)
  expect((await start("message", contactId)).text).toContain("Its trigger is message_received")
  expect((await start("none", contactId)).status).toBe(404)
  expect((await start("ask%20me", "con_unknown")).status).toBe(404)
  expect((await start("ask%20me", contactId, world.other.apiKey)).status).toBeGreaterThanOrEqual(403)
  expect((await start("ask%20me", contactId, adminKey, "other")).status).toBe(404)
})

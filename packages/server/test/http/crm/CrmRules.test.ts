import { inMemoryCrm, emptyCrm } from "@leadloom/testkit/memory/Crm"
import { installApp } from "@leadloom/testkit/suite/crm/CrmWorld"
import { Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld } from "../../world/World.ts"

const crm = emptyCrm()
let server: TestServer

beforeAll(async () => {
  server = startServer({}, (services) =>
    Layer.provideMerge(
      Layer.effectDiscard(installApp(crm, "acme", "loc-acme")),
      Layer.provideMerge(inMemoryCrm(crm), services)
    )
  )
  await makeWorld(server)
})
afterAll(() => server.close())

const rulesOf = (...actions: ReadonlyArray<unknown>) => [
  {
    id: "crm",
    name: "Tell the CRM",
    priority: 1,
    when: { fact: "message.text", op: "contains", value: "roof" },
    actions
  }
]
const save = (tenantId: string, ...actions: ReadonlyArray<unknown>) =>
  server.call("PATCH", `/api/v1/config/${tenantId}`, { as: adminKey, body: { rules: rulesOf(...actions) } })

const all = [
  { type: "crm_action", action: "add_tag", tag: "roof" },
  { type: "crm_action", action: "remove_tag", tag: "cold", location_id: "loc-acme" },
  { type: "crm_action", action: "add_note", body: "{{ contact.name }} wrote: {{ message.body }}" },
  { type: "crm_action", action: "create_task", title: "Call back", body: "Today", due_in_minutes: 30 },
  { type: "crm_action", action: "add_to_workflow", workflow_id: "wf-1" },
  { type: "crm_action", action: "update_contact", fields: ["name", "email", "phone"] }
]

const run = async (tenantId: string) => {
  const body = { message: "How much is a roof?", contact: { name: "Jo", email: "jo@customer.example" } }
  const answer = await server.call("POST", `/api/v1/webhook/automation/${tenantId}`, { as: adminKey, body })
  const path = `/api/v1/tenants/${tenantId}/pipeline/runs/${textAt(answer.json, "signal_id")}`
  return { answer, path, read: await server.call("GET", path, { as: adminKey }) }
}

describe("rules that change a contact in the CRM", () => {
  it("are saved unchanged and queue their operations with the run", async () => {
    expect((await save("acme", ...all)).status).toBe(200)
    const config = await server.call("GET", "/api/v1/config/acme", { as: adminKey })
    expect(at(config.json, "config", "rules", 0, "actions")).toEqual(all)
    const { answer, path, read } = await run("acme")
    expect(at(answer.json, "actions_triggered")).toEqual(all.map(() => "crm_action"))
    expect(at(read.json, "actions")).toEqual(
      all.map(({ action }) => expect.objectContaining({ outcome: "done", reason: `queued for the CRM: ${action}` }))
    )
    expect(crm.calls).toEqual([])
    const replayed = await server.call("POST", `${path}/replay`, { as: adminKey })
    expect(at(replayed.json, "identical")).toBe(true)
  })

  it("record in the run that no CRM is connected", async () => {
    await save("other", ...all)
    const { read } = await run("other")
    expect(at(read.json, "actions", 0)).toMatchObject({ outcome: "skipped", reason: "no CRM connected" })
  })

  it("are reported by a back-test without effect", async () => {
    const rules = rulesOf(all[0], all[4])
    const tried = await server.call("POST", "/api/v1/tenants/acme/pipeline/backtest", { as: adminKey, body: { rules } })
    expect(tried.status).toBe(200)
    expect(tried.text).toContain("crm_action")
    expect(crm.calls).toEqual([])
  })

  it.each([
    ["no action", { type: "crm_action" }],
    ["an unknown action", { type: "crm_action", action: "delete_contact" }],
    ["a tag without a name", { type: "crm_action", action: "add_tag" }],
    ["a field of another action", { type: "crm_action", action: "add_tag", tag: "roof", body: "Hello" }],
    ["a change of no field", { type: "crm_action", action: "update_contact", fields: [] }],
    ["a change of an unknown field", { type: "crm_action", action: "update_contact", fields: ["tags"] }],
    ["an invalid template", { type: "crm_action", action: "add_note", body: "{% if %}" }],
    ["an invalid template in the body", { type: "crm_action", action: "create_task", title: "Call", body: "{{ a.b }" }]
  ])("are rejected with %s", async (_, action) => {
    const refused = await save("acme", action)
    expect([refused.status, refused.code]).toEqual([400, "BAD_REQUEST"])
    expect(textAt(refused.json, "error", "details", 0, "path")).toMatch(/^rules\.0\.actions\.0/u)
  })
})

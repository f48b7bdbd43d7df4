import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { makeWorld, type World } from "../world/World.ts"

let server: TestServer
let world: World
let path: string
let enrolmentId: string
let contactId: string

const call = (method: string, to: string, more: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/tenants/acme/${to}`, { as: adminKey, ...more })

const pathsOf = ({ json }: Answer) => {
  const details = at(json, "error", "details")
  return Array.isArray(details) ? details.map((detail) => textAt(detail, "path")) : []
}

const step = { name: "call", kind: "task", title: "Call", delay: { amount: 1, unit: "days" } }

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
  const contact = { name: "Jane Miller", email: "jane@customer.example" }
  const resolved = await call("POST", "contacts/resolve", { body: { ...contact, create: true } })
  contactId = /con_[0-9a-z]+/u.exec(JSON.stringify(resolved.json))?.[0] ?? ""
  const sequence = await call("POST", "sequences", { body: { name: "Quotes", steps: [step] } })
  path = `sequences/${textAt(sequence.json, "id")}`
  const enrolled = await call("POST", `${path}/enrolments`, { body: { contact_id: contactId } })
  enrolmentId = textAt(enrolled.json, "id")
})
afterAll(() => server.close())

const simulate = (body: object, more: Call = {}) => call("POST", `${path}/simulations`, { body, ...more })

describe("simulations over HTTP", () => {
  it("answer with the simulated and the real enrolments, and store nothing", async () => {
    const events = async () => at((await call("GET", "events?limit=100")).json, "events")
    const before = await events()
    const proposed = { name: "wait", kind: "wait", delay: { amount: 0, unit: "minutes" } }
    const answer = await simulate({ steps: [proposed], stop_on: ["lead_closed"] })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      version: 1,
      more: false,
      undecided: 0,
      differing: 1,
      simulated: { enrolled: 1, completed: 1, running: 0 },
      actual: { enrolled: 1, completed: 0, running: 1 },
      contacts: [
        {
          simulated: { state: "completed", step: null, history: [{ step: "wait", outcome: "waited", reason: null }] },
          actual: { id: enrolmentId, state: "active", step: "call" },
          differs: true
        }
      ],
      next_cursor: null
    })
    expect(await events()).toEqual(before)
  })

  it("refuse periods, rules and steps that are not possible, with their paths", async () => {
    expect(pathsOf(await simulate({ since: "2020-01-01" }))).toEqual(["since"])
    expect(pathsOf(await simulate({ until: "2099-01-01T00:00:00Z" }))).toContain("until")
    expect(pathsOf(await simulate({ max: 1_001 }))).toEqual(["max"])
    expect(pathsOf(await simulate({ segment_id: "seg_a", rule_id: "quotes" }))).toEqual(["rule"])
    expect(pathsOf(await simulate({ steps: [step, step] }))).toEqual(["steps.1.name"])
    const rule = { id: "r", name: "R", priority: 1, when: { all: [] }, actions: [{ type: "tag", tag: "a" }] }
    expect(pathsOf(await simulate({ rule }))).toEqual(["rule"])
    expect((await simulate({ rule_id: "missing" })).status).toBe(404)
    expect((await simulate({ segment_id: "seg_missing" })).status).toBe(404)
    expect((await simulate({ cursor: "nonsense" })).status).toBe(400)
    expect((await call("POST", "sequences/seg_missing/simulations", { body: {} })).status).toBe(404)
  })

  it("answer with the simulated and the real runs of a rule", async () => {
    const rule = {
      id: "task",
      name: "Task",
      priority: 1,
      trigger: { type: "task_due" },
      when: { fact: "contact.email", op: "contains", value: "jane" },
      actions: [{ type: "add_note", body: "Late" }]
    }
    const [contact] = [contactId]
    const due = new Date(Date.now() - 60_000).toISOString()
    const task = await call("POST", "tasks", {
      body: { title: "Call", type: "callback", due_at: due, contact_id: contact }
    })
    expect(task.status).toBe(201)
    const simulateRule = (body: object, more: Call = {}) =>
      server.call("POST", "/api/v1/config/acme/rule-simulations", { as: adminKey, body, ...more })
    const answer = await simulateRule({ rule })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      rule_id: "task",
      trigger: "task_due",
      more: false,
      differing: 1,
      simulated: { causes: 1, ran: 1, actions: { add_note: 1 } },
      actual: { causes: 0 },
      causes: [
        {
          contact_id: contact,
          task_id: textAt(task.json, "id"),
          cause_at: due,
          simulated: { state: "ran", actions: [{ type: "add_note", outcome: "done", enrolment: null }] },
          actual: null,
          differs: true
        }
      ],
      next_cursor: null
    })
    expect(at(answer.json, "notes")).toHaveLength(2)
    expect(pathsOf(await simulateRule({}))).toEqual(["rule_id"])
    expect(pathsOf(await simulateRule({ rule: { ...rule, trigger: undefined } }))).toEqual(["rule"])
    expect(pathsOf(await simulateRule({ rule: { ...rule, actions: [{ type: "reply" }] } }))).toContain(
      "rule.actions.0.type"
    )
    expect((await simulateRule({ rule_id: "missing" })).status).toBe(404)
    expect((await simulateRule({ rule }, { as: world.acme.apiKey })).status).toBe(403)
  })

  it("need the permission to manage the tenant, and see this tenant only", async () => {
    expect((await simulate({}, { as: world.acme.apiKey })).status).toBe(403)
    const foreign = await server.call("POST", `/api/v1/tenants/other/${path}/simulations`, { as: adminKey, body: {} })
    expect(foreign.status).toBe(404)
  })
})

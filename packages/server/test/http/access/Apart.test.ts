import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bodies, endpoints, pathOf } from "../../world/Endpoints.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
let contactId: string
let signalId: string
let leadId: string

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
  const body = { message: "What does a kitchen cost?", contact: { email: "jane@customer.example" } }
  const run = await server.call("POST", "/api/v1/webhook/automation/acme", { as: world.acme.apiKey, body })
  signalId = textAt(run.json, "signal_id")
  const list = await server.call("GET", "/api/v1/tenants/acme/contacts", { as: world.acme.apiKey })
  const leads = await server.call("GET", "/api/v1/tenants/acme/leads", { as: world.acme.apiKey })
  leadId = textAt(leads.json, "leads", 0, "id")
  contactId = textAt(list.json, "contacts", 0, "id")
})
afterAll(() => server.close())

const leadWrite = (tenant: string, name: string): readonly [string, string, unknown?] => {
  const endpoint = endpoints.find((known) => known.name === name)
  if (endpoint === undefined) throw new Error(name)
  return [endpoint.method, pathOf(endpoint, { tenant_id: tenant, lead_id: leadId }), bodies[name]]
}

describe("data of one tenant", () => {
  it("does not exist for another tenant, nor for the operator in that tenant", async () => {
    const things = (tenant: string): ReadonlyArray<readonly [string, string, unknown?]> => [
      ["GET", `/api/v1/tenants/${tenant}/contacts/${contactId}`],
      ["PATCH", `/api/v1/tenants/${tenant}/contacts/${contactId}`, { name: "Mine" }],
      ["DELETE", `/api/v1/tenants/${tenant}/contacts/${contactId}`],
      ["GET", `/api/v1/tenants/${tenant}/conversations/${contactId}`],
      ["POST", `/api/v1/tenants/${tenant}/conversations/${contactId}/read`],
      ["GET", `/api/v1/tenants/${tenant}/pipeline/runs/${signalId}`],
      ["GET", `/api/v1/tenants/${tenant}/leads/${leadId}`],
      ["GET", `/api/v1/tenants/${tenant}/leads/${leadId}/scores`],
      ...["leads.update", "leads.append", "leads.import", "leads.score", "leads.transition"].map((name) =>
        leadWrite(tenant, name)
      ),
      ["DELETE", `/api/v1/tenants/${tenant}/api-keys/${world.acme.keyId}`]
    ]
    for (const [method, path, body] of things("other")) {
      for (const as of path.includes("api-keys") ? [adminKey] : [adminKey, world.other.apiKey]) {
        const answer = await server.call(method, path, { as, ...(body === undefined ? {} : { body }) })
        expect([method, path, answer.status, answer.code]).toEqual([method, path, 404, "NOT_FOUND"])
      }
    }
    const found = await server.call("GET", `/api/v1/tenants/acme/contacts/${contactId}`, { as: world.acme.apiKey })
    expect([found.status, at(found.json, "archived")]).toEqual([200, false])
  })

  it("appears in no list of another tenant", async () => {
    for (const list of ["contacts", "conversations", "leads", "tasks"]) {
      const answer = await server.call("GET", `/api/v1/tenants/other/${list}`, { as: world.other.apiKey })
      expect(at(answer.json, list)).toEqual([])
    }
    for (const query of ["a", "e", "customer", "jane", "acme", "kitchen"]) {
      const answer = await server.call("POST", "/api/v1/tenants/other/search", {
        as: world.other.apiKey,
        body: { query, deep: true }
      })
      expect([query, answer.status, answer.json]).toEqual([
        query,
        200,
        { contacts: [], conversations: [], notes: [], since: null, complete: true, next_cursor: null }
      ])
    }
  })

  it("is separate for mail of the same sender to two tenants", async () => {
    for (const tenant of ["acme", "other"]) {
      const body = importOf(mail({ From: "same@customer.example" }, "Hello"))
      const answer = await server.call("POST", `/api/v1/import/${tenant}/email`, { as: adminKey, body })
      expect(at(answer.json, "results", 0, "outcome")).toBe("message")
    }
    const ids = new Set<unknown>()
    for (const tenant of ["acme", "other"]) {
      const list = await server.call("GET", `/api/v1/tenants/${tenant}/contacts?limit=1`, { as: adminKey })
      ids.add(at(list.json, "contacts", 0, "id"))
    }
    expect(ids.size).toBe(2)
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
let number = 0

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, as = adminKey) =>
  server.call(method, `/api/v1/tenants/acme${path}`, { as, ...(body === undefined ? {} : { body }) })

/** Creates a field with a new key. */
const field = async (body: object) => {
  const key = `key_${(number += 1)}`
  const made = await call("POST", "/fields", { key, label: "A field", ...body })
  expect(made.status).toBe(201)
  return { key, id: textAt(made.json, "id") }
}
const make = async (body: object) => call("POST", "/contacts", body, world.acme.apiKey)

describe("custom fields", () => {
  it("are created, listed by entity, changed and deleted by managers", async () => {
    const options = ["gold", "silver"]
    const body = { key: "plan", label: "Plan", type: "select", options }
    const made = await call("POST", "/fields", body)
    expect([made.status, made.json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^fld_/u),
        entity: "contact",
        ...body,
        required: false,
        created_at: expect.any(String),
        updated_at: expect.any(String)
      }
    ])
    const path = `/fields/${textAt(made.json, "id")}`
    expect((await call("GET", path, undefined, world.acme.apiKey)).json).toEqual(made.json)
    await call("POST", "/fields", { key: "budget", label: "Budget", type: "number", entity: "lead" })
    const keys = async (query: string) => (await call("GET", `/fields${query}`)).text.match(/"key":"\w+"/gu)
    expect(await keys("?entity=contact")).toEqual(['"key":"plan"'])
    expect(await keys("")).toEqual(['"key":"plan"', '"key":"budget"'])
    const changed = await call("PATCH", path, { label: "Tariff", options: ["gold"] })
    expect(changed.json).toMatchObject({ key: "plan", label: "Tariff", options: ["gold"], type: "select" })
    expect((await call("PATCH", path, { options: [] })).code).toBe("BAD_REQUEST")
    expect((await call("PATCH", path, { type: "text" })).code).toBe("BAD_REQUEST")
    expect((await call("PATCH", path, { label: "x" }, world.acme.apiKey)).code).toBe("FORBIDDEN")
    expect((await call("DELETE", path)).status).toBe(200)
    expect((await call("GET", path)).code).toBe("NOT_FOUND")
    const audit = at((await call("GET", "/audit?limit=1")).json, "entries", 0)
    expect(audit).toMatchObject({ action: "fields.remove", change: { before: { key: "plan" }, after: null } })
  })

  it.each([
    { key: "Plan", label: "Plan", type: "text" },
    { key: "a".repeat(64), label: "Plan", type: "text" },
    { key: "plan", label: "", type: "text" },
    { key: "plan", label: "Plan", type: "json" },
    { key: "plan", label: "Plan", type: "select" },
    { key: "plan", label: "Plan", type: "text", options: ["a"] },
    { key: "plan", label: "Plan", type: "select", options: ["a", "a"] },
    { key: "plan", label: "Plan", type: "select", options: ["x".repeat(65)] }
  ])("are rejected: %j", async (body) => {
    expect((await call("POST", "/fields", body)).code).toBe("BAD_REQUEST")
  })

  it("have unique keys per entity and a maximum number", async () => {
    const { key } = await field({ type: "text", entity: "company" })
    const again = { key, label: "Again", type: "text" }
    expect((await call("POST", "/fields", { ...again, entity: "company" })).code).toBe("CONFLICT")
    expect((await call("POST", "/fields", again)).status).toBe(201)
    for (let count = 1; count < 50; count++) await field({ type: "text", entity: "company" })
    const tooMany = { key: "one_more", label: "One more", type: "text", entity: "company" }
    expect((await call("POST", "/fields", tooMany)).code).toBe("CONFLICT")
  })

  it("that a rule compares cannot be deleted, and a rule cannot compare an unknown field", async () => {
    const { key, id } = await field({ type: "number", entity: "lead" })
    const config = "/api/v1/config/acme"
    const before = at((await server.call("GET", config, { as: adminKey })).json, "config")
    const put = (fact: string) => {
      const when = { fact: `lead.custom_fields.${fact}`, op: "gt", value: 5 }
      const rule = { id: "big", name: "Big deals", priority: 1, when, actions: [{ type: "tag", tag: "big" }] }
      return server.call("PUT", config, { as: adminKey, body: { ...Object(before), rules: [rule] } })
    }
    const refused = await put("nothing")
    expect([refused.code, at(refused.json, "error", "details", 0)]).toEqual([
      "BAD_REQUEST",
      {
        path: "rules.0.when.fact",
        message: expect.stringMatching(`The entity lead has no custom field "nothing".*lead.custom_fields.${key}`)
      }
    ])
    expect((await put(key)).status).toBe(200)
    const kept = await call("DELETE", `/fields/${id}`)
    expect([kept.code, at(kept.json, "error", "details")]).toEqual(["CONFLICT", { rules: ["Big deals"] }])
    await server.call("PUT", config, { as: adminKey, body: Object(before) })
    expect((await call("DELETE", `/fields/${id}`)).status).toBe(200)
  })

  it("of another tenant are not found", async () => {
    const { id } = await field({ type: "text" })
    const path = `/api/v1/tenants/other/fields/${id}`
    expect((await server.call("GET", path, { as: world.other.apiKey })).code).toBe("NOT_FOUND")
  })
})

describe("values of custom fields", () => {
  it("are checked, stored, changed one by one, and part of events", async () => {
    const [size, due, kinds] = [
      await field({ type: "number" }),
      await field({ type: "date" }),
      await field({ type: "multi_select", options: ["a", "b"] })
    ]
    const values = { [size.key]: 4.5, [due.key]: "2026-05-01", [kinds.key]: ["b", "a"] }
    const made = await make({ name: "Ann", custom_fields: values })
    expect([made.status, at(made.json, "custom_fields")]).toEqual([201, values])
    const path = `/contacts/${textAt(made.json, "id")}`
    const changed = await call("PATCH", path, { custom_fields: { [size.key]: null, [due.key]: "2026-06-01" } })
    const after = { [due.key]: "2026-06-01", [kinds.key]: ["b", "a"] }
    expect(at(changed.json, "custom_fields")).toEqual(after)
    expect(at((await call("PATCH", path, { name: "Anna" })).json, "custom_fields")).toEqual(after)
    const wrong = await call("PATCH", path, { custom_fields: { [due.key]: "tomorrow" } })
    expect([wrong.code, at(wrong.json, "error", "details", 0, "path")]).toEqual([
      "BAD_REQUEST",
      `custom_fields.${due.key}`
    ])
    expect((await call("PATCH", path, { custom_fields: { nothing: 1 } })).code).toBe("BAD_REQUEST")
    const events = at((await call("GET", "/events")).json, "events")
    expect(JSON.stringify(events)).toContain(JSON.stringify(after))
  })

  it("survive a merge and its undo", async () => {
    const [one, two] = [await field({ type: "text" }), await field({ type: "text" })]
    const primary = textAt((await make({ custom_fields: { [one.key]: "mine" } })).json, "id")
    const duplicate = textAt((await make({ custom_fields: { [one.key]: "theirs", [two.key]: "more" } })).json, "id")
    const ids = { primary_contact_id: primary, duplicate_contact_id: duplicate }
    const merged = await call("POST", "/contacts/merge", ids)
    expect(at(merged.json, "contact", "custom_fields")).toEqual({ [one.key]: "mine", [two.key]: "more" })
    const undone = await call("POST", `/contacts/merges/${textAt(merged.json, "merge_id")}/undo`)
    expect(at(undone.json, "contact", "custom_fields")).toEqual({ [one.key]: "mine" })
    expect(at(undone.json, "duplicate", "custom_fields")).toEqual({ [one.key]: "theirs", [two.key]: "more" })
  })

  it("of a required field cannot be removed, and of a deleted field only be removed", async () => {
    const needed = await field({ type: "text", required: true })
    const old = await field({ type: "text" })
    expect((await make({ name: "No fields" })).status).toBe(201)
    expect((await make({ custom_fields: { [old.key]: "x" } })).code).toBe("BAD_REQUEST")
    const made = await make({ custom_fields: { [needed.key]: "x", [old.key]: "y" } })
    const path = `/contacts/${textAt(made.json, "id")}`
    expect((await call("PATCH", path, { custom_fields: { [needed.key]: null } })).code).toBe("BAD_REQUEST")
    await call("DELETE", `/fields/${old.id}`)
    await call("PATCH", `/fields/${needed.id}`, { required: false })
    expect(at((await call("GET", path)).json, "custom_fields", old.key)).toBe("y")
    expect((await call("PATCH", path, { custom_fields: { [old.key]: "z" } })).code).toBe("BAD_REQUEST")
    const removed = await call("PATCH", path, { custom_fields: { [old.key]: null } })
    expect(at(removed.json, "custom_fields")).toEqual({ [needed.key]: "x" })
  })
})

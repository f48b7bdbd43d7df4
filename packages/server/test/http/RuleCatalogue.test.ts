import { queuedTriggerTypes } from "@leadloom/core/internal/domain/rule/Trigger"
import { factTable } from "@leadloom/core/internal/domain/rule/Fact"
import { Operator } from "@leadloom/core/internal/domain/rule/Operator"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { makeWorld, type World } from "../world/World.ts"

const path = "/api/v1/tenants/acme/rules/catalogue"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const read = async (tenant = "acme") => (await server.call("GET", path.replace("acme", tenant), { as: adminKey })).json

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const namesIn = (value: unknown, name: string) => list(value).map((one) => textAt(one, name))

/** Saves one rule. Returns the status and the messages about it. */
const save = async (rule: object) => {
  const whole = { id: "r", name: "R", priority: 1, when: { all: [] }, actions: [{ type: "stop" }], ...rule }
  const { json, status } = await server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: { rules: [whole] } })
  return { status, text: JSON.stringify(at(json, "error")) }
}

describe("the catalogue of rules", () => {
  it("lists every fact, operator, action and trigger that the server accepts", async () => {
    const json = await read()
    expect(namesIn(at(json, "facts"), "name")).toEqual(Object.keys(factTable))
    expect(new Set(namesIn(at(json, "operators"), "name"))).toEqual(new Set(Operator.literals))
    const actions = new Set(namesIn(at(json, "actions"), "type"))
    const { text } = await save({ actions: [{ type: "unknown" }] })
    const [, permitted = ""] = /Expected one of ([^.]+)\./u.exec(text) ?? []
    expect(permitted.split(", ").toSorted()).toEqual([...actions].toSorted())
    expect(namesIn(at(json, "triggers"), "type")).toEqual(["message_received", ...queuedTriggerTypes])
  })

  it("gives examples of operators that can be saved", async () => {
    for (const operator of list(at(await read(), "operators")))
      expect([textAt(operator, "name"), (await save({ when: at(operator, "example") })).status]).toEqual([
        textAt(operator, "name"),
        200
      ])
  })

  it("gives an example of every action that can be saved", async () => {
    const field = { entity: "contact", key: "plan", label: "Plan", type: "text" }
    await server.call("POST", "/api/v1/tenants/acme/fields", { as: adminKey, body: field })
    const actions = list(at(await read(), "actions"))
    for (const action of actions) {
      const example = at(action, "example")
      // A message of a rule needs another trigger than messages.
      const trigger =
        textAt(action, "type") === "send_template" ? { trigger: { type: "no_answer", after_minutes: 60 } } : {}
      expect([textAt(action, "type"), (await save({ ...trigger, actions: [example] })).status]).toEqual([
        textAt(example, "type"),
        200
      ])
    }
    expect(new Set(actions.map((action) => JSON.stringify(at(action, "example")))).size).toBe(actions.length)
  })

  it("names the facts and actions that need a message", async () => {
    const json = await read()
    const trigger = { type: "no_answer", after_minutes: 60 }
    for (const fact of list(at(json, "facts"))) {
      const name = textAt(fact, "name")
      const when = { fact: name, op: "exists", value: true }
      const actions = [{ type: "tag", tag: "cold" }]
      const { status } = await save({ trigger, when, actions })
      expect([name, status]).toEqual([name, at(fact, "needs_message") === true ? 400 : 200])
    }
    const refusing = list(at(json, "actions")).filter((action) => at(action, "needs_message") === true)
    expect(namesIn(refusing, "type")).toEqual(["reply", "forward", "suppress_reply", "stop"])
    const refused = [
      { type: "reply" },
      { type: "forward", to: ["a@b.example"] },
      { type: "suppress_reply" },
      { type: "stop" }
    ]
    for (const action of refused)
      expect((await save({ trigger, actions: [action] })).text).toContain(`does not permit the action ${action.type}`)
  })

  it("describes fields with JSON Schema, and lists the custom fields of the tenant only", async () => {
    const tag = list(at(await read(), "actions")).find((action) => textAt(action, "type") === "tag")
    expect(at(tag, "schema")).toMatchObject({
      type: "object",
      required: ["type", "tag"],
      properties: { tag: { type: "string", maxLength: 64 } }
    })
    const field = { entity: "lead", key: "roof", label: "Roof", type: "select", options: ["flat", "steep"] }
    await server.call("POST", "/api/v1/tenants/acme/fields", { as: adminKey, body: field })
    const last = list(at(await read(), "facts")).at(-1)
    expect(last).toMatchObject({ name: "lead.custom_fields.roof", type: "string", values: ["flat", "steep"] })
    const comparison = { fact: "lead.custom_fields.roof", op: "eq", value: "flat" }
    expect((await save({ when: comparison })).status).toBe(200)
    expect(namesIn(at(await read("other"), "facts"), "name")).toEqual(Object.keys(factTable))
  })

  it("is readable by those who may read the configuration", async () => {
    const asked = async (as: string, tenant = "acme") =>
      (await server.call("GET", path.replace("acme", tenant), { as })).status
    expect([await asked(adminKey), await asked(world.acme.apiKey), await asked(adminKey, "nobody")]).toEqual([
      200, 403, 404
    ])
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { someConfig } from "../../world/Endpoints.ts"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
let signalId: string
let messageId: string
let contactId: string

const insurance = {
  id: "insurance",
  name: "Insurance",
  priority: 10,
  when: {
    all: [
      { fact: "message.text", op: "contains", value: "insurance" },
      { fact: "contact.email_domain", op: "eq", value: "customer.example" }
    ]
  },
  actions: [
    { type: "create_task", task_type: "callback", title: "Call {{ contact.first_name }}" },
    { type: "notify", message: "{{ contact.first_name }} asks about insurance" },
    { type: "reply", template: "Hello {{ contact.first_name }}" }
  ]
}

const call = (method: string, path: string, more: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/${path}`, { as: adminKey, ...more })
const test = (body: object, more: Call = {}) => call("POST", "config/acme/rule-tests", { body, ...more })
const jane = { name: "Jane Miller", email: "jane@customer.example" }
const sample = { message: "Does my insurance pay?", contact: jane }
const issues = ({ json }: Answer) => {
  const details = at(json, "error", "details")
  return Array.isArray(details) ? details.map((detail) => textAt(detail, "path")) : []
}

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
  const stopping = { ...insurance, id: "all", priority: 1, when: { all: [] }, actions: [{ type: "suppress_reply" }] }
  const late = {
    ...insurance,
    id: "late",
    trigger: { type: "no_answer", after_minutes: 60 },
    when: { all: [] },
    actions: [{ type: "tag", tag: "late" }]
  }
  const rules = [stopping, { ...insurance, enabled: false }, late]
  await call("PUT", "config/acme", { body: { ...someConfig, rules } })
  const ran = await call("POST", "webhook/automation/acme", { body: { message: "My insurance?", contact: jane } })
  signalId = textAt(ran.json, "signal_id")
  const run = await call("GET", `tenants/acme/pipeline/runs/${signalId}`)
  messageId = textAt(run.json, "message_id")
  contactId = textAt((await call("GET", "tenants/acme/contacts")).json, "contacts", 0, "id")
})
afterAll(() => server.close())

const tagged = (tag: string) => ({ type: "tag", tag })

/** Everything that a test could change. */
const state = async () =>
  Promise.all(
    ["contacts", "pipeline/runs", "tasks", `conversations/${contactId}`]
      .map((list) => call("GET", `tenants/acme/${list}`))
      .concat(call("GET", "config/acme"))
      .map(async (answer) => (await answer).text)
  )

describe("the test of a rule", () => {
  it("names the actions and the reply of a stored rule that matches, and stores nothing", async () => {
    const before = await state()
    const answer = await test({ rule_id: "insurance", ...sample })
    expect(answer.status).toBe(200)
    expect(answer.json).toMatchObject({
      rule_id: "insurance",
      name: "Insurance",
      outcome: "matched",
      missed_by: [],
      enabled: false,
      actions: [
        { action: { type: "create_task", title: "Call Jane" }, text: null, failure: null },
        { action: { type: "notify" }, text: "Jane asks about insurance", failure: null },
        { action: { type: "reply" } }
      ],
      reply: { text: "Hello Jane", requires_approval: true },
      facts: { "message.text": sample.message, "contact.email_domain": "customer.example" }
    })
    expect(await state()).toEqual(before)
  })

  it("names the failed comparison of a rule that does not match", async () => {
    const answer = await test({ rule_id: "insurance", ...sample, contact: { email: "sam@other.example" } })
    expect(answer.json).toMatchObject({
      outcome: "not_matched",
      reason: 'contact.email_domain eq "customer.example": it is "other.example"',
      missed_by: [
        { fact: "contact.email_domain", op: "eq", value: "customer.example", actual: "other.example", negated: false }
      ],
      actions: [],
      reply: null
    })
  })

  it("takes a draft without saving it", async () => {
    const rule = {
      ...insurance,
      id: "draft",
      actions: ["{{ contact.name }}", "{% if false %}x{% endif %}"].map(tagged)
    }
    const answer = await test({ rule, ...sample })
    expect(answer.json).toMatchObject({
      rule_id: "draft",
      outcome: "matched",
      enabled: true,
      actions: [
        { action: tagged("Jane Miller"), text: null, failure: null },
        { action: { type: "tag" }, text: null, failure: "its template rendered an empty text" }
      ],
      reply: null
    })
    expect((await call("GET", "config/acme/rules/draft")).status).toBe(404)
  })

  it("does not change the rules that decide later messages", async () => {
    const rule = { ...insurance, id: "draft", when: { all: [] } }
    const matched = async () => {
      // A new version of the configuration, which no run has used.
      await call("PATCH", "config/acme", { body: { takeover_hours: 24 } })
      return async () => {
        const body = { message: "Once more", contact: jane }
        const ran = await call("POST", "webhook/automation/acme", { body })
        const run = await call("GET", `tenants/acme/pipeline/runs/${textAt(ran.json, "signal_id")}`)
        return at(run.json, "matched_rules")
      }
    }
    const own = [{ rule_id: "all", name: "Insurance" }]
    const afterTest = await matched()
    expect(at((await test({ rule, ...sample })).json, "outcome")).toBe("matched")
    expect(await afterTest()).toEqual(own)
    const afterDryRun = await matched()
    expect((await call("POST", "test/acme", { body: { ...sample, rules: [rule] } })).status).toBe(200)
    expect(await afterDryRun()).toEqual(own)
  })

  it("takes a stored message with its stored inputs", async () => {
    const before = await state()
    for (const id of [messageId, signalId]) {
      const answer = await test({ rule_id: "insurance", message_id: id })
      expect(answer.json).toMatchObject({
        outcome: "matched",
        actions: [{ action: { title: "Call Jane" } }, { text: "Jane asks about insurance" }, {}],
        reply: { text: "Hello Jane" },
        facts: { "message.text": "My insurance?", "contact.is_new": true }
      })
    }
    const is = (value: boolean) => ({ ...insurance, when: { fact: "contact.is_new", op: "eq", value } })
    expect(at((await test({ rule: is(false), message_id: messageId })).json, "outcome")).toBe("not_matched")
    expect(await state()).toEqual(before)
  })

  it("refuses a stored message whose run did not record a compared value", async () => {
    const field = { entity: "contact", key: "roof", label: "Roof", type: "text" }
    await call("POST", "tenants/acme/fields", { body: field })
    const rule = { ...insurance, when: { fact: "contact.custom_fields.roof", op: "exists", value: false } }
    const answer = await test({ rule, message_id: messageId })
    expect([answer.status, answer.code]).toEqual([409, "CONFLICT"])
    expect(textAt(answer.json, "error", "message")).toContain("It did not record contact.custom_fields.roof. Send")
    expect(at((await test({ rule, ...sample })).json, "outcome")).toBe("matched")
  })

  it("tests a rule with another trigger on a contact as it is now, and stores nothing", async () => {
    const before = await state()
    const stored = await test({ rule_id: "late", contact_id: contactId })
    expect(stored.json).toMatchObject({ outcome: "matched", enabled: true, actions: [{ action: tagged("late") }] })
    const trigger = { type: "tag_added", tag: "vip" }
    const when = {
      all: [
        { fact: "contact.email_domain", op: "eq", value: "customer.example" },
        { fact: "contact.tags", op: "includes", value: "gold" }
      ]
    }
    const rule = { ...insurance, trigger, when, actions: [tagged("{{ contact.first_name }}")] }
    const missed = await test({ rule, contact_id: contactId })
    expect(missed.json).toMatchObject({ outcome: "not_matched", actions: [], reply: null })
    expect(at(missed.json, "missed_by")).toHaveLength(1)
    expect(JSON.stringify(at(missed.json, "missed_by"))).toContain("contact.tags")
    const wrong = { ...rule, when: { fact: "message.text", op: "contains", value: "x" } }
    expect(issues(await test({ rule: wrong, contact_id: contactId }))).toEqual(["rule.when"])
    expect(issues(await test({ rule: insurance, contact_id: contactId }))).toEqual(["contact_id"])
    expect(issues(await test({ rule_id: "late", contact_id: contactId, ...sample }))).toEqual(["contact_id"])
    expect((await test({ rule_id: "late", contact_id: "con_missing" })).status).toBe(404)
    const body = { rule, contact_id: contactId }
    expect((await call("POST", "config/other/rule-tests", { body })).status).toBe(404)
    expect(await state()).toEqual(before)
  })

  it("reports issues with the paths of the request", async () => {
    const when = { fact: "message.txt", op: "contains", value: "x" }
    for (const where of [sample, { message_id: messageId }]) {
      const invalid = await test({ rule: { ...insurance, when }, ...where })
      expect([invalid.status, issues(invalid)]).toEqual([400, ["rule.when.fact"]])
    }
    expect(issues(await test({ ...sample }))).toEqual(["rule"])
    expect(issues(await test({ rule: insurance, rule_id: "insurance", ...sample }))).toEqual(["rule"])
    expect(issues(await test({ rule: insurance }))).toEqual(["message"])
    expect(issues(await test({ rule: insurance, contact: jane }))).toEqual(["message"])
    expect(issues(await test({ rule: insurance, message_id: messageId, contact: jane }))).toEqual(["message_id"])
    const trigger = { type: "unanswered", after_minutes: 5 }
    expect(issues(await test({ rule_id: "late", ...sample }))).toEqual(["rule_id"])
    expect(issues(await test({ rule: { ...insurance, trigger }, ...sample }))).toEqual(["rule.trigger"])
    expect((await test({ rule_id: "missing", ...sample })).status).toBe(404)
    expect((await test({ rule_id: "insurance", message_id: "msg_missing" })).status).toBe(404)
  })

  it("needs the permission to manage the tenant, and reads messages of this tenant only", async () => {
    expect((await test({ rule: insurance, ...sample }, { as: world.acme.apiKey })).status).toBe(403)
    const body = { rule: insurance, message_id: messageId }
    expect((await call("POST", "config/other/rule-tests", { body })).status).toBe(404)
    expect((await call("POST", "config/other/rule-tests", { body: { rule_id: "insurance", ...sample } })).status).toBe(
      404
    )
  })
})

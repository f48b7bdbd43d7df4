import { afterAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer } from "../world/TestServer.ts"

const server = startServer()
afterAll(() => server.close())

const detailsOf = async (path: string, body: unknown, method = "POST"): Promise<unknown> => {
  const answer = await server.call(method, path, { as: adminKey, body })
  expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"])
  return at(answer.json, "error", "details")
}

/** The required fields of a configuration. */
const minimal = {
  time_zone: "UTC",
  default_country: "US",
  classifier: "off",
  reply_mode: "off",
  tiers: { hot: 2, warm: 1 },
  score_weights: {},
  rules: []
}

describe("a request that does not match the contract", () => {
  it("receives every invalid field in plain words", async () => {
    expect(await detailsOf("/api/v1/admin/tenants", { tenant_id: 1, nick: "x" })).toEqual(
      expect.arrayContaining([
        { path: "name", message: "This field is required." },
        { path: "nick", message: "Unknown field. Use one of tenant_id, name, domain, preset, hipaa, plan." }
      ])
    )
  })

  it("receives the permitted values of a field", async () => {
    await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: { tenant_id: "acme", name: "Acme" } })
    expect(await detailsOf("/api/v1/test/acme", { message: "Hi", channel: "fax" })).toEqual([
      { path: "channel", message: "Expected one of email, sms, voice, chat, webhook." }
    ])
  })

  it("receives the missing field of an object that is no union", async () => {
    const { classifier: _, ...config } = { ...minimal, classifer: "off" }
    expect(await detailsOf("/api/v1/config/acme", config, "PUT")).toEqual(
      expect.arrayContaining([
        { path: "classifer", message: "Unknown field. Did you mean classifier?" },
        { path: "classifier", message: "This field is required." }
      ])
    )
  })

  const condition = { fact: "score.tier", op: "eq", value: "hot" }
  const sets = "Expected exactly one of these sets of fields: all; any; not; fact + op + value."
  it.each<[string, object, ReadonlyArray<readonly [path: string, message: string]>]>([
    [
      "a misspelled branch",
      { alll: [] },
      [
        ["alll", "Unknown field. Did you mean all?"],
        ["all", "This field is required."]
      ]
    ],
    ["two branches", { all: [condition], any: [condition] }, [["", sets]]],
    ["no branch", {}, [["", sets]]],
    [
      "a misspelled field deep in the tree",
      { all: [{ any: [condition, { not: { fact: "score.tier", oper: "eq", value: "hot" } }] }] },
      [
        ["all.0.any.1.not.oper", "Unknown field. Did you mean op?"],
        ["all.0.any.1.not.op", "This field is required."]
      ]
    ],
    ["a value of another type", { ...condition, value: {} }, [["value", "Expected string | number | boolean | array"]]],
    [
      "an unknown fact",
      { ...condition, fact: "scor.tier" },
      [["fact", 'Unknown fact "scor.tier". Use a documented fact or metadata.<key>. Did you mean score.tier?']]
    ]
  ])("receives only the closest branch of a condition with %s", async (_, when, issues) => {
    const rules = [{ id: "a", name: "a", priority: 1, when, actions: [{ type: "stop" }] }]
    const details = await detailsOf("/api/v1/config/acme", { ...minimal, rules }, "PUT")
    expect(details).toEqual(
      issues.map(([path, message]) => ({ path: `rules.0.when${path === "" ? "" : `.${path}`}`, message }))
    )
  })

  it("receives the permitted kinds of an action, with the most similar one", async () => {
    const actions = [{ type: "tagg", tag: "x" }, { type: "crm_action", action: "dance" }, { type: "tag" }]
    const rules = [{ id: "a", name: "a", priority: 1, when: condition, actions }]
    expect(await detailsOf("/api/v1/tenants/acme/pipeline/backtest", { rules })).toEqual([
      {
        path: "rules.0.actions.0.type",
        message:
          "Expected one of assign, tag, untag, set_field, add_note, create_task, transition, move_stage, reply, notify, crm_action, close_conversation, snooze_conversation, start_sequence, stop_sequence, send_template, forward, call_webhook, suppress_reply, stop. Did you mean tag?"
      },
      {
        path: "rules.0.actions.1.action",
        message: "Expected one of add_tag, remove_tag, add_note, create_task, add_to_workflow, update_contact."
      },
      { path: "rules.0.actions.2.tag", message: "This field is required." }
    ])
  })
})

import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeEach(async () => {
  if (server !== undefined) await server.close()
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const rule = (id: string, more: object = {}) => ({
  id,
  name: `Rule ${id}`,
  priority: 10,
  when: { fact: "message.text", op: "contains", value: id },
  actions: [{ type: "tag", tag: "seen" }],
  ...more
})

const call = (method: string, path = "", more: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/config/acme/${path}`, { as: adminKey, ...more })
const one = (id: string) => `rules/${encodeURIComponent(id)}`
const create = (body: object, more: Call = {}) => call("POST", "rules", { body, ...more })
const ruleIn = ({ json }: Answer) => at(json, "rule")
const versionIn = ({ json }: Answer) => Number(at(json, "version"))
const messages = ({ json }: Answer) => {
  const details = at(json, "error", "details")
  return Array.isArray(details)
    ? details.map((detail) => `${textAt(detail, "path")}: ${textAt(detail, "message")}`)
    : []
}
const list = async (tenant = "acme") => {
  const { json } = await server.call("GET", `/api/v1/config/${tenant}/rules`, { as: adminKey })
  const rules = at(json, "rules")
  return Array.isArray(rules) ? rules : []
}
const idsAndPriorities = async () => (await list()).map((found) => [at(found, "id"), at(found, "priority")])
const replaceRules = (rules: ReadonlyArray<object>) =>
  server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: { rules } })

describe("one rule", () => {
  it("is created, read, changed and deleted as a version of the configuration", async () => {
    const before = versionIn(await server.call("GET", "/api/v1/config/acme", { as: adminKey }))
    const created = await create(rule("quote"), {})
    expect([created.status, ruleIn(created), versionIn(created)]).toEqual([201, rule("quote"), before + 1])
    expect(created.headers.get("etag")).toBe(`"${before + 1}"`)
    const read = await call("GET", one("quote"))
    expect([read.status, ruleIn(read), read.headers.get("etag")]).toEqual([200, rule("quote"), `"${before + 1}"`])
    const changed = await call("PATCH", one("quote"), { body: { name: "Quotes", priority: 3 } })
    expect([changed.status, ruleIn(changed)]).toEqual([200, rule("quote", { name: "Quotes", priority: 3 })])
    const config = await server.call("GET", "/api/v1/config/acme", { as: adminKey })
    expect(at(config.json, "config", "rules")).toEqual([rule("quote", { name: "Quotes", priority: 3 })])
    const deleted = await call("DELETE", `${one("quote")}?comment=Unused`)
    expect([deleted.status, deleted.headers.get("etag")]).toEqual([204, `"${before + 3}"`])
    expect([await list(), (await call("GET", one("quote"))).status]).toEqual([[], 404])
    const audit = await call("GET", "audit")
    expect(at(audit.json, "entries", 0)).toMatchObject({
      action: "rules",
      comment: "Unused",
      changed_by: "admin",
      version: before + 3
    })
    expect(textAt(audit.json, "entries", 1, "changes", 0, "path")).toMatch(/^rules\.quote\./u)
  })

  it("keeps fields that a change omits, and replaces conditions and actions as a whole", async () => {
    await create(rule("quote", { trigger: { type: "no_answer", after_minutes: 60 }, when: { all: [] } }))
    const when = { any: [{ fact: "contact.name", op: "eq", value: "Jane" }] }
    const changed = await call("PATCH", one("quote"), { body: { when } })
    expect(ruleIn(changed)).toEqual(rule("quote", { trigger: { type: "no_answer", after_minutes: 60 }, when }))
    const removed = await call("PATCH", one("quote"), { body: { trigger: null, actions: [{ type: "stop" }] } })
    expect(ruleIn(removed)).toEqual(rule("quote", { when, actions: [{ type: "stop" }] }))
    const renamed = await call("PATCH", one("quote"), { body: { id: "other" } })
    expect(renamed.status).toBe(400)
  })

  it("creates no version for a change without an effect", async () => {
    const { json } = await create(rule("quote"))
    for (const [method, path, body] of [
      ["PATCH", one("quote"), { name: "Rule quote", enabled: undefined }],
      ["POST", `${one("quote")}/enable`, undefined],
      ["PUT", "rule-order", { rule_ids: ["quote"] }]
    ] as const) {
      const same = await call(method, path, body === undefined ? {} : { body })
      expect([same.status, versionIn(same)]).toEqual([200, at(json, "version")])
    }
  })

  it("is rejected with the paths of the request if it is invalid", async () => {
    const when = { all: [{ fact: "message.txt", op: "contains", value: "x" }] }
    const unknown = await create(rule("quote", { when }))
    expect([unknown.status, messages(unknown)[0]]).toEqual([
      400,
      expect.stringMatching(/^when\.all\.0\.fact: .*Did you mean message\.text\?/u)
    ])
    await create(rule("first", { priority: 1 }))
    const actions = [{ type: "tag", tag: "{% if %}" }]
    expect(messages(await call("PATCH", one("first"), { body: { actions } }))[0]).toMatch(/^actions\.0\.tag: /u)
    await create(rule("second", { priority: 2 }))
    const stopping = await call("PATCH", one("first"), { body: { when: { all: [] }, actions: [{ type: "stop" }] } })
    expect([stopping.status, messages(stopping)]).toEqual([
      400,
      [`: Rule "second": This rule never runs, because the earlier rule "first" always ends the evaluation.`]
    ])
    expect(ruleIn(await call("GET", one("first")))).toEqual(rule("first", { priority: 1 }))
  })

  it("conflicts with another rule of the same id", async () => {
    await create(rule("quote"))
    const again = await create(rule("quote", { name: "Another" }))
    expect([again.status, again.code, at(again.json, "error", "details")]).toEqual([
      409,
      "CONFLICT",
      { rule_id: "quote" }
    ])
    expect(await list()).toEqual([rule("quote")])
  })

  it("is addressed by any id that a URL can contain", async () => {
    const ids = [
      "catalogue",
      "order",
      "test",
      "enable",
      "a/b",
      "a%2Fb",
      "ü ?#&+",
      "%",
      "😀".repeat(32),
      "\u0001",
      "a.."
    ]
    for (const id of ids) expect([id, (await create(rule(id))).status]).toEqual([id, 201])
    for (const id of ids) {
      expect([id, ruleIn(await call("GET", one(id)))]).toEqual([id, rule(id)])
      expect((await call("POST", `${one(id)}/disable`)).status).toBe(200)
      expect((await call("PATCH", one(id), { body: { enabled: true } })).status).toBe(200)
      expect([id, (await call("DELETE", one(id))).status]).toEqual([id, 204])
    }
    for (const id of [".", "..", "\ud800"]) {
      const refused = await create(JSON.parse(JSON.stringify(rule("x")).replace('"x"', JSON.stringify(id))))
      expect([id, refused.status, messages(refused)[0]]).toEqual([
        id,
        400,
        "id: No URL can contain this id. Choose another id, for example one of letters and digits."
      ])
    }
    for (const id of ["missing", "%zz", "x".repeat(2_000)])
      expect((await call("GET", `rules/${id}`)).status).toBeOneOf([400, 404])
  })

  it("counts against the maximum of the tenant", async () => {
    const rules = Array.from({ length: 200 }, (_, index) => rule(`r${index}`))
    expect((await replaceRules(rules)).status).toBe(200)
    const refused = await create(rule("more"))
    expect([refused.status, messages(refused)]).toEqual([400, [": The maximum is 200 rules."]])
    expect((await call("DELETE", one("r7"))).status).toBe(204)
    expect((await create(rule("more"))).status).toBe(201)
  })
})

describe("enabling and ordering", () => {
  const text = "alpha beta gamma"
  const matched = async () => {
    const body = { message: text, contact: { email: "jane@customer.example" } }
    const { json } = await server.call("POST", "/api/v1/test/acme", { as: adminKey, body })
    const stories = at(json, "rules")
    return Array.isArray(stories) ? stories.map((story) => [textAt(story, "rule_id"), textAt(story, "outcome")]) : []
  }

  it("disables and enables a rule", async () => {
    await create(rule("alpha"))
    const off = await call("POST", `${one("alpha")}/disable`)
    expect([off.status, ruleIn(off), await matched()]).toEqual([
      200,
      rule("alpha", { enabled: false }),
      [["alpha", "disabled"]]
    ])
    const on = await call("POST", `${one("alpha")}/enable`)
    expect([on.status, at(ruleIn(on), "enabled"), await matched()]).toEqual([200, true, [["alpha", "matched"]]])
    expect((await call("POST", `${one("beta")}/enable`)).status).toBe(404)
  })

  it("runs the rules in the wanted order and keeps the priorities at their places", async () => {
    await replaceRules([
      rule("alpha", { priority: 30 }),
      rule("beta", { priority: 10, enabled: false }),
      rule("gamma", { priority: 10 })
    ])
    expect(await idsAndPriorities()).toEqual([
      ["beta", 10],
      ["gamma", 10],
      ["alpha", 30]
    ])
    const ordered = await call("PUT", "rule-order", { body: { rule_ids: ["alpha", "gamma", "beta"] } })
    expect(ordered.status).toBe(200)
    expect(await idsAndPriorities()).toEqual([
      ["alpha", 10],
      ["gamma", 10],
      ["beta", 30]
    ])
    expect(await matched()).toEqual([
      ["alpha", "matched"],
      ["gamma", "matched"],
      ["beta", "disabled"]
    ])
  })

  it("rejects an order with missing, unknown or repeated rules", async () => {
    await replaceRules([rule("alpha"), rule("beta")])
    const order = (rule_ids: ReadonlyArray<string>) => call("PUT", "rule-order", { body: { rule_ids } })
    expect(messages(await order(["beta"]))).toEqual([
      `rule_ids: The order lacks "alpha". List every rule, including disabled ones.`
    ])
    expect(messages(await order(["beta", "alpha", "beta", "delta"]))).toEqual([
      `rule_ids.2: The rule "beta" is listed twice. List each rule once.`,
      `rule_ids.3: Unknown rule "delta". Send the ids of existing rules.`
    ])
    expect(await idsAndPriorities()).toEqual([
      ["alpha", 10],
      ["beta", 10]
    ])
  })

  it("rejects an order in which a rule never runs", async () => {
    await replaceRules([rule("alpha"), rule("beta", { when: { all: [] }, actions: [{ type: "stop" }] })])
    const refused = await call("PUT", "rule-order", { body: { rule_ids: ["beta", "alpha"] } })
    expect([refused.status, messages(refused)[0]]).toEqual([
      400,
      expect.stringMatching(/^: Rule "alpha": .*never runs/u)
    ])
  })
})

describe("concurrent changes", () => {
  it("of different rules all succeed", async () => {
    const created = await Promise.all(["a", "b", "c", "d"].map((id) => create(rule(id))))
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(created.map(versionIn)).size).toBe(4)
    const changed = await Promise.all(
      ["a", "b", "c", "d"].map((id) => call("PATCH", one(id), { body: { name: `New ${id}` } }))
    )
    expect(changed.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await list()).map((found) => textAt(found, "name")).toSorted()).toEqual([
      "New a",
      "New b",
      "New c",
      "New d"
    ])
  })

  it("with the same ETag succeed once", async () => {
    const etag = (await create(rule("quote"))).headers.get("etag") ?? ""
    const headers = { "if-match": etag }
    const answers = await Promise.all([
      call("PATCH", one("quote"), { body: { name: "One" }, headers }),
      call("PATCH", one("quote"), { body: { name: "Two" }, headers }),
      call("DELETE", one("quote"), { headers }),
      call("POST", `${one("quote")}/disable`, { headers }),
      create(rule("more"), { headers }),
      call("PUT", "rule-order", { body: { rule_ids: ["quote"] }, headers: { "if-match": '"1"' } })
    ])
    const statuses = answers.map(({ status }) => status).toSorted()
    expect(statuses.slice(1)).toEqual([412, 412, 412, 412, 412])
    expect(statuses[0]).toBeLessThan(300)
  })
})

describe("a repeated request", () => {
  it("with the same key creates one rule", async () => {
    const headers = { "idempotency-key": "one" }
    const [first, second] = await Promise.all([create(rule("quote"), { headers }), create(rule("quote"), { headers })])
    expect([first.status, second.status, first.text]).toEqual([201, 201, second.text])
    const third = await create(rule("quote"), { headers })
    expect([third.status, third.headers.get("idempotent-replayed"), third.text]).toEqual([201, "true", first.text])
    const other = await create(rule("other"), { headers })
    expect([other.status, other.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"])
    expect(await list()).toEqual([rule("quote")])
  })
})

describe("access to rules", () => {
  it("needs the permission to manage the tenant", async () => {
    await create(rule("quote"))
    const requests = [
      ["GET", "rules"],
      ["POST", "rules", rule("more")],
      ["GET", one("quote")],
      ["PATCH", one("quote"), { name: "N" }],
      ["POST", `${one("quote")}/enable`],
      ["POST", `${one("quote")}/disable`],
      ["PUT", "rule-order", { rule_ids: ["quote"] }],
      ["DELETE", one("quote")]
    ] as const
    for (const [method, path, body] of requests) {
      const more = body === undefined ? {} : { body }
      const answer = await call(method, path, { as: world.acme.apiKey, ...more })
      expect([method, path, answer.status]).toEqual([method, path, 403])
    }
    expect(await list()).toEqual([rule("quote")])
  })

  it("concerns one tenant", async () => {
    await create(rule("quote"))
    expect(await list("other")).toEqual([])
    const other = (method: string, more: Call = {}) =>
      server.call(method, "/api/v1/config/other/rules/quote", { as: adminKey, ...more })
    expect((await other("GET")).status).toBe(404)
    expect((await other("PATCH", { body: { name: "N" } })).status).toBe(404)
    expect((await other("DELETE")).status).toBe(404)
    expect((await server.call("GET", "/api/v1/config/nobody/rules", { as: adminKey })).status).toBe(404)
    expect(await list()).toEqual([rule("quote")])
  })
})

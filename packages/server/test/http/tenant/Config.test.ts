import { createClient } from "@leadloom/client"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { someConfig } from "../../world/Endpoints.ts"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

const names = ["default", "home_services", "real_estate", "dental", "automotive", "legal", "insurance"]

let server: TestServer
let world: World
beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "1000000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const config = (method: string, path: string, call: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/config/${path}`, { as: adminKey, ...call })
const guard = (method: string, path: string, call: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/guardrails/${path}`, { as: adminKey, ...call })

const version = (answer: Answer): unknown => at(answer.json, "version")
const paths = (answer: Answer): ReadonlyArray<unknown> => {
  const details = at(answer.json, "error", "details")
  return Array.isArray(details) ? details.map((issue) => at(issue, "path")) : []
}
const list = (answer: Answer, name: string): ReadonlyArray<unknown> => {
  const found = at(answer.json, name)
  return Array.isArray(found) ? found : []
}

/** Creates a separate tenant for a test. */
const open = async (id: string, more: object = {}): Promise<string> => {
  const body = { tenant_id: id, name: id, ...more }
  expect((await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body })).status).toBe(201)
  return id
}

describe("the configuration", () => {
  it("is sent with its version as ETag, and answers 304 for a known version", async () => {
    const id = await open("tagged")
    const first = await config("GET", id)
    expect([first.status, first.headers.get("etag"), version(first)]).toEqual([200, '"1"', 1])
    for (const known of ['"1"', 'W/"1"', '"0", "1"', "*"]) {
      const again = await config("GET", id, { headers: { "if-none-match": known } })
      expect([again.status, again.headers.get("etag"), again.text]).toEqual([304, '"1"', ""])
    }
    expect((await config("GET", id, { headers: { "if-none-match": '"2", nonsense' } })).status).toBe(200)
  })

  it("is that of the named tenant, also when several tenants have the same settings", async () => {
    const ids = [await open("equal-one"), await open("equal-two")]
    for (const round of ["first", "repeated"]) {
      for (const id of ids) {
        const { json, status } = await config("GET", id)
        expect([round, status, at(json, "tenant_id")]).toEqual([round, 200, id])
      }
    }
    const [one = "", two = ""] = ids
    await config("PUT", one, { body: { ...someConfig, time_zone: "Europe/Berlin" } })
    const changed = await config("GET", one)
    expect([version(changed), at(changed.json, "config", "time_zone")]).toEqual([2, "Europe/Berlin"])
    expect(version(await config("GET", two))).toBe(1)
  })

  it("changes only at the version in If-Match", async () => {
    const id = await open("matched")
    const put = (tag: string, time_zone: string) =>
      config("PUT", id, { headers: { "if-match": tag }, body: { ...someConfig, time_zone } })
    const second = await put('"1"', "Europe/Berlin")
    expect([second.status, second.headers.get("etag")]).toEqual([200, '"2"'])
    const late = await put('"1"', "Europe/Paris")
    expect([late.status, late.code, at(late.json, "error", "details")]).toEqual([
      412,
      "PRECONDITION_FAILED",
      { version: 2 }
    ])
    expect((await put('W/"2"', "Europe/Paris")).status).toBe(412)
    expect((await put('"another"', "Europe/Paris")).status).toBe(412)
    const wrong = await put("{", "Europe/Paris")
    expect([wrong.status, paths(wrong)]).toEqual([400, ["if-match"]])
    expect(version(await put("*", "Europe/Paris"))).toBe(3)
    expect(version(await put('"1", "3"', "Europe/Rome"))).toBe(4)
    expect(version(await config("PATCH", id, { body: { reply_mode: "off" } }))).toBe(5)
    const patch = await config("PATCH", id, { headers: { "if-match": '"4"' }, body: { reply_mode: "auto" } })
    expect(patch.status).toBe(412)
  })

  it("loses none of many concurrent changes", async () => {
    const id = await open("raced")
    const fields = ["urgency", "question", "has_phone", "has_email", "has_name", "channel"]
    const answers = await Promise.all(
      fields.map((field) => config("PATCH", id, { body: { score_weights: { [field]: 2 } } }))
    )
    const saved = fields.filter((_, index) => answers[index]?.status === 200)
    for (const answer of answers) expect([200, 409]).toContain(answer.status)
    expect(saved.length).toBeGreaterThan(0)
    const now = await config("GET", id)
    expect([version(now), Object.keys(Object(at(now.json, "config", "score_weights"))).toSorted()]).toEqual([
      1 + saved.length,
      saved.toSorted()
    ])
  })

  it("accepts a merge patch of either media type, and restores defaults for removed fields", async () => {
    const id = await open("patched")
    const headers = { "content-type": "application/merge-patch+json" }
    const body = JSON.stringify({ assistant: { knowledge: "Open at 8." }, score_weights: { urgency: 2, question: 0 } })
    expect(at((await config("PATCH", id, { headers, body })).json, "config")).toMatchObject({
      assistant: { instructions: "", knowledge: "Open at 8.", link_hosts: [] },
      score_weights: { urgency: 2, question: 0 }
    })
    const less = await config("PATCH", id, { body: { score_weights: { question: null }, assistant: null } })
    expect(at(less.json, "config")).toMatchObject({ assistant: { knowledge: "" }, score_weights: { urgency: 2 } })
  })

  it.each<readonly [string, object, ReadonlyArray<string>]>([
    ["a field that is not known", { colour: "red", tiers: { mild: 3 } }, ["tiers.mild", "colour"]],
    ["a required field taken away", { time_zone: null }, ["time_zone"]],
    ["a value of another kind", { reply_mode: "shout", takeover_hours: 1.5 }, ["reply_mode", "takeover_hours"]],
    ["a zone that is none", { time_zone: "Mars/Base" }, ["time_zone"]],
    ["thresholds the wrong way round", { tiers: { hot: 10 } }, ["tiers.hot"]],
    ["a weight of nothing", { score_weights: { luck: 2 } }, ["score_weights.luck"]],
    [
      "rules that cannot be",
      { rules: [{ id: "a", name: "a", priority: 1, when: { fact: "moon", op: "eq", value: 1 }, actions: [] }] },
      ["rules.0.actions.0"]
    ],
    [
      "guardrails of one id",
      {
        guardrails: [
          { id: "a", kind: "no_links" },
          { id: "a", kind: "no_prices" }
        ]
      },
      ["guardrails.1.id"]
    ],
    ["a guardrail of no kind", { guardrails: [{ id: "a", kind: "no_jokes" }] }, ["guardrails.0.kind"]]
  ])("rejects %s and names its path", async (_, body, expected) => {
    const refused = await config("PATCH", "acme", { body })
    expect([refused.status, refused.code]).toEqual([400, "BAD_REQUEST"])
    expect(paths(refused)).toEqual(expect.arrayContaining([...expected]))
    expect(version(await config("GET", "acme"))).toBe(1)
  })

  it("rejects a patch that is not an object, and one that is too deep", async () => {
    expect((await config("PATCH", "acme", { body: [1] })).status).toBe(400)
    expect((await config("PATCH", "acme", { body: `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}` })).status).toBe(
      400
    )
  })

  it("keeps the comment of a change, and rejects a long one", async () => {
    const id = await open("commented")
    const body = { reply_mode: "auto" }
    expect((await config("PATCH", `${id}?comment=${encodeURIComponent("Ab März: ä ✓")}`, { body })).status).toBe(200)
    expect(at((await config("GET", `${id}/audit`)).json, "entries", 0, "comment")).toBe("Ab März: ä ✓")
    expect((await config("PATCH", `${id}?comment=${"x".repeat(501)}`, { body })).status).toBe(400)
  })

  it("keeps author and time of every change, newest first in pages, and every version", async () => {
    const id = await open("audited")
    await config("PATCH", id, { body: { reply_mode: "auto" } })
    await config("PATCH", id, { body: { tiers: { hot: 90 }, assistant: { knowledge: "Open at 8." } } })
    await guard("PATCH", id, { body: { upsert: [{ id: "links", kind: "no_links" }] } })
    const first = await config("GET", `${id}/audit?limit=2`)
    expect(list(first, "entries")).toEqual([
      {
        version: 4,
        from_version: 3,
        action: "guardrails",
        preset: null,
        changed_by: "admin",
        changed_by_user: null,
        changed_by_user_name: null,
        comment: null,
        changed_at: expect.stringMatching(/Z$/u),
        changes: [
          {
            path: "guardrails.links",
            after: { id: "links", kind: "no_links" },
            summary: "guardrails.links (no_links) was added"
          }
        ],
        omitted: 0
      },
      expect.objectContaining({ version: 3, action: "patch" })
    ])
    expect(at(first.json, "entries", 1, "changes", 1)).toEqual({
      path: "tiers.hot",
      before: 70,
      after: 90,
      summary: "tiers.hot is 90 instead of 70"
    })
    const cursor = encodeURIComponent(textAt(first.json, "next_cursor"))
    const second = await config("GET", `${id}/audit?limit=2&cursor=${cursor}`)
    expect([list(second, "entries").map((entry) => at(entry, "version")), at(second.json, "next_cursor")]).toEqual([
      [2],
      null
    ])
    expect((await config("GET", `acme/audit?cursor=${cursor}`)).code).toBe("BAD_REQUEST")
    const old = await config("GET", `${id}/versions/2`)
    expect([at(old.json, "config", "reply_mode"), at(old.json, "config", "tiers", "hot")]).toEqual(["auto", 70])
    expect(at(old.json, "change", "changed_by")).toBe("admin")
    expect(at((await config("GET", `${id}/versions/1`)).json, "change")).toBeNull()
    expect((await config("GET", `${id}/versions/9`)).status).toBe(404)
    expect((await config("GET", `${id}/versions/first`)).status).toBe(400)
  })

  it("requires more than a session or the tenant's key", async () => {
    for (const as of [world.acme.session, world.acme.apiKey]) {
      for (const path of ["acme", "acme/audit", "acme/versions/1", "presets"]) {
        expect((await config("GET", path, { as })).status).toBe(403)
      }
      expect((await config("POST", "acme/scaffold", { as, body: { preset: "legal" } })).status).toBe(403)
      expect((await guard("GET", "acme/audit", { as })).status).toBe(403)
    }
  })

  it("changes through the client only if no other change came first", async () => {
    const id = await open("client")
    const client = createClient({
      baseUrl: "http://leadloom.test",
      credential: adminKey,
      fetch: (url, init) => server.fetch(new Request(url, init))
    })
    const read = await client.config.get(id)
    const saved = await client.config.update(id, { reply_mode: "auto" }, { ifMatch: read.version })
    expect(saved.version).toBe(2)
    const late = client.config.update(id, { reply_mode: "off" }, { ifMatch: read.version })
    await expect(late).rejects.toMatchObject({ status: 412, code: "PRECONDITION_FAILED" })
  })
})

describe("the scaffold", () => {
  it("replaces an unchanged configuration by a preset and keeps time zone and country of the business", async () => {
    const id = await open("scaffolded")
    await config("PATCH", id, { body: { time_zone: "America/Denver", default_country: "CA" } })
    const legal = await config("POST", `${id}/scaffold`, { body: { preset: "legal" } })
    expect([legal.status, legal.headers.get("etag")]).toEqual([200, '"3"'])
    expect(at(legal.json, "config")).toMatchObject({
      time_zone: "America/Denver",
      default_country: "CA",
      tiers: { hot: 65, warm: 35 }
    })
    expect(version(await config("POST", `${id}/scaffold`, { body: { preset: "dental" } }))).toBe(4)
    await config("PATCH", id, { body: { takeover_hours: 1 } })
    const refused = await config("POST", `${id}/scaffold`, { body: { preset: "legal" } })
    expect([refused.status, at(refused.json, "error", "details")]).toEqual([409, { version: 5 }])
    const forced = await config("POST", `${id}/scaffold`, { body: { preset: "legal", overwrite: true } })
    expect(version(forced)).toBe(6)
    expect(at((await config("GET", `${id}/audit`)).json, "entries", 0)).toMatchObject({
      action: "scaffold",
      preset: "legal"
    })
    expect(paths(await config("POST", `${id}/scaffold`, { body: { preset: "circus" } }))).toEqual(["preset"])
  })

  it("lists presets with descriptions", async () => {
    const presets = list(await config("GET", "presets"), "presets")
    expect(presets.map((preset) => at(preset, "name"))).toEqual(names)
    for (const preset of presets) {
      expect(preset).toMatchObject({ title: expect.any(String), description: expect.any(String) })
      expect(at(preset, "config", "rules")).toBeInstanceOf(Array)
    }
    const clinic = await open("practice", { preset: "dental", hipaa: true })
    const tenant = await server.call("GET", `/api/v1/admin/tenants/${clinic}`, { as: adminKey })
    expect(at(tenant.json, "hipaa")).toBe(true)
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { csvLine } from "../../../src/http/json/Csv.ts"
import { someConfig } from "../../world/Endpoints.ts"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld } from "../../world/World.ts"

let server: TestServer
let contactId: string

const call = (method: string, path: string, more: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/${path}`, { as: adminKey, ...more })
const patch = (body: unknown, more: Call = {}) => call("PATCH", "guardrails/acme", { body, ...more })
const rows = (answer: Answer, name: string): ReadonlyArray<unknown> => {
  const found = at(answer.json, name)
  return Array.isArray(found) ? found : []
}
const idsIn = (answer: Answer): ReadonlyArray<unknown> => rows(answer, "guardrails").map((one) => at(one, "id"))

const formula = "=cmd|' /C calc'!A0"
const guardrails = [
  { id: "promises", kind: "blocked_phrases", phrases: ["guarantee", 'free,  "today"'], outcome: "block" },
  { id: formula, kind: "no_links" },
  { id: "late", kind: "quiet_hours", from: "00:00", to: "00:00", enabled: false }
]

const approve = (body: string) =>
  call("POST", `tenants/acme/conversations/${contactId}/approve-draft`, { body: { body } })

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "1000000" })
  await makeWorld(server)
  const rules = [
    {
      id: "all",
      name: "All",
      priority: 1,
      when: { fact: "message.text", op: "contains", value: "kitchen" },
      actions: [{ type: "reply", template: "Thank you." }]
    }
  ]
  await call("PUT", "config/acme", { body: { ...someConfig, rules, guardrails } })
  const contact = { name: "Jane", email: "jane@customer.example" }
  await call("POST", "webhook/automation/acme", { body: { message: "A kitchen?", contact, channel: "email" } })
  contactId = textAt((await call("GET", "tenants/acme/contacts")).json, "contacts", 0, "id")
})
afterAll(() => server.close())

describe("approving a draft", () => {
  it("fails with the guardrail that blocks the text, and all reasons are stored", async () => {
    for (const text of ["We GUARANTEE it: evil.com", "Free, today", "<p>guar<b>antee</b></p>"]) {
      const refused = await approve(text)
      expect([refused.status, refused.code]).toEqual([422, "GUARDRAIL_BLOCKED"])
      expect(at(refused.json, "error", "details")).toMatchObject({ guardrail_id: "promises" })
    }
    const draft = await call("GET", `tenants/acme/conversations/${contactId}`)
    expect(at(draft.json, "pending_draft", "text")).toBe("Thank you.")
    const audit = await call("GET", "guardrails/acme/audit?outcome=block")
    expect(rows(audit, "evaluations")).toHaveLength(3)
    expect(at(audit.json, "evaluations", 2)).toEqual({
      id: expect.stringMatching(/^gev_/u),
      guardrail_id: "promises",
      kind: "blocked_phrases",
      outcome: "block",
      reason: 'the reply says "guarantee"',
      stage: "approval",
      signal_id: expect.stringMatching(/^sig_/u),
      message_id: expect.stringMatching(/^msg_/u),
      contact_id: contactId,
      created_at: expect.stringMatching(/Z$/u)
    })
  })

  it("succeeds if a guardrail only requires an approval", async () => {
    const answer = await approve("See evil.com")
    expect([answer.status, answer.code]).toEqual([409, "CONFLICT"])
    expect(at(answer.json, "error", "message")).toContain("No email account is connected")
    expect(at(answer.json, "error", "details")).toEqual({ missing: "email_account" })
  })
})

describe("the audit", () => {
  it("is read in pages by guardrail, outcome and contact", async () => {
    const path = `guardrails/acme/audit?guardrail_id=promises&outcome=block&contact_id=${contactId}`
    const first = await call("GET", `${path}&limit=2`)
    const cursor = encodeURIComponent(textAt(first.json, "next_cursor"))
    const second = await call("GET", `${path}&limit=2&cursor=${cursor}`)
    const found = [...rows(first, "evaluations"), ...rows(second, "evaluations")].map((one) => textAt(one, "id"))
    expect([found.length, at(second.json, "next_cursor")]).toEqual([3, null])
    expect(found).toEqual(found.toSorted().toReversed())
    expect((await call("GET", `guardrails/acme/audit?cursor=${cursor}`)).status).toBe(400)
    expect((await call("GET", "guardrails/acme/audit?outcome=maybe")).status).toBe(400)
    expect(rows(await call("GET", "guardrails/other/audit"), "evaluations")).toEqual([])
  })

  it("is counted by guardrail and outcome", async () => {
    const stats = await call("GET", "guardrails/acme/stats")
    expect(rows(stats, "guardrails")).toContainEqual({
      guardrail_id: "promises",
      kind: "blocked_phrases",
      outcomes: { allow: expect.any(Number), require_approval: 0, block: 3 }
    })
    expect(at(stats.json, "outcomes")).toMatchObject({ block: 3 })
    const days = Date.parse(textAt(stats.json, "to")) - Date.parse(textAt(stats.json, "from"))
    expect(days / 86_400_000).toBe(29)
    expect(at((await call("GET", "guardrails/other/stats?days=1")).json, "evaluations")).toBe(0)
    expect((await call("GET", "guardrails/acme/stats?days=0")).status).toBe(400)
  })

  it("is exported as a JSON array with the same entries", async () => {
    const exported = await call("GET", "guardrails/acme/export?outcome=block")
    expect(exported.headers.get("content-type")).toBe("application/json")
    expect(exported.headers.get("content-disposition")).toContain('filename="guardrails-acme.json"')
    expect(exported.json).toEqual(rows(await call("GET", "guardrails/acme/audit?outcome=block"), "evaluations"))
    expect((await call("GET", "guardrails/other/export")).json).toEqual([])
    expect((await call("GET", "guardrails/nobody/export")).status).toBe(404)
  })

  it("is exported as CSV without formulas", async () => {
    const { headers, text } = await call("GET", "guardrails/acme/export?format=csv")
    expect(headers.get("content-type")).toMatch(/^text\/csv/u)
    const [head, ...lines] = text.trimEnd().split("\r\n")
    expect(head).toBe(
      '"id","created_at","guardrail_id","kind","outcome","reason","stage","signal_id","message_id","contact_id"'
    )
    expect(lines.some((line) => line.includes(`,"'${formula}","no_links","require_approval",`))).toBe(true)
    expect(lines.some((line) => line.includes('"the reply says ""free,  ""today"""""'))).toBe(true)
    expect(lines.every((line) => line.split(",").every((cell) => !/^"[=+\-@]/u.test(cell)))).toBe(true)
  })

  it.each([
    ["plain", '"plain"'],
    ['a "b"', '"a ""b"""'],
    ["=1+1", `"'=1+1"`],
    ["+49", `"'+49"`],
    ["-1", `"'-1"`],
    ["@SUM(A1)", `"'@SUM(A1)"`],
    ["\t=1", `"'\t=1"`],
    [" =1", `"' =1"`],
    ["＝1", `"'＝1"`],
    ["a=1", '"a=1"'],
    ["", '""']
  ])("encodes %j as the cell %s", (cell, written) => expect(csvLine([cell])).toBe(`${written}\r\n`))
})

describe("guardrails", () => {
  it("are listed in their order if they are enabled", async () => {
    const active = await call("GET", "guardrails/acme/active")
    expect([idsIn(active), active.headers.get("etag")]).toEqual([["promises", formula], '"2"'])
  })

  it("are added, enabled and removed, each with a new version of the configuration", async () => {
    const put = await patch({
      upsert: [
        { id: "prices", kind: "no_prices" },
        { id: formula, kind: "no_links", outcome: "block" }
      ],
      enable: ["late"],
      disable: ["promises", "prices"]
    })
    expect([put.status, put.headers.get("etag"), idsIn(put)]).toEqual([
      200,
      '"3"',
      ["promises", formula, "late", "prices"]
    ])
    expect(idsIn(await call("GET", "guardrails/acme/active"))).toEqual([formula, "late"])
    expect(idsIn(await patch({ remove: [formula, "late"] }, { headers: { "if-match": '"3"' } }))).toEqual([
      "promises",
      "prices"
    ])
    expect((await patch({ remove: ["prices"] }, { headers: { "if-match": '"3"' } })).status).toBe(412)
    expect(idsIn(await patch({ guardrails: [{ id: "only", kind: "no_links" }] }))).toEqual(["only"])
    const change = at((await call("GET", "config/acme/audit")).json, "entries", 0)
    expect(change).toMatchObject({ version: 5, action: "guardrails", changed_by: "admin" })
    expect(at((await call("GET", "config/acme")).json, "config", "guardrails")).toEqual([
      { id: "only", kind: "no_links" }
    ])
  })

  it.each<readonly [string, object, string]>([
    ["an id that is not there", { remove: ["prises"] }, "remove.0"],
    ["the list and changes to it", { guardrails: [], enable: ["a"] }, "guardrails"],
    [
      "a phrase without a word",
      { upsert: [{ id: "a", kind: "blocked_phrases", phrases: ["?!"] }] },
      "guardrails.1.phrases.0"
    ],
    ["invalid hours", { upsert: [{ id: "a", kind: "quiet_hours", from: "25:00", to: "07:00" }] }, "upsert.0.from"],
    ["an unknown field", { add: [] }, "add"]
  ])("are rejected with the path of %s", async (_, body, path) => {
    const refused = await patch(body)
    expect([refused.status, at(refused.json, "error", "details", 0, "path")]).toEqual([400, path])
  })
})

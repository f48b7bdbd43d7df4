import { describe, expect, it } from "vitest"
import recorded from "../../../api/examples.json" with { type: "json" }
import { formatOf } from "../../src/format/Formats.ts"
import { handWritten } from "../../src/operation/HandWritten.ts"
import { operations } from "../../src/operation/generated/operations.ts"

const responses = recorded.examples as Readonly<Record<string, { readonly response?: unknown }>>
const responseOf = (id: string): unknown => responses[id]?.response

const format = (id: string, changes: object = {}): string =>
  formatOf(id)?.({ ...Object(responseOf(id)), ...changes }) ?? ""

const formatted = Object.keys(responses).filter((id) => formatOf(id) !== undefined)

describe("the texts of responses", () => {
  it("exist for the operations that people read", () => {
    expect(formatted.length).toBeGreaterThan(30)
    for (const group of ["audit", "batches", "calls", "contacts", "conversations", "leads", "tasks", "usage"])
      expect(formatted.some((id) => id.startsWith(`${group}.`))).toBe(true)
    const reading = ["search.search", "guardrails.audit", "dataRights.erase", "pipeline.listRuns"]
    expect(formatted).toEqual(expect.arrayContaining(reading))
  })

  it("belong to derived commands", () => {
    expect(formatted.filter((id) => id in handWritten)).toEqual([])
    const derived = new Set(operations.map(({ id }) => id))
    expect(formatted.filter((id) => !derived.has(id))).toEqual([])
  })

  it.each(formatted)("of %s fit 80 columns", (id) => {
    const text = format(id)
    expect(text).not.toMatch(/undefined|\[object|^[{[]/u)
    expect(text.endsWith("\n")).toBe(true)
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([])
  })

  it("name the objects and the values that people look for", () => {
    const lead = Object(responseOf("leads.get"))
    expect(format("leads.get")).toMatch(new RegExp(`^lead +${lead.id}$`, "mu"))
    expect(format("leads.get")).toMatch(/^score +\d+, hot$/mu)
    expect(format("leads.list")).toMatch(
      /^LEAD +STATE +TIER +ACTIVE +SUBJECT\nlead_\w+ +\w+ +hot \d+ +\d{4}-\d\d-\d\d/u
    )
    expect(format("contacts.get")).toMatch(/^name +Priya/mu)
    expect(format("usage.get")).toMatch(/^actions +\d+ of \d+$/mu)
    expect(format("guardrails.stats")).toMatch(/^total +\d+ +\d+ +\d+$/mu)
  })

  it("show the deal of a lead with the decimals of its currency", () => {
    const deal = { ...Object(responseOf("leads.get")), value: 1_250_050, currency: "USD", assignee_id: "usr_1" }
    const place = "stage stg_open in pip_default"
    expect(format("leads.list", { leads: [deal] })).toMatch(
      new RegExp(`\\nlead_.*\\n {2}USD 12,500\\.50, ${place}, owner usr_1\\n$`, "u")
    )
    const yen = { ...deal, currency: "JPY", assignee_id: null, assignee: null, team_id: "team_1" }
    expect(format("leads.list", { leads: [yen] })).toContain(`  JPY 1,250,050, ${place}, owner team_1\n`)
    const bare = { ...deal, value: null, currency: null, assignee_id: null, assignee: null }
    expect(format("leads.list", { leads: [bare] })).toMatch(new RegExp(`\\n {2}${place}\\n$`, "u"))
    expect(formatOf("leads.get")?.(deal)).toMatch(/^value +USD 12,500\.50\nowner +usr_1$/mu)
  })

  it("contain the bodies of messages, the reasons and the draft that waits", () => {
    const { messages, pending_draft: draft } = Object(responseOf("conversations.get"))
    const message = { ...messages[0], body: "Roof\nleak", auto: "bounce", flags: ["unverified_sender"] }
    const text = format("conversations.get", { messages: [message] })
    expect(text).toContain("\n  Roof\n  leak\n")
    expect(text).toContain("(bounce, ")
    expect(text).toContain("unverified_sender")
    expect(text).toContain(`Draft ${draft.draft_id}`)
  })

  it("replace control characters that a sender could use against the terminal", () => {
    const [message] = Object(responseOf("conversations.get")).messages
    const text = format("conversations.get", { messages: [{ ...message, body: "a\u001B[2Jb" }] })
    expect(text).toContain("a\uFFFD[2Jb")
    const contact = { ...Object(responseOf("contacts.get")), name: "a\u001B[2J\nb" }
    expect(format("contacts.list", { contacts: [contact] })).toContain("a\uFFFD[2J b")
  })

  it("replace bidirectional controls, and keep joined emoji", () => {
    const [message] = Object(responseOf("conversations.get")).messages
    const body = "pay\u202Egpj.exe \u2066in\u2069 \u{1F469}\u200D\u{1F527}"
    const text = format("conversations.get", { messages: [{ ...message, body }] })
    expect(text).toContain("pay\uFFFDgpj.exe \uFFFDin\uFFFD \u{1F469}\u200D\u{1F527}")
  })

  it("state when a list is empty", () => {
    expect(format("contacts.list", { contacts: [] })).toBe("No contacts.\n")
    expect(format("conversations.list", { conversations: [] })).toBe("No conversations.\n")
    expect(format("search.search", { contacts: [], conversations: [], notes: [] })).toMatch(/^No results\.\n/u)
  })
})

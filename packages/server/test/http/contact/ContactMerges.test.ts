import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type Answer, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", LEADLOOM_LIMIT_WEBHOOK: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/tenants/acme${path}`, { as: world.acme.apiKey, ...(body === undefined ? {} : { body }) })

const make = async (body: unknown): Promise<string> => textAt((await call("POST", "/contacts", body)).json, "id")
const merge = (primary: string, duplicate: string) =>
  call("POST", "/contacts/merge", { primary_contact_id: primary, duplicate_contact_id: duplicate })
const undo = async (merged: Answer) => call("POST", `/contacts/merges/${textAt(merged.json, "merge_id")}/undo`)

/** Returns the status of a response about a merged contact, and the contact that it names. */
const goneTo = ({ json, status }: Answer): readonly [number, string] => {
  expect(textAt(json, "error", "details", 0, "path")).toBe("contact_id")
  return [status, textAt(json, "error", "details", 0, "message").replace("Merged into ", "")]
}

let mails = 0
const write = async (from: string): Promise<void> => {
  const raw = mail(
    { From: from, "Message-ID": `<${++mails}@customer.example>`, Subject: `Matter ${mails}` },
    `Mail ${mails}`
  )
  const answer = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body: importOf(raw) })
  expect(at(answer.json, "results", 0, "outcome")).toBe("message")
}

/** Returns all views of a contact except its timeline. */
const shown = async (contactId: string): Promise<ReadonlyArray<unknown>> => {
  const paths = [`/contacts/${contactId}`, `/contacts/${contactId}/detail`, `/conversations/${contactId}`]
  const answers: Array<unknown> = []
  for (const path of paths) answers.push((await call("GET", path)).json)
  const listed = at((await call("GET", "/conversations")).json, "conversations")
  answers.push(Array.isArray(listed) ? listed.filter((head: unknown) => at(head, "contact_id") === contactId) : listed)
  return answers
}

const pairOf = async (name: string) => {
  const primary = await make({ name, email: `${name}.one@customer.example`, tags: ["a", "b"], attributes: { x: 1 } })
  const fields = { company: "Roofs", notes: "tall", tags: ["b", "c"], attributes: { x: 2, y: 3 }, phone: null }
  const duplicate = await make({ email: `${name}.two@customer.example`, ...fields })
  for (const part of ["one", "two", "two"]) await write(`${name}.${part}@customer.example`)
  return { primary, duplicate }
}

describe("merging two contacts", () => {
  it("moves all data to the primary one, and the duplicate refers to it", async () => {
    const { duplicate, primary } = await pairOf("move")
    const merged = await merge(primary, duplicate)
    expect(merged.json).toMatchObject({
      primary_contact_id: primary,
      duplicate_contact_id: duplicate,
      undone_at: null,
      moved: { identities: 1, messages: 2, leads: 2, tasks: 0, drafts: 0 },
      contact: {
        id: primary,
        name: "move",
        email: "move.one@customer.example",
        company: "Roofs",
        notes: "tall",
        tags: ["a", "b", "c"],
        attributes: { x: 1, y: 3 },
        archived: false
      },
      duplicate: { id: duplicate, archived: true, merged_into: primary }
    })
    const detail = await call("GET", `/contacts/${primary}/detail`)
    expect(detail.json).toMatchObject({
      counts: { messages: 3, leads: 3, open_leads: 3 },
      identities: [{ value: "move.one@customer.example" }, { value: "move.two@customer.example" }],
      merges: [{ merge_id: at(merged.json, "merge_id"), duplicate_contact_id: duplicate }]
    })
    for (const list of ["/contacts", "/contacts?archived=true"]) {
      expect((await call("GET", list)).text).not.toContain(`"id":"${duplicate}"`)
    }
    await write("move.two@customer.example")
    expect(at((await call("GET", `/contacts/${primary}/detail`)).json, "counts", "messages")).toBe(4)
  })

  it("rejects the contact itself, unknown contacts and merged contacts", async () => {
    const { duplicate, primary } = await pairOf("refuse")
    const itself = await merge(primary, primary)
    expect([itself.status, at(itself.json, "error", "details", 0, "path")]).toEqual([400, "duplicate_contact_id"])
    expect((await merge(primary, "con_nobody")).status).toBe(404)
    const theirs = await server.call("POST", "/api/v1/tenants/other/contacts", { as: world.other.apiKey, body: {} })
    expect((await merge(primary, textAt(theirs.json, "id"))).status).toBe(404)
    const answers = await Promise.all([merge(primary, duplicate), merge(primary, duplicate), merge(duplicate, primary)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404])
    const won = answers.find(({ status }) => status === 200)
    const gone = textAt(won?.json, "duplicate_contact_id")
    for (const answer of [
      await call("PATCH", `/contacts/${gone}`, { name: "x" }),
      await call("DELETE", `/contacts/${gone}`),
      await call("POST", `/contacts/${gone}/restore`),
      await call("POST", "/leads", { contact_id: gone, channel: "sms" })
    ]) {
      expect(goneTo(answer)).toEqual([404, textAt(won?.json, "primary_contact_id")])
    }
  })

  it("refers requests with the old id to the primary contact, within its tenant", async () => {
    const { duplicate, primary } = await pairOf("away")
    const last = await make({ name: "last" })
    expect((await merge(primary, duplicate)).status).toBe(200)
    expect((await merge(last, primary)).status).toBe(200)
    const message = { channel: "email", body: "Hello" }
    const requests: ReadonlyArray<readonly [string, string, unknown?]> = [
      ["GET", `/contacts/${duplicate}`],
      ["GET", `/contacts/${duplicate}/detail`],
      ["GET", `/contacts/${duplicate}/timeline`],
      ["GET", `/contacts/${duplicate}/export`],
      ["GET", `/conversations/${duplicate}`],
      ["PATCH", `/contacts/${duplicate}`, { name: "x" }],
      ["DELETE", `/contacts/${duplicate}`],
      ["POST", `/contacts/${duplicate}/restore`],
      ["POST", `/contacts/${duplicate}/erase`, { confirm: duplicate }],
      ["POST", `/conversations/${duplicate}/messages`, message],
      ["POST", `/conversations/${duplicate}/messages`, { ...message, channel: "sms" }],
      ["POST", `/conversations/${duplicate}/read`, {}],
      ["POST", `/conversations/${duplicate}/read`, { message_id: "msg_any" }],
      ["POST", `/conversations/${duplicate}/approve-draft`, {}],
      ["POST", `/conversations/${duplicate}/dismiss-draft`, {}],
      ["POST", `/conversations/${duplicate}/messages/subject`, { message_id: "msg_any", subject_contact_id: null }],
      ["POST", "/contacts/merge", { primary_contact_id: last, duplicate_contact_id: duplicate }],
      ["POST", "/leads", { contact_id: duplicate, channel: "sms" }]
    ]
    for (const [method, path, body] of requests) {
      const own = await server.call(method, `/api/v1/tenants/acme${path}`, { as: adminKey, body })
      expect([method, path, ...goneTo(own)]).toEqual([method, path, 404, last])
      expect(textAt(own.json, "error", "message")).toContain(`was merged into ${last}`)
      const foreign = await server.call(method, `/api/v1/tenants/other${path}`, { as: adminKey, body })
      expect([method, path, foreign.status, foreign.text.includes("erged into")]).toEqual([method, path, 404, false])
    }
    expect(at((await call("GET", `/conversations/${last}`)).json, "messages", 2)).toBeDefined()
  })
})

describe("undoing a merge", () => {
  it("restores both contacts", async () => {
    const { duplicate, primary } = await pairOf("undo")
    const before = [await shown(primary), await shown(duplicate)]
    const merged = await merge(primary, duplicate)
    expect([await shown(primary), await shown(duplicate)]).not.toEqual(before)
    const undone = await undo(merged)
    expect(undone.json).toMatchObject({ contact: { id: primary }, duplicate: { id: duplicate, merged_into: null } })
    expect([await shown(primary), await shown(duplicate)]).toEqual(before)
    expect((await undo(merged)).code).toBe("CONFLICT")
    expect((await call("POST", "/contacts/merges/mrg_nothing/undo")).code).toBe("NOT_FOUND")
    const timeline = at((await call("GET", `/contacts/${duplicate}/timeline`)).json, "entries")
    expect(Array.isArray(timeline) ? timeline.slice(0, 2).map((entry: unknown) => at(entry, "type")) : []).toEqual([
      "contact_unmerged",
      "contact_merged"
    ])
  })

  it("moves messages of the restored address back, and keeps other messages and later changes", async () => {
    const { duplicate, primary } = await pairOf("since")
    const merged = await merge(primary, duplicate)
    await write("since.two@customer.example")
    await write("since.one@customer.example")
    await call("PATCH", `/contacts/${primary}`, { notes: "small", name: "Kim" })
    await undo(merged)
    const [left, right] = [
      await call("GET", `/contacts/${primary}/detail`),
      await call("GET", `/contacts/${duplicate}/detail`)
    ]
    expect(left.json).toMatchObject({
      contact: { name: "Kim", notes: "small", company: null },
      counts: { messages: 2, leads: 2 }
    })
    expect(right.json).toMatchObject({ contact: { notes: "tall" }, counts: { messages: 3, leads: 3 } })
    await write("since.two@customer.example")
    expect(at((await call("GET", `/contacts/${duplicate}/detail`)).json, "counts", "messages")).toBe(4)
  })

  it("works in reverse order and names the merge to undo first", async () => {
    const [a, b, c] = [await make({ name: "A" }), await make({ name: "B" }), await make({ name: "C" })]
    const first = await merge(a, b)
    const second = await merge(c, a)
    const early = await undo(first)
    expect([early.status, at(early.json, "error", "details", "undo_first")]).toEqual([409, at(second.json, "merge_id")])
    expect(goneTo(await merge(a, c))).toEqual([404, c])
    expect((await undo(second)).status).toBe(200)
    const third = await merge(a, c)
    expect(at((await undo(first)).json, "error", "details", "undo_first")).toBe(at(third.json, "merge_id"))
    expect((await undo(third)).status).toBe(200)
    expect((await undo(first)).status).toBe(200)
    expect(at((await call("GET", `/contacts/${b}`)).json, "merged_into")).toBeNull()
  })
})

describe("merge suggestions", () => {
  const suggestions = async (query = "") => (await call("GET", `/contacts/merge-suggestions${query}`)).json
  const suggest = async (name: string) => {
    const primary = await make({ email: `${name}@customer.example` })
    const number = `+1415555${String(1_000 + ++mails).slice(-4)}`
    const duplicate = await make({ phone: number })
    const body = { message: "Both are me", contact: { email: `${name}@customer.example`, phone: number } }
    await server.call("POST", "/api/v1/webhook/automation/acme", { as: world.acme.apiKey, body })
    return { primary_contact_id: primary, duplicate_contact_id: duplicate }
  }

  it("are listed newest first until they are dismissed", async () => {
    const [older, newer] = [await suggest("older"), await suggest("newer")]
    const first = await suggestions("?limit=1")
    expect(first).toMatchObject({ suggestions: [{ ...newer, primary: { id: newer.primary_contact_id } }] })
    const second = await suggestions(`?limit=1&cursor=${textAt(first, "next_cursor")}`)
    expect(second).toMatchObject({ suggestions: [older], next_cursor: null })
    const turned = {
      primary_contact_id: newer.duplicate_contact_id,
      duplicate_contact_id: newer.primary_contact_id
    }
    expect((await call("POST", "/contacts/merge-suggestions/dismiss", turned)).json).toEqual({ success: true })
    expect(at(await suggestions(), "suggestions", "length")).toBe(1)
    expect((await call("GET", "/contacts/merge-suggestions?cursor=nonsense")).code).toBe("BAD_REQUEST")
    const itself = { ...newer, duplicate_contact_id: newer.primary_contact_id }
    expect((await call("POST", "/contacts/merge-suggestions/dismiss", itself)).code).toBe("BAD_REQUEST")
    await merge(older.primary_contact_id, older.duplicate_contact_id)
    expect(await suggestions()).toEqual({ suggestions: [], next_cursor: null })
  })

  it("name the remaining contact after a merge, and the original one after its undo", async () => {
    const pair = await suggest("follow")
    const other = await make({ name: "Other" })
    const merged = await merge(other, pair.duplicate_contact_id)
    expect(await suggestions()).toMatchObject({
      suggestions: [{ primary_contact_id: pair.primary_contact_id, duplicate_contact_id: other }]
    })
    await undo(merged)
    expect(await suggestions()).toMatchObject({ suggestions: [pair] })
  })
})

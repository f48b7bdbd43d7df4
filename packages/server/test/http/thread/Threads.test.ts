import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const base = "/api/v1/tenants/acme/threads"
const read = (path: string, as = world.acme.session): Promise<Answer> => server.call("GET", `${base}${path}`, { as })
const post = (path: string, body: unknown, as = world.acme.session): Promise<Answer> =>
  server.call("POST", `${base}${path}`, { as, body })

const receive = async (id: string, answers: string | null = null): Promise<string> => {
  const headers = {
    "Message-ID": `<${id}.x7@customer.example>`,
    ...(answers === null ? {} : { "In-Reply-To": `<${answers}.x7@customer.example>` })
  }
  const imported = await server.call("POST", "/api/v1/import/acme/email", {
    as: adminKey,
    body: importOf(mail(headers, `This is ${id}.`))
  })
  return textAt(imported.json, "results", 0, "message_id")
}

/** Returns the thread of a message. */
const threadOf = async (messageId: string): Promise<string> => {
  const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
  const contact = textAt(list.json, "conversations", 0, "contact_id")
  const page = await server.call("GET", `/api/v1/tenants/acme/conversations/${contact}`, { as: adminKey })
  const messages = at(page.json, "messages")
  const found = Array.isArray(messages) ? messages.find((message) => at(message, "id") === messageId) : undefined
  return textAt(found, "thread_id")
}

describe("threads", () => {
  it("are read in pages, with the reason for each message", async () => {
    const root = await receive("page.root")
    const answer = await receive("page.answer", "page.root")
    const threadId = await threadOf(root)
    const { json, status } = await read(`/${threadId}?limit=1`)
    expect(status).toBe(200)
    expect(json).toMatchObject({ thread_id: threadId, corrected: false, corrections: [], subject: "Kitchen" })
    expect(at(json, "participants")).toEqual(["jane@customer.example", "sales@acme.com"])
    expect(at(json, "messages", 0, "reason")).toEqual({
      rule: "new_without_reference",
      matched_id: null,
      matched_message_id: null,
      correction_id: null
    })
    const next = await read(`/${threadId}?limit=1&cursor=${textAt(json, "next_cursor")}`)
    expect(at(next.json, "messages", 0)).toMatchObject({
      message: { id: answer },
      reason: { rule: "in_reply_to", matched_id: "page.root.x7@customer.example", matched_message_id: root }
    })
    expect(at(next.json, "next_cursor")).toBeNull()
  })

  it("are split, and the split is undone by the agent whom the journal names", async () => {
    const root = await receive("split.root")
    const answer = await receive("split.answer", "split.root")
    const threadId = await threadOf(root)
    const split = await post(`/${threadId}/split`, { message_id: answer })
    expect(split.json).toMatchObject({
      kind: "split",
      from_thread_ids: [threadId],
      message_id: answer,
      undone_at: null
    })
    const created = textAt(split.json, "thread_id")
    expect(await threadOf(await receive("split.later", "split.answer"))).toBe(created)
    const correction = textAt(split.json, "correction_id")
    expect((await post(`/thr_of_nothing/corrections/${correction}/undo`, {})).status).toBe(404)
    const undone = await server.call("POST", `${base}/${threadId}/corrections/${correction}/undo`, {
      as: world.acme.session
    })
    expect(undone.json).toMatchObject({ correction_id: correction, undone_by: textAt(split.json, "actor") })
    const journal = await read(`/${threadId}/corrections`)
    expect(at(journal.json, "corrections", 0)).toEqual(undone.json)
    expect(await threadOf(answer)).toBe(threadId)
    expect((await read(`/${created}`)).status).toBe(404)
  })

  it("are joined, and a message moves between them", async () => {
    const [one, two] = [await receive("join.one"), await receive("join.two")]
    const answer = await receive("join.answer", "join.one")
    const [first, second] = [await threadOf(one), await threadOf(two)]
    const moved = await post(`/${first}/move`, { message_id: answer, to_thread_id: second })
    expect(moved.json).toMatchObject({ kind: "move", thread_id: second, from_thread_ids: [first] })
    const joined = await post("/join", { thread_ids: [second, first] })
    expect(joined.json).toMatchObject({ kind: "join", thread_id: first, from_thread_ids: [second] })
    expect(await threadOf(two)).toBe(first)
    const conflict = await server.call(
      "POST",
      `${base}/${first}/corrections/${textAt(moved.json, "correction_id")}/undo`,
      {
        as: adminKey
      }
    )
    expect(conflict.status).toBe(409)
    expect(at(conflict.json, "error", "details")).toEqual({
      problem: "later_correction",
      undo_first: textAt(joined.json, "correction_id")
    })
  })

  it("are invisible to other tenants and forbidden to HIPAA tenants", async () => {
    const threadId = await threadOf(await receive("foreign"))
    const path = `/api/v1/tenants/other/threads/${threadId}`
    expect((await server.call("GET", path, { as: world.other.session })).status).toBe(404)
    const clinic = `/api/v1/tenants/clinic/threads/${threadId}`
    expect(textAt((await server.call("GET", clinic, { as: adminKey })).json, "error", "code")).toBe("HIPAA_RESTRICTED")
  })

  it("are not corrected by invalid requests", async () => {
    const root = await receive("invalid.root")
    const threadId = await threadOf(root)
    expect((await post(`/${threadId}/split`, { message_id: root })).status).toBe(409)
    expect((await post(`/${threadId}/split`, { message_id: "msg_of_nothing" })).status).toBe(404)
    expect((await post("/join", { thread_ids: [threadId] })).status).toBe(400)
    expect((await post("/join", { thread_ids: [threadId, threadId] })).status).toBe(409)
    expect((await read(`/${threadId}?cursor=nonsense`)).status).toBe(400)
  })
})

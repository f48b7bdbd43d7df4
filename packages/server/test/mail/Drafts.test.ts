import { type SinkFate, type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { drain } from "@leadloom/testkit/suite/Scene"
import { afterEach, describe, expect, it } from "vitest"
import { someConfig } from "../world/Endpoints.ts"
import { adminKey, at, type Call, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../world/World.ts"

let sink: SmtpSink
let server: TestServer
let world: World
let contact: string

const rule = {
  id: "rule_thanks",
  name: "Thanks",
  priority: 1,
  when: { fact: "message.text", op: "contains", value: "kitchen" },
  actions: [{ type: "reply", template: "Thank you." }]
}

/** Receives a mail, and handles it as the workers do. */
const receive = async (id: string, body: string): Promise<void> => {
  const mails = importOf(mail({ "Message-ID": `<${id}>`, References: "<one@customer.example>" }, body))
  await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body: { ...mails, historical: false } })
  await server.run(drain)
}

const conversation = (path = "", call: Call = {}, method = "POST", tenant = "acme") =>
  server.call(method, `/api/v1/tenants/${tenant}/conversations/${contact}${path}`, { as: world.acme.session, ...call })

/** Returns the pending draft, which must not be the given one. */
const drafted = async (before: unknown = null): Promise<unknown> => {
  const draft = at((await conversation("", {}, "GET")).json, "pending_draft")
  expect(draft).toEqual(expect.objectContaining({ draft_id: expect.any(String) }))
  expect(at(draft, "draft_id")).not.toBe(before)
  return draft
}

const begin = async (...fates: ReadonlyArray<SinkFate>): Promise<void> => {
  sink = await startSink(...fates)
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "1000000", LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}` })
  world = await makeWorld(server)
  await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body: { ...someConfig, rules: [rule] } })
  await receive("one@customer.example", "A kitchen?")
  const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
  contact = textAt(list.json, "conversations", 0, "contact_id")
}
const connect = () =>
  server.call("POST", "/api/v1/tenants/acme/email/connect", {
    as: adminKey,
    body: { provider: "smtp", email: "sales@acme.com", name: "Acme" }
  })
afterEach(async () => {
  await server.close()
  await sink.close()
})

describe("a draft", () => {
  it("is shown with the values that an approval must repeat, and is sent once by two clicks", async () => {
    await begin()
    await connect()
    const draft = await drafted()
    const page = await conversation("", {}, "GET")
    const [message] = [at(page.json, "messages", 0, "id")]
    expect(draft).toEqual({
      draft_id: expect.stringMatching(/^draft_[0-9a-z]{26}$/u),
      channel: "email",
      text: "Thank you.",
      content_hash: "8569efc4ed5a6273140c2b6ec0ab8d99f4398210808fbb7c0cbbae4fbcc21350",
      head_message_id: message,
      reply_to_message_id: message,
      to: ["jane@customer.example"],
      subject: "Re: Kitchen",
      created_at: expect.stringMatching(/Z$/u)
    })
    const { content_hash, draft_id, head_message_id } = Object(draft)
    const body = { draft_id, content_hash, head_message_id }
    const clicks = await Promise.all([
      conversation("/approve-draft", { body }),
      conversation("/approve-draft", { body })
    ])
    expect(clicks.map(({ status }) => status)).toEqual([200, 200])
    expect(clicks[0]?.json).toEqual({ message_id: expect.stringMatching(/^msg_[0-9a-z]{26}$/u) })
    expect(clicks[1]?.json).toEqual(clicks[0]?.json)
    expect(clicks.map(({ headers }) => headers.get("idempotent-replayed")).toSorted()).toEqual([null, "true"])
    expect(clicks.map(({ headers }) => headers.get("x-ratelimit-limit"))).toEqual(["50", "50"])
    expect(sink.mails.map(({ to }) => to)).toEqual([["jane@customer.example"]])
    const after = await conversation("", {}, "GET")
    expect(at(after.json, "pending_draft")).toBeNull()
    expect(at(after.json, "messages", 1)).toMatchObject({ actor: "agent", body: "Thank you.", delivery: "sent" })
  })

  it("is approved without a body, or with the person's own text", async () => {
    await begin()
    await connect()
    const first = await drafted()
    expect((await conversation("/approve-draft")).status).toBe(200)
    await receive("two@customer.example", "And another kitchen?")
    await drafted(at(first, "draft_id"))
    expect((await conversation("/approve-draft", { body: { body: "Thank you very much." } })).status).toBe(200)
    expect(sink.mails.map(({ raw }) => raw.includes("very much"))).toEqual([false, true])
    expect(sink.mails[1]?.raw).toContain("In-Reply-To: <two@customer.example>")
  })

  it("that has changed since it was read is a conflict with the reason", async () => {
    await begin()
    await connect()
    const first = await drafted()
    await receive("two@customer.example", "And another kitchen?")
    const second = await drafted(at(first, "draft_id"))
    const refused = async (body: unknown) => {
      const answer = await conversation("/approve-draft", { body })
      expect([answer.status, answer.code]).toEqual([409, "CONFLICT"])
      return at(answer.json, "error", "details")
    }
    const current = {
      draft_id: at(second, "draft_id"),
      content_hash: at(second, "content_hash"),
      head_message_id: at(second, "head_message_id")
    }
    expect(await refused({ draft_id: at(first, "draft_id") })).toMatchObject({ reason: "superseded", ...current })
    expect(await refused({ content_hash: "00" })).toMatchObject({ reason: "edited", ...current })
    const stale = { head_message_id: at(first, "head_message_id") }
    expect(await refused(stale)).toMatchObject({ reason: "newer_message", ...current })
    expect((await conversation("/dismiss-draft")).json).toEqual({ success: true })
    expect((await conversation("/dismiss-draft", { body: { draft_id: current.draft_id } })).status).toBe(200)
    expect(await refused({})).toMatchObject({ reason: "dismissed", draft_id: null, content_hash: null })
    expect(sink.mails).toEqual([])
  })

  it("that the relay rejects answers 502, stays pending and can be sent later", async () => {
    await begin({ rcpt: 550 })
    await connect()
    const draft = await drafted()
    const refused = await conversation("/approve-draft")
    expect([refused.status, refused.code, refused.headers.get("x-ratelimit-remaining")]).toEqual([
      502,
      "PROVIDER_ERROR",
      "49"
    ])
    expect(at(await drafted(), "draft_id")).toBe(at(draft, "draft_id"))
  })

  it("requires an account, a draft, a contact of the tenant and permission for email", async () => {
    await begin()
    await drafted()
    const early = await conversation("/approve-draft")
    expect([early.status, early.code]).toEqual([409, "CONFLICT"])
    expect(early.text).toContain("/email/connect")
    const none = await conversation("/approve-draft", { body: { draft_id: "draft_x" } })
    expect([none.status, none.code]).toEqual([404, "NOT_FOUND"])
    expect(none.text).toContain(`/conversations/${contact}/messages`)
    for (const path of ["/approve-draft", "/dismiss-draft"]) {
      const foreign = await conversation(path, { as: world.other.apiKey }, "POST", "other")
      expect([foreign.status, foreign.code]).toEqual([404, "NOT_FOUND"])
      expect((await conversation(path, { as: world.other.apiKey })).code).toBe("FORBIDDEN")
      const odd = await conversation(path, { body: { draft: "x" } })
      expect([odd.status, at(odd.json, "error", "details", 0, "path")]).toEqual([400, "draft"])
    }
    expect((await conversation("/approve-draft", { body: { body: "" } })).status).toBe(400)
  })
})

describe("a message", () => {
  it("can be labelled with a contact of its tenant", async () => {
    await begin()
    const page = await conversation("", {}, "GET")
    const message_id = textAt(page.json, "messages", 0, "id")
    expect(at(page.json, "messages", 0, "subject_contact_id")).toBeNull()
    const made = { as: adminKey, body: { name: "Kim" } }
    const subject_contact_id = textAt((await server.call("POST", "/api/v1/tenants/acme/contacts", made)).json, "id")
    const foreign = textAt((await server.call("POST", "/api/v1/tenants/other/contacts", made)).json, "id")
    const label = (body: unknown) => conversation("/messages/subject", { body })
    const labelled = await label({ message_id, subject_contact_id })
    expect([labelled.status, labelled.json]).toEqual([200, { message_id, subject_contact_id }])
    const shown = await conversation("", {}, "GET")
    expect(at(shown.json, "messages", 0, "subject_contact_id")).toBe(subject_contact_id)
    expect((await label({ message_id, subject_contact_id: foreign })).code).toBe("NOT_FOUND")
    expect((await label({ message_id: "msg_x", subject_contact_id })).code).toBe("NOT_FOUND")
    expect((await label({ message_id })).code).toBe("BAD_REQUEST")
    expect((await label({ message_id, subject_contact_id: null })).json).toEqual({
      message_id,
      subject_contact_id: null
    })
  })

  it("that arrives during reading stays unread", async () => {
    await begin()
    const seen = textAt((await conversation("", {}, "GET")).json, "messages", 0, "id")
    await receive("two@customer.example", "Another question")
    const unread = async () => {
      const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
      return at(list.json, "conversations", 0, "unread")
    }
    expect(await unread()).toBe(2)
    expect((await conversation("/read", { body: { message_id: seen } })).json).toEqual({ success: true })
    expect(await unread()).toBe(1)
    expect((await conversation("/read", { body: { message_id: "msg_x" } })).code).toBe("NOT_FOUND")
    expect((await conversation("/read")).json).toEqual({ success: true })
    expect(await unread()).toBe(0)
  })
})

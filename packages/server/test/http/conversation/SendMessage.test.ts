import { type SinkFate, type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { adminKey, at, type Call, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

let sink: SmtpSink
let server: TestServer
let world: World
let contact: string

const begin = async (...fates: ReadonlyArray<SinkFate>): Promise<void> => {
  sink = await startSink(...fates)
  server = startServer({ LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
  const headers = { To: "sales@acme.com, bob@customer.example", "Reply-To": "Desk <desk@customer.example>" }
  await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body: importOf(mail(headers, "A kitchen?")) })
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

const send = (body: unknown = {}, call: Call = {}, to = contact, tenant = "acme") =>
  server.call("POST", `/api/v1/tenants/${tenant}/conversations/${to}/messages`, {
    as: world.acme.apiKey,
    ...call,
    body: typeof body === "string" ? body : { channel: "email", body: "We can come on Monday.", ...Object(body) }
  })

describe("writing to a contact", () => {
  it("replies to the contact's newest email and returns the new message", async () => {
    await begin()
    await connect()
    const sent = await send({}, { as: world.acme.session })
    expect([sent.status, sent.json]).toEqual([200, { message_id: expect.stringMatching(/^msg_[0-9a-z]{26}$/u) }])
    expect(sent.headers.get("x-ratelimit-limit")).toBe("50")
    expect(sent.headers.get("x-ratelimit-remaining")).toBe("49")
    expect(Number(sent.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000)
    const page = await server.call("GET", `/api/v1/tenants/acme/conversations/${contact}`, { as: world.acme.apiKey })
    expect(at(page.json, "messages", 0, "reply_to")).toEqual(["desk@customer.example"])
    expect(at(page.json, "messages", 1)).toMatchObject({
      message_id: at(sent.json, "message_id"),
      actor: "agent",
      delivery: "sent",
      body: "We can come on Monday.",
      subject: "Re: Kitchen",
      from: "sales@acme.com",
      to: ["desk@customer.example"],
      cc: [],
      thread_id: at(page.json, "messages", 0, "thread_id")
    })
    expect(sink.mails[0]?.raw).toContain("In-Reply-To: <one@customer.example>")
    await send({ reply_all: true })
    expect(sink.mails[1]?.to).toEqual(["desk@customer.example"])
  })

  it("replies to all recipients on request", async () => {
    await begin()
    await connect()
    expect((await send({ reply_all: true })).status).toBe(200)
    expect(sink.mails[0]?.to).toEqual(["desk@customer.example", "bob@customer.example"])
  })

  it("is sent once per Idempotency-Key, which no other request of the caller may use", async () => {
    await begin()
    await connect()
    const headers = { "idempotency-key": "k-1" }
    const first = await send({}, { headers })
    const again = await send({}, { headers })
    expect(again.json).toEqual(first.json)
    expect([first.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")]).toEqual([null, "true"])
    expect((await send({ body: "Another" }, { headers })).code).toBe("IDEMPOTENCY_CONFLICT")
    const letter = { to: [{ email: "jane@customer.example" }], body: "We can come on Monday." }
    const email = await server.call("POST", "/api/v1/tenants/acme/email/send", {
      as: world.acme.apiKey,
      body: letter,
      headers
    })
    expect(email.code).toBe("IDEMPOTENCY_CONFLICT")
    expect(sink.mails).toHaveLength(1)
  })

  it("counts against the tenant's limit of fifty emails per hour", async () => {
    await begin()
    await connect()
    const answers = await Promise.all(Array.from({ length: 60 }, () => send()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(50)
    const refused = await send()
    expect([refused.status, refused.code, refused.headers.get("x-ratelimit-remaining")]).toEqual([
      429,
      "RATE_LIMITED",
      "0"
    ])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_000)
    expect(sink.mails).toHaveLength(50)
  })

  it("answers 502 with the provider's reason after a rejection, even for a repetition", async () => {
    await begin({ rcpt: 550 })
    await connect()
    const headers = { "idempotency-key": "k-1" }
    for (const replayed of [null, "true"]) {
      const refused = await send({}, { headers })
      expect([refused.status, refused.code, refused.headers.get("idempotent-replayed")]).toEqual([
        502,
        "PROVIDER_ERROR",
        replayed
      ])
      expect(refused.text).toContain("550 said the sink")
    }
  })
})

describe("writing to a contact is rejected", () => {
  beforeEach(() => begin())

  it("without a connected account, an email lead or a provider of texts", async () => {
    const early = await send()
    expect([early.status, early.code]).toEqual([409, "CONFLICT"])
    expect(early.text).toContain("/email/connect")
    await connect()
    const created = await server.call("POST", "/api/v1/tenants/acme/contacts", {
      as: adminKey,
      body: { name: "Kim", email: "kim@customer.example", phone: "+49 30 1234567" }
    })
    const nobody = await send({}, {}, textAt(created.json, "id"))
    expect([nobody.status, nobody.code]).toEqual([409, "CONFLICT"])
    expect(nobody.text).toContain("POST /api/v1/tenants/acme/email/send")
    const sms = await send({ channel: "sms" }, {}, textAt(created.json, "id"))
    expect([sms.status, sms.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(sms.text).toContain("No SMS provider")
    // A text that is sent later fails at once too, and not after its undo window.
    const long = { channel: "sms", body: "a".repeat(1_601) }
    for (const timing of [{ undo_seconds: 10 }, { send_at: new Date(Date.now() + 86_400_000).toISOString() }]) {
      const refused = await send({ ...long, ...timing }, {}, textAt(created.json, "id"))
      expect([refused.status, at(refused.json, "error", "details", 0)]).toEqual([
        400,
        { path: "body", message: "A text may have at most 1600 characters." }
      ])
    }
    const drafts = `/api/v1/tenants/acme/conversations/${textAt(created.json, "id")}/drafts`
    const draft = await server.call("POST", drafts, { as: adminKey, body: long })
    const sending = { as: adminKey, body: { version: 1, undo_seconds: 10 } }
    const sent = await server.call("POST", `${drafts}/${textAt(draft.json, "draft_id")}/send`, sending)
    expect([sent.status, at(sent.json, "error", "details", 0, "path")]).toEqual([400, "body"])
    expect(at((await server.call("GET", drafts, { as: adminKey })).json, "drafts")).toHaveLength(1)
    expect(sink.mails).toEqual([])
  })

  it("if the request is invalid or the contact belongs to another tenant", async () => {
    await connect()
    for (const [path, body] of [
      ["body", { body: "" }],
      ["channel", { channel: "fax" }],
      ["channel", { channel: undefined }],
      ["reply_all", { reply_all: "yes" }],
      ["subjects", { subjects: "Hello" }],
      ["subject", { subject: "Hello", channel: "sms" }],
      ["cc.0.email", { cc: [{ email: "a@b.example\r\nBcc: eve@evil.example" }] }],
      ["from.email", { from: { email: "eve@evil.example" } }],
      ["attachments", { attachments: [{ upload_id: "upl_00000000000000000000000000" }] }],
      ["time_zone", { send_at: "2030-01-01T10:00:00" }],
      ["send_at", { send_at: "2020-01-01T10:00:00Z" }]
    ] as const) {
      const answer = await send(body)
      expect([path, answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([path, 400, path])
    }
    expect((await send({}, {}, "con_of_nobody")).code).toBe("NOT_FOUND")
    expect((await send({}, { as: world.other.apiKey }, contact, "other")).code).toBe("NOT_FOUND")
    expect((await send({}, { as: world.other.apiKey })).code).toBe("FORBIDDEN")
    expect((await send({}, { as: "nonsense" })).status).toBe(401)
  })

  it("by email for a HIPAA tenant, whoever the contact is", async () => {
    for (const as of [world.clinic.apiKey, world.clinic.session, adminKey]) {
      const answer = await send({}, { as }, "con_of_nobody", "clinic")
      expect([answer.status, answer.code]).toEqual([403, "HIPAA_RESTRICTED"])
    }
    const sms = await send({ channel: "sms" }, { as: world.clinic.apiKey }, "con_of_nobody", "clinic")
    expect(sms.code).toBe("NOT_FOUND")
  })
})

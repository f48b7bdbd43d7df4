import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type Answer, at, type Call, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

let sink: SmtpSink
let server: TestServer
let world: World
let contact: string

beforeAll(async () => {
  sink = await startSink()
  server = startServer({ LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
  await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body: importOf(mail({}, "A kitchen?")) })
  const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
  contact = textAt(list.json, "conversations", 0, "contact_id")
  const account = { provider: "smtp", email: "sales@acme.com", name: "Acme" }
  await server.call("POST", "/api/v1/tenants/acme/email/connect", { as: adminKey, body: account })
})
afterAll(async () => {
  await server.close()
  await sink.close()
})

const call = (method: string, path: string, call: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/tenants/acme/${path}`, { as: world.acme.session, ...call })

const upload = (content: string, query = "filename=offer.pdf&content_type=application/pdf") =>
  call("POST", `uploads?${query}`, { body: content, headers: { "content-type": "application/octet-stream" } })

const send = (body: Record<string, unknown>) =>
  call("POST", `conversations/${contact}/messages`, { body: { channel: "email", body: "Hello", ...body } })

describe("a message with files", () => {
  it("reaches all recipients with the files, and shows its parts and history", async () => {
    const uploadId = textAt((await upload("the offer")).json, "upload_id")
    const logo = textAt((await upload("a logo", "filename=logo.png&content_type=image/png")).json, "upload_id")
    const sent = await send({
      body: `<p style="color: red; position: fixed">Hello</p><img src="cid:logo"><script>alert(1)</script>`,
      bcc: [{ email: "archive@acme.com" }],
      reply_to: [{ email: "desk@acme.com", name: "Desk" }],
      attachments: [{ upload_id: uploadId }, { upload_id: logo, inline: true, content_id: "logo" }]
    })
    expect(sent.status).toBe(200)
    const left = sink.mails.at(-1)
    expect(left?.to).toContain("archive@acme.com")
    expect(left?.raw).not.toContain("archive@acme.com")
    expect(left?.raw).toContain("Reply-To: Desk <desk@acme.com>")
    expect(left?.raw).toContain("Content-ID: <logo>")
    expect(left?.raw).toContain("filename=offer.pdf")
    expect(left?.raw).toContain("color: red")
    expect(left?.raw).not.toMatch(/position: fixed|alert\(1\)/u)
    const detail = await call("GET", `messages/${textAt(sent.json, "message_id")}`)
    expect(detail.json).toMatchObject({
      contact_id: contact,
      parts: { text: "Hello", quoted: null },
      headers: { bcc: ["archive@acme.com"], reply_to: ["desk@acme.com"], in_reply_to: "one@customer.example" },
      attachments: [
        { filename: "offer.pdf", content_type: "application/pdf", size: 9, inline: false },
        { filename: "logo.png", inline: true, content_id: "logo" }
      ],
      delivery: "sent",
      delivery_history: [{ step: "started", attempt: 1 }, { step: "sent" }]
    })
    const file = await server.fetch(new Request(`http://x${textAt(detail.json, "attachments", 0, "download_url")}`))
    expect([file.status, await file.text()]).toEqual([200, "the offer"])
    expect((await send({ attachments: [{ upload_id: uploadId }] })).code).toBe("BAD_REQUEST")
    const foreign = await server.call("GET", `/api/v1/tenants/other/messages/${textAt(sent.json, "message_id")}`, {
      as: adminKey
    })
    expect(foreign.code).toBe("NOT_FOUND")
  })

  it("rejects a file without a name, a file that is too large, and JSON", async () => {
    expect((await upload("x", "content_type=image/png")).status).toBe(400)
    expect((await upload("x".repeat(25 * 1_048_576 + 1))).status).toBe(413)
    expect((await call("POST", "uploads?filename=a", { body: { a: 1 } })).status).toBe(415)
  })
})

describe("a message that is sent later", () => {
  const soon = () => new Date(Date.now() + 48 * 3_600_000).toISOString()

  it("appears in the conversation, and can be changed and cancelled", async () => {
    const before = sink.mails.length
    const sent = await send({ body: "Later", send_at: soon() })
    expect(Object.keys(Object(sent.json)).toSorted()).toEqual(["message_id", "send_at"])
    const id = textAt(sent.json, "message_id")
    const page = await call("GET", `conversations/${contact}`)
    expect(at(page.json, "scheduled", 0)).toMatchObject({ message_id: id, body: "Later", state: "scheduled" })
    expect((await call("GET", `messages/${id}`)).code).toBe("NOT_FOUND")
    const changed = await call("PATCH", `scheduled/${id}`, { body: { version: 1, body: "Even later" } })
    expect(changed.json).toMatchObject({ body: "Even later", version: 2 })
    const outdated = await call("PATCH", `scheduled/${id}`, { body: { version: 1 } })
    expect([outdated.code, at(outdated.json, "error", "details", "version")]).toEqual(["CONFLICT", 2])
    expect(at((await call("DELETE", `scheduled/${id}`)).json, "state")).toBe("canceled")
    expect((await call("PATCH", `scheduled/${id}`, { body: {} })).code).toBe("CONFLICT")
    const listed = await call("GET", `scheduled?state=canceled&contact_id=${contact}`)
    expect(at(listed.json, "scheduled", 0, "message_id")).toBe(id)
    expect(sink.mails.length).toBe(before)
  })

  it("has one result per Idempotency-Key, and none for another tenant", async () => {
    const request = { headers: { "idempotency-key": "later" }, body: { channel: "email", body: "x", send_at: soon() } }
    const first = await call("POST", `conversations/${contact}/messages`, request)
    const again = await call("POST", `conversations/${contact}/messages`, request)
    expect([again.json, again.headers.get("idempotent-replayed")]).toEqual([first.json, "true"])
    const path = `/api/v1/tenants/other/scheduled/${textAt(first.json, "message_id")}`
    expect((await server.call("DELETE", path, { as: adminKey })).code).toBe("NOT_FOUND")
  })

  it("is also an email to stated recipients", async () => {
    const body = { to: [{ email: "new@customer.example" }], subject: "An offer", body: "Hello", undo_seconds: 30 }
    const sent = await call("POST", "email/send", { body })
    expect([sent.status, at(sent.json, "thread_id")]).toEqual([201, null])
    const { json } = await call("GET", `scheduled/${textAt(sent.json, "message_id")}`)
    expect(json).toMatchObject({ undo: true, subject: "An offer", to: [{ email: "new@customer.example", name: null }] })
  })
})

describe("a draft of several people", () => {
  it("answers 409 with the current draft to a change of an outdated version", async () => {
    const drafts = `conversations/${contact}/drafts`
    const draft = await call("POST", drafts, { body: { channel: "email", body: "One" } })
    expect([draft.status, at(draft.json, "version")]).toEqual([201, 1])
    const path = `${drafts}/${textAt(draft.json, "draft_id")}`
    expect((await call("PATCH", path, { body: { body: "Two" } })).code).toBe("BAD_REQUEST")
    const changed = await call("PATCH", path, { body: { body: "Two" }, headers: { "if-match": '"1"' } })
    expect(changed.headers.get("etag")).toBe('"2"')
    const conflict = await call("PATCH", path, { body: { version: 1, body: "Lost" } })
    expect([conflict.status, at(conflict.json, "error", "details")]).toMatchObject([
      409,
      { version: 2, draft: { body: "Two" } }
    ])
    const sent = await call("POST", `${path}/send`, { body: { version: 2 } })
    const again = await call("POST", `${path}/send`, { body: { version: 2 } })
    expect([sent.status, again.json]).toEqual([200, sent.json])
    expect((await call("GET", path)).code).toBe("NOT_FOUND")
  })
})

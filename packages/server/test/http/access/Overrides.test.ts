import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Issuer, startIssuer } from "../../world/Issuer.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

const jane = "jane@customer.example"

let sink: SmtpSink
let issuer: Issuer
let server: TestServer
let world: World
let contact: string

const post = (path: string, as: string, body: unknown) =>
  server.call("POST", `/api/v1/tenants/acme${path}`, { as, body: body as Record<string, unknown> })

const detail = async () =>
  (await server.call("GET", `/api/v1/tenants/acme/conversations/${contact}`, { as: adminKey })).json

/** Returns a bounce (RFC 3464) of a sent mail. */
const bounceOf = (messageId: string): string =>
  [
    "From: Mail Delivery System <mailer-daemon@relay.example>",
    "To: sales@acme.com",
    "Subject: Undelivered Mail Returned to Sender",
    "Date: Sun, 1 Mar 2026 10:00:00 +0000",
    "Message-ID: <bounce@relay.example>",
    "MIME-Version: 1.0",
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    "",
    "--b",
    "Content-Type: text/plain",
    "",
    "It could not be delivered.",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; relay.example",
    "",
    `Final-Recipient: rfc822; ${jane}`,
    "Action: failed",
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 5.1.1 no such user",
    "",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    `Message-ID: <${messageId}>`,
    `To: ${jane}`,
    "",
    "--b--",
    ""
  ].join("\r\n")

const letter = { to: [{ email: jane }], subject: "Kitchen", body: "Hello Jane" }
const answer = { channel: "email", body: "Hello Jane" }

beforeAll(async () => {
  sink = await startSink()
  issuer = await startIssuer()
  const env = { LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, LEADLOOM_LIMIT_ADMIN: "100000", ...issuer.env }
  server = startServer(env)
  world = await makeWorld(server)
  const requests = importOf(mail({}, "A kitchen?"))
  await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body: requests })
  await post("/email/connect", adminKey, { provider: "smtp", email: "sales@acme.com", name: "Acme" })
  const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
  contact = textAt(list.json, "conversations", 0, "contact_id")
  await post(`/conversations/${contact}/messages`, world.acme.apiKey, answer)
  const sent = textAt(await detail(), "messages", 1, "internet_message_id")
  const bounce = { ...importOf(bounceOf(sent)), historical: false }
  const imported = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body: bounce })
  expect(at(imported.json, "results", 0, "outcome")).toBe("bounce")
}, 30_000)
afterAll(async () => {
  await server.close()
  await issuer.stop()
  await sink.close()
})

describe("a person's mail to an address that bounced", () => {
  it("is rejected with the address and the reason, and is not sent", async () => {
    const before = sink.mails.length
    for (const refused of [
      await post("/email/send", world.acme.apiKey, letter),
      await post(`/conversations/${contact}/messages`, world.acme.session, answer)
    ]) {
      expect([refused.status, refused.code]).toEqual([409, "CONFLICT"])
      const reasons = [expect.stringMatching(/^mail to jane@customer\.example is returned: .*5\.1\.1/u)]
      expect(at(refused.json, "error", "details")).toEqual({ reasons, override: ["undeliverable"] })
    }
    expect(sink.mails).toHaveLength(before)
  })

  it("is sent once with a manager's override, which response, conversation and audit trail record", async () => {
    const before = sink.mails.length
    const manager = await issuer.token({ role: "manager" })
    const sent = await post("/email/send", manager, { ...letter, override: ["undeliverable"] })
    const receipt = { verdict: "allow", overridden: ["undeliverable"], by: "user:ann" }
    expect([sent.status, at(sent.json, "receipt")]).toEqual([201, receipt])
    expect(sink.mails).toHaveLength(before + 1)
    const messages = at(await detail(), "messages")
    expect(Array.isArray(messages) ? messages.at(-1) : null).toMatchObject({
      message_id: textAt(sent.json, "message_id"),
      delivery: "sent",
      receipt
    })
    const trail = await server.call("GET", "/api/v1/tenants/acme/audit", { as: adminKey })
    expect(at(trail.json, "entries", 0)).toMatchObject({
      actor: "user:ann",
      action: "email.send",
      change: { before: null, after: { override: ["undeliverable"], message_id: textAt(sent.json, "message_id") } }
    })
    expect((await post("/email/send", manager, letter)).status).toBe(409)
  })

  it("is sent by the operator with an override in the conversation, too", async () => {
    const path = `/conversations/${contact}/messages`
    const sent = await post(path, adminKey, { ...answer, override: ["undeliverable"] })
    expect([sent.status, at(sent.json, "receipt", "by")]).toEqual([200, "admin"])
    const trail = await server.call("GET", "/api/v1/tenants/acme/audit", { as: adminKey })
    expect(at(trail.json, "entries", 0)).toMatchObject({
      action: "conversations.send",
      target: { contact_id: contact }
    })
  })

  it("is rejected with 403 for callers without that right, even if no override was needed", async () => {
    const other = { to: [{ email: "bob@customer.example" }], body: "Hello", override: ["undeliverable"] }
    for (const as of [world.acme.apiKey, world.acme.session, await issuer.token()])
      for (const refused of [
        await post("/email/send", as, other),
        await post(`/conversations/${contact}/messages`, as, { ...answer, override: ["undeliverable"] }),
        await post(`/conversations/${contact}/approve-draft`, as, { override: ["undeliverable"] })
      ])
        expect([refused.status, refused.code]).toEqual([403, "FORBIDDEN"])
  })

  it("cannot override other reasons", async () => {
    const refused = await post("/email/send", adminKey, { ...letter, override: ["hipaa"] })
    expect([refused.status, refused.code]).toEqual([400, "BAD_REQUEST"])
  })
})

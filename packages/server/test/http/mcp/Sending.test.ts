import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { drainSignals } from "@leadloom/testkit/suite/Scene"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { someConfig } from "../../world/Endpoints.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"
import { connectClient, type McpClient } from "./McpClient.ts"

let sink: SmtpSink
let server: TestServer
let world: World
let mcp: McpClient
let contact_id: string

beforeEach(async () => {
  sink = await startSink()
  server = startServer({
    LEADLOOM_MCP: "yes",
    LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    LEADLOOM_LIMIT_ADMIN: "100000"
  })
  world = await makeWorld(server)
  const post = (path: string, body: unknown) => server.call("POST", `/api/v1/${path}`, { as: adminKey, body })
  await post("tenants/acme/email/connect", { provider: "smtp", email: "sales@acme.com", name: "Acme" })
  await post("import/acme/email", importOf(mail({}, "A kitchen?")))
  const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
  contact_id = textAt(list.json, "conversations", 0, "contact_id")
  mcp = await connectClient(server, world.acme.apiKey)
})
afterEach(async () => {
  await server.close()
  await sink.close()
})

const send = (more: Readonly<Record<string, unknown>> = {}) =>
  mcp.call("send_message", { contact_id, channel: "email", body: "We can come on Monday.", ...more })

describe("send_message", () => {
  it("sends once, however often it is called", async () => {
    const first = await send()
    expect(first.json).toEqual({ message_id: expect.stringMatching(/^msg_/u) })
    const concurrent = await Promise.all([send(), send()])
    const reconnected = await connectClient(server, world.acme.apiKey)
    const later = await reconnected.call("send_message", {
      body: "We can come on Monday.",
      contact_id,
      channel: "email"
    })
    expect([...concurrent, later].map(({ json }) => json)).toEqual([first.json, first.json, first.json])
    expect(sink.mails).toHaveLength(1)
  })

  it("sends another text, and the same text with a new key", async () => {
    await send()
    await send({ body: "We can come on Tuesday." })
    await send({ idempotency_key: "again" })
    await send({ idempotency_key: "again" })
    expect(sink.mails).toHaveLength(3)
    const conflict = await send({ idempotency_key: "again", body: "Another text" })
    expect([conflict.isError, conflict.text]).toEqual([true, expect.stringMatching(/^IDEMPOTENCY_CONFLICT: /u)])
  })

  it("returns the API's reason if the message must not be sent", async () => {
    const refused = await send({ channel: "sms" })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^[A-Z_]+: \S/u)])
    expect((await send({ channel: "fax" })).text).toMatch(/^INVALID_ARGUMENTS: /u)
    expect(sink.mails).toHaveLength(0)
  })
})

describe("approve_draft", () => {
  const rule = {
    id: "thanks",
    name: "Thanks",
    priority: 1,
    when: { fact: "message.text", op: "contains", value: "kitchen" },
    actions: [{ type: "reply", template: "Thank you." }]
  }

  it("sends the draft that the model read, once, and no other", async () => {
    await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body: { ...someConfig, rules: [rule] } })
    const more = importOf(mail({ "Message-ID": "<two@customer.example>" }, "A kitchen, please"))
    const body = { ...more, historical: false }
    await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body })
    await server.run(drainSignals)
    const read = await mcp.call("get_conversation", { contact_id })
    const { content_hash, draft_id, head_message_id } = Object(at(read.json, "pending_draft"))
    const draft = { contact_id, draft_id, content_hash, head_message_id }
    const stale = await mcp.call("approve_draft", { ...draft, content_hash: "0".repeat(64) })
    expect([stale.isError, stale.text]).toEqual([true, expect.stringMatching(/^CONFLICT: /u)])
    const approved = await mcp.call("approve_draft", draft)
    expect(approved.json).toEqual({ message_id: expect.stringMatching(/^msg_/u) })
    expect((await mcp.call("approve_draft", draft)).json).toEqual(approved.json)
    expect(sink.mails.map(({ to }) => to)).toEqual([["jane@customer.example"]])
  })
})

import { addressLoginRate } from "@leadloom/core/internal/domain/mailbox/MailboxLimits"
import { type ImapStandIn, startImapStandIn } from "@leadloom/testkit/imap/ImapStandIn"
import { startSubmission, type SubmissionServer } from "@leadloom/testkit/mail/SubmissionServer"
import { drainJobs } from "@leadloom/testkit/suite/Scene"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Issuer, startIssuer } from "../world/Issuer.ts"
import { runLater } from "../world/LaterWork.ts"
import { adminKey, type Answer, at, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { importOf, mail } from "../world/World.ts"

const email = "sales@acme.com"
const password = "correct horse battery"
const base = "/api/v1/tenants/acme"

let imap: ImapStandIn
let smtp: SubmissionServer
let issuer: Issuer
let server: TestServer

beforeEach(async () => {
  imap = await startImapStandIn({ accounts: { [email]: password, ann: password } })
  smtp = await startSubmission({ password })
  issuer = await startIssuer()
  server = startServer({
    ...issuer.env,
    LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${imap.port},127.0.0.1:${smtp.port}`
  })
  for (const [tenant_id, domain] of [
    ["acme", "acme.com"],
    ["other", "other.com"]
  ] as const) {
    await call("POST", "/api/v1/admin/tenants", { tenant_id, name: tenant_id, domain })
  }
})

afterEach(async () => {
  await server.close()
  await Promise.all([imap.close(), smtp.close(), issuer.stop()])
})

const call = (method: string, path: string, body?: unknown, as = adminKey, headers = {}): Promise<Answer> =>
  server.call(method, path, { as, headers, ...(body === undefined ? {} : { body }) })

const mailbox = (more: Readonly<Record<string, unknown>> = {}) => ({
  provider: "imap",
  email,
  password,
  imap: { host: "127.0.0.1", port: imap.port, security: "none" },
  smtp: { host: "127.0.0.1", port: smtp.port, security: "none" },
  ...more
})

const connect = (more?: Readonly<Record<string, unknown>>, as?: string, headers?: object) =>
  call("POST", `${base}/email/connect`, mailbox(more), as, headers)

const grants = async () => at((await call("GET", `${base}/email/grants`)).json, "grants")

describe("the connection of a mailbox", () => {
  it("logs in to both servers and stores no readable password", async () => {
    const answer = await connect({ since_days: 7 })
    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({ provider: "imap", email, status: "active", aliases: [] })
    expect(smtp.logins()).toBe(1)
    expect(answer.text).not.toContain(password)
    const audit = await call("GET", `${base}/audit`)
    expect(audit.text).toContain("email.connect")
    expect(audit.text).not.toContain(password)
  })

  it("stores nothing when a login fails, and quotes the server that rejected it", async () => {
    const refused = await connect({ password: "wrong horse" })
    expect(refused).toMatchObject({ status: 400, code: "MAILBOX_LOGIN_FAILED" })
    expect(at(refused.json, "error", "details")).toMatchObject({ server: "imap", problem: "login" })
    await smtp.close()
    smtp = await startSubmission({
      password,
      refusal: { code: 534, text: "5.7.9 Application-specific password required" }
    })
    await server.close()
    server = startServer({ LEADLOOM_MAILBOX_ALLOW_HOSTS: `127.0.0.1:${imap.port},127.0.0.1:${smtp.port}` })
    await call("POST", "/api/v1/admin/tenants", { tenant_id: "acme", name: "acme", domain: "acme.com" })
    const second = await connect()
    expect(second).toMatchObject({ status: 400, code: "MAILBOX_LOGIN_FAILED" })
    expect(at(second.json, "error", "details")).toMatchObject({ server: "smtp", problem: "app_password" })
    expect(textAt(second.json, "error", "message")).toContain("Application-specific password required")
    expect(`${refused.text}${second.text}`).not.toContain("horse")
    expect(await grants()).toEqual([])
  })

  it("reports an unreachable server as 502 and a host that is not permitted as 400", async () => {
    const { port } = smtp
    await smtp.close()
    expect(await connect()).toMatchObject({ status: 502, code: "PROVIDER_ERROR" })
    for (const host of ["10.0.0.1", "localhost", "127.0.0.1"]) {
      const answer = await connect({ smtp: { host, port: port === 587 ? 465 : 587, security: "tls" } })
      expect(answer).toMatchObject({ status: 400, code: "BAD_REQUEST" })
      expect(at(answer.json, "error", "details", 0, "path")).toBe("smtp.host")
    }
  })

  it.each([
    ["password", { password: undefined }],
    ["password", { password: "two\r\nlines" }],
    ["imap.port", { imap: { host: "imap.acme.com", port: 0, security: "tls" } }],
    ["imap.port", { imap: { host: "imap.acme.com", port: 22, security: "tls" } }],
    ["imap.security", { imap: { host: "imap.acme.com", port: 143, security: "none" } }],
    ["imap.host", { imap: { host: "imap acme", port: 143, security: "tls" } }],
    ["since_days", { since_days: 4_000 }],
    ["password", { provider: "smtp" }]
  ])("rejects an invalid %s before it connects", async (path, more) => {
    const answer = await connect(more)
    expect(answer).toMatchObject({ status: 400, code: "BAD_REQUEST" })
    expect(at(answer.json, "error", "details", 0, "path")).toBe(path)
    expect(imap.commands).toEqual([])
  })

  it("keeps the grant when the same mailbox is connected with a new password", async () => {
    const first = textAt((await connect()).json, "grant_id")
    expect(textAt((await connect({ name: "Sales" })).json, "grant_id")).toBe(first)
    expect(await grants()).toMatchObject([{ grant_id: first, name: "Sales", status: "active" }])
    expect(await connect({ email: "ann@acme.com", username: "ann" })).toMatchObject({
      status: 409,
      code: "CONNECTION_EXISTS"
    })
    expect((await call("DELETE", `${base}/email/grants/${first}`)).status).toBe(204)
    expect(textAt((await connect()).json, "grant_id")).not.toBe(first)
  })

  it("repeats the first response to the same idempotency key", async () => {
    const headers = { "idempotency-key": "one" }
    const first = await connect({}, adminKey, headers)
    const again = await connect({}, adminKey, headers)
    expect(again.headers.get("idempotent-replayed")).toBe("true")
    expect(again.text).toBe(first.text)
    expect(smtp.logins()).toBe(1)
    expect(await connect({ password: "another" }, adminKey, headers)).toMatchObject({ code: "IDEMPOTENCY_CONFLICT" })
  })

  it("proves ownership only at the servers of the domain, with the address as login name", async () => {
    const as = await issuer.token({ role: "manager", tenants: ["acme"] })
    const stranger = { email: "boss@elsewhere.example", username: "ann" }
    const refused = await connect(stranger, as)
    expect(refused).toMatchObject({ status: 400, code: "BAD_REQUEST" })
    expect(textAt(refused.json, "error", "details", "0", "message")).toContain("does not prove")
    expect(imap.commands).toEqual([])
    expect((await connect({ email: "ann@elsewhere.example", username: "ann" }, as)).status).toBe(201)
    const taken = await call("POST", "/api/v1/tenants/other/email/connect", mailbox())
    expect(taken).toMatchObject({ status: 409, code: "CONFLICT" })
  })

  it("limits the attempts for one address", async () => {
    const answers: Array<Answer> = []
    for (let count = 0; count <= addressLoginRate.limit; count++) answers.push(await connect({ password: "guess" }))
    expect(answers.slice(0, -1).every(({ status }) => status === 400)).toBe(true)
    const last = answers.at(-1)
    expect(last).toMatchObject({ status: 429, code: "RATE_LIMITED" })
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0)
    const other = await call("POST", "/api/v1/tenants/other/email/connect", mailbox({ password: "guess" }))
    expect(other).toMatchObject({ status: 400, code: "MAILBOX_LOGIN_FAILED" })
  })
})

describe("the search for the servers of an address", () => {
  it("returns the servers of a known provider", async () => {
    const answer = await call("GET", `${base}/email/autoconfig?email=Jo@GMAIL.com`)
    expect(answer.json).toEqual({
      email: "jo@gmail.com",
      username: "jo@gmail.com",
      imap: { host: "imap.gmail.com", port: 993, security: "tls" },
      smtp: { host: "smtp.gmail.com", port: 465, security: "tls" },
      origin: "known provider: Google",
      sign_in: { provider: "google", available: false }
    })
    const other = await call("GET", `${base}/email/autoconfig?email=jo@icloud.com`)
    expect([other.status, at(other.json, "sign_in")]).toEqual([200, undefined])
  })

  it("rejects what is not an address", async () => {
    expect(await call("GET", `${base}/email/autoconfig?email=nobody`)).toMatchObject({ status: 400 })
  })
})

const later = (millis: number) => server.run(runLater(millis, drainJobs))

describe("mail of a connected mailbox", () => {
  const sent = () => [...imap.account(email).folder("Sent").mails.values()]
  const inbox = () => imap.account(email).folder("INBOX")

  it("is sent by the mailbox's server, copied to Sent once, and marks the answered mail", async () => {
    await connect()
    const question = mail({ "Message-ID": "<question@customer.example>" }, "What does it cost?")
    inbox().add(Buffer.from(question), Date.now())
    const imported = await call("POST", "/api/v1/import/acme/email", importOf(question))
    const reply_to_message_id = textAt(imported.json, "results", "0", "message_id")
    const answer = await call("POST", `${base}/email/send`, {
      to: [{ email: "jane@customer.example" }],
      body: "Ten thousand.",
      reply_to_message_id
    })
    expect(answer.status).toBe(201)
    expect(smtp.mails).toMatchObject([{ user: email, from: email, to: ["jane@customer.example"] }])
    await server.run(drainJobs)
    expect(inbox().mails.get(1)?.flags).toContain("\\Answered")
    expect(sent()).toEqual([])
    await later(61_000)
    expect(sent()).toHaveLength(1)
    const id = /^Message-ID: (<.*>)/imu.exec(smtp.mails[0]?.raw ?? "")?.[1] ?? "none"
    expect(Buffer.from(sent()[0]?.raw ?? "").toString()).toContain(id)
    await later(120_000)
    expect(sent()).toHaveLength(1)
  })

  it("gets no second copy when the mail server has stored one, and no copy when the mailbox is disconnected", async () => {
    const grantId = textAt((await connect()).json, "grant_id")
    const send = () => call("POST", `${base}/email/send`, { to: [{ email: "jane@customer.example" }], body: "Hello" })
    await send()
    imap
      .account(email)
      .folder("Sent")
      .add(Buffer.from(smtp.mails[0]?.raw ?? ""), Date.now())
    await later(61_000)
    expect(sent()).toHaveLength(1)
    await send()
    await call("DELETE", `${base}/email/grants/${grantId}`)
    await later(61_000)
    expect(sent()).toHaveLength(1)
  })

  it("is marked as read in the mailbox when an agent reads it, unless the tenant does not want that", async () => {
    await connect()
    const question = mail({ "Message-ID": "<question@customer.example>" }, "What does it cost?")
    inbox().add(Buffer.from(question), Date.now())
    await call("POST", "/api/v1/import/acme/email", { ...importOf(question), historical: false })
    const conversations = await call("GET", `${base}/conversations`)
    const contactId = textAt(conversations.json, "conversations", "0", "contact_id")
    const read = await call("POST", `${base}/conversations/${contactId}/read`, {})
    expect(read.status).toBeLessThan(300)
    await server.run(drainJobs)
    expect(inbox().mails.get(1)?.flags).toContain("\\Seen")
    await connect({ sets_flags: false })
    const second = mail({ "Message-ID": "<second@customer.example>", Subject: "Roof" }, "And a roof?")
    inbox().add(Buffer.from(second), Date.now())
    await call("POST", "/api/v1/import/acme/email", { ...importOf(second), historical: false })
    await call("POST", `${base}/conversations/${contactId}/read`, {})
    await server.run(drainJobs)
    expect([...(inbox().mails.get(2)?.flags ?? [])]).toEqual([])
  })
})

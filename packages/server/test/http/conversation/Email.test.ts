import { type SinkFate, type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { afterEach, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

let sink: SmtpSink
let server: TestServer
let world: World

const begin = async (...fates: ReadonlyArray<SinkFate>): Promise<void> => {
  sink = await startSink(...fates)
  server = startServer({ LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
}
afterEach(async () => {
  await server.close()
  await sink.close()
})

const email = (method: string, path: string, call: Call = {}, tenant = "acme"): Promise<Answer> =>
  server.call(method, `/api/v1/tenants/${tenant}/email${path}`, { as: adminKey, ...call })

const account = { provider: "smtp", email: "Sales@acme.com", name: "Acme Sales" }
const letter = { to: [{ email: "jane@customer.example", name: "Jane" }], subject: "Kitchen", body: "Hello Jane" }

const connect = async (): Promise<string> =>
  textAt((await email("POST", "/connect", { body: account })).json, "grant_id")

const send = (changes: object = {}, headers: Readonly<Record<string, string>> = {}) =>
  email("POST", "/send", { as: world.acme.apiKey, body: { ...letter, ...changes }, headers })

const rateOf = ({ headers }: Answer) => ({
  limit: headers.get("x-ratelimit-limit"),
  remaining: headers.get("x-ratelimit-remaining"),
  retryAfter: headers.get("retry-after")
})

/** Returns the stored messages of the only contact. */
const messages = async (): Promise<ReadonlyArray<unknown>> => {
  const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
  const contact = textAt(list.json, "conversations", 0, "contact_id")
  const page = await server.call("GET", `/api/v1/tenants/acme/conversations/${contact}`, { as: adminKey })
  const found = at(page.json, "messages")
  return Array.isArray(found) ? found : []
}

describe("the connected account", () => {
  it("is connected once, listed, read and disconnected", async () => {
    await begin()
    expect((await email("GET", "/grants")).json).toEqual({ grants: [] })
    const connected = await email("POST", "/connect", { body: account })
    const grant = {
      grant_id: expect.stringMatching(/^grant_[0-9a-z]{26}$/u),
      provider: "smtp",
      email: "sales@acme.com",
      name: "Acme Sales",
      status: "active",
      aliases: [],
      signature: null,
      created_at: expect.any(String),
      updated_at: expect.any(String)
    }
    expect([connected.status, connected.json]).toEqual([201, grant])
    const second = await email("POST", "/connect", { body: { provider: "smtp", email: "b@acme.com" } })
    expect([second.status, second.code]).toEqual([409, "CONNECTION_EXISTS"])
    expect((await email("GET", "/grants")).json).toEqual({ grants: [grant] })
    const id = textAt(connected.json, "grant_id")
    expect((await email("GET", `/grants/${id}`)).json).toEqual(grant)
    expect((await email("GET", `/grants/${id}`, {}, "other")).code).toBe("NOT_FOUND")
    expect((await email("DELETE", `/grants/${id}`, {}, "other")).code).toBe("NOT_FOUND")
    expect((await email("DELETE", `/grants/${id}`)).status).toBe(204)
    expect((await email("GET", `/grants/${id}`)).code).toBe("NOT_FOUND")
    expect((await email("POST", "/connect", { body: account })).status).toBe(201)
  })

  it("cannot be of a hosted family without its setting, which the error names", async () => {
    await begin()
    for (const answer of [
      await email("POST", "/connect", { body: { ...account, provider: "google" } }),
      await email("GET", "/auth-url?provider=microsoft"),
      await email("POST", "/callback", { body: { code: "abc", state: "xyz" } })
    ]) {
      expect([answer.status, answer.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
      expect(answer.text).toContain("LEADLOOM_NYLAS_API_KEY")
    }
    expect((await email("POST", "/connect", { body: { ...account, provider: "fax" } })).status).toBe(400)
    expect((await email("POST", "/connect", { body: { ...account, email: "no address" } })).status).toBe(400)
  })

  it("has at most 20 aliases on the tenant's domain", async () => {
    await begin()
    expect((await email("GET", "/aliases")).code).toBe("CONFLICT")
    await connect()
    const aliases = Array.from({ length: 20 }, (_, index) => `a${index}@acme.com`)
    expect((await email("PATCH", "/aliases", { body: { aliases } })).json).toEqual({ aliases })
    const read = await email("GET", "/aliases", { as: world.acme.session })
    expect(read.json).toEqual({ grant_email: "sales@acme.com", aliases })
    for (const wrong of [[...aliases, "one.more@acme.com"], ["a@other.example"], ["nobody"]]) {
      const answer = await email("PATCH", "/aliases", { body: { aliases: wrong } })
      expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"])
      expect(at(answer.json, "error", "details", 0, "path")).toMatch(/^aliases/u)
    }
    expect((await email("GET", "/aliases")).json).toEqual({ grant_email: "sales@acme.com", aliases })
  })

  it("sanitises long HTML as it does short HTML", async () => {
    await begin()
    await connect()
    const rest = "<p>Roof &amp; wall</p>".repeat(5_000)
    const sent = await send({ body: `<p onclick="steal()">Hi<script>steal()</script></p>${rest}` })
    expect(sent.status).toBe(201)
    const [message] = await messages()
    expect(at(message, "html_body")).toBe(`<p>Hi</p>${rest}`)
    expect(textAt(message, "body").split("\n\n").slice(0, 2)).toEqual(["Hi", "Roof & wall"])
  })

  it("inserts a sanitised signature before the end of the body", async () => {
    await begin()
    await connect()
    const signature = '<b>Acme</b><img src="https://acme.com/logo.png" onerror="steal()"><script>steal()</script>'
    const saved = await email("PATCH", "/signature", { body: { signature } })
    expect([saved.status, saved.json]).toEqual([200, { success: true }])
    await send({ body: "<html><body><p>Hello</p></body></html>" })
    const raw = sink.mails[0]?.raw.replace(/=\r\n/gu, "").replace(/=3D/gu, "=") ?? ""
    expect(raw).toContain("<p>Hello</p><br><div><b>Acme</b>")
    expect(raw).toContain('src="https://acme.com/logo.png"')
    expect(raw).not.toContain("steal")
    expect(raw).toMatch(/Hello\r\n\r\n-- ?(?:=20)?\r\nAcme/u)
    const long = await email("PATCH", "/signature", { body: { signature: "a".repeat(4_097) } })
    expect(long.status).toBe(400)
    expect((await email("PATCH", "/signature", { body: { signature: "a".repeat(4_096) } })).status).toBe(200)
  })

  it("requires the rights of the contract and is closed to HIPAA tenants", async () => {
    await begin()
    await connect()
    for (const [method, path] of [
      ["PATCH", "/aliases"],
      ["PATCH", "/signature"],
      ["POST", "/connect"],
      ["GET", "/grants"]
    ] as const) {
      for (const as of [world.acme.apiKey, world.acme.session]) {
        expect([path, (await email(method, path, { as, body: method === "GET" ? undefined : {} })).code]).toEqual([
          path,
          "FORBIDDEN"
        ])
      }
    }
    for (const [method, path, as] of [
      ["POST", "/send", world.clinic.apiKey],
      ["GET", "/aliases", world.clinic.session],
      ["PATCH", "/aliases", adminKey],
      ["PATCH", "/signature", adminKey],
      ["POST", "/connect", adminKey],
      ["GET", "/grants", adminKey],
      ["GET", "/grants/grant_of_nothing", adminKey],
      ["DELETE", "/grants/grant_of_nothing", adminKey],
      ["GET", "/auth-url", adminKey],
      ["POST", "/callback", adminKey]
    ] as const) {
      const answer = await email(
        method,
        path,
        { as, ...(method === "POST" || method === "PATCH" ? { body: "{" } : {}) },
        "clinic"
      )
      expect([path, answer.status, answer.code]).toEqual([path, 403, "HIPAA_RESTRICTED"])
    }
    const foreign = await email("POST", "/send", { as: world.acme.apiKey, body: letter }, "clinic")
    expect(foreign.code).toBe("FORBIDDEN")
  })
})

describe("sending", () => {
  it("answers 201 with ids that the conversation contains, and a reply joins the thread", async () => {
    await begin()
    await connect()
    const first = await send()
    expect([first.status, first.json]).toEqual([
      201,
      {
        success: true,
        message_id: expect.stringMatching(/^msg_/u),
        thread_id: expect.stringMatching(/^thr_/u)
      }
    ])
    expect(rateOf(first)).toEqual({ limit: "50", remaining: "49", retryAfter: null })
    const [stored] = await messages()
    expect(stored).toMatchObject({
      message_id: textAt(first.json, "message_id"),
      thread_id: textAt(first.json, "thread_id"),
      actor: "agent",
      delivery: "sent",
      from: "sales@acme.com",
      to: ["jane@customer.example"],
      body: "Hello Jane"
    })
    const ours = textAt(stored, "internet_message_id")
    expect(sink.mails[0]?.raw).toContain(`Message-ID: <${ours}>`)
    await server.call("POST", "/api/v1/import/acme/email", {
      as: adminKey,
      body: importOf(mail({ "In-Reply-To": `<${ours}>` }, "Fine"))
    })
    const answered = (await messages())[0]
    expect(at(answered, "thread_id")).toBe(textAt(first.json, "thread_id"))
    const inbound = (await messages()).find((each) => at(each, "actor") === "contact")
    const second = await send({ subject: undefined, reply_to_message_id: textAt(inbound, "message_id") })
    expect(at(second.json, "thread_id")).toBe(textAt(first.json, "thread_id"))
    expect(sink.mails[1]?.raw).toContain("In-Reply-To: <one@customer.example>")
    expect(sink.mails[1]?.raw).toMatch(/^Subject: Re: Kitchen\r?$/mu)
  })

  it("reports invalid fields and sends nothing", async () => {
    await begin()
    const early = await send()
    expect([early.status, early.code]).toEqual([409, "CONFLICT"])
    await connect()
    for (const [path, changes] of [
      ["to", { to: [] }],
      ["to.0.email", { to: [{ email: "nobody" }] }],
      ["cc.0.email", { cc: [{ email: "a b@x.example" }] }],
      ["to", { bcc: Array.from({ length: 100 }, (_, index) => ({ email: `b${index}@x.example` })) }],
      ["body", { body: "" }],
      ["from.email", { from: { email: "boss@other.example" } }],
      ["html", { html: "<p>" }]
    ] as const) {
      const answer = await send(changes)
      expect([path, answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([path, 400, path])
    }
    for (const id of ["msg_00000000000000000000000000", "nonsense"]) {
      expect((await send({ reply_to_message_id: id })).code).toBe("NOT_FOUND")
    }
    expect(sink.mails).toEqual([])
  })

  it("answers 502 with the provider's reason after a rejection", async () => {
    await begin({ rcpt: 550 })
    await connect()
    const refused = await send()
    expect([refused.status, refused.code]).toEqual([502, "PROVIDER_ERROR"])
    expect(refused.text).toContain("550 said the sink")
    expect(rateOf(refused)).toMatchObject({ limit: "50", remaining: "49" })
    expect(at((await messages())[0], "delivery")).toBe("failed")
  })

  it.each<readonly [delivery: string, fate: SinkFate]>([
    ["queued", 451],
    ["unknown", "cut"]
  ])("answers 201 with delivery %s after the relay's result %j", async (delivery, fate) => {
    await begin(fate)
    await connect()
    expect((await send()).status).toBe(201)
    expect(at((await messages())[0], "delivery")).toBe(delivery)
  })

  it("sends once per Idempotency-Key and caller", async () => {
    await begin()
    await connect()
    const key = { "idempotency-key": "k-1" }
    const first = await send({}, key)
    const again = await send({}, key)
    expect(again.json).toEqual(first.json)
    expect([first.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")]).toEqual([null, "true"])
    expect(rateOf(again)).toMatchObject({ limit: "50", remaining: "49" })
    expect((await send({ body: "Another" }, key)).code).toBe("IDEMPOTENCY_CONFLICT")
    const byAdmin = await email("POST", "/send", { body: letter, headers: key })
    expect(at(byAdmin.json, "message_id")).not.toBe(at(first.json, "message_id"))
    expect(sink.mails).toHaveLength(2)
  })

  it("sends exactly fifty of two hundred concurrent mails, with Retry-After for the others", async () => {
    await begin()
    await connect()
    const answers = await Promise.all(Array.from({ length: 200 }, () => send()))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(50)
    expect(answers.filter(({ code, status }) => status === 429 && code === "RATE_LIMITED")).toHaveLength(150)
    expect(sink.mails).toHaveLength(50)
    const refused = await send()
    expect(rateOf(refused)).toMatchObject({ limit: "50", remaining: "0" })
    expect(Number(rateOf(refused).retryAfter)).toBeGreaterThan(3_000)
    expect(Number(rateOf(refused).retryAfter)).toBeLessThanOrEqual(3_600)
    expect(Number(refused.headers.get("x-ratelimit-reset"))).toBeGreaterThan(Date.now() / 1000)
  })

  it("sends nothing without a relay and reports that", async () => {
    sink = await startSink()
    server = startServer()
    world = await makeWorld(server)
    await connect()
    expect((await send()).status).toBe(201)
    expect(at((await messages())[0], "delivery")).toBe("queued")
  })

  it("assigns a bounce to its message", async () => {
    await begin()
    await connect()
    await send()
    const id = textAt((await messages())[0], "internet_message_id")
    const report = [
      "--r",
      "Content-Type: text/plain",
      "",
      "Your mail could not be delivered.",
      "--r",
      "Content-Type: message/delivery-status",
      "",
      "Reporting-MTA: dns; mx.customer.example",
      "",
      "Final-Recipient: rfc822; jane@customer.example",
      "Action: failed",
      "Status: 5.1.1",
      "",
      "--r",
      "Content-Type: text/rfc822-headers",
      "",
      `Message-ID: <${id}>`,
      "Subject: Kitchen",
      "",
      "--r--"
    ].join("\r\n")
    const headers = {
      From: "Mail Delivery System <MAILER-DAEMON@customer.example>",
      To: "sales@acme.com",
      Subject: "Undelivered Mail",
      "Message-ID": "<dsn@customer.example>",
      "Auto-Submitted": "auto-replied",
      "MIME-Version": "1.0",
      "Content-Type": 'multipart/report; report-type=delivery-status; boundary="r"'
    }
    const accepted = await server.call("POST", "/api/v1/import/acme/email", {
      as: adminKey,
      body: importOf(mail(headers, report))
    })
    expect(at(accepted.json, "results", 0, "outcome")).toBe("bounce")
    const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
    const heads = at(list.json, "conversations")
    const all = await Promise.all(
      (Array.isArray(heads) ? heads : []).map((head) =>
        server.call("GET", `/api/v1/tenants/acme/conversations/${textAt(head, "contact_id")}`, { as: adminKey })
      )
    )
    const found = all
      .flatMap((page) => Object(at(page.json, "messages")))
      .find((each) => at(each, "internet_message_id") === id)
    expect(at(found, "delivery")).toBe("bounced")
  })
})

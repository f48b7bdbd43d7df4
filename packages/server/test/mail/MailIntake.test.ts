import { afterEach, describe, expect, it } from "vitest"
import { writesOut } from "../world/Broken.ts"
import { type MailServer, startMailServer } from "../world/MailServer.ts"
import { adminKey, at } from "../world/TestServer.ts"
import { mail, makeWorld, type World } from "../world/World.ts"

let server: MailServer
let world: World

const begin = async (...start: Parameters<typeof startMailServer>): Promise<void> => {
  server = await startMailServer(...start)
  world = await makeWorld(server)
}
afterEach(() => server.close())

const admin = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1${path}`, { as: adminKey, ...(body === undefined ? {} : { body }) })

const connect = (email: string, tenantId = "acme") =>
  admin("POST", `/tenants/${tenantId}/email/connect`, { provider: "smtp", email })

const aliases = async (): Promise<unknown> => at((await admin("GET", "/tenants/acme/email/aliases")).json, "aliases")

const pick = (messages: ReadonlyArray<unknown>, ...names: ReadonlyArray<string>) =>
  messages.map((message) => names.map((name) => at(message, name)))

/** Returns nested messages. */
const nested = (depth: number): string =>
  Array.from({ length: depth }).reduce<string>(
    (inner, _, index) =>
      [
        `Content-Type: multipart/mixed; boundary=b${index}`,
        "",
        `--b${index}`,
        "Content-Type: message/rfc822",
        "",
        inner,
        `--b${index}--`,
        ""
      ].join("\r\n"),
    "From: a@x.example\r\n\r\nHello"
  )

describe.each(["sqlite", "postgres"] as const)("mail that arrives on %s", (database) => {
  it("is stored before it is accepted, and is then visible in the API", async () => {
    await begin(database)
    expect(await server.send(["sales@acme.com"], mail({}, "A kitchen, please."))).toEqual({
      code: 250,
      text: "250 2.0.0 Stored"
    })
    const [message, ...more] = await server.messages()
    expect(more).toEqual([])
    expect(message).toMatchObject({ actor: "contact", body: "A kitchen, please.", received_alias: "sales@acme.com" })
  })

  it("is accepted for accounts, aliases and domains of active tenants only", async () => {
    await begin(database)
    await connect("acme.team@gmail.com")
    const said = async (to: string) => (await server.send([to], mail({ "Message-ID": `<${to}>` }, to))).code
    for (const to of ["Sales@ACME.com", "anybody@mail.acme.com", "acme.team@gmail.com"]) {
      expect([to, await said(to)]).toEqual([to, 250])
    }
    for (const to of ["x@gmail.com", "jane@customer.example", "x@clinic.com", "x@notacme.com", "postmaster"]) {
      expect([to, await said(to)]).toEqual([to, 550])
    }
    const refused = await server.send(["x@nowhere.example"], mail({}, "x"))
    expect(refused.text).toContain("5.7.1")
    expect((await admin("DELETE", "/admin/tenants/other")).status).toBeLessThan(300)
    expect(await said("x@other.com")).toBe(550)
    expect(await server.messages("clinic")).toEqual([])
  })

  it("does not go to a tenant that connects an address on another tenant's domain", async () => {
    await begin(database)
    expect(await connect("boss@acme.com", "other")).toMatchObject({ status: 409, code: "CONFLICT" })
    expect((await server.send(["boss@acme.com"], mail({}, "For the boss."))).code).toBe(250)
    expect(await server.messages("other")).toEqual([])
    expect(pick(await server.messages(), "body")).toEqual([["For the boss."]])
  })

  it("to several tenants is stored once for each, with the address of each", async () => {
    await begin(database)
    const to = ["sales@acme.com", "hello@other.com", "info@acme.com"]
    expect((await server.send(to, mail({ To: "somebody@elsewhere.example" }, "Hello all."))).code).toBe(250)
    expect(pick(await server.messages(), "body", "received_alias")).toEqual([["Hello all.", "sales@acme.com"]])
    expect(pick(await server.messages("other"), "body", "received_alias")).toEqual([["Hello all.", "hello@other.com"]])
  })

  it("has the address in its header if it arrived at several addresses of one tenant", async () => {
    await begin(database)
    await server.send(["blind@acme.com", "info@acme.com"], mail({ To: "a@x.example", Cc: "Info <info@acme.com>" }, "x"))
    expect(pick(await server.messages(), "received_alias")).toEqual([["info@acme.com"]])
  })

  it("of strangers creates no aliases, and is stored with the address at which it arrived", async () => {
    await begin(database)
    const arrive = (to: string) => server.send([to], mail({ "Message-ID": `<${to}>` }, to))
    expect((await connect("sales@acme.com")).status).toBe(201)
    await arrive("blind@acme.com")
    await Promise.all(Array.from({ length: 25 }, (_, index) => arrive(`a${index}@acme.com`)))
    expect(await aliases()).toEqual([])
    expect(pick(await server.messages(), "received_alias")).toContainEqual(["blind@acme.com"])
    expect((await server.messages()).length).toBe(26)
  })

  it("that arrives two hundred times concurrently is one message, one lead and one signal", async () => {
    await begin(database, { connectionsPerNetwork: 500 })
    await connect("sales@acme.com")
    const copies = await Promise.all(
      Array.from({ length: 200 }, () => server.send(["sales@acme.com"], mail({}, "A kitchen, please.")))
    )
    expect(copies.filter(({ code }) => code !== 250)).toEqual([])
    expect(await server.messages()).toHaveLength(1)
    expect(await server.backlog()).toBe(1)
    const leads = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: world.acme.apiKey })
    expect(at(leads.json, "conversations")).toHaveLength(1)
    expect(at(leads.json, "conversations", 0, "lead_id")).toMatch(/^lead_/u)
  }, 300_000)

  it("with a sender address of the tenant receives no automatic reply", async () => {
    await begin(database)
    await connect("team@gmail.com")
    for (const [index, from] of ["The boss <boss@acme.com>", "team@gmail.com"].entries()) {
      const forged = mail({ From: from, "Message-ID": `<${index}@acme.com>` }, "Send me the list.")
      expect((await server.send(["sales@acme.com"], forged)).code).toBe(250)
    }
    const known = [["contact", null, ["sender_unverified"]]]
    expect(pick(await server.messages(), "actor", "auto", "flags")).toEqual([...known, ...known])
  })

  it("that the tenant sent changes nothing when it returns", async () => {
    await begin(database)
    await connect("sales@acme.com")
    const letter = { to: [{ email: "jane@customer.example" }], subject: "Kitchen", body: "Hello Jane" }
    await admin("POST", "/tenants/acme/email/send", letter)
    const [sent] = await server.messages()
    const id = String(at(sent, "internet_message_id"))
    const Date = new globalThis.Date(String(at(sent, "timestamp"))).toUTCString()
    const back = mail(
      { From: "sales@acme.com", To: "jane@customer.example", "Message-ID": `<${id}>`, Date },
      "Hello Jane"
    )
    expect((await server.send(["sales@acme.com"], back)).code).toBe(250)
    expect(await server.messages()).toEqual([sent])
  })

  it("is deferred while it cannot be stored, and accepted later", async () => {
    const broken = { on: false }
    await begin(database, {}, writesOut(broken))
    broken.on = true
    const refused = await server.send(["sales@acme.com"], mail({}, "A kitchen, please."))
    expect(refused.code).toBe(451)
    expect(refused.text).not.toContain("hunter2")
    broken.on = false
    expect((await server.send(["sales@acme.com"], mail({}, "A kitchen, please."))).code).toBe(250)
    expect(await server.messages()).toHaveLength(1)
  })

  it("without a sender is a bounce or automatic, and receives no reply", async () => {
    await begin(database)
    await server.send(["sales@acme.com"], mail({}, "I am away."), "")
    expect(pick(await server.messages(), "auto", "flags")).toEqual([["auto_reply", ["no_auto_reply"]]])
  })

  it.each([
    ["has no sender", "Subject: x\r\n\r\nHello"],
    ["has two senders", "From: a@x.example\r\nFrom: b@y.example\r\n\r\nHello"],
    ["has an id of 10 kB", `From: a@x.example\r\nMessage-ID: <${"i".repeat(10_000)}@x>\r\n\r\nHello`],
    ["has NUL everywhere", "From: a\0b@x.example\r\nSubj\0ect: \0\r\nMessage-ID: <\0@x>\r\n\r\nHel\0lo"],
    [
      "is not UTF-8",
      Buffer.from([...Buffer.from("From: a@x.example\r\nSubject: "), 0xff, 0xc3, 0x28, 13, 10, 13, 10, 0xe9])
    ],
    ["has one line of 4 MB", `From: a@x.example\r\n\r\n${"long ".repeat(800_000)}`],
    ["has ten thousand header lines", `From: a@x.example\r\n${"X-A: b\r\n".repeat(10_000)}\r\nHello`],
    ["is empty", ""],
    ["is nested a hundred times", nested(100)]
  ])("that %s is stored once", async (_, raw) => {
    await begin(database)
    expect((await server.send(["sales@acme.com"], raw)).code).toBe(250)
    expect((await server.send(["sales@acme.com"], raw)).code).toBe(250)
    expect(await server.messages()).toHaveLength(1)
  })
})

it("of 25 MB is rejected, and a slightly smaller one is stored", async () => {
  await begin("sqlite")
  const mailOf = (bytes: number) => `From: a@x.example\r\n\r\n${"0123456789abcdef".repeat(bytes / 16)}`
  // The server announces the limit, so a sender that supports it does not start.
  expect((await server.send(["sales@acme.com"], mailOf(25 * 1_048_576))).text).toContain("larger than allowed 26214400")
  expect(await server.messages()).toEqual([])
  expect((await server.send(["sales@acme.com"], mailOf(24 * 1_048_576))).code).toBe(250)
  expect(await server.messages()).toHaveLength(1)
}, 300_000)

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { someConfig } from "../../world/Endpoints.ts"
import { type Answer, adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, sourceId, type World } from "../../world/World.ts"

let server: TestServer
let world: World

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_PUBLIC: "1000" })
  world = await makeWorld(server)
  await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body: someConfig })
})
afterAll(() => server.close())

const base = "/api/v1/tenants/acme"
const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  server.call("POST", path, { as: adminKey, body, headers })

const contactOf = async (id: string): Promise<unknown> =>
  (await server.call("GET", `${base}/contacts/${id}`, { as: adminKey })).json

/** Returns the newest contact. */
const newest = async (): Promise<unknown> => {
  const heads = await server.call("GET", `${base}/conversations`, { as: adminKey })
  return contactOf(textAt(heads.json, "conversations", 0, "contact_id"))
}

/** Submits an address through every entry point, and returns the contact. */
const entries: Readonly<Record<string, (email: string) => Promise<unknown>>> = {
  "a custom event": async (email) => {
    const body = { entity: { email }, content: { body: "Hello" } }
    await server.call("POST", `/api/v1/events/acme/${sourceId}`, { as: world.acme.sourceKey, body })
    return newest()
  },
  "the pipeline": async (email) => {
    await post("/api/v1/webhook/automation/acme", { message: "Hello", contact: { email } })
    return newest()
  },
  "a form": async (email) => {
    await server.call("POST", "/api/v1/public/leads/acme", { body: { email, message: "Hello" } })
    return newest()
  },
  "an imported mail": async (email) => {
    const headers = { From: `Jane <${email}>`, "Message-ID": `<${email}>`, Date: new Date().toUTCString() }
    const imported = await post("/api/v1/import/acme/email", importOf(mail(headers, "Hello")))
    return contactOf(textAt(imported.json, "results", 0, "contact_id"))
  },
  "the contacts API": async (email) => (await post(`${base}/contacts`, { email })).json,
  "a change of a contact": async (email) => {
    const made = await post(`${base}/contacts`, { name: "Jane" })
    const path = `${base}/contacts/${textAt(made.json, "id")}`
    return (await server.call("PATCH", path, { as: adminKey, body: { email } })).json
  },
  "resolving a contact": async (email) => {
    const { json } = await post(`${base}/contacts/resolve`, { email, create: true })
    return contactOf(textAt(json, "contact", "id"))
  },
  "a lead": async (email) => {
    const made = await post(`${base}/leads`, { contact: { email } })
    return contactOf(textAt(made.json, "contact_id"))
  },
  "a batch": async (email) => {
    await server.call("PATCH", "/api/v1/admin/tenants/acme", { as: adminKey, body: { plan: "growth" } })
    await post(`${base}/pipeline/batch`, { items: [{ message: "Hello", contact: { email } }] })
    return newest()
  }
}

describe("an address", () => {
  it.each(Object.keys(entries))("that arrives by %s is stored in lower case and finds the same contact", async (by) => {
    const name = `Jane.${by.replaceAll(" ", "")}`
    const first = await entries[by]?.(`${name}@Customer.EXAMPLE`)
    expect(at(first, "email")).toBe(`${name}@customer.example`.toLowerCase())
    const found = await post(`${base}/contacts/resolve`, { email: `${name.toUpperCase()}@customer.example` })
    expect(at(found.json, "contact", "id")).toBe(at(first, "id"))
  })

  it("of an account and its aliases is stored in lower case and found in any case", async () => {
    const connected = await post(`${base}/email/connect`, { provider: "smtp", email: "Sales@ACME.com" })
    expect(at(connected.json, "email")).toBe("sales@acme.com")
    const aliases = await server.call("PATCH", `${base}/email/aliases`, {
      as: adminKey,
      body: { aliases: ["Info@Acme.COM"] }
    })
    expect(at(aliases.json, "aliases")).toEqual(["info@acme.com"])
    const headers = { To: "INFO@acme.com", Cc: "Bo@Customer.example", "Message-ID": "<to-alias@customer.example>" }
    await post("/api/v1/import/acme/email", importOf(mail({ ...headers, From: "Al@Customer.example" }, "Hello")))
    const listed = await server.call("GET", `${base}/conversations?alias=iNFO@acme.com`, { as: adminKey })
    const contactId = textAt(listed.json, "conversations", 0, "contact_id")
    const read = await server.call("GET", `${base}/conversations/${contactId}`, { as: adminKey })
    expect(at(read.json, "messages", 0)).toMatchObject({
      from: "al@customer.example",
      to: ["info@acme.com"],
      cc: ["bo@customer.example"],
      received_alias: "info@acme.com"
    })
  })
})

describe("a conversation", () => {
  it("marks automatic messages, and shows the recipient of a pending text draft", async () => {
    const rule = {
      id: "rule_draft",
      name: "Drafts",
      priority: 1,
      when: { fact: "message.text", op: "contains", value: "draft" },
      actions: [{ type: "reply", template: "We can come on Monday." }]
    }
    await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body: { ...someConfig, rules: [rule] } })
    for (const channel of ["chat", "voice", "webhook", "sms"])
      await post("/api/v1/webhook/automation/acme", {
        message: "Please draft an answer",
        contact: { phone: "+12125550188" },
        channel
      })
    const found = await post(`${base}/contacts/resolve`, { phone: "+12125550188" })
    const path = `${base}/conversations/${textAt(found.json, "contact", "id")}`
    const read = await server.call("GET", path, { as: adminKey })
    const messages = at(read.json, "messages")
    expect(Array.isArray(messages) && messages.map((message) => at(message, "auto"))).toEqual([null, null, null, null])
    expect(at(read.json, "pending_draft")).toMatchObject({ channel: "sms", to: ["+12125550188"], subject: null })
  })
})

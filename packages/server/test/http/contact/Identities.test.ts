import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { startTwilio, type TwilioStandIn } from "../../world/TwilioStandIn.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

let sink: SmtpSink
let twilio: TwilioStandIn
let server: TestServer
let world: World
let number = 0

const contacts = "/api/v1/tenants/acme/contacts"
const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `${contacts}${path}`, { as: world.acme.apiKey, ...(body === undefined ? {} : { body }) })

const address = (): string => `person.${(number += 1)}@customer.example`
const make = async (body: unknown): Promise<string> => textAt((await call("POST", "", body)).json, "id")

type Seen = ReadonlyArray<{ readonly id: string; readonly value: string; readonly primary: boolean }>
const seen = async (contactId: string): Promise<Seen> => {
  const list = at((await call("GET", `/${contactId}/identities`)).json, "identities")
  if (!Array.isArray(list)) throw new Error("no identities")
  return list.map((one: unknown) => ({
    id: textAt(one, "id"),
    value: textAt(one, "value"),
    primary: at(one, "primary") === true
  }))
}
const valuesOf = async (contactId: string) =>
  (await seen(contactId)).map(({ primary, value }) => `${value}${primary ? " *" : ""}`)
const idOf = async (contactId: string, value: string): Promise<string> => {
  const found = (await seen(contactId)).find((one) => one.value === value)
  if (found === undefined) throw new Error(`no identity ${value}`)
  return found.id
}

beforeAll(async () => {
  sink = await startSink()
  twilio = await startTwilio()
  const smtp = { LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}` }
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", LEADLOOM_LIMIT_WEBHOOK: "100000", ...smtp, ...twilio.env })
  world = await makeWorld(server)
  const body = { provider: "smtp", email: "sales@acme.com", name: "Acme" }
  await server.call("POST", "/api/v1/tenants/acme/email/connect", { as: adminKey, body })
})
afterAll(async () => {
  await server.close()
  await sink.close()
  twilio.close()
})

describe("identities of a contact", () => {
  it("have label, verification and exactly one primary of each kind", async () => {
    const [first, second] = [address(), address()]
    const contactId = await make({ email: first })
    const added = await call("POST", `/${contactId}/identities`, {
      kind: "email",
      value: ` ${second.toUpperCase()} `,
      label: "work",
      verified: true
    })
    expect([added.status, added.json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^idn_[0-9a-z]{26}$/u),
        kind: "email",
        value: second,
        source: null,
        label: "work",
        primary: false,
        verified: true,
        verified_at: expect.any(String),
        undeliverable: null,
        created_at: expect.any(String)
      }
    ])
    expect(await valuesOf(contactId)).toEqual([`${first} *`, second])
    const phone = await call("POST", `/${contactId}/identities`, { kind: "phone", value: "+1 415 555 0142" })
    expect(phone.json).toMatchObject({ value: "+14155550142", primary: true, verified: false, label: null })
    expect((await call("GET", `/${contactId}`)).json).toMatchObject({ email: first, phone: "+14155550142" })
    const detail = (await call("GET", `/${contactId}/detail`)).json
    expect(at(detail, "identities")).toEqual(at((await call("GET", `/${contactId}/identities`)).json, "identities"))
  })

  it("change, and making one primary changes the contact", async () => {
    const [first, second] = [address(), address()]
    const contactId = await make({ email: first })
    await call("POST", `/${contactId}/identities`, { kind: "email", value: second, label: "old" })
    const path = `/${contactId}/identities/${await idOf(contactId, second)}`
    const changed = await call("PATCH", path, { primary: true, label: null, verified: true })
    expect(changed.json).toMatchObject({ primary: true, label: null, verified: true })
    expect(await valuesOf(contactId)).toEqual([first, `${second} *`])
    expect(at((await call("GET", `/${contactId}`)).json, "email")).toBe(second)
    expect((await call("PATCH", path, { verified: false })).json).toMatchObject({ verified: false, verified_at: null })
    expect((await call("PATCH", path, { primary: false })).code).toBe("BAD_REQUEST")
    expect((await call("PATCH", `/${contactId}/identities/idn_none`, {})).code).toBe("NOT_FOUND")
  })

  it("are removed, and the oldest one of the same kind becomes primary", async () => {
    const [first, second, third] = [address(), address(), address()]
    const contactId = await make({ email: first })
    for (const value of [second, third]) await call("POST", `/${contactId}/identities`, { kind: "email", value })
    await call("DELETE", `/${contactId}/identities/${await idOf(contactId, first)}`)
    expect(await valuesOf(contactId)).toEqual([`${second} *`, third])
    await call("DELETE", `/${contactId}/identities/${await idOf(contactId, third)}`)
    await call("DELETE", `/${contactId}/identities/${await idOf(contactId, second)}`)
    expect(await valuesOf(contactId)).toEqual([])
    expect(at((await call("GET", `/${contactId}`)).json, "email")).toBeNull()
    expect((await call("POST", "/resolve", { email: first })).status).toBe(404)
  })

  it("of another contact are a conflict that names this contact", async () => {
    const taken = address()
    const [holder, other] = [await make({ email: taken }), await make({ name: "Other" })]
    const answer = await call("POST", `/${other}/identities`, { kind: "email", value: taken })
    expect([answer.status, at(answer.json, "error", "details", "contact_id")]).toEqual([409, holder])
    expect(answer.text).toContain("merge")
    expect(await valuesOf(other)).toEqual([])
  })

  it("of another tenant answer 404", async () => {
    const contactId = await make({ email: address() })
    const path = `/api/v1/tenants/other/contacts/${contactId}/identities`
    expect((await server.call("GET", path, { as: world.other.apiKey })).status).toBe(404)
  })

  it("are limited to 50, and invalid ones are rejected", async () => {
    const contactId = await make({ name: "Many" })
    const add = (value: string, kind = "email") => call("POST", `/${contactId}/identities`, { kind, value })
    expect((await add("not an address")).code).toBe("BAD_REQUEST")
    expect((await add("12", "phone")).code).toBe("BAD_REQUEST")
    expect((await add("x", "external")).code).toBe("BAD_REQUEST")
    for (let index = 0; index < 50; index++) expect((await add(address())).status).toBe(201)
    expect((await add(address())).code).toBe("CONFLICT")
  })
})

describe("merges", () => {
  it("keep all identities with their details, and an undo returns them", async () => {
    const [mine, theirs, work] = [address(), address(), address()]
    const primary = await make({ email: mine })
    const duplicate = await make({ email: theirs })
    await call("POST", `/${duplicate}/identities`, { kind: "email", value: work, label: "work" })
    const before = [await seen(primary), await seen(duplicate)]
    const merged = await call("POST", "/merge", { primary_contact_id: primary, duplicate_contact_id: duplicate })
    expect(await valuesOf(primary)).toEqual([`${mine} *`, theirs, work])
    const path = `/${primary}/identities/${await idOf(primary, work)}`
    expect((await call("PATCH", path, { verified: true })).json).toMatchObject({ label: "work" })
    await call("PATCH", path, { primary: true })
    await call("POST", `/merges/${textAt(merged.json, "merge_id")}/undo`)
    expect([await seen(primary), await seen(duplicate)]).toEqual(before)
  })

  it("never leave a contact with an address that was removed", async () => {
    const [mine, theirs] = [address(), address()]
    const [primary, duplicate] = [await make({ email: mine }), await make({ email: theirs })]
    const merged = await call("POST", "/merge", { primary_contact_id: primary, duplicate_contact_id: duplicate })
    await call("DELETE", `/${primary}/identities/${await idOf(primary, mine)}`)
    await call("POST", `/merges/${textAt(merged.json, "merge_id")}/undo`)
    expect(await valuesOf(duplicate)).toEqual([`${theirs} *`])
    expect((await call("GET", `/${primary}`)).json).toMatchObject({ email: null })
  })
})

describe("sending", () => {
  const received = async (from: string) => {
    const headers = { From: from, "Message-ID": `<${(number += 1)}@customer.example>`, Subject: `Roof ${number}` }
    const body = { ...importOf(mail(headers, "A roof?")), historical: true }
    const imported = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body })
    return textAt(imported.json, "results", 0, "contact_id")
  }
  const send = (contactId: string, body: unknown) =>
    server.call("POST", `/api/v1/tenants/acme/conversations/${contactId}/messages`, { as: world.acme.apiKey, body })

  it("answers a mail at its own address, also when another one is primary", async () => {
    const [first, second] = [address(), address()]
    const contactId = await received(first)
    await call("POST", `/${contactId}/identities`, { kind: "email", value: second, primary: true })
    expect((await send(contactId, { channel: "email", body: "Monday" })).status).toBe(200)
    expect(sink.mails.at(-1)?.raw).toContain(`To: ${first}`)
  })

  it("never fills a contact with the address of another one", async () => {
    const taken = address()
    const phone = "+14155550177"
    const holder = await make({ email: taken })
    const caller = await make({ phone })
    const body = { message: "Both of us", contact: { email: taken, phone } }
    await server.call("POST", "/api/v1/webhook/automation/acme", { as: world.acme.apiKey, body })
    expect((await call("GET", `/${caller}`)).json).toMatchObject({ email: null, phone })
    expect((await call("GET", `/${holder}`)).json).toMatchObject({ email: taken, phone: null })
  })

  it("clears an undeliverable address", async () => {
    const contactId = await received(address())
    const [identity] = await seen(contactId)
    if (identity === undefined) throw new Error("no identity")
    await server.run(
      Effect.flatMap(Contacts, (contacts) => contacts.markUndeliverable("acme", identity.value, 1, "550 gone"))
    )
    const path = `/${contactId}/identities/${identity.id}`
    expect(at((await call("GET", `/${contactId}/identities`)).json, "identities", 0, "undeliverable")).toBe("550 gone")
    expect((await send(contactId, { channel: "email", body: "Monday" })).code).toBe("CONFLICT")
    expect((await call("PATCH", path, { undeliverable: null })).json).toMatchObject({ undeliverable: null })
    expect((await send(contactId, { channel: "email", body: "Monday" })).status).toBe(200)
  })
})

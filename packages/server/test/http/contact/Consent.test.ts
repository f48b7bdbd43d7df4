import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { drainSignals } from "@leadloom/testkit/suite/Scene"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Issuer, startIssuer } from "../../world/Issuer.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { signedForm, startTwilio, type TwilioStandIn } from "../../world/TwilioStandIn.ts"
import { makeWorld, type World } from "../../world/World.ts"
import { zoneOfNoon } from "../../world/ZoneOfNoon.ts"

const ours = "+15550100001"
const path = "/api/v1/tenants/acme/contacts"

let sink: SmtpSink
let issuer: Issuer
let twilio: TwilioStandIn
let server: TestServer
let world: World
let manager: string
let texts = 0

const call = (method: string, rest: string, body?: unknown, as = world.acme.apiKey) =>
  server.call(method, `${path}${rest}`, { as, ...(body === undefined ? {} : { body }) })

/** Creates a contact in a time zone where it is about noon. */
const make = async (body: object): Promise<string> =>
  textAt((await call("POST", "", { attributes: { time_zone: zoneOfNoon() }, ...body })).json, "id")

const consents = async (contactId: string) => at((await call("GET", `/${contactId}/consent`)).json, "consents")
const identityOf = async (contactId: string): Promise<string> => textAt(await consents(contactId), 0, "identity_id")

const record = async (contactId: string, body: object, as?: string) =>
  call("POST", `/${contactId}/consent`, { identity_id: await identityOf(contactId), ...body }, as)

/** A text of a contact, as Twilio reports it. */
const writes = async (from: string, text: string) => {
  const form = { MessageSid: `SM${String((texts += 1)).padStart(32, "0")}`, From: from, To: ours, Body: text }
  const url = "/api/v1/webhook/providers/twilio/sms"
  const { body, headers } = signedForm(twilio.token, url, form)
  const answer = await server.call("POST", url, { body, headers })
  expect(answer.status).toBe(200)
  await server.run(drainSignals)
}

const say = (contactId: string, channel = "sms") =>
  server.call("POST", `/api/v1/tenants/acme/conversations/${contactId}/messages`, {
    as: world.acme.apiKey,
    body: { channel, body: "Hello" }
  })

beforeAll(async () => {
  sink = await startSink()
  issuer = await startIssuer()
  twilio = await startTwilio()
  const smtp = { LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}` }
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000", ...smtp, ...twilio.env, ...issuer.env })
  world = await makeWorld(server)
  manager = await issuer.token({ role: "manager" })
  const number = { phone: ours, tenant_id: "acme" }
  await server.call("PUT", "/api/v1/admin/phone-numbers", { as: adminKey, body: number })
  const body = { provider: "smtp", email: "sales@acme.com", name: "Acme" }
  await server.call("POST", "/api/v1/tenants/acme/email/connect", { as: adminKey, body })
}, 30_000)
afterAll(async () => {
  await server.close()
  await issuer.stop()
  await sink.close()
  twilio.close()
})

describe("consent", () => {
  it("is unknown until it is recorded, and a consent requires a proof", async () => {
    const contactId = await make({ phone: "+12125550111", email: "consent@customer.example" })
    expect(await consents(contactId)).toMatchObject([
      { kind: "email", channels: ["email"], status: "unknown", needs_manager: false, records: [] },
      { kind: "phone", value: "+12125550111", channels: ["sms", "voice"], status: "unknown", records: [] }
    ])
    expect((await record(contactId, { status: "opted_in" })).code).toBe("BAD_REQUEST")
    expect((await record(contactId, { status: "opted_in", proof: " " })).code).toBe("BAD_REQUEST")
    const proof = "Ticked the box of the form Roof 2026"
    const recorded = await record(contactId, { status: "opted_in", source: "form", proof })
    expect(at(recorded.json, "consents", 0)).toMatchObject({
      status: "opted_in",
      records: [{ status: "opted_in", source: "form", proof, own_number: null, history: [] }]
    })
    expect(textAt(recorded.json, "consents", 0, "records", 0, "recorded_by")).toMatch(/^key_/u)
  })

  it("is recorded as an opt-out that stops texts, and a person can lift it with a proof", async () => {
    const contactId = await make({ phone: "+12125550112" })
    expect((await say(contactId)).status).toBe(200)
    await record(contactId, { status: "opted_out", proof: "Asked me on the telephone", source: "call" })
    const denied = await say(contactId)
    expect([denied.code, denied.text.includes("opted out")]).toEqual(["CONFLICT", true])
    const lifted = await record(contactId, { status: "opted_in", proof: "Called again and agreed" })
    expect(lifted.status).toBe(200)
    expect(at(lifted.json, "consents", 0, "records", 0, "history")).toMatchObject([
      { status: "opted_out", source: "call", proof: "Asked me on the telephone" }
    ])
    expect((await say(contactId)).status).toBe(200)
  })

  it("lets only a manager lift a STOP, with a proof and an audit entry", async () => {
    const jane = "+12125550113"
    const contactId = await make({ phone: jane })
    await writes(jane, "STOP")
    expect(await consents(contactId)).toMatchObject([
      { status: "opted_out", needs_manager: true, records: [{ source: "keyword", own_number: ours, proof: null }] }
    ])
    const lift = { status: "opted_in", proof: "Signed the form of March 2" }
    for (const as of [world.acme.apiKey, world.acme.session, await issuer.token({ role: "agent" })])
      expect((await record(contactId, lift, as)).code).toBe("FORBIDDEN")
    expect((await record(contactId, { status: "opted_in" }, manager)).code).toBe("BAD_REQUEST")
    expect((await say(contactId)).code).toBe("CONFLICT")
    const lifted = await record(contactId, lift, manager)
    expect(at(lifted.json, "consents", 0)).toMatchObject({ status: "opted_in", needs_manager: false })
    expect((await say(contactId)).status).toBe(200)
    const audit = await server.call("GET", "/api/v1/tenants/acme/audit?limit=1", { as: adminKey })
    expect(at(audit.json, "entries", 0)).toMatchObject({
      action: "contactConsent.record",
      target: { contact_id: contactId },
      change: { after: { opted_out: false, source: "person" } }
    })
    expect(audit.text).not.toContain("Signed the form")
    await writes(jane, "STOP")
    expect((await say(contactId)).code).toBe("CONFLICT")
  })

  it("is lifted by the contact's own START", async () => {
    const joe = "+12125550114"
    const contactId = await make({ phone: joe })
    await writes(joe, "STOP")
    expect((await record(contactId, { status: "opted_out" })).status).toBe(200)
    expect(at(await consents(contactId), 0, "needs_manager")).toBe(true)
    await writes(joe, "START")
    expect(at(await consents(contactId), 0, "needs_manager")).toBe(false)
  })

  it("stops emails to an address", async () => {
    const contactId = await make({ email: "no.mail@customer.example" })
    await record(contactId, { status: "opted_out" })
    const body = { to: [{ email: "No.Mail@customer.example" }], subject: "Roof", body: "Hello" }
    const send = () => server.call("POST", "/api/v1/tenants/acme/email/send", { as: world.acme.apiKey, body })
    const denied = await send()
    expect([denied.code, denied.text.includes("opted out")]).toEqual(["CONFLICT", true])
    await record(contactId, { status: "opted_in", proof: "Wrote to us" })
    expect((await send()).status).toBe(201)
  })

  it("leaves no proof after an erasure, and still stops messages", async () => {
    const phone = "+12125550115"
    const contactId = await make({ phone })
    await record(contactId, { status: "opted_in", proof: "secret words" })
    await record(contactId, { status: "opted_out", proof: "more secret words" })
    const erase = { as: adminKey, body: { confirm: contactId } }
    expect((await server.call("POST", `${path}/${contactId}/erase`, erase)).status).toBe(200)
    const again = await make({ phone })
    expect(await consents(again)).toMatchObject([
      { status: "opted_out", records: [{ proof: null, history: [{ status: "opted_in", proof: null }] }] }
    ])
    expect((await say(again)).code).toBe("CONFLICT")
  })

  it("of an unknown identity, an external id and another tenant is not found", async () => {
    const contactId = await make({ phone: "+12125550116" })
    expect((await record(contactId, { status: "opted_out", identity_id: "idn_none" })).code).toBe("NOT_FOUND")
    const elsewhere = `/api/v1/tenants/other/contacts/${contactId}/consent`
    expect((await server.call("GET", elsewhere, { as: world.other.apiKey })).code).toBe("NOT_FOUND")
  })
})

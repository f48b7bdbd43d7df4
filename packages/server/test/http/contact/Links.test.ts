import { linkScanMillis } from "@leadloom/core/internal/domain/link/TrackedLink"
import { TrackedLinks } from "@leadloom/core/internal/port/repository/sequence/TrackedLinks"
import { workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { drainSends } from "@leadloom/testkit/suite/Scene"
import { Clock, Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Issuer, startIssuer } from "../../world/Issuer.ts"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"
import { zoneOfNoon } from "../../world/ZoneOfNoon.ts"

const publicUrl = "https://leads.example"
const quote = "https://shop.example/quote?a=1&b=2"
const html = `<p>Hello <a href="https://shop.example/quote?a=1&amp;b=2">your quote</a></p>`

let sink: SmtpSink
let issuer: Issuer
let server: TestServer
let world: World
let people = 0

const call = (method: string, path: string, body?: object, as = adminKey) =>
  server.call(method, `/api/v1/tenants/acme${path}`, { as, ...(body === undefined ? {} : { body }) })

const configure = (body: object, as = adminKey, method = "PATCH") =>
  server.call(method, "/api/v1/config/acme", { as, body })

beforeAll(async () => {
  sink = await startSink()
  issuer = await startIssuer()
  const smtp = { LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}` }
  const limits = { LEADLOOM_LIMIT_BAD_CREDENTIALS: "12", LEADLOOM_LIMIT_ADMIN: "100000" }
  server = startServer({ LEADLOOM_PUBLIC_URL: publicUrl, ...limits, ...smtp, ...issuer.env })
  world = await makeWorld(server)
  const body = { provider: "smtp", email: "sales@acme.com", name: "Acme" }
  await server.call("POST", "/api/v1/tenants/acme/email/connect", { as: adminKey, body })
  await configure({ link_tracking: true })
}, 30_000)
afterAll(async () => {
  await server.close()
  await issuer.stop()
  await sink.close()
})

/** Decodes quoted-printable text (RFC 2045 section 6.7) in ASCII. */
const decoded = (text: string): string =>
  text
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/gu, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))

/** Enrols a new contact in a sequence of one email. Returns the ids, and the mail as the recipient receives it. */
const receive = async () => {
  people += 1
  const attributes = { time_zone: zoneOfNoon() }
  const contact = await call("POST", "/contacts", { email: `person.${people}@customer.example`, attributes })
  const contactId = textAt(contact.json, "id")
  const delay = { amount: 0, unit: "minutes" }
  const step = { name: "hello", kind: "send", channel: "email", subject: "Hello", body: html, delay }
  const sequence = await call("POST", "/sequences", { name: `Hello ${people}`, steps: [step] })
  const sequenceId = textAt(sequence.json, "id")
  await call("POST", `/sequences/${sequenceId}/enrolments`, { contact_id: contactId })
  await server.run(Effect.andThen(workDueEnrolments(), drainSends))
  return { contactId, sequenceId, mail: decoded(sink.mails[people - 1]?.raw ?? "") }
}

const linkIn = (mail: string): string =>
  new URL(/https:\/\/leads\.example\/api\/v1\/public\/links\/[\w-]+\.acme/u.exec(mail)?.[0] ?? "missing:").pathname

/** Moves the handover of a message into the past, when programs checked its links. */
const passScan = (path: string) =>
  server.run(
    Effect.gen(function* () {
      const links = yield* TrackedLinks
      const link = yield* links.find("acme", (path.split("/").at(-1) ?? "").split(".")[0] ?? "")
      const past = (yield* Clock.currentTimeMillis) - linkScanMillis
      if (link !== null) yield* links.markSent("acme", link.messageId, past)
    })
  )

const fetchPath = (path: string, init: RequestInit = {}) =>
  server.fetch(new Request(`http://localhost${path}`, { redirect: "manual", ...init }))

const openedOf = async (sequenceId: string) =>
  at((await call("GET", `/sequences/${sequenceId}/results`)).json, "results", 0, "opened")

describe("a tracked link", () => {
  it("redirects to its URL, and counts once for a page that a person opens", async () => {
    const { contactId, mail, sequenceId } = await receive()
    const path = linkIn(mail)
    expect(mail).toContain("your quote</a>")
    expect(mail).not.toContain("shop.example/quote")
    await fetchPath(path)
    await passScan(path)
    const checked = await fetchPath(path, { method: "HEAD" })
    expect([checked.status, checked.headers.get("location")]).toEqual([302, quote])
    await fetchPath(path, { headers: { "sec-purpose": "prefetch;prerender" } })
    expect(await openedOf(sequenceId)).toBe(0)
    const opened = await fetchPath(path, { headers: { "user-agent": "Agent of Jo", "x-forwarded-for": "203.0.113.9" } })
    expect(opened.status).toBe(302)
    expect(
      ["location", "cache-control", "referrer-policy", "x-robots-tag"].map((name) => opened.headers.get(name))
    ).toEqual([quote, "no-store", "no-referrer", "noindex"])
    expect(await opened.text()).toBe("")
    expect(await openedOf(sequenceId)).toBe(1)
    const events = (await call("GET", "/events?types=link.opened")).json
    expect(at(events, "events", 0, "event", "data")).toMatchObject({ contact_id: contactId, step: "hello", url: quote })
    expect(at(events, "events", 1)).toBeUndefined()
    expect(JSON.stringify(events)).not.toMatch(/Agent of Jo|203\.0\.113\.9/u)
  })

  it("never redirects to a URL of the request", async () => {
    const path = linkIn((await receive()).mail)
    for (const more of ["", "?url=https://evil.example", "?next=//evil.example", "?utm_source=x"]) {
      const answer = await fetchPath(path + more)
      expect([more, answer.status, answer.headers.get("location")]).toEqual([more, 302, quote])
    }
    for (const method of ["POST", "PUT", "DELETE"]) {
      const answer = await fetchPath(path, { method })
      expect([answer.status, answer.headers.get("location")]).toEqual([405, null])
    }
  })

  it("stays as it is for a contact who has opted out, whom a person records", async () => {
    const { contactId, mail, sequenceId } = await receive()
    const path = linkIn(mail)
    await passScan(path)
    const identity = textAt((await call("GET", `/contacts/${contactId}/consent`)).json, "consents", 0, "identity_id")
    const body = { identity_id: identity, purpose: "tracking", status: "opted_out" }
    const as = world.acme.apiKey
    const recorded = at((await call("POST", `/contacts/${contactId}/consent`, body, as)).json, "consents", 0)
    expect(recorded).toMatchObject({ status: "unknown", records: [], tracking: { status: "opted_out", history: [] } })
    const lifted = await call("POST", `/contacts/${contactId}/consent`, { ...body, status: "opted_in" }, as)
    expect([lifted.status, lifted.text.includes("proof")]).toEqual([400, true])
    expect((await fetchPath(path)).status).toBe(302)
    expect(await openedOf(sequenceId)).toBe(0)
    const phone = await call("POST", "/contacts", { phone: "+15550100077" })
    const number = textAt(
      (await call("GET", `/contacts/${textAt(phone.json, "id")}/consent`)).json,
      "consents",
      0,
      "identity_id"
    )
    const refused = await call("POST", `/contacts/${textAt(phone.json, "id")}/consent`, {
      ...body,
      identity_id: number
    })
    expect(refused.status).toBe(400)
  })

  it("is switched on and off by administrators only", async () => {
    const manager = await issuer.token({ role: "manager" })
    expect(await configure({ link_tracking: false }, manager)).toMatchObject({ status: 403, code: "FORBIDDEN" })
    expect((await configure({ takeover_hours: 12 }, manager)).status).toBe(200)
    const { config } = (await server.call("GET", "/api/v1/config/acme", { as: manager })).json as { config: object }
    expect(config).toMatchObject({ link_tracking: true })
    expect((await configure({ ...config, takeover_hours: 24 }, manager, "PUT")).status).toBe(200)
    const { link_tracking: _, ...without } = config as { readonly link_tracking: boolean }
    expect((await configure(without, manager, "PUT")).status).toBe(403)
    const admin = await issuer.token({ role: "admin" })
    expect((await configure({ link_tracking: false }, admin)).status).toBe(200)
    expect((await receive()).mail).toContain(`href="https://shop.example/quote?a=1&amp;b=2"`)
    expect((await configure({ link_tracking: true }, admin)).status).toBe(200)
  })

  it("is refused if it is wrong, also as a page, and many attempts are limited", async () => {
    const path = linkIn((await receive()).mail)
    const [base, token = ""] = [path.slice(0, path.lastIndexOf("/") + 1), path.split("/").at(-1)]
    const [secret = ""] = token.split(".")
    const wrong = [
      `${base}${secret}`,
      `${base}${token.slice(1)}`,
      `${base}${secret}.${world.other.id}`,
      `${base}${secret}.${world.acme.id}x`,
      `${base}${"A".repeat(22)}.acme`,
      `${base}${encodeURIComponent("https://evil.example")}`,
      `${base}${"a".repeat(1_000)}.acme`
    ]
    for (const each of wrong) {
      const answer = await fetchPath(each)
      expect([each, answer.status, at(await answer.json(), "error", "code")]).toEqual([each, 404, "NOT_FOUND"])
    }
    expect([404, 414]).toContain((await fetchPath(`${base}${"a".repeat(20_000)}.acme`)).status)
    const page = await fetchPath(wrong[0] ?? "", { headers: { accept: "text/html" } })
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
    const statuses = new Set<number>()
    for (let attempt = 0; attempt < 12; attempt++) statuses.add((await fetchPath(wrong[0] ?? "")).status)
    expect([...statuses]).toEqual([404, 429])
    // A valid link is not limited.
    expect((await fetchPath(path)).headers.get("location")).toBe(quote)
  })
})

import { workDueEnrolments } from "@leadloom/core/internal/workflow/sequence/RunStep"
import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { drainSends } from "@leadloom/testkit/suite/Scene"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld } from "../../world/World.ts"
import { zoneOfNoon } from "../../world/ZoneOfNoon.ts"

const publicUrl = "https://leads.example"

let sink: SmtpSink
let server: TestServer
let people = 0

beforeAll(async () => {
  sink = await startSink()
  const smtp = { LEADLOOM_SMTP_URL: `smtp://127.0.0.1:${sink.port}` }
  server = startServer({ LEADLOOM_PUBLIC_URL: publicUrl, LEADLOOM_LIMIT_BAD_CREDENTIALS: "5", ...smtp })
  await makeWorld(server)
  const body = { provider: "smtp", email: "sales@acme.com", name: "Acme" }
  await server.call("POST", "/api/v1/tenants/acme/email/connect", { as: adminKey, body })
}, 30_000)
afterAll(async () => {
  await server.close()
  await sink.close()
})

const call = (method: string, path: string, body?: object) =>
  server.call(method, `/api/v1/tenants/acme${path}`, { as: adminKey, ...(body === undefined ? {} : { body }) })

/** Enrols a new contact in a sequence of one email. Returns the contact and the headers of the email. */
const receive = async () => {
  people += 1
  const attributes = { time_zone: zoneOfNoon() }
  const contact = await call("POST", "/contacts", { email: `person.${people}@customer.example`, attributes })
  const contactId = textAt(contact.json, "id")
  const delay = { amount: 0, unit: "minutes" }
  const step = { name: "hello", kind: "send", channel: "email", subject: "Hello", body: "Hello", delay }
  const sequence = await call("POST", "/sequences", { name: `Hello ${people}`, steps: [step] })
  await call("POST", `/sequences/${textAt(sequence.json, "id")}/enrolments`, { contact_id: contactId })
  await server.run(Effect.andThen(workDueEnrolments(), drainSends))
  const head = sink.mails[people - 1]?.raw.split("\r\n\r\n")[0] ?? ""
  return { contactId, headers: head.split("\r\n") }
}

/** Returns the path of the link in the headers. */
const pathIn = (headers: ReadonlyArray<string>): string => {
  const line = headers.find((header) => header.startsWith("List-Unsubscribe: ")) ?? ""
  expect(line).toMatch(/^List-Unsubscribe: <https:\/\/leads\.example\/api\/v1\/public\/unsubscribe\/[\w.-]+>$/u)
  return new URL(line.slice("List-Unsubscribe: <".length, -1)).pathname
}

const consentOf = async (contactId: string) =>
  at((await call("GET", `/contacts/${contactId}/consent`)).json, "consents", 0)

const fetchPath = (method: string, path: string, init: RequestInit = {}) =>
  server.fetch(new Request(`http://localhost${path}`, { method, ...init }))

describe("the link to unsubscribe", () => {
  it("is in one unfolded header of the emails of sequences, with the header for one click", async () => {
    const { headers } = await receive()
    expect(pathIn(headers)).toContain("unsubscribe")
    expect(headers).toContain("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
  })

  it("shows a page that changes nothing, and opts out with the button of the mail program", async () => {
    const { contactId, headers } = await receive()
    const path = pathIn(headers)
    const shown = await fetchPath("GET", path)
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    const policy = shown.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("form-action 'self'")
    expect([shown.headers.get("x-robots-tag"), shown.headers.get("cache-control")]).toEqual(["noindex", "no-store"])
    expect(await shown.text()).toContain(`<form method="post">`)
    expect(await consentOf(contactId)).toMatchObject({ status: "unknown" })

    // RFC 8058 section 3.2 requires this body. Other programs send it as a multipart form.
    const oneClick = { method: "POST", body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }) }
    const done = await fetchPath("POST", path, oneClick)
    expect([done.status, (await done.text()).includes("no more emails from")]).toEqual([200, true])
    const form = new FormData()
    form.set("List-Unsubscribe", "One-Click")
    expect((await fetchPath("POST", path, { body: form })).status).toBe(200)
    expect((await fetchPath("POST", path)).status).toBe(200)
    const consent = await consentOf(contactId)
    expect(consent).toMatchObject({ status: "opted_out", needs_manager: true })
    expect(at(consent, "records")).toMatchObject([{ source: "unsubscribe", own_number: null, history: [] }])
  })

  it("stops emails of people too", async () => {
    const { contactId, headers } = await receive()
    await fetchPath("POST", pathIn(headers))
    const email = { channel: "email", subject: "Offer", body: "Hello" }
    const denied = await call("POST", `/conversations/${contactId}/messages`, email)
    expect([denied.code, denied.text.includes("opted out")]).toEqual(["CONFLICT", true])
  })

  it("is refused when it is modified, and many attempts are limited", async () => {
    const { contactId, headers } = await receive()
    const path = pathIn(headers)
    const wrong = `${path.slice(0, -6)}AAAAAA`
    const page = await fetchPath("GET", wrong, { headers: { accept: "text/html,application/xhtml+xml" } })
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"])
    expect(await page.text()).toContain("You are not unsubscribed")
    const answer = await fetchPath("POST", wrong)
    expect([answer.status, at(await answer.json(), "error", "code")]).toEqual([404, "NOT_FOUND"])
    const statuses = new Set<number>()
    for (let attempt = 0; attempt < 6; attempt++) statuses.add((await fetchPath("POST", wrong)).status)
    expect([...statuses]).toEqual([404, 429])
    expect(await consentOf(contactId)).toMatchObject({ status: "unknown" })
    // A valid link is not limited.
    expect((await fetchPath("POST", path)).status).toBe(200)
  })
})

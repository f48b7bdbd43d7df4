import type { Message } from "@leadloom/core/internal/domain/conversation/Message"
import { Arrivals } from "@leadloom/core/internal/port/repository/conversation/Arrivals"
import { Messages } from "@leadloom/core/internal/port/repository/conversation/Messages"
import { Effect, Layer } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type FormWorld, formPath, openFormOf, origin, solve } from "../../world/FormWorld.ts"
import { type Answer, adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"

let server: TestServer
let world: FormWorld
/** New entries of the inbound ledger. */
let ledger: Array<unknown>
/** Stored messages, because responses do not contain all fields. */
let stored: Array<Message>

const watched = Layer.merge(
  Layer.effect(
    Arrivals,
    Effect.map(Arrivals, (arrivals) => ({
      ...arrivals,
      record: (arrival) => Effect.tap(arrivals.record(arrival), () => Effect.sync(() => ledger.push(arrival)))
    }))
  ),
  Layer.effect(
    Messages,
    Effect.map(Messages, (messages) => ({
      ...messages,
      insert: (message, keys, fingerprint) =>
        Effect.tap(messages.insert(message, keys, fingerprint), () => Effect.sync(() => stored.push(message)))
    }))
  )
)

beforeEach(async () => {
  ledger = []
  stored = []
  server = startServer({ LEADLOOM_LIMIT_PUBLIC: "40" }, (services) => Layer.provideMerge(watched, services))
  world = await openFormOf(server)
})
afterEach(() => server.close())

const jane = { name: "Jane Miller", email: "Jane@Customer.example", message: "What does a new kitchen cost?" }
const accepted = { status: "accepted", thank_you_url: null }

const issues = ({ json }: Answer): unknown => at(json, "error", "details")

const preflight = (from: string, path = formPath): Promise<Answer> =>
  server.call("OPTIONS", path, {
    headers: { origin: from, "access-control-request-method": "POST", "access-control-request-headers": "content-type" }
  })

describe("a form submitted by a script", () => {
  it("creates a contact, a lead and a message, with further fields as metadata", async () => {
    const answer = await world.submit({
      ...jane,
      phone: "(202) 555-0123",
      company: "Miller Ltd",
      consent: true,
      consent_text: "You may call me.",
      budget: 20_000,
      rooms: ["kitchen", "hall"]
    })
    expect([answer.status, answer.json]).toEqual([200, accepted])
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin)
    expect(answer.headers.get("x-ratelimit-remaining")).toBe("39")
    expect(await world.contacts()).toMatchObject([
      { name: "Jane Miller", email: "jane@customer.example", phone: "+12025550123", company: "Miller Ltd" }
    ])
    expect(await world.leads()).toMatchObject([{ channel: "webhook", source: "form", state: "open" }])
    const [message] = stored
    expect(message).toMatchObject({ body: jane.message, channel: "webhook", actor: "contact" })
    expect(message?.metadata).toEqual({
      budget: 20_000,
      rooms: ["kitchen", "hall"],
      consent: { given: true, text: "You may call me.", at: expect.stringMatching(/Z$/u), address_hash: null }
    })
  })

  it("stores the further fields that the tenant permits, and never hidden ones", async () => {
    await world.configure({ fields: ["budget"] })
    await world.submit({ ...jane, budget: "much", utm_source: "ads", contact_by_fax: "", submission_id: "1" })
    expect(stored[0]?.metadata).toEqual({ budget: "much" })
  })

  it("receives an error for every invalid field", async () => {
    const wrong = async (body: unknown) => {
      const answer = await world.submit(body)
      return [answer.status, issues(answer)]
    }
    expect(await wrong({ message: "Hello" })).toEqual([
      400,
      [{ path: "email", message: "The form has no email address and no phone number. Send one of them." }]
    ])
    expect(await wrong({ email: "jane@", phone: "12" })).toMatchObject([400, [{ path: "email" }, { path: "phone" }]])
    expect(await wrong({ email: "jane@localhost" })).toMatchObject([400, [{ path: "email" }]])
    expect(await wrong({ contact: "call me" })).toMatchObject([400, [{ path: "contact" }]])
    expect(await wrong({ email: { at: "home" } })).toMatchObject([400, [{ path: "email" }]])
    expect(await wrong({ ...jane, name: "x".repeat(300) })).toMatchObject([400, [{ path: "name" }]])
    expect(await wrong({ ...jane, note: "x".repeat(10_001) })).toMatchObject([400, [{ path: "note" }]])
    expect(await wrong({ ...jane, "a\u0000b": "1" })).toMatchObject([400, [{ message: expect.any(String) }]])
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`field${index}`, "1"]))
    expect(await wrong(many)).toMatchObject([400, [{ path: "" }]])
    expect(await wrong([jane])).toMatchObject([400, [{ path: "" }]])
    expect(await wrong("{")).toMatchObject([400, [{ path: "" }]])
    expect((await world.submit({ ...jane, note: "x".repeat(70_000) })).code).toBe("PAYLOAD_TOO_LARGE")
    expect((await world.submit("hello", { "content-type": "text/plain" })).code).toBe("UNSUPPORTED_MEDIA_TYPE")
    expect(await world.contacts()).toEqual([])
  })

  it("accepts an email address or a phone number in one field", async () => {
    expect((await world.submit({ contact: "ann@customer.example" })).status).toBe(200)
    expect((await world.submit({ contact: "+49 30 901820", first_name: "Bo", last_name: "Berg" })).status).toBe(200)
    const contacts = await world.contacts()
    expect(contacts.map((one) => [at(one, "name"), at(one, "email"), at(one, "phone")]).toSorted()).toEqual([
      [null, "ann@customer.example", null],
      ["Bo Berg", null, "+4930901820"]
    ])
  })
})

describe("a form submitted by a browser without JavaScript", () => {
  it("redirects to the thank-you page in every encoding", async () => {
    const answer = await world.post(new URLSearchParams(jane))
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(answer.text).toContain("<h1>Thank you</h1>")
    await world.configure({ thank_you_url: "https://www.acme.com/thanks?from=form" })
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...jane, email: "bo@customer.example" })) form.append(name, value)
    form.append("rooms[]", "kitchen")
    form.append("rooms[]", "hall")
    form.append("plan", new File(["…"], "plan.pdf"))
    const sent = await world.post(form)
    expect([sent.status, sent.headers.get("location")]).toEqual([303, "https://www.acme.com/thanks?from=form"])
    expect(stored[1]?.metadata).toEqual({ "rooms[]": ["kitchen", "hall"] })
    expect(await world.leads()).toHaveLength(2)
  })

  it("receives a page with the error, without executing submitted text", async () => {
    const answer = await world.post(new URLSearchParams({ email: "jane", "<script>": "x".repeat(10_001) }))
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "text/html; charset=utf-8"])
    expect(answer.text).toContain("&lt;script&gt;: Expected at most")
    expect(answer.text).not.toContain("<script")
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'")
    const broken = await world.post(new URLSearchParams(), { "content-type": "multipart/form-data" })
    expect(broken.status).toBe(400)
  })

  it("receives JSON if a script has sent it", async () => {
    const answer = await world.post(new URLSearchParams(jane), { accept: "application/json" })
    expect([answer.status, answer.json]).toEqual([200, accepted])
  })
})

describe("origins of forms", () => {
  it("are those in the tenant's configuration, compared exactly", async () => {
    const allowed = await preflight(origin)
    expect([allowed.status, allowed.headers.get("access-control-allow-origin")]).toEqual([204, origin])
    expect(allowed.headers.get("access-control-allow-methods")).toBe("POST")
    expect(allowed.headers.get("access-control-allow-headers")).toContain("content-type")
    expect(allowed.headers.get("access-control-allow-credentials")).toBeNull()
    expect((await preflight(origin, `${formPath}/challenge`)).headers.get("access-control-allow-methods")).toBe("GET")
    const others = [
      "null",
      "http://www.acme.com",
      "https://acme.com",
      "https://www.acme.com.evil.example",
      `${origin}:8443`
    ]
    for (const other of others) {
      const preflightAnswer = await preflight(other)
      const sent = await world.submit(jane, { origin: other })
      expect([other, sent.status, sent.code]).toEqual([other, 403, "FORBIDDEN"])
      for (const { headers } of [preflightAnswer, sent]) {
        expect([headers.get("access-control-allow-origin"), headers.get("vary")]).toEqual([null, "origin"])
      }
    }
    expect(await world.contacts()).toEqual([])
  })

  it("may read error responses", async () => {
    const { headers, status } = await world.submit({})
    expect([status, headers.get("access-control-allow-origin")]).toEqual([400, origin])
    expect(headers.get("access-control-expose-headers")).toContain("retry-after")
  })

  it("are rejected for a tenant without a form as for an unknown tenant", async () => {
    await world.configure({ enabled: false })
    const lasting = ({ headers, status, text }: Answer) => [status, text, headers.get("access-control-allow-origin")]
    const at = async (tenant: string) => [
      lasting(await server.call("POST", `/api/v1/public/leads/${tenant}`, { body: jane, headers: { origin } })),
      lasting(await server.call("GET", `/api/v1/public/leads/${tenant}/challenge`, { headers: { origin } })),
      lasting(await preflight(origin, `/api/v1/public/leads/${tenant}`))
    ]
    const closed = await at("acme")
    expect(closed.map(([status]) => status)).toEqual([404, 404, 204])
    expect(await at("nobody")).toEqual(closed)
  })

  it("are validated when they are saved", async () => {
    const save = (form: unknown) =>
      server.call("PATCH", "/api/v1/config/acme", { as: adminKey, body: { public_form: form } })
    const paths = async (form: unknown) => {
      const { json } = await save(form)
      const details = at(json, "error", "details")
      return Array.isArray(details) ? details.map((issue: unknown) => at(issue, "path")) : details
    }
    const wrong = [
      "https://acme.com/",
      "acme.com",
      "*",
      "null",
      "https://ACME.com",
      "https://acme.com:443",
      "ftp://a.b"
    ]
    expect(await paths({ allowed_origins: wrong })).toEqual(
      wrong.map((_, index) => `public_form.allowed_origins.${index}`)
    )
    expect(await paths({ thank_you_url: "javascript:alert(1)" })).toEqual(["public_form.thank_you_url"])
    expect(await paths({ thank_you_url: "https://me:you@acme.com/" })).toEqual(["public_form.thank_you_url"])
    expect(await paths({ honeypot: "email" })).toEqual(["public_form.honeypot"])
    const fine = ["http://localhost:3000", "https://xn--bcher-kva.example", "http://[::1]:8080"]
    expect((await save({ allowed_origins: fine })).status).toBe(200)
  })
})

describe("a submission by a program", () => {
  it("with a honeypot field receives the normal response and is recorded in the ledger", async () => {
    const answer = await world.submit({ ...jane, contact_by_fax: "yes" })
    expect([answer.status, answer.json]).toEqual([200, accepted])
    expect((await world.post(new URLSearchParams({ ...jane, contact_by_fax: "1" }))).text).toContain("Thank you")
    expect([await world.contacts(), await world.leads()]).toEqual([[], []])
    expect(ledger).toMatchObject([
      { outcome: "quarantined", source: "form", messageId: null },
      { outcome: "quarantined", source: "form", messageId: null }
    ])
    expect(JSON.stringify(ledger)).not.toContain("kitchen")
  })

  it("must solve a challenge, whose solution counts once", async () => {
    await world.configure({ verification: "proof_of_work" })
    const sendRequest = () => server.call("GET", `${formPath}/challenge`, { headers: { origin } })
    const { headers, json } = await sendRequest()
    expect(headers.get("access-control-allow-origin")).toBe(origin)
    expect(json).toMatchObject({ verification: "proof_of_work", difficulty: 13, expires_at: expect.any(String) })
    const challenge = textAt(json, "challenge")
    const proof = solve(challenge, 13)
    const why = async (body: unknown) => {
      const answer = await world.submit(body)
      return answer.status === 200 ? 200 : issues(answer)
    }
    expect(await why(jane)).toMatchObject([{ path: "proof" }])
    expect(await why({ ...jane, proof: `${challenge}.1` })).toMatchObject([{ path: "proof" }])
    expect(await why({ ...jane, proof: proof.replace(/^./u, "_") })).toMatchObject([{ path: "proof" }])
    expect(await why({ ...jane, email: "jane", proof })).toMatchObject([{ path: "email" }])
    // An invalid form does not consume a solution, and a second click reuses the first result.
    const clicks = await Promise.all([why({ ...jane, proof }), why({ ...jane, proof })])
    expect([...clicks, await why({ ...jane, proof })]).toEqual([200, 200, 200])
    expect(await why({ ...jane, message: "Another one", proof })).toMatchObject([{ path: "proof" }])
    expect(await world.leads()).toHaveLength(1)
  })

  it("cannot be recognised without a configured provider", async () => {
    await world.configure({ verification: "turnstile" })
    expect((await world.submit(jane)).code).toBe("BAD_REQUEST")
    const answer = await world.submit({ ...jane, "cf-turnstile-response": "a-token" })
    expect([answer.status, answer.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect((await server.call("GET", `${formPath}/challenge`)).json).toMatchObject({ challenge: null })
  })
})

describe("a repeated submission", () => {
  it("creates one lead if one browser sends it again within minutes", async () => {
    const one = { "user-agent": "one" }
    const clicks = await Promise.all([1, 2, 3].map(() => world.submit(jane, one)))
    expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await world.leads()).toHaveLength(1)
    await world.submit({ ...jane, message: "And a hall?" }, one)
    await world.submit(jane, { "user-agent": "another" })
    expect(await world.leads()).toHaveLength(3)
  })

  it("creates one lead per submission id, and another one for different content", async () => {
    const id = { "idempotency-key": "one" }
    await world.submit(jane, { ...id, "user-agent": "one" })
    await world.submit(jane, { ...id, "user-agent": "another" })
    await world.submit({ ...jane, submission_id: "one" }, { "user-agent": "a third" })
    expect(await world.leads()).toHaveLength(1)
    await world.submit({ ...jane, email: "bo@customer.example", submission_id: "one" })
    expect(await world.leads()).toHaveLength(2)
  })

  it("is recognised by its Idempotency-Key, which rejects another form with advice", async () => {
    const id = { "idempotency-key": "two" }
    const [first, again] = [await world.submit(jane, id), await world.submit(jane, id)]
    expect([first.headers.get("idempotent-replayed"), again.headers.get("idempotent-replayed")]).toEqual([null, "true"])
    expect(again.text).toBe(first.text)
    expect(again.headers.get("access-control-expose-headers")).toContain("idempotent-replayed")
    const other = await world.submit({ ...jane, message: "Something else" }, id)
    expect([other.status, other.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"])
    expect(await world.leads()).toHaveLength(1)
    const page = await world.post(new URLSearchParams({ ...jane, message: "Something else" }), id)
    expect([page.status, page.text]).toEqual([409, expect.stringContaining("Use a new key")])
  })
})

describe("a submission with the address of a known contact", () => {
  it("joins that contact without changing it, and is marked as unverified", async () => {
    const known = { name: "Jane", email: "jane@customer.example" }
    await server.call("POST", "/api/v1/tenants/acme/contacts", { as: world.apiKey, body: known })
    await world.submit({ ...jane, phone: "+1 202 555 0199", company: "Evil Ltd" })
    expect(await world.contacts()).toMatchObject([{ name: "Jane", phone: null, company: null }])
    const found = await server.call("POST", "/api/v1/tenants/acme/contacts/resolve", {
      as: world.apiKey,
      body: { phone: "+12025550199" }
    })
    expect(found.status).toBe(404)
    expect(stored).toMatchObject([{ flags: ["sender_unverified"] }])
  })

  it("is not marked if the contact is new", async () => {
    await world.submit(jane)
    expect(stored).toMatchObject([{ flags: [] }])
  })
})

describe("the rate limit of forms", () => {
  it("counts per address, and scripts of other origins can read it", async () => {
    const statuses = await Promise.all(Array.from({ length: 41 }, () => world.submit({})))
    expect(statuses.filter(({ status }) => status === 400)).toHaveLength(40)
    const refused = await world.submit(jane)
    expect([refused.status, refused.code]).toEqual([429, "RATE_LIMITED"])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0")
    expect(refused.headers.get("access-control-allow-origin")).toBe(origin)
    const page = await world.post(new URLSearchParams(jane))
    expect([page.status, page.text.includes("Too many requests")]).toEqual([429, true])
    expect((await server.call("POST", "/api/v1/public/leads/nobody", { body: jane })).status).toBe(429)
    expect((await server.call("GET", `${formPath}/challenge`)).status).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { composeAnswers, rowOfImport } from "../world/ComposeAnswers.ts"
import { useContactViews } from "../world/ContactViews.ts"
import { endpoints, pathOf, someConfig } from "../world/Endpoints.ts"
import { type Answer, adminKey, at, type Call, startServer, type TestServer, textAt } from "../world/TestServer.ts"
import { importOf, mail, sourceId } from "../world/World.ts"

let server: TestServer
const seen = new Set<string>()
const found: Record<string, string> = { tenant_id: "acme", source_id: sourceId }
let apiKey: string

/** Calls an endpoint of the contract by name. */
const use = async (name: string, call: Call & { readonly query?: string } = {}): Promise<Answer> => {
  const endpoint = endpoints.find((known) => known.name === name)
  if (endpoint === undefined) throw new Error(`the contract has no ${name}`)
  const answer = await server.call(endpoint.method, `${pathOf(endpoint, found)}${call.query ?? ""}`, {
    as: adminKey,
    ...call
  })
  if (answer.status < 300) seen.add(name)
  return answer
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)
const id = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-9a-z]{26}$`, "u"))

beforeAll(() => {
  server = startServer()
})
afterAll(() => server.close())

describe("the operator", () => {
  it("creates, lists and reads tenants", async () => {
    const body = { tenant_id: "acme", name: "Acme", domain: "acme.com" }
    const tenant = { ...body, hipaa: false, plan: "trial", locale: null, time_zone: "UTC", created_at: time }
    const created = await use("tenants.create", { body })
    expect([created.status, created.json]).toEqual([201, tenant])
    expect((await use("tenants.create", { body })).code).toBe("CONFLICT")
    expect((await use("tenants.list")).json).toEqual({ tenants: [tenant], next_cursor: null })
    expect((await use("tenants.get")).json).toEqual(tenant)
  })

  it.each([
    ["tenant_id", { tenant_id: "Acme!", name: "A" }],
    ["tenant_id", { tenant_id: "presets", name: "A" }],
    ["domain", { tenant_id: "fine", name: "A", domain: "no domain" }],
    ["preset", { tenant_id: "fine", name: "A", preset: "unheard of" }]
  ])("is informed of an invalid field %s", async (path, body) => {
    const answer = await use("tenants.create", { body })
    expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, path])
  })

  it("creates sources and shows their keys once", async () => {
    const created = await use("sources.create", { body: { source_id: sourceId } })
    expect([created.status, created.json]).toEqual([201, { source_id: sourceId, key: expect.stringMatching(/^lls_/u) }])
    found["source_key"] = textAt(created.json, "key")
    expect((await use("sources.create", { body: { source_id: sourceId } })).code).toBe("CONFLICT")
    expect((await use("sources.create", { body: { source_id: "a b" } })).code).toBe("BAD_REQUEST")
    const listed = await use("sources.list")
    expect(listed.json).toEqual({
      sources: [{ source_id: sourceId, tenant_id: "acme", prefix: expect.stringMatching(/^lls_/u), created_at: time }],
      next_cursor: null
    })
    expect(listed.text).not.toContain(found["source_key"])
  })

  it("creates sources for every tenant", async () => {
    expect((await use("sources.createGlobal", { body: { source_id: "everywhere" } })).status).toBe(201)
    const listed = await use("sources.listGlobal")
    expect(at(listed.json, "sources", 0, "tenant_id")).toBeNull()
    const removed = await server.call("DELETE", "/api/v1/admin/sources/everywhere", { as: adminKey })
    expect([removed.status, removed.text]).toEqual([204, ""])
    seen.add("sources.removeGlobal")
    expect((await server.call("DELETE", "/api/v1/admin/sources/everywhere", { as: adminKey })).code).toBe("NOT_FOUND")
  })

  it("mints sessions of one hour, in epoch milliseconds", async () => {
    const before = Date.now()
    const answer = await use("sessions.mint", { body: { tenant_id: "acme" } })
    const token = expect.stringMatching(/^[\w-]+\.[\w-]+$/u)
    const rest = { tenant_id: "acme", user_id: null, role: "agent", ends_at: null }
    expect(answer.json).toEqual({ token, ...rest, expires_at: expect.any(Number) })
    const expiresAt = Number(at(answer.json, "expires_at"))
    expect(expiresAt).toBeGreaterThanOrEqual(before + 3_600_000)
    expect(expiresAt).toBeLessThanOrEqual(Date.now() + 3_600_000)
  })

  it("creates at most three API keys, lists their prefixes, rotates and revokes them", async () => {
    const created = await use("apiKeys.create", { body: { name: "one" } })
    apiKey = textAt(created.json, "key")
    expect(created.status).toBe(201)
    expect(created.json).toMatchObject({
      id: id("key"),
      name: "one",
      prefix: apiKey.slice(0, 12),
      key: expect.stringMatching(/^llk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/u),
      created_at: time,
      expires_at: null,
      last_used_at: null
    })
    const second = await use("apiKeys.create", { body: { name: "two" } })
    await use("apiKeys.create", { body: { name: "three" } })
    const fourth = await use("apiKeys.create", { body: { name: "four" } })
    expect([fourth.status, fourth.code]).toEqual([409, "KEY_LIMIT_REACHED"])
    const rotated = await use("apiKeys.rotate", { body: { key_id: textAt(second.json, "id") } })
    expect([rotated.status, at(rotated.json, "name")]).toEqual([200, "two"])
    const again = await use("apiKeys.rotate", { body: { key_id: textAt(second.json, "id") } })
    expect([again.status, again.code]).toEqual([409, "CONFLICT"])
    const old = await server.call("GET", "/api/v1/tenants/acme/contacts", { as: textAt(second.json, "key") })
    expect(old.status).toBe(200)
    const listed = await use("apiKeys.list")
    expect(listed.text).not.toContain(apiKey)
    const grace = Date.parse(textAt(listed.json, "api_keys", 1, "expires_at")) - Date.now()
    expect(grace / 3_600_000).toBeCloseTo(72, 1)
    found["key_id"] = textAt(second.json, "id")
    expect((await use("apiKeys.revoke")).status).toBe(204)
    expect((await use("apiKeys.revoke")).code).toBe("NOT_FOUND")
  })

  it("reads and replaces the validated configuration", async () => {
    expect((await use("config.get")).json).toMatchObject({
      tenant_id: "acme",
      version: 1,
      config: { reply_mode: "draft" }
    })
    const saved = await use("config.replace", { body: someConfig })
    expect([saved.status, saved.json]).toEqual([200, { tenant_id: "acme", version: 2, config: someConfig }])
    const wrong = await use("config.replace", { body: { ...someConfig, time_zone: "Nowhere/Land" } })
    expect([wrong.status, at(wrong.json, "error", "details", 0, "path")]).toEqual([400, "time_zone"])
    expect(at((await use("config.get")).json, "version")).toBe(2)
  })
})

describe("a partner", () => {
  it("runs the pipeline and reads its run", async () => {
    const contact = { first_name: "Jane", last_name: "Miller", email: "Jane@Customer.example", phone: "+49 30 1234567" }
    const run = await use("pipeline.run", {
      as: apiKey,
      body: { message: "What does a kitchen cost?", contact, later: 1 }
    })
    expect(run.json).toMatchObject({
      signal_id: id("sig"),
      classification: { intent: "pricing", confidence: expect.any(Number) },
      score: { score: expect.any(Number), tier: expect.any(String), recommended_actions: expect.any(Array) },
      matched_rules: 0,
      actions_triggered: [],
      reply: null
    })
    found["signal_id"] = textAt(run.json, "signal_id")
    expect((await use("pipeline.getRun", { as: apiKey })).json).toMatchObject({
      run_id: id("run"),
      signal_id: found["signal_id"],
      contact_id: id("con"),
      config_version: 2,
      created_at: time,
      steps: expect.arrayContaining([expect.objectContaining({ step: "score", outcome: "done" })])
    })
  })

  it("gives a new contact its name, from one field or from two", async () => {
    const named = async (contact: unknown) => {
      const run = await use("pipeline.run", { as: apiKey, body: { message: "Hi", contact } })
      const path = `/api/v1/tenants/acme/pipeline/runs/${textAt(run.json, "signal_id")}`
      const stored = await server.call("GET", path, { as: apiKey })
      const contactPath = `/api/v1/tenants/acme/contacts/${textAt(stored.json, "contact_id")}`
      return at((await server.call("GET", contactPath, { as: apiKey })).json, "name")
    }
    expect(await named({ first_name: "Ada", last_name: " Byron ", email: "ada@customer.example" })).toBe("Ada Byron")
    expect(await named({ first_name: null, last_name: "Byron", email: "byron@customer.example" })).toBe("Byron")
    expect(await named({ name: "Dr. No", first_name: "Julius", email: "no@customer.example" })).toBe("Dr. No")
    expect(await named({ name: " ", email: "nobody@other.example" })).toBeNull()
  })

  it("runs the pipeline as a dry run that stores nothing", async () => {
    const body = { message: "Hello", contact: { email: "nobody@customer.example" } }
    const dry = await use("pipeline.dryRun", { as: apiKey, body })
    expect(dry.json).toMatchObject({ signal_id: id("sig"), matched_rules: 0 })
    const list = await use("contacts.list", { as: apiKey })
    expect(list.text).not.toContain("nobody@customer.example")
    found["missing"] = textAt(dry.json, "signal_id")
    const path = `/api/v1/tenants/acme/pipeline/runs/${found["missing"]}`
    expect((await server.call("GET", path, { as: apiKey })).code).toBe("NOT_FOUND")
  })

  it("scores a contact", async () => {
    const answer = await use("actions.scoreContact", { as: apiKey, body: { message: "How much?", channel: "sms" } })
    expect(answer.json).toMatchObject({
      success: true,
      data: { lead_score: expect.any(Number), lead_tier: expect.stringMatching(/^(?:hot|warm|cold)$/u) }
    })
  })

  it("creates, reads, changes, lists and archives contacts", async () => {
    const created = await use("contacts.create", { as: apiKey, body: { name: " Bob ", email: "bob@customer.example" } })
    expect(created.status).toBe(201)
    expect(created.json).toEqual({
      id: id("con"),
      name: "Bob",
      email: "bob@customer.example",
      phone: null,
      company: null,
      company_id: null,
      company_removed: false,
      notes: null,
      tags: [],
      attributes: {},
      custom_fields: {},
      archived: false,
      merged_into: null,
      created_at: time,
      updated_at: time
    })
    found["contact_id"] = textAt(created.json, "id")
    expect((await use("contacts.create", { as: apiKey, body: { email: "BOB@customer.example" } })).code).toBe(
      "CONFLICT"
    )
    expect((await use("contacts.create", { as: apiKey, body: { phone: "12" } })).code).toBe("BAD_REQUEST")
    const patch = { notes: "Likes oak", phone: "030 7654321" }
    const changed = await use("contacts.update", { as: apiKey, body: patch })
    expect(changed.json).toMatchObject({ name: "Bob", notes: "Likes oak", phone: "+49307654321" })
    expect(at((await use("contacts.update", { as: apiKey, body: { notes: null } })).json, "notes")).toBeNull()
    expect(at((await use("contacts.get", { as: apiKey })).json, "email")).toBe("bob@customer.example")
    expect(at((await use("contacts.list", { as: apiKey })).json, "contacts", 0, "name")).toBe("Bob")
    await useContactViews(use, apiKey, found)
  })
})

describe("a source", () => {
  const event = {
    entity: { id: 42, name: "Ann", email: "ann@customer.example" },
    content: { body: "I want a kitchen", metadata: { form: "contact" } },
    timestamp: "2026-03-01T09:30:00+01:00",
    channel: "sms"
  }
  const send = (body: unknown, more: { query?: string; headers?: Record<string, string> } = {}) =>
    use("events.send", { as: found["source_key"] ?? "", body, ...more })

  it("has its event accepted", async () => {
    const answer = await send(event)
    expect([answer.status, answer.json]).toEqual([200, { event_id: id("evt"), status: "accepted" }])
  })

  it("receives the first response again only for the same Idempotency-Key", async () => {
    const keyed = (key: string) => send(event, { headers: { "idempotency-key": key } })
    const [first, copy, other] = [await keyed("a"), await keyed("a"), await keyed("b")]
    expect(copy.json).toEqual(first.json)
    expect(at(other.json, "event_id")).not.toBe(at(first.json, "event_id"))
  })

  it("evaluates the rules with mode=sync and stores nothing", async () => {
    const answer = await send({ ...event, entity: { id: "sync" } }, { query: "?mode=sync" })
    expect(answer.json).toEqual({
      event_id: id("evt"),
      status: "processed",
      classification: null,
      matched_rules: 0,
      actions_triggered: []
    })
    expect((await send(event, { query: "?mode=async" })).code).toBe("BAD_REQUEST")
  })

  it("requires a text, in content.body or as event_type", async () => {
    expect((await send({ entity: { id: "1" }, event_type: "form_sent" })).status).toBe(200)
    const answer = await send({ entity: { id: "1" }, content: { body: " " } })
    expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, "content.body"])
  })

  it.each(["yesterday", "2026-13-01", "1767225600", "2026-03-01T25:00:00Z"])(
    "receives an error for the invalid time %s",
    async (timestamp) => {
      const answer = await send({ ...event, timestamp })
      expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, "timestamp"])
    }
  )
})

describe("an agent", () => {
  it("sees imported mail in the conversation of its sender and marks it read", async () => {
    const raw = mail(
      { From: "Kim Lee <kim@customer.example>" },
      "I need a quote.\r\n\r\nOn Monday you wrote:\r\n> Hello"
    )
    const mails = [...importOf(raw, raw).mails, { name: "broken", raw: "%%%" }]
    const imported = await use("import.email", { body: { historical: false, mails } })
    const results = at(imported.json, "results")
    const outcomes = Array.isArray(results) ? results.map((result) => [at(result, "name"), at(result, "outcome")]) : []
    expect(outcomes.at(-1)).toEqual(["broken", "failed"])
    expect(outcomes.slice(0, 2).toSorted()).toEqual([
      ["mail 0", "message"],
      ["mail 1", "duplicate_of"]
    ])
    expect(at(results, 0, "message_id")).toBe(at(results, 1, "message_id"))
    expect(at(results, 2, "detail")).toBe("The field raw is not valid base64.")
    found["contact_id"] = found["writer"] = textAt(results, 0, "contact_id")

    const session = textAt((await use("sessions.mint", { body: { tenant_id: "acme" } })).json, "token")
    const list = await use("conversations.list", { as: session, query: "?alias=sales@acme.com" })
    expect(list.json).toEqual({
      conversations: [rowOfImport(found["contact_id"])],
      next_cursor: null
    })
    const detail = await use("conversations.get", { as: session })
    expect(at(detail.json, "messages", 0)).toMatchObject({
      channel: "email",
      body: "I need a quote.",
      actor: "contact",
      timestamp: "2026-03-01T09:30:00.000Z",
      subject: "Kitchen",
      thread_id: id("thr"),
      message_id: id("msg"),
      internet_message_id: "one@customer.example",
      received_alias: "sales@acme.com",
      to: ["sales@acme.com"],
      cc: [],
      auto: null
    })
    expect(at(detail.json, "next_cursor")).toBeNull()
    expect((await use("conversations.markRead", { as: session })).json).toEqual({ success: true })
    const read = await use("conversations.list", { as: session, query: "?alias=sales@acme.com" })
    expect(at(read.json, "conversations", 0, "unread")).toBe(0)
  })

  it("sees only the plain fields of a message that is not an email", async () => {
    const body = { message: "Hi", channel: "sms", contact: { phone: "+493011111" } }
    const run = await use("pipeline.run", { as: apiKey, body })
    const path = `/api/v1/tenants/acme/pipeline/runs/${textAt(run.json, "signal_id")}`
    const read = await server.call("GET", path, { as: apiKey })
    found["contact_id"] = textAt(read.json, "contact_id")
    const detail = await use("conversations.get", { as: apiKey })
    expect(at(detail.json, "messages", 0)).toEqual({
      id: id("msg"),
      channel: "sms",
      body: "Hi",
      actor: "contact",
      timestamp: time,
      user_id: null,
      subject_contact_id: null,
      auto: null
    })
  })
})

describe("the server", () => {
  it("reports its health", async () => {
    expect((await use("system.health")).json).toEqual({
      status: "ok",
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/u)
    })
  })

  it("connects an email account, changes its settings and sends", async () => {
    const connected = await use("email.connect", { body: { provider: "smtp", email: "sales@acme.com" } })
    found["grant_id"] = textAt(connected.json, "grant_id")
    expect((await use("email.listGrants")).status).toBe(200)
    expect((await use("email.getGrant")).json).toEqual(connected.json)
    expect((await use("email.updateAliases", { body: { aliases: ["quotes@acme.com"] } })).status).toBe(200)
    expect((await use("email.getAliases")).json).toEqual({
      grant_email: "sales@acme.com",
      aliases: ["quotes@acme.com"]
    })
    expect((await use("email.updateSignature", { body: { signature: "Acme" } })).status).toBe(200)
    const chosen = await use("email.setDefaultGrant", { body: { grant_id: found["grant_id"] } })
    expect(chosen.json).toEqual({ grants: [(await use("email.getGrant")).json] })
    const sent = await use("email.send", { body: { to: [{ email: "jane@customer.example" }], body: "Hello" } })
    expect([sent.status, sent.json]).toEqual([201, { success: true, message_id: id("msg"), thread_id: id("thr") }])
    found["contact_id"] = found["writer"] ?? ""
    expect((await use("conversations.send", { body: { channel: "email", body: "Gladly." } })).status).toBe(200)
    await composeAnswers(use, found)
    expect((await use("email.authUrl")).status).toBe(503)
    expect((await use("email.callback", { body: { code: "a code", state: "a state" } })).status).toBe(503)
    expect((await use("email.disconnect")).status).toBe(204)
  })

  it("removes sources with immediate effect on their keys, and archives tenants", async () => {
    expect((await use("sources.remove")).status).toBe(204)
    const late = await use("events.send", {
      as: found["source_key"] ?? "",
      body: { entity: {}, content: { body: "x" } }
    })
    expect(late.status).toBe(503)
    expect((await use("tenants.archive")).status).toBe(204)
    expect((await server.call("GET", "/api/v1/tenants/acme/contacts", { as: apiKey })).status).toBeGreaterThanOrEqual(
      401
    )
  })

  it("calls every endpoint of the contract in this file", () => {
    const missing = endpoints.map(({ name }) => name).filter((name) => !seen.has(name))
    const elsewhere =
      /^(?:crmActions\.|agencies\.|assistant\.|calls\.|smsFilters\.|phoneNumbers\.|crm\.|locations\.|audit\.|backtest\.|billing\.|webhooks\.|eventFeed\.|actions\.[cg]|config\.(?:[apsuv])|guardrails\.|batches\.|tenants\.(?:update|restore)|usage\.|email\.(?:authUrl|autoconfig|callback)|attachments\.|rules\.|leakedKeys\.|deployment\.|publicLeads\.|messages\.|leads\.|search\.|dataRights\.|tasks\.|remoteImages\.|imageProxy\.|notes\.|cannedReplies\.|macros\.|sequences\.|enrolments\.|simulations\.|users\.|teams\.|reports\.|fields\.|companies\.|segments\.|contactImports\.|contactIdentities\.|contactConsent\.|threads\.|pipelines\.|sessions\.createTicket$|credential\.|consoleSessions\.|inbox\.|views\.|.*(?:Draft|Subject|Runs|Run|startRule)$)/u
    expect(missing.filter((name) => !elsewhere.test(name))).toEqual([])
  })
})

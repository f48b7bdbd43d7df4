import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { inMemoryCrm, emptyCrm } from "@leadloom/testkit/memory/Crm"
import { createClient } from "@leadloom/client"
import { crmContact, installApp } from "@leadloom/testkit/suite/crm/CrmWorld"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, type Answer, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

const secret = "the-new-action-secret-of-the-workflows"
const former = "the-old-action-secret-of-the-workflows"
const crm = emptyCrm()

/** Starts a server whose app is installed in two locations of a CRM. */
const start = (env: Record<string, string> = {}): TestServer =>
  startServer(
    { LEADLOOM_CRM_ACTION_SECRET: `${secret},${former}`, LEADLOOM_LIMIT_BAD_CREDENTIALS: "1000", ...env },
    (services) =>
      Layer.provideMerge(
        Layer.effectDiscard(Effect.andThen(installApp(crm, "acme", "loc-acme"), installApp(crm, "other", "loc-other"))),
        Layer.provideMerge(inMemoryCrm(crm), services)
      )
  )

let server: TestServer
let world: World

const map = (on: TestServer, locationId: string, tenantId: string) =>
  on.call("PUT", "/api/v1/admin/locations", {
    as: adminKey,
    body: { location_id: locationId, tenant_id: tenantId, sessions: "off" }
  })

beforeAll(async () => {
  server = start()
  world = await makeWorld(server)
  await map(server, "loc-acme", "acme")
  await map(server, "loc-other", "other")
  await map(server, "loc-bare", "acme")
  crmContact(crm, "loc-acme", "crm-jane", {
    name: "Jane Miller",
    email: "Jane@customer.example",
    phone: "+14155550123"
  })
})
afterAll(() => server.close())

/** Returns a body in the format of HighLevel. */
const bodyOf = (data: Readonly<Record<string, unknown>> | null, contactId = "crm-jane", locationId = "loc-acme") => ({
  data,
  extras: { locationId, contactId, workflowId: "wf-1" },
  meta: { key: "add_tag", version: "1.0" }
})
const withSecret = { headers: { "x-workflow-secret": secret } }
const act = (action: string, data: Readonly<Record<string, unknown>> | null, contactId?: string): Promise<Answer> =>
  server.call("POST", `/api/v1/actions/crm/${action}`, { ...withSecret, body: bodyOf(data, contactId) })

describe("authorisation of actions", () => {
  const knock = (
    how: { as?: string; headers?: Record<string, string> },
    locationId = "loc-acme",
    path = "crm/add_tag"
  ) => server.call("POST", `/api/v1/actions/${path}`, { ...how, body: bodyOf({ tag: "vip" }, "crm-jane", locationId) })

  it.each(["crm/add_tag", "add_tag"])("accepts the secret or a key on the path %s", async (path) => {
    for (const how of [
      withSecret,
      { headers: { "x-workflow-secret": former } },
      { as: world.acme.apiKey },
      { as: adminKey }
    ])
      expect((await knock(how, "loc-acme", path)).status).toBe(200)
  })

  it.each([
    ["a missing credential", () => ({})],
    ["a wrong secret", () => ({ headers: { "x-workflow-secret": "the-new-action-secreT" } })],
    ["a wrong secret beside a good key", () => ({ as: adminKey, headers: { "x-workflow-secret": "nonsense" } })],
    ["the secret as a Bearer credential", () => ({ as: secret })],
    ["an unknown key", () => ({ as: "llk_00000000_00000000000000000000000000000000000000" })]
  ])("rejects %s with 401 before it reads the body", async (_, how) => {
    expect([(await knock(how())).status, (await knock(how())).code]).toEqual([401, "UNAUTHORIZED"])
    const broken = await server.call("POST", "/api/v1/actions/crm/nothing", { ...how(), body: "{" })
    expect([broken.status, broken.code]).toEqual([401, "UNAUTHORIZED"])
  })

  it("rejects sessions and source keys with 403", async () => {
    for (const as of [world.acme.session, world.acme.sourceKey])
      expect([(await knock({ as })).status, (await knock({ as })).code]).toEqual([403, "FORBIDDEN"])
  })

  it("hides the location from the key of another tenant", async () => {
    const foreign = await knock({ as: world.other.apiKey })
    const probeCode = await knock({ as: world.other.apiKey }, "loc-nobody")
    expect([foreign.status, foreign.code]).toEqual([404, "NOT_FOUND"])
    expect(textAt(foreign.json, "error", "message").replace("loc-acme", "…")).toBe(
      textAt(probeCode.json, "error", "message").replace("loc-nobody", "…")
    )
  })

  it("counts invalid secrets per network", async () => {
    const narrow = start({ LEADLOOM_LIMIT_BAD_CREDENTIALS: "2" })
    const body = bodyOf({ tag: "vip" })
    const guess = { headers: { "x-workflow-secret": "a-guess" }, body }
    const statuses: Array<number> = []
    for (let round = 0; round < 3; round++)
      statuses.push((await narrow.call("POST", "/api/v1/actions/crm/add_tag", guess)).status)
    expect(statuses).toEqual([401, 401, 429])
    await narrow.close()
  })
})

describe("the errors of actions, in the order of the contract", () => {
  const failed = (answer: Answer) => [answer.status, at(answer.json, "success"), typeof at(answer.json, "error")]
  const post = (path: string, body: unknown) => server.call("POST", path, { ...withSecret, body })

  it.each(["/api/v1/actions/crm/fly", "/api/v1/actions/fly", "/api/v1/actions/crm", "/api/v1/actions/automation"])(
    "are 400 for an unknown action: %s",
    async (path) => {
      const answer = await post(path, bodyOf({}, "crm-jane", "loc-nobody"))
      expect(failed(answer)).toEqual([400, false, "string"])
      expect(textAt(answer.json, "error")).toContain("create_or_update_contact")
    }
  )

  it.each([
    ["no location", { data: {}, extras: { contactId: "crm-jane" } }],
    ["no contact", { data: {}, extras: { locationId: "loc-acme" } }],
    ["an empty contact, of a workflow without one", bodyOf({}, "")],
    ["an empty location", bodyOf({}, "crm-jane", "")],
    ["no extras", { data: {} }],
    ["extras of null", { data: {}, extras: null }],
    ["ids that are not strings", { extras: { locationId: 7, contactId: ["crm-jane"] } }],
    ["malformed JSON", "{"],
    ["an empty body", ""],
    ["a list", []]
  ])("are 400 for %s", async (_, body) => {
    expect(failed(await post("/api/v1/actions/crm/add_tag", body))).toEqual([400, false, "string"])
    expect(failed(await post("/api/v1/actions/add_tag", body))).toEqual([400, false, "string"])
  })

  it("are 404 for an unlinked location and 503 for one without the app", async () => {
    const probeCode = await post("/api/v1/actions/crm/add_tag", bodyOf({}, "crm-jane", "loc-nobody"))
    expect([probeCode.status, probeCode.code]).toEqual([404, "NOT_FOUND"])
    const bare = await post("/api/v1/actions/crm/add_tag", bodyOf({}, "crm-jane", "loc-bare"))
    expect([bare.status, bare.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(bare.text).toContain("not installed")
  })

  it("are 503 without a configured CRM, after the check of the location", async () => {
    const closed = startServer({ LEADLOOM_CRM_ACTION_SECRET: secret })
    await makeWorld(closed)
    await map(closed, "loc-acme", "acme")
    const call = (path: string, locationId: string) =>
      closed.call("POST", path, { ...withSecret, body: bodyOf({ tag: "vip" }, "crm-jane", locationId) })
    const unset = await call("/api/v1/actions/crm/add_tag", "loc-acme")
    expect([unset.status, unset.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(unset.text).toContain("LEADLOOM_CRM_CLIENT_ID")
    expect((await call("/api/v1/actions/crm/add_tag", "loc-nobody")).status).toBe(404)
    expect((await call("/api/v1/actions/crm/fly", "loc-nobody")).status).toBe(400)
    await closed.close()
  })

  it("are 404 for a contact that the CRM lacks, and 502 during its outage", async () => {
    const gone = await act("add_tag", { tag: "vip" }, "crm-nobody")
    expect([gone.status, gone.code]).toEqual([404, "NOT_FOUND"])
    crm.failure = ProviderFailure.unavailable("crm", "a pause")
    const away = await act("add_tag", { tag: "vip" }, "crm-unmet")
    crm.failure = null
    expect([away.status, away.code]).toEqual([502, "PROVIDER_ERROR"])
  })

  it("do not affect the standalone actions of the pipeline", async () => {
    const path = "/api/v1/actions/automation/acme/score-contact"
    const answer = await server.call("POST", path, { as: world.acme.apiKey, body: { message: "How much is a roof?" } })
    expect([answer.status, at(answer.json, "success")]).toEqual([200, true])
  })

  it("have a separate limiter for each location", async () => {
    const narrow = start({ LEADLOOM_LIMIT_WORKFLOW: "2" })
    await makeWorld(narrow)
    await map(narrow, "loc-acme", "acme")
    await map(narrow, "loc-other", "other")
    crmContact(crm, "loc-other", "crm-joe", { name: "Joe" })
    const call = (body: unknown) => narrow.call("POST", "/api/v1/actions/crm/add_tag", { ...withSecret, body })
    const first = await call(bodyOf({ tag: "vip" }))
    expect([first.headers.get("x-ratelimit-limit"), first.headers.get("x-ratelimit-remaining")]).toEqual(["2", "1"])
    expect(Number(first.headers.get("x-ratelimit-reset"))).toBeGreaterThan(0)
    await narrow.call("POST", "/api/v1/actions/add_tag", { ...withSecret, body: bodyOf({ tag: "vip" }) })
    const refused = await call(bodyOf({ tag: "vip" }))
    expect([refused.status, refused.code]).toEqual([429, "RATE_LIMITED"])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await call(bodyOf({ tag: "vip" }, "crm-joe", "loc-other"))).status).toBe(200)
    await narrow.close()
  })
})

describe("the actions", () => {
  const contactOf = async (answer: Answer, path = "") =>
    (
      await server.call("GET", `/api/v1/tenants/acme/contacts/${textAt(answer.json, "contact_id")}${path}`, {
        as: adminKey
      })
    ).json

  it("create a contact from the CRM's contact once, and find it again without a request", async () => {
    crmContact(crm, "loc-acme", "crm-new", { name: "New Man", email: "New@Customer.Example", company: "Roofs" })
    const made = await act("create_or_update_contact", {}, "crm-new")
    expect(made.json).toMatchObject({ created: true, name: "New Man", email: "new@customer.example", company: "Roofs" })
    const calls = crm.calls.length
    const tagged = await act("add_tag", { tag: "vip" }, "crm-new")
    expect(at(tagged.json, "contact_id")).toBe(at(made.json, "contact_id"))
    expect(crm.calls).toHaveLength(calls)
  })

  it("match a contact by its address and overwrite nothing", async () => {
    const body = { name: "Known Before", email: "known@customer.example" }
    const known = await server.call("POST", "/api/v1/tenants/acme/contacts", { as: adminKey, body })
    const theirs = { name: "Called Otherwise", email: "KNOWN@customer.example", phone: "+14155550177" }
    crmContact(crm, "loc-acme", "crm-known", theirs)
    const met = await act("create_or_update_contact", { company: "Given by the workflow", last_name: "" }, "crm-known")
    expect(at(met.json, "contact_id")).toBe(at(known.json, "id") ?? at(known.json, "contact_id"))
    expect(met.json).toMatchObject({ created: false, updated: true, name: "Known Before", phone: "+14155550177" })
    expect(met.json).toMatchObject({ company: "Given by the workflow" })
    const renamed = await act("create_or_update_contact", { first_name: "Jo", last_name: "Doe" }, "crm-known")
    expect(renamed.json).toMatchObject({ name: "Jo Doe", updated: true })
    const again = await act("create_or_update_contact", { first_name: "Jo", last_name: "Doe" }, "crm-known")
    expect(again.json).toMatchObject({ name: "Jo Doe", updated: false })
  })

  it("add tags without duplicates", async () => {
    const one = await act("add_tag", { tag: "hot, vip ,hot" })
    expect(one.status).toBe(200)
    const two = await act("add_tag", { tag: "hot" })
    expect(at(two.json, "added")).toBe("")
    expect(
      textAt(two.json, "tags")
        .split(", ")
        .filter((tag) => tag === "hot")
    ).toHaveLength(1)
    expect(await contactOf(two)).toMatchObject({ tags: expect.arrayContaining(["hot", "vip"]) })
  })

  it("score the contact's lead, and create one if it has none", async () => {
    crmContact(crm, "loc-acme", "crm-fresh", { name: "Fresh", phone: "+14155550188" })
    const one = await act("score_lead", {}, "crm-fresh")
    expect(one.json).toMatchObject({
      lead_created: true,
      lead_tier: expect.any(String),
      lead_score: expect.any(Number)
    })
    const two = await act("score_lead", {}, "crm-fresh")
    expect(two.json).toMatchObject({ lead_created: false, lead_id: at(one.json, "lead_id") })
  })

  it("count against the plan once per call, up to its cap", async () => {
    const used = async () =>
      at((await server.call("GET", "/api/v1/usage/acme", { as: adminKey })).json, "actions", "used")
    const before = Number(await used())
    for (const _ of [1, 2]) expect((await act("add_tag", { tag: "counted" })).status).toBe(200)
    expect(await used()).toBe(before + 1)
  })

  it("run the pipeline once per call, even for a contact without address and number", async () => {
    crmContact(crm, "loc-acme", "crm-nameless", { name: "No Address" })
    const sendRequest = () =>
      act("run_pipeline", { message: "How much is a new roof?", channel: "chat" }, "crm-nameless")
    const one = await sendRequest()
    expect(one.status).toBe(200)
    expect(one.json).toMatchObject({ lead_score: expect.any(Number), matched_rules: 0, actions_triggered: "" })
    expect((await sendRequest()).json).toEqual(one.json)
    const { contact_id } = Object(one.json)
    const read = await server.call("GET", `/api/v1/tenants/acme/conversations/${contact_id}`, { as: adminKey })
    expect(at(read.json, "messages")).toHaveLength(1)
    const other = await act("run_pipeline", { message: "And a gutter?", channel: "chat" }, "crm-nameless")
    expect(at(other.json, "signal_id")).not.toBe(at(one.json, "signal_id"))
    expect(at(other.json, "contact_id")).toBe(contact_id)
  })

  it("create a task once per call", async () => {
    const data = { title: "Call Jane", task_type: "Callback", due_in_minutes: "30" }
    const [one, two] = await Promise.all([act("create_task", data), act("create_task", data)])
    expect(one?.json).toEqual(two?.json)
    const listed = await server.call("GET", "/api/v1/tenants/acme/tasks?type=callback", { as: adminKey })
    expect(at(listed.json, "tasks")).toHaveLength(1)
    const next = await act("create_task", { ...data, title: "Call Jane again" })
    expect(at(next.json, "task_id")).not.toBe(at(one?.json, "task_id"))
  })

  it("send an email to the contact once per call", async () => {
    const connect = { provider: "smtp", email: "sales@acme.com" }
    await server.call("POST", "/api/v1/tenants/acme/email/connect", { as: adminKey, body: connect })
    const data = { message: "Thank you for calling.", subject: "Your roof" }
    const answers = await Promise.all([act("send_message", data), act("send_message", data)])
    const sent = await act("send_message", data)
    expect(sent.json).toMatchObject({ channel: "email", message_id: expect.stringMatching(/^msg_/u) })
    for (const { code, json, status } of answers)
      expect(status === 200 ? json : code).toEqual(status === 200 ? sent.json : "IDEMPOTENCY_IN_PROGRESS")
    const read = await server.call("GET", `/api/v1/tenants/acme/conversations/${textAt(sent.json, "contact_id")}`, {
      as: adminKey
    })
    expect(at(read.json, "messages")).toHaveLength(1)
    const answered = await act("send_message", { message: "One more thing." })
    expect([answered.status, answered.code]).toEqual([409, "CONFLICT"])
    const text = await act("send_message", { message: "Hello", channel: "SMS" })
    expect(text.status).toBe(503)
  })

  it.each([
    ["add_tag", {}],
    ["add_tag", null],
    ["add_tag", { tag: "x".repeat(65) }],
    ["add_tag", { tag: { name: "vip" } }],
    ["add_tag", { tag: " , ," }],
    ["create_task", { title: "Call", task_type: "reply_approval" }],
    ["create_task", { title: "Call", due_in_minutes: "soon" }],
    ["create_task", { task_type: "callback" }],
    ["run_pipeline", { message: "  " }],
    ["run_pipeline", { message: "Hello", channel: "fax" }],
    ["send_message", { message: "Hello", channel: "voice" }],
    ["create_or_update_contact", { email: "no address" }]
  ])("reject invalid inputs: %s %j", async (action, data) => {
    const answer = await act(action, data)
    expect([answer.status, at(answer.json, "success")]).toEqual([400, false])
    expect(textAt(answer.json, "error")).toMatch(/^data\./u)
  })

  it("work without access to the CRM as far as possible", async () => {
    crm.failure = ProviderFailure.signedOut("crm", "the token was taken back")
    const unknown = await act("add_tag", { tag: "vip" }, "crm-unmet")
    expect([unknown.status, unknown.code]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect((await act("add_tag", { tag: "vip" })).status).toBe(200)
    crm.failure = null
  })

  it("are available in the client", async () => {
    const client = createClient({
      baseUrl: "http://leadloom.test",
      credential: world.acme.apiKey,
      fetch: (url, init) => server.fetch(new Request(url, init))
    })
    expect(await client.crmActions.run("add_tag", bodyOf({ tag: "vip" }))).toMatchObject({ tags: expect.any(String) })
    await expect(client.crmActions.run("fly", bodyOf({}))).rejects.toMatchObject({ status: 400 })
  })
})

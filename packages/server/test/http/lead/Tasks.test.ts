import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { someConfig } from "../../world/Endpoints.ts"
import { type Answer, adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
let contactId: string
const base = "/api/v1/tenants/acme/tasks"

const rule = (task_type: string, due_in_minutes?: number) => ({
  type: "create_task",
  task_type,
  title: task_type,
  ...(due_in_minutes === undefined ? {} : { due_in_minutes })
})

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
  const actions = [rule("review"), rule("follow_up", 60), rule("callback", 15)]
  const when = { fact: "message.text", op: "contains", value: "kitchen" }
  const rules = [{ id: "rule_1", name: "Tasks", priority: 1, when, actions }]
  const saved = await server.call("PUT", "/api/v1/config/acme", { as: adminKey, body: { ...someConfig, rules } })
  expect(saved.status).toBe(200)
  const body = { message: "A kitchen, please", contact: { email: "jane@customer.example" } }
  await server.call("POST", "/api/v1/webhook/automation/acme", { as: world.acme.apiKey, body })
  const contacts = await server.call("GET", "/api/v1/tenants/acme/contacts", { as: world.acme.apiKey })
  contactId = textAt(contacts.json, "contacts", 0, "id")
})
afterAll(() => server.close())

const get = (path: string, as = world.acme.apiKey) => server.call("GET", path, { as })

const tasksIn = ({ json }: Answer): ReadonlyArray<unknown> => {
  const found = at(json, "tasks")
  return Array.isArray(found) ? found : []
}

const types = async (query: string): Promise<ReadonlyArray<unknown>> =>
  tasksIn(await get(`${base}${query}`)).map((task) => at(task, "type"))

const patch = async (type: string, body: unknown): Promise<Answer> => {
  const lists = await Promise.all(
    ["open", "snoozed", "done"].map((status) => get(`${base}?type=${type}&status=${status}`))
  )
  const [task] = lists.flatMap(tasksIn)
  return server.call("PATCH", `${base}/${textAt(task, "id")}`, { as: world.acme.session, body })
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u)

describe("the list of tasks", () => {
  it("shows open tasks by due date, those without a date last", async () => {
    const answer = await get(base)
    expect(tasksIn(answer)[0]).toEqual({
      id: expect.stringMatching(/^task_/u),
      type: "callback",
      status: "open",
      priority: "normal",
      title: "callback",
      contact_id: contactId,
      lead_id: expect.stringMatching(/^lead_/u),
      signal_id: expect.stringMatching(/^sig_/u),
      due_at: time,
      description: null,
      assignee_id: null,
      team_id: null,
      remind_at: null,
      recurrence: null,
      next_task_id: null,
      snooze_until: null,
      disposition: null,
      created_at: time,
      updated_at: time
    })
    expect(await types("")).toEqual(["callback", "follow_up", "review"])
    expect(await types("?type=follow_up")).toEqual(["follow_up"])
    expect(await types(`?contact_id=${contactId}`)).toEqual(["callback", "follow_up", "review"])
    expect(await types("?contact_id=con_nobody")).toEqual([])
    expect(await types(`?lead_id=${textAt(tasksIn(answer)[0], "lead_id")}&type=review`)).toEqual(["review"])
    expect(await types("?status=snoozed")).toEqual([])
  })

  it("returns every task once over its pages, and rejects unknown parameters", async () => {
    const first = await get(`${base}?limit=2`)
    const cursor = encodeURIComponent(textAt(first.json, "next_cursor"))
    expect(await types(`?limit=2&cursor=${cursor}`)).toEqual(["review"])
    for (const [path, query] of [
      ["cursor", `?status=done&cursor=${cursor}`],
      ["status", "?status=closed"],
      ["type", "?type=call"],
      ["priority", "?priority=soon"],
      ["sort", "?sort=title"],
      ["cursor", `?sort=priority&cursor=${cursor}`],
      ["limit", "?limit=0"],
      ["colour", "?colour=red"]
    ]) {
      const answer = await get(`${base}${query}`)
      expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, path])
    }
  })

  it("also answers at its former path, with a link to the new one", async () => {
    const [old, now] = [await get("/api/v1/callbacks?tenant_id=acme&limit=2"), await get(`${base}?limit=2`)]
    expect([old.status, old.text]).toEqual([200, now.text])
    expect(old.headers.get("deprecation")).toMatch(/^@\d+$/u)
    expect(old.headers.get("link")).toBe(`<${base}>; rel="successor-version"`)
    expect(now.headers.get("deprecation")).toBeNull()
  })

  it("requires the same rights at its former path", async () => {
    const callbacks = "/api/v1/callbacks"
    expect((await server.call("GET", `${callbacks}?tenant_id=acme`)).status).toBe(401)
    for (const query of ["?tenant_id=acme", "?tenant_id=acme&status=nonsense", "?tenant_id=acme&tenant_id=other"]) {
      expect((await get(`${callbacks}${query}`, world.other.apiKey)).status).toBe(403)
    }
    expect((await get(`${callbacks}?tenant_id=nobody`, adminKey)).status).toBe(404)
    for (const query of ["", "?tenant_id=", "?tenant_id=acme&tenant_id=other"]) {
      expect((await get(`${callbacks}${query}`)).status).toBeGreaterThanOrEqual(400)
    }
    expect((await get(`${callbacks}?tenant_id=other&tenant_id=acme`)).status).toBe(403)
  })
})

describe("a task", () => {
  it("is snoozed until a future time, and reactivated", async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString()
    const snoozed = await patch("review", { snooze_until: until })
    expect(snoozed.json).toMatchObject({ type: "review", status: "snoozed", snooze_until: until })
    expect([await types(""), await types("?status=snoozed")]).toEqual([["callback", "follow_up"], ["review"]])
    expect((await patch("review", { snooze_until: null })).json).toMatchObject({ status: "open", snooze_until: null })
    for (const body of [{ snooze_until: "2020-01-01T00:00:00Z" }, { snooze_until: until, status: "done" }]) {
      const answer = await patch("review", body)
      expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, "snooze_until"])
    }
  })

  it("is completed with a disposition and keeps its lead", async () => {
    const done = await patch("callback", { status: "done", disposition: "Reached her", lead_id: null })
    expect(done.json).toMatchObject({ status: "done", disposition: "Reached her", lead_id: null })
    expect(await types("?status=done")).toEqual(["callback"])
    expect((await patch("callback", {})).json).toEqual(done.json)
    const wrong = await patch("callback", { lead_id: "lead_of_nobody" })
    expect([wrong.status, at(wrong.json, "error", "details", 0, "path")]).toEqual([400, "lead_id"])
    expect((await patch("callback", { disposition: "x".repeat(501) })).code).toBe("BAD_REQUEST")
  })

  it("gets a priority, which filters and orders the list", async () => {
    expect(await types("?priority=normal")).toEqual(["follow_up", "review"])
    const urgent = await patch("review", { priority: "urgent" })
    expect(urgent.json).toMatchObject({ type: "review", priority: "urgent", status: "open" })
    expect(await types("?priority=urgent")).toEqual(["review"])
    expect([await types("?sort=-priority"), await types("?sort=priority"), await types("")]).toEqual([
      ["review", "follow_up"],
      ["follow_up", "review"],
      ["follow_up", "review"]
    ])
    const first = await get(`${base}?sort=-priority&limit=1`)
    const cursor = encodeURIComponent(textAt(first.json, "next_cursor"))
    expect(await types(`?sort=-priority&limit=1&cursor=${cursor}`)).toEqual(["follow_up"])
    expect((await get(`${base}?sort=due_at`)).text).toBe((await get(base)).text)
    const wrong = await patch("review", { priority: "soon" })
    expect([wrong.status, at(wrong.json, "error", "details", 0, "path")]).toEqual([400, "priority"])
  })

  it("of another tenant does not exist", async () => {
    const taskId = textAt(tasksIn(await get(base))[0], "id")
    const path = `/api/v1/tenants/other/tasks/${taskId}`
    for (const as of [world.other.apiKey, adminKey]) {
      expect((await server.call("PATCH", path, { as, body: { status: "done" } })).code).toBe("NOT_FOUND")
    }
    expect((await server.call("PATCH", `${base}/task_0`, { as: adminKey, body: {} })).code).toBe("NOT_FOUND")
  })
})

describe("a task of a person", () => {
  const create = (body: Readonly<Record<string, unknown>>, as = world.acme.session) =>
    server.call("POST", base, { as, body: { title: "Visit", type: "follow_up", contact_id: contactId, ...body } })

  it("is created, read, changed, completed and repeated", async () => {
    const due = "2099-03-02T09:00:00.000Z"
    const created = await create({
      due_at: due,
      recurrence: "FREQ=DAILY",
      priority: "high",
      description: " Bring samples "
    })
    expect([created.status, created.json]).toEqual([
      201,
      expect.objectContaining({
        title: "Visit",
        due_at: due,
        priority: "high",
        description: "Bring samples",
        signal_id: null
      })
    ])
    const path = `${base}/${textAt(created.json, "id")}`
    expect((await get(path)).json).toEqual(created.json)
    const change = (body: unknown) => server.call("PATCH", path, { as: world.acme.session, body })
    expect((await change({ title: "Visit Jane", description: null })).json).toMatchObject({ title: "Visit Jane" })
    const done = await change({ status: "done" })
    const next = await get(`${base}/${textAt(done.json, "next_task_id")}`)
    expect(next.json).toMatchObject({ title: "Visit Jane", status: "open", due_at: "2099-03-03T09:00:00.000Z" })
    expect(tasksIn(await get(`${base}?due_after=2099-03-03T00:00:00Z`)).map((task) => at(task, "id"))).toEqual([
      textAt(next.json, "id")
    ])
  })

  it("may concern no contact", async () => {
    const created = await create({ contact_id: undefined, title: "Order price lists" })
    expect([created.status, at(created.json, "contact_id")]).toEqual([201, null])
    const path = `${base}/${textAt(created.json, "id")}`
    expect((await get(path)).json).toEqual(created.json)
    const change = (body: unknown) => server.call("PATCH", path, { as: world.acme.session, body })
    expect((await change({ status: "done" })).json).toMatchObject({ contact_id: null, status: "done" })
  })

  it("is rejected with the name of the invalid field", async () => {
    for (const [field, body] of [
      ["type", { type: "reply_approval" }],
      ["title", { title: "" }],
      ["title", { title: "x".repeat(201) }],
      ["assignee_id", { assignee_id: "usr_of_nobody" }],
      ["team_id", { team_id: "team_of_nobody" }],
      ["lead_id", { lead_id: "lead_of_nobody" }],
      ["recurrence", { recurrence: "FREQ=SECONDLY", due_at: "2099-03-02" }],
      ["due_at", { recurrence: "FREQ=DAILY" }]
    ] as const) {
      const answer = await create(body)
      expect([answer.status, at(answer.json, "error", "details", 0, "path")]).toEqual([400, field])
    }
    expect((await create({ contact_id: "con_of_nobody" })).status).toBe(404)
  })

  it("is filtered by its assignee, and has comments", async () => {
    const user = await server.call("POST", "/api/v1/tenants/acme/users", {
      as: adminKey,
      body: { name: "Ann Baker", email: "ann@business.example", role: "agent" }
    })
    const assignee = textAt(user.json, "id")
    const created = await create({ assignee_id: assignee })
    expect(tasksIn(await get(`${base}?assignee_id=${assignee}`))).toEqual([created.json])
    const comments = `${base}/${textAt(created.json, "id")}/comments`
    const written = await server.call("POST", comments, { as: world.acme.apiKey, body: { body: "Nobody answers." } })
    expect([written.status, written.json]).toEqual([
      201,
      {
        id: expect.stringMatching(/^cmt_/u),
        task_id: textAt(created.json, "id"),
        author_id: null,
        author: world.acme.keyId,
        body: "Nobody answers.",
        created_at: time
      }
    ])
    expect((await get(comments)).json).toEqual({ comments: [written.json], next_cursor: null })
    expect((await get(`${base}/task_of_nobody/comments`)).status).toBe(404)
  })
})

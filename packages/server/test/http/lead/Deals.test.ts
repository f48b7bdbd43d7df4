import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { type Answer, adminKey, at, startServer, type TestServer, textAt } from "../../world/TestServer.ts"
import { makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
let base = ""
let tenants = 0

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "100000" })
  world = await makeWorld(server)
})
afterAll(() => server.close())

const call = (method: string, path: string, body?: unknown, as = adminKey): Promise<Answer> =>
  server.call(method, `${base}${path}`, { as, ...(body === undefined ? {} : { body }) })

beforeEach(async () => {
  const tenantId = `deals-${++tenants}`
  const body = { tenant_id: tenantId, name: "Acme Roofs" }
  expect((await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body })).status).toBe(201)
  base = `/api/v1/tenants/${tenantId}`
})

const configure = (deals: Readonly<Record<string, unknown>>) => {
  const complete = { loss_reasons: [], require_loss_reason: false, engage_on_answer: false, ...deals }
  const path = base.replace("/tenants/", "/config/")
  return server.call("PATCH", path, { as: adminKey, body: { deals: complete } })
}

const create = async (body: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const answer = await call("POST", "/leads", { contact: { email: "jane@customer.example" }, ...body })
  expect(answer.status, answer.text).toBe(201)
  return textAt(answer.json, "id")
}

const rows = (json: unknown, list: string): ReadonlyArray<unknown> => {
  const found = at(json, list)
  return Array.isArray(found) ? found : []
}

const issue = ({ code, json, status }: Answer) => [status, code, at(json, "error", "details", 0, "path")]

/** Creates a pipeline whose first stage is `New`. Returns its id and the ids of its stages by name. */
const pipeline = async (...names: ReadonlyArray<readonly [name: string, state: string]>) => {
  const stages = names.map(([name, state]) => ({ name, state }))
  const created = await call("POST", "/pipelines", { name: "Roofs", stages })
  expect(created.status, created.text).toBe(201)
  const ids = rows(created.json, "stages").map((stage) => [textAt(stage, "name"), textAt(stage, "stage_id")] as const)
  return { id: textAt(created.json, "pipeline_id"), stages: Object.fromEntries(ids) }
}

const boardOf = async (pipelineId: string) => {
  const { json } = await call("GET", `/pipelines/${pipelineId}/board`)
  return rows(json, "stages").flatMap((stage) => {
    const leads = at(stage, "leads")
    return leads === 0 ? [] : [[at(stage, "name"), leads, at(stage, "values")]]
  })
}

const eventsOf = async (type: string) => {
  const { json } = await call("GET", "/events?limit=100")
  return rows(json, "events").flatMap((entry) =>
    at(entry, "event", "event_type") === type ? [at(entry, "event", "data")] : []
  )
}

describe("the fields of a deal", () => {
  it("are set at creation and later, and cleared together", async () => {
    const deal = { value: 125_000, currency: "EUR", expected_close_on: "2026-12-24", tags: [" vip ", "vip", "roof"] }
    const leadId = await create({ ...deal, stage_id: "stg_open" })
    const stored = { ...deal, tags: ["vip", "roof"], loss_reason: null, stage_id: "stg_open" }
    expect((await call("GET", `/leads/${leadId}`)).json).toMatchObject(stored)
    expect((await call("PATCH", `/leads/${leadId}`, { value: 90_000 })).json).toMatchObject({
      ...stored,
      value: 90_000
    })
    const cleared = await call("PATCH", `/leads/${leadId}`, { value: null, tags: [], expected_close_on: null })
    expect(cleared.json).toMatchObject({ value: null, currency: null, tags: [], expected_close_on: null })
  })

  it("have custom fields that the tenant defines", async () => {
    const definition = { entity: "lead", key: "roof_area", label: "Roof area", type: "number" }
    expect((await call("POST", "/fields", definition)).status).toBe(201)
    const leadId = await create({ custom_fields: { roof_area: 80 } })
    const changed = await call("PATCH", `/leads/${leadId}`, { custom_fields: { roof_area: 85 } })
    expect(at(changed.json, "custom_fields")).toEqual({ roof_area: 85 })
    const wrong = { custom_fields: { roof_area: "large" } }
    expect(issue(await call("PATCH", `/leads/${leadId}`, wrong))).toEqual([
      400,
      "BAD_REQUEST",
      "custom_fields.roof_area"
    ])
    const cleared = await call("PATCH", `/leads/${leadId}`, { custom_fields: { roof_area: null } })
    expect(at(cleared.json, "custom_fields")).toEqual({})
  })

  it.each([
    ["currency", { value: 100 }],
    ["value", { currency: "EUR" }],
    ["currency", { value: 100, currency: "eur" }],
    ["currency", { value: 100, currency: "XYZ" }],
    ["value", { value: -1, currency: "EUR" }],
    ["value", { value: 0.5, currency: "EUR" }],
    ["expected_close_on", { expected_close_on: "2026-02-30" }],
    ["expected_close_on", { expected_close_on: "2026-12-24T00:00:00Z" }],
    ["loss_reason", { loss_reason: "Too expensive" }]
  ])("are refused with the path %s for %j", async (path, body) => {
    const leadId = await create()
    expect(issue(await call("PATCH", `/leads/${leadId}`, body))).toEqual([400, "BAD_REQUEST", path])
  })
})

describe("a pipeline", () => {
  it("exists in every tenant, and another one has a stage for each lead state", async () => {
    const { id } = await pipeline(["New", "open"], ["Visit agreed", "engaged"])
    const { json } = await call("GET", "/pipelines")
    expect(rows(json, "pipelines").map((one) => [at(one, "name"), at(one, "is_default")])).toEqual([
      ["Default", true],
      ["Roofs", false]
    ])
    const found = await call("GET", `/pipelines/${id}`)
    expect(rows(found.json, "stages").map((stage) => [at(stage, "name"), at(stage, "state")])).toEqual([
      ["New", "open"],
      ["Visit agreed", "engaged"],
      ["Qualified", "qualified"],
      ["Won", "won"],
      ["Lost", "lost"],
      ["Archived", "archived"]
    ])
  })

  it("moves leads of a removed stage to its target, and otherwise refuses the removal", async () => {
    const { id, stages } = await pipeline(["New", "open"], ["Contacted", "open"])
    const leadId = await create({ stage_id: stages["Contacted"], value: 500, currency: "USD" })
    const kept = rows((await call("GET", `/pipelines/${id}`)).json, "stages").filter(
      (stage) => at(stage, "name") !== "Contacted"
    )
    expect((await call("PATCH", `/pipelines/${id}`, { stages: kept })).status).toBe(409)
    const wrong = [{ from: stages["Contacted"], to: stages["Won"] }]
    expect(issue(await call("PATCH", `/pipelines/${id}`, { stages: kept, moves: wrong }))).toEqual([
      400,
      "BAD_REQUEST",
      "moves"
    ])
    const moves = [{ from: stages["Contacted"], to: stages["New"] }]
    expect((await call("PATCH", `/pipelines/${id}`, { stages: kept, moves })).status).toBe(200)
    expect(at((await call("GET", `/leads/${leadId}`)).json, "stage_id")).toBe(stages["New"])
    expect(await boardOf(id)).toEqual([["New", 1, [{ currency: "USD", value: 500 }]]])
  })

  it("is deleted only without leads, and the default one never", async () => {
    const { id, stages } = await pipeline(["New", "open"])
    const leadId = await create({ stage_id: stages["New"] })
    expect((await call("DELETE", `/pipelines/${id}`)).status).toBe(409)
    expect((await call("POST", `/leads/${leadId}/stage`, { stage_id: "stg_open" })).status).toBe(200)
    expect((await call("DELETE", `/pipelines/${id}`)).status).toBe(204)
    expect((await call("GET", `/pipelines/${id}`)).status).toBe(404)
    expect((await call("DELETE", "/pipelines/pip_default")).status).toBe(400)
  })

  it("keeps the state of each stage and refuses stages of other pipelines", async () => {
    const stages = rows((await call("GET", "/pipelines/pip_default")).json, "stages")
    const changed = stages.map((stage) =>
      at(stage, "state") === "open" ? { ...Object(stage), state: "engaged" } : stage
    )
    const foreign = [{ stage_id: "stg_elsewhere", name: "Mine", state: "open" }]
    const twice = [...stages, stages[0]]
    for (const wrong of [changed, foreign, twice]) {
      const answer = await call("PATCH", "/pipelines/pip_default", { stages: wrong })
      expect(issue(answer)).toEqual([400, "BAD_REQUEST", "stages"])
    }
  })

  it("belongs to its tenant, is configured by managers and recorded in the audit trail", async () => {
    const { id } = await pipeline(["New", "open"])
    const audit = await call("GET", "/audit")
    expect(rows(audit.json, "entries").map((entry) => at(entry, "action"))).toContain("pipelines.create")
    base = "/api/v1/tenants/acme"
    expect((await call("GET", `/pipelines/${id}`)).status).toBe(404)
    const body = { name: "Renewals" }
    expect((await call("POST", "/pipelines", body, world.acme.session)).status).toBe(403)
    expect((await call("GET", "/pipelines", undefined, world.acme.session)).status).toBe(200)
  })
})

describe("a lead in a stage", () => {
  it("changes its state with its stage, under the rules of transitions, and reports both", async () => {
    const { id, stages } = await pipeline(
      ["New", "open"],
      ["Contacted", "open"],
      ["Visit", "engaged"],
      ["Offer", "qualified"]
    )
    const leadId = await create()
    const move = (name: string, more = {}) =>
      call("POST", `/leads/${leadId}/stage`, { stage_id: stages[name], ...more })
    expect((await move("Contacted")).json).toMatchObject({
      pipeline_id: id,
      stage_id: stages["Contacted"],
      state: "open"
    })
    expect((await move("Offer")).status).toBe(409)
    expect((await move("Visit", { reason: "Called" })).json).toMatchObject({
      stage_id: stages["Visit"],
      state: "engaged"
    })
    const moved = await eventsOf("lead.stage_changed")
    expect(moved.map((data) => [at(data, "previous_stage_id"), at(data, "stage_name"), at(data, "reason")])).toEqual([
      ["stg_open", "Contacted", null],
      [stages["Contacted"], "Visit", "Called"]
    ])
    expect((await eventsOf("lead.state_changed")).map((data) => at(data, "state"))).toEqual(["engaged"])
    const contactId = textAt((await call("GET", `/leads/${leadId}`)).json, "contact_id")
    const timeline = await call("GET", `/contacts/${contactId}/timeline`)
    expect(rows(timeline.json, "entries").map((entry) => at(entry, "type"))).toContain("lead_stage_changed")
    expect((await call("POST", `/leads/${leadId}/stage`, { stage_id: "stg_elsewhere" })).status).toBe(404)
  })

  it("moves to the first stage of its pipeline when its state changes without a stage", async () => {
    const { stages } = await pipeline(["New", "open"], ["Visit", "engaged"], ["Second visit", "engaged"])
    const leadId = await create({ stage_id: stages["New"] })
    const engaged = await call("POST", `/leads/${leadId}/transition`, { state: "engaged" })
    expect(at(engaged.json, "stage_id")).toBe(stages["Visit"])
    const [data] = await eventsOf("lead.stage_changed")
    expect([at(data, "previous_stage_id"), at(data, "stage_id")]).toEqual([stages["New"], stages["Visit"]])
  })

  it("counts in the board of its pipeline with its value", async () => {
    const usd = (value: number) => ({ value, currency: "USD" })
    await create(usd(100))
    const second = await create(usd(250))
    await create({ value: 7, currency: "EUR" })
    await call("POST", `/leads/${second}/transition`, { state: "engaged" })
    await call("PATCH", `/leads/${second}`, usd(300))
    const open = [
      { currency: "EUR", value: 7 },
      { currency: "USD", value: 100 }
    ]
    expect(await boardOf("pip_default")).toEqual([
      ["Open", 2, open],
      ["Engaged", 1, [{ currency: "USD", value: 300 }]]
    ])
  })

  it("is found by pipeline, stage, tag, value and expected date", async () => {
    const { id, stages } = await pipeline(["New", "open"])
    const lead = (subject: string, body: object) => create({ subject, ...body })
    await lead("a", { stage_id: stages["New"], tags: ["vip"], value: 100, currency: "USD" })
    await lead("b", { tags: ["vip"], value: 300, currency: "USD", expected_close_on: "2026-12-01" })
    await lead("c", { stage_id: stages["New"], value: 200, currency: "USD", expected_close_on: "2026-12-24" })
    const subjects = async (query: string) => {
      const { json } = await call("GET", `/leads?${query}`)
      return rows(json, "leads").map((one) => at(one, "subject"))
    }
    expect(await subjects(`pipeline_id=${id}`)).toEqual(["c", "a"])
    expect(await subjects("stage_id=stg_open")).toEqual(["b"])
    expect(await subjects(`pipeline_id=pip_default&stage_id=${stages["New"]}`)).toEqual([])
    expect(await subjects("tag=vip&sort=created_at")).toEqual(["a", "b"])
    expect(await subjects("min_value=150")).toEqual(["b", "c"])
    expect(await subjects("min_value=150&max_value=200&expected_close_from=2026-12-02")).toEqual(["c"])
    expect(await subjects("expected_close_until=2026-12-31")).toEqual(["b", "c"])
    expect(await subjects("sort=-expected_close_on")).toEqual(["c", "b"])
    const first = await call("GET", `/leads?pipeline_id=${id}&limit=1`)
    const next = await subjects(
      `pipeline_id=${id}&limit=1&cursor=${encodeURIComponent(textAt(first.json, "next_cursor"))}`
    )
    expect([...rows(first.json, "leads").map((one) => at(one, "subject")), ...next]).toEqual(["c", "a"])
    expect((await call("GET", "/leads?stage_id=stg_elsewhere")).status).toBe(404)
    for (const query of ["tag=vip&sort=-last_message_at", "min_value=1&sort=created_at"]) {
      expect(issue(await call("GET", `/leads?${query}`))).toEqual([400, "BAD_REQUEST", "sort"])
    }
  })
})

describe("a lost lead", () => {
  const qualified = async () => {
    const leadId = await create()
    for (const state of ["engaged", "qualified"]) await call("POST", `/leads/${leadId}/transition`, { state })
    return leadId
  }

  it("needs one of the configured reasons, which ends with the reopening", async () => {
    const configured = await configure({ loss_reasons: ["Too expensive", "No answer"], require_loss_reason: true })
    expect(configured.status, configured.text).toBe(200)
    const leadId = await qualified()
    const lose = (more: object) => call("POST", `/leads/${leadId}/transition`, { state: "lost", ...more })
    expect(issue(await lose({}))).toEqual([400, "BAD_REQUEST", "loss_reason"])
    expect(issue(await lose({ loss_reason: "Weather" }))).toEqual([400, "BAD_REQUEST", "loss_reason"])
    expect((await lose({ loss_reason: "No answer" })).json).toMatchObject({ state: "lost", loss_reason: "No answer" })
    const corrected = await call("PATCH", `/leads/${leadId}`, { loss_reason: "Too expensive" })
    expect(at(corrected.json, "loss_reason")).toBe("Too expensive")
    expect(issue(await call("PATCH", `/leads/${leadId}`, { loss_reason: null }))[0]).toBe(400)
    const reopened = await call("POST", `/leads/${leadId}/transition`, { state: "open" })
    expect(reopened.json).toMatchObject({ state: "open", loss_reason: null })
  })

  it("needs no reason by default", async () => {
    const leadId = await qualified()
    const lost = await call("POST", `/leads/${leadId}/stage`, { stage_id: "stg_lost", loss_reason: "Weather" })
    expect(lost.json).toMatchObject({ state: "lost", loss_reason: "Weather", stage_id: "stg_lost" })
  })
})

describe("an answer of a person", () => {
  const answered = async () => {
    const leadId = await create()
    const entries = [{ channel: "sms", body: "We come on Monday", actor: "agent" }]
    expect((await call("POST", `/leads/${leadId}/conversation`, { entries })).status).toBe(200)
    return at((await call("GET", `/leads/${leadId}`)).json, "state")
  }

  it("engages an open lead only if the tenant configures it", async () => {
    expect(await answered()).toBe("open")
    expect((await configure({ engage_on_answer: true })).status).toBe(200)
    expect(await answered()).toBe("engaged")
    const [data] = await eventsOf("lead.state_changed")
    expect([at(data, "state"), at(data, "reason")]).toEqual(["engaged", "a person answered"])
  })
})

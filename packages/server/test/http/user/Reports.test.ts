import { followReports } from "@leadloom/core/internal/workflow/report/FollowReports"
import { Clock, Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer } from "../../world/TestServer.ts"
import { importOf, mail, makeWorld, type World } from "../../world/World.ts"

let server: TestServer
let world: World
const base = "/api/v1/tenants/acme/reports"

const fiveMinutesAhead = (clock: Clock.Clock): Clock.Clock =>
  Object.assign(Object.create(clock), {
    currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + 300_000)
  })

/** Runs an effect with a clock that is five minutes ahead. */
const later = Effect.provideServiceEffect(Clock.Clock, Effect.map(Clock.Clock, fiveMinutesAhead))

beforeAll(async () => {
  server = startServer()
  world = await makeWorld(server)
  const body = importOf(
    mail({ "Message-ID": "<1@customer.example>" }, "A kitchen?"),
    mail({ "Message-ID": "<2@customer.example>", From: "=SUM(1) <eve@customer.example>" }, "A bath?")
  )
  const imported = await server.call("POST", "/api/v1/import/acme/email", { as: adminKey, body })
  expect(imported.status).toBe(200)
})
afterAll(() => server.close())

const untimed = { average_seconds: null, median_seconds: null, p90_seconds: null, value: null, rate: null }

const get = (path: string, as = adminKey) => server.call("GET", `${base}${path}`, { as })

describe("reports", () => {
  it("count messages a minute after they are stored, by day, channel, user or source", async () => {
    const period = "/volume?from=2026-03-01&to=2026-03-01"
    await server.run(followReports())
    expect((await get(period)).json).toMatchObject({ rows: [] })
    await server.run(later(followReports()))
    await server.run(later(followReports()))
    const found = await get(`${period}&group_by=channel`)
    expect(found.json).toEqual({
      name: "volume",
      from: "2026-03-01",
      to: "2026-03-01",
      group_by: "channel",
      time_zone: "UTC",
      counted_until: expect.stringMatching(/Z$/u),
      rows: [{ group: "email", metric: "received", detail: null, count: 2, ...untimed }]
    })
    expect((await get("/volume?from=2026-03-02&to=2026-03-03")).json).toMatchObject({ rows: [] })
    expect(at((await get("/volume?from=2026-03-01&to=2026-03-02&group_by=user")).json, "rows", 0, "group")).toBeNull()
  })

  it("are CSV on request", async () => {
    const found = await get("/volume?from=2026-03-01&to=2026-03-01&format=csv")
    expect(found.headers.get("content-type")).toContain("text/csv")
    expect(found.text).toBe(
      [
        '"group","metric","detail","count","average_seconds","median_seconds","p90_seconds","value","rate"',
        '"2026-03-01","received","","2","","","","",""',
        ""
      ].join("\r\n")
    )
  })

  it("measure the resolution of closed conversations, and filter by channel, tag, team and user", async () => {
    const list = await server.call("GET", "/api/v1/tenants/acme/conversations", { as: adminKey })
    const contact = String(at(list.json, "conversations", 0, "contact_id"))
    const path = `/api/v1/tenants/acme/conversations/${contact}`
    const closed = await server.call("PATCH", path, { as: adminKey, body: { state: "closed", tags: ["=1+1"] } })
    expect(closed.status).toBe(200)
    await server.run(later(followReports()))
    const found = await get("/resolution_times?group_by=tag&channel=email")
    expect(at(found.json, "rows", 0)).toMatchObject({ group: "=1+1", metric: "resolution", detail: "agent", count: 1 })
    expect(at(found.json, "rows", 1)).toMatchObject({ group: "=1+1", metric: "resolution_business", count: 1 })
    const written = await get("/resolution_times?group_by=tag&format=csv")
    expect(written.text).toContain(`"'=1+1","resolution","agent","1"`)
    expect((await get("/resolution_times?channel=sms")).json).toMatchObject({ rows: [] })
    expect((await get("/resolution_times?tag=other")).json).toMatchObject({ rows: [] })
    expect((await get("/resolution_times?team_id=team_0")).json).toMatchObject({ rows: [] })
    expect((await get("/resolution_times?user_id=usr_0")).json).toMatchObject({ rows: [] })
  })

  it("name the allowed groups", async () => {
    const refused = await get("/volume?group_by=pipeline")
    expect([refused.status, at(refused.json, "error", "details", 0, "path")]).toEqual([400, "group_by"])
    expect(refused.text).toContain("day, channel, user, source, team, tag")
    expect((await get("/conversion?group_by=pipeline")).status).toBe(200)
  })

  it("are for managers, and reject unknown names and periods", async () => {
    expect((await get("/volume", world.acme.session)).status).toBe(403)
    expect((await get("/unknown")).status).toBe(400)
    expect((await get("/volume?group_by=shoe_size")).status).toBe(400)
    const reversed = await get("/volume?from=2026-03-02&to=2026-03-01")
    expect([reversed.status, at(reversed.json, "error", "details", 0, "path")]).toEqual([400, "from"])
  })
})

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, adminKey, type Call, startServer, type TestServer } from "../../world/TestServer.ts"

let server: TestServer

const call = (method: string, path: string, more: Call = {}): Promise<Answer> =>
  server.call(method, `/api/v1/${path}`, { as: adminKey, ...more })
const assign = (phone: string, tenant_id: string, isDefault = false) =>
  call("PUT", "admin/phone-numbers", { body: { phone, tenant_id, default: isDefault } })
const blocklist = "tenants/acme/sms-filters/blocklist"
const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT/u)

beforeAll(async () => {
  server = startServer({ LEADLOOM_LIMIT_ADMIN: "1000000" })
  for (const tenant_id of ["acme", "other"]) {
    await call("POST", "admin/tenants", { body: { tenant_id, name: tenant_id } })
  }
})
afterAll(() => server.close())

describe("numbers of tenants", () => {
  it("are assigned by the operator, one at a time, and listed page by page", async () => {
    expect((await assign("+1 (555) 010-0002", "acme")).json).toEqual({
      phone: "+15550100002",
      tenant_id: "acme",
      default: false,
      created_at: stamp
    })
    expect((await assign("+15550100001", "acme", true)).json).toMatchObject({ default: true })
    const first = await call("GET", "admin/phone-numbers?limit=1")
    expect(first.json).toMatchObject({ phone_numbers: [{ phone: "+15550100001", default: true }] })
    const cursor = String(Reflect.get(Object(first.json), "next_cursor"))
    expect((await call("GET", `admin/phone-numbers?limit=1&cursor=${cursor}`)).json).toMatchObject({
      phone_numbers: [{ phone: "+15550100002", default: false }],
      next_cursor: null
    })
    expect((await call("GET", "admin/phone-numbers?cursor=nothing")).status).toBe(400)
  })

  it("belong to one tenant until they are removed", async () => {
    const accepted = await assign("+15550100001", "other")
    expect([accepted.status, accepted.code]).toEqual([409, "CONFLICT"])
    expect(accepted.text).toContain("DELETE /api/v1/admin/phone-numbers")
    const removed = await call("DELETE", "admin/phone-numbers", { body: { phone: "+15550100001" } })
    expect(removed.json).toEqual({ status: "removed" })
    expect((await call("DELETE", "admin/phone-numbers", { body: { phone: "+15550100001" } })).status).toBe(404)
    expect((await assign("+15550100001", "other")).status).toBe(200)
  })

  it("require a country and an existing tenant", async () => {
    expect((await assign("555 010 0003", "acme")).status).toBe(400)
    expect((await assign("+15550100003", "nobody")).status).toBe(404)
  })
})

describe("the blocklist", () => {
  it("accepts numbers in any format and stores each once as E.164", async () => {
    const blocked = await call("POST", blocklist, { body: { phone: "(212) 555-0100" } })
    expect([blocked.status, blocked.json]).toEqual([201, { phone: "+12125550100", created_at: stamp }])
    expect((await call("POST", blocklist, { body: { phone: "+12125550100" } })).json).toEqual(blocked.json)
    await call("POST", blocklist, { body: { phone: "+442079460000" } })
    expect((await call("GET", blocklist)).json).toEqual({
      blocklist: [
        { phone: "+12125550100", created_at: stamp },
        { phone: "+442079460000", created_at: stamp }
      ],
      next_cursor: null
    })
    const first = await call("GET", `${blocklist}?limit=1`)
    const cursor = String(Reflect.get(Object(first.json), "next_cursor"))
    expect((await call("GET", `${blocklist}?limit=1&cursor=${cursor}`)).json).toMatchObject({
      blocklist: [{ phone: "+442079460000" }],
      next_cursor: null
    })
  })

  it("removes a number in any format, even one that is not listed", async () => {
    for (const phone of ["2125550100", "+12125550100", "+442079460000"]) {
      const removed = await call("DELETE", blocklist, { body: { phone } })
      expect([removed.status, removed.json]).toEqual([200, { status: "removed" }])
    }
    expect((await call("GET", blocklist)).json).toEqual({ blocklist: [], next_cursor: null })
  })

  it("rejects invalid numbers", async () => {
    expect((await call("POST", blocklist, { body: { phone: "somebody" } })).status).toBe(400)
    expect((await call("DELETE", blocklist, { body: {} })).status).toBe(400)
  })
})

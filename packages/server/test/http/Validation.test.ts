import { afterAll, describe, expect, it } from "vitest"
import { adminKey, at, startServer } from "../world/TestServer.ts"

const server = startServer()
afterAll(() => server.close())

const detailsOf = async (path: string, body: unknown): Promise<unknown> => {
  const answer = await server.call("POST", path, { as: adminKey, body })
  expect([answer.status, answer.code]).toEqual([400, "BAD_REQUEST"])
  return at(answer.json, "error", "details")
}

describe("a request that does not match the contract", () => {
  it("receives every invalid field in plain words", async () => {
    expect(await detailsOf("/api/v1/admin/tenants", { tenant_id: 1, nick: "x" })).toEqual(
      expect.arrayContaining([
        { path: "name", message: "This field is required." },
        { path: "nick", message: "Unknown field." }
      ])
    )
  })

  it("receives the permitted values of a field", async () => {
    await server.call("POST", "/api/v1/admin/tenants", { as: adminKey, body: { tenant_id: "acme", name: "Acme" } })
    expect(await detailsOf("/api/v1/test/acme", { message: "Hi", channel: "fax" })).toEqual([
      { path: "channel", message: "Expected one of email, sms, voice, chat, webhook" }
    ])
  })
})

import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { adminKey, startServer, type TestServer, textAt } from "../world/TestServer.ts"

let scope: Scope.Closeable
let one: TestServer
let other: TestServer
beforeEach(async () => {
  scope = Effect.runSync(Scope.make())
  const url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
  const shared = { LEADLOOM_DATABASE_URL: url, LEADLOOM_SECRET_KEY: "the-secret-key-of-both-of-the-servers" }
  one = startServer(shared)
  other = startServer(shared)
})
afterEach(async () => {
  vi.useRealTimers()
  await one.close()
  await other.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const conversations = "/api/v1/tenants/acme/conversations"

const statusOn = async (server: TestServer, as: string): Promise<number> =>
  (await server.call("GET", conversations, { as })).status

const openTenant = async () => {
  await one.call("POST", "/api/v1/admin/tenants", {
    as: adminKey,
    body: { tenant_id: "acme", name: "Acme", domain: "acme.example" }
  })
  const created = await one.call("POST", "/api/v1/tenants/acme/api-keys", { as: adminKey, body: { name: "agent" } })
  return { key: textAt(created.json, "key"), keyId: textAt(created.json, "id") }
}

it("a key that one server revokes is rejected there at once, and on the other server by its notification", async () => {
  const { key, keyId } = await openTenant()
  expect([await statusOn(one, key), await statusOn(other, key)]).toEqual([200, 200])
  // Records in memory do not age, so the other server depends on the notification.
  vi.useFakeTimers({ toFake: ["Date"] })
  expect([await statusOn(one, key), await statusOn(other, key)]).toEqual([200, 200])
  expect((await one.call("DELETE", `/api/v1/tenants/acme/api-keys/${keyId}`, { as: adminKey })).status).toBe(204)
  expect(await statusOn(one, key)).toBe(401)
  while ((await statusOn(other, key)) !== 401);
})

it("an archived tenant disappears on both servers", async () => {
  await openTenant()
  expect([await statusOn(one, adminKey), await statusOn(other, adminKey)]).toEqual([200, 200])
  vi.useFakeTimers({ toFake: ["Date"] })
  expect((await one.call("DELETE", "/api/v1/admin/tenants/acme", { as: adminKey })).status).toBe(204)
  expect(await statusOn(one, adminKey)).toBe(404)
  while ((await statusOn(other, adminKey)) !== 404);
})

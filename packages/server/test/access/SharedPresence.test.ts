import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { adminKey, at, startServer, type TestServer, textAt } from "../world/TestServer.ts"

let scope: Scope.Closeable
let one: TestServer
let other: TestServer

beforeAll(async () => {
  scope = Effect.runSync(Scope.make())
  const url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
  const shared = { LEADLOOM_DATABASE_URL: url, LEADLOOM_SECRET_KEY: "the-secret-key-of-both-of-the-servers" }
  one = startServer(shared)
  other = startServer(shared)
})
afterAll(async () => {
  await one.close()
  await other.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const create = async (path: string, body: unknown) => (await one.call("POST", path, { as: adminKey, body })).json

it("presence and stream tickets of one server are valid on the other servers", async () => {
  const base = "/api/v1/tenants/acme"
  await create("/api/v1/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.example" })
  const user = textAt(await create(`${base}/users`, { name: "Ann", email: "ann@business.example" }), "id")
  const key = textAt(await create("/api/v1/admin/tenants/acme/sources", { source_id: "form" }), "key")
  const event = { entity: { email: "jo@customer.example" }, content: { body: "Hello", channel: "chat" } }
  await one.call("POST", "/api/v1/events/acme/form", { headers: { "x-source-key": key }, body: event })
  const { json } = await one.call("GET", `${base}/conversations`, { as: adminKey })
  const path = `${base}/conversations/${textAt(json, "conversations", 0, "contact_id")}/presence`
  const headers = { "x-acting-user": user }
  const listed = async () => at((await other.call("GET", path, { as: adminKey })).json, "presence")
  // The other server may not listen yet. Clients renew their reports too.
  while (at(await listed(), 0) === undefined) {
    await one.call("PUT", path, { as: adminKey, headers, body: { state: "typing" } })
  }
  expect(await listed()).toMatchObject([{ user_id: user, name: "Ann", state: "typing" }])
  await one.call("PUT", path, { as: adminKey, headers, body: { state: "left" } })
  while (at(await listed(), 0) !== undefined);
  const ticket = textAt(await create(`${base}/events/ticket`, {}), "ticket")
  const stream = `${base}/events/stream?follow=false&ticket=${ticket}`
  expect((await other.call("GET", stream)).status).toBe(200)
  expect((await one.call("GET", stream)).status).toBe(401)
})

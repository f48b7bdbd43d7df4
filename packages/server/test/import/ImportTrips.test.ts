import { makeDatabaseProxy } from "@leadloom/testkit/postgres/DatabaseProxy"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { drainJobs } from "@leadloom/testkit/suite/Scene"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { adminKey, at, startServer, textAt } from "../world/TestServer.ts"
import { makeWorld } from "../world/World.ts"

const rows = 1_000

/** Imports a file into a new Postgres database, and returns its result and the round trips per record. */
const measure = Effect.fnUntraced(function* (files: ReadonlyArray<string>) {
  const url = yield* migratedDatabase
  const proxy = yield* Effect.acquireRelease(
    Effect.promise(() => makeDatabaseProxy(url)),
    (open) => Effect.promise(() => open.close())
  )
  const env = { LEADLOOM_DATABASE_URL: proxy.url, LEADLOOM_LIMIT_ADMIN: "100000" }
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => startServer(env)),
    (running) => Effect.promise(() => running.close())
  )
  return yield* Effect.promise(async () => {
    await makeWorld(server)
    const call = (method: string, path: string, body?: unknown) =>
      server.call(method, `/api/v1/tenants/acme${path}`, { as: adminKey, ...(body !== undefined && { body }) })
    const results = []
    for (const csv of files) {
      const mapping = { Name: "name", Mail: "email", Phone: "phone", Tags: "tags" }
      const started = await call("POST", "/contacts/import", { csv, mapping, on_conflict: "update" })
      const before = proxy.trips()
      await server.run(drainJobs)
      const perRow = (proxy.trips() - before) / rows
      results.push({ perRow, result: (await call("GET", `/imports/${textAt(started.json, "id")}`)).json })
    }
    return results
  })
})

const fileOf = (name: string): string =>
  [
    "Name,Mail,Phone,Tags",
    ...Array.from({ length: rows }, (_, index) => `${name} ${index},p${index}@x${index % 7}.example,,vip; ${name}`)
  ].join("\n")

it("needs at most one round trip to Postgres per ten records, for new and for existing contacts", async () => {
  const [created, updated] = await Effect.runPromise(Effect.scoped(measure([fileOf("First"), fileOf("Second")])))
  expect(at(created?.result, "created")).toBe(rows)
  expect(at(updated?.result, "updated")).toBe(rows)
  expect(created?.perRow).toBeGreaterThan(0)
  expect(created?.perRow).toBeLessThanOrEqual(0.1)
  expect(updated?.perRow).toBeLessThanOrEqual(0.1)
}, 120_000)

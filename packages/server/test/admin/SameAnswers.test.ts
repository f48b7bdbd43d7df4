import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fillTenant, serverOn } from "../../bench/Filling.ts"
import { copy, isWhole } from "../../src/admin/Database.ts"
import { endpoints } from "../world/Endpoints.ts"
import { type Requested, everything, firstDifference, pathPattern, ofServer } from "../world/SameAnswers.ts"

const messages = 300

let folder: string
let scope: Scope.Closeable
let requested: ReadonlyArray<Requested>
let urls: { readonly source: string; readonly postgres: string; readonly back: string }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-same-"))
  scope = await Effect.runPromise(Scope.make())
  const postgres = await Effect.runPromise(Scope.provide(temporaryDatabase, scope))
  urls = { source: `sqlite:${join(folder, "source.db")}`, postgres, back: `sqlite:${join(folder, "back.db")}` }
  const server = serverOn(urls.source, true, join(folder, "objects"))
  requested = [await fillTenant(server, "acme", messages), await fillTenant(server, "bolt", 40)]
  await server.close()
}, 300_000)
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true })
})

/** Sends every request to both servers and returns the compared ones. */
const compare = async (one: string, other: string): Promise<ReadonlyArray<string>> => {
  const servers = [
    serverOn(one, false, join(folder, "objects")),
    serverOn(other, false, join(folder, "objects"))
  ] as const
  const paths: Array<string> = []
  try {
    for (const tenant of requested) {
      const answers = [everything(servers[0], tenant), everything(servers[1], tenant)] as const
      expect(await firstDifference(...answers, ({ path }) => void paths.push(path))).toBeNull()
    }
  } finally {
    // A difference must not leave the databases locked for the next test.
    await Promise.all(servers.map((server) => server.close()))
  }
  return paths
}

describe("a copied database", () => {
  it("gives the same responses, byte by byte, on Postgres and back on SQLite", async () => {
    expect(isWhole(await copy({ from: urls.source, to: urls.postgres }))).toBe(true)
    expect(isWhole(await copy({ from: urls.postgres, to: urls.back }))).toBe(true)
    const paths = await compare(urls.source, urls.postgres)
    expect(await compare(urls.postgres, urls.back)).toEqual(paths)
    expect(paths.length).toBeGreaterThan(200)
    const unasked = endpoints.filter(
      ({ method, path }) => method === "GET" && !ofServer.has(path) && !paths.some((one) => pathPattern(path).test(one))
    )
    expect(unasked.map(({ path }) => path)).toEqual([])
  }, 300_000)

  it("gives different responses if its data differs", async () => {
    const [left, right] = [serverOn(urls.source, false), serverOn(urls.back, false)]
    const contact = await left.call("GET", "/api/v1/tenants/acme/contacts?limit=1", {
      as: "the-operators-admin-key-of-the-tests"
    })
    const id = /"id":"(?<id>[^"]+)"/u.exec(contact.text)?.groups?.["id"] ?? ""
    const body = { name: "Changed" }
    const path = `/api/v1/tenants/acme/contacts/${id}`
    expect((await right.call("PATCH", path, { as: "the-operators-admin-key-of-the-tests", body })).status).toBe(200)
    const tenant = requested[0] ?? { tenantId: "", signalIds: [], alias: "" }
    const difference = await firstDifference(everything(left, tenant), everything(right, tenant), () => undefined)
    expect(difference).toContain("Changed")
    await Promise.all([left.close(), right.close()])
  }, 300_000)
})

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { follow, installClient, installLeadloom, missingNote, missingTools } from "./Guide.ts"
import { adminKey, startServer } from "./ServerProcess.ts"

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "leadloom-how-to-"))
  installLeadloom(folder)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(missingTools.length > 0)(`the guides${missingNote}`, () => {
  it("to the first tenant does what it says, command by command", async () => {
    const server = await startServer(join(folder, "data"))
    const env = { LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey }
    const { commands, stdout } = await follow("first-tenant.md", folder, env).finally(server.stop)
    expect(commands).toBeGreaterThan(3)
    expect(stdout).toContain('"status":"accepted"')
    expect(stdout).toContain('"contact_name":"Jo Smith"')
    expect(stdout).toMatch(/Saved version 2 with \d+ rules/u)
  })

  it("to a tenant's email does what it says, command by command", async () => {
    const server = await startServer(join(folder, "data"))
    const env = { LEADLOOM_URL: server.url, LEADLOOM_ADMIN_KEY: adminKey }
    const { commands, stdout } = await follow("connect-email.md", folder, env).finally(server.stop)
    expect(commands).toBeGreaterThan(1)
    expect(stdout).toMatch(/^account +The Bakery <hello@bakery\.example>$/mu)
    expect(stdout).toContain("Saved the signature.")
    expect(stdout).toMatch(/^message +msg_[0-9a-z]{26}$/mu)
  })

  it("to webhooks verifies them as it says, and refuses those it says", async () => {
    installClient(folder)
    const { commands, stdout } = await follow("verify-webhooks.md", folder, {})
    expect(commands).toBe(3)
    expect(stdout.split("\n")).toEqual([
      "new lead.received {}",
      "answered 204",
      "answered 204",
      "refused no_match",
      "answered 400",
      "refused too_old",
      "answered 400",
      "served lead.received",
      "answered 204",
      ""
    ])
  })

  it("to Postgres moves a store there and back, command by command", async () => {
    const server = await startServer(join(folder, "leadloom-data"))
    const keys = { LEADLOOM_ADMIN_KEY: adminKey, LEADLOOM_SESSION_SECRET: "a-secret-of-sessions", LEADLOOM_PORT: "0" }
    await follow("first-tenant.md", folder, { LEADLOOM_URL: server.url, ...keys }).finally(server.stop)
    const moving = Effect.flatMap(temporaryDatabase, (url) =>
      Effect.promise(() => follow("move-to-postgres.md", folder, { ...keys, POSTGRES_URL: url }))
    )
    const { commands, stdout } = await Effect.runPromise(Effect.scoped(moving))
    expect(commands).toBeGreaterThan(3)
    expect(stdout.match(/^messages +1 +1 +[0-9a-f]{16} +same$/gmu)).toHaveLength(2)
    expect(stdout).toMatch(/^database +postgres:\/\/[^:@]+@[^:]+:\d+\/leadloom_/mu)
  }, 300_000)
})

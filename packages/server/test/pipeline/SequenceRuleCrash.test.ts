import { join } from "node:path"
import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { someConfig } from "../world/Endpoints.ts"
import { KilledServers } from "../world/KilledServers.ts"
import { migratedFolder } from "../world/ServerProcess.ts"
import { at, textAt } from "../world/TestServer.ts"

const minute = 60_000

/** Each person sends one message. */
const people = Array.from({ length: 60 }, (_, index) => `person.${index}@customer.example`)

let folder: ReturnType<typeof migratedFolder>
let scope: Scope.Closeable
let sink: SmtpSink
let servers: KilledServers

beforeEach(async () => {
  folder = migratedFolder()
  scope = Effect.runSync(Scope.make())
  sink = await startSink("take")
  servers = new KilledServers()
})
afterEach(async () => {
  await servers.killAll()
  await sink.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  folder.remove()
})

/** Saves a rule that starts a sequence, and stops it and starts it again. Each run has three effects. */
const saveRule = async (): Promise<void> => {
  await servers.call("POST", "/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
  const steps = [{ name: "one", kind: "wait", delay: { amount: 1, unit: "days" } }]
  const { json } = await servers.call("POST", "/tenants/acme/sequences", { name: "Waits", steps })
  const start = { type: "start_sequence", sequence: textAt(json, "id") }
  const when = { fact: "message.text", op: "contains", value: "kitchen" }
  const actions = [start, { type: "stop_sequence" }, start]
  const rules = [{ id: "rule_1", name: "Start", priority: 1, when, actions }]
  expect((await servers.call("PUT", "/config/acme", { ...someConfig, rules })).status).toBe(200)
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Returns the contacts with an email address, by address. */
const contactsByEmail = async (): Promise<ReadonlyMap<string, string>> => {
  const { json } = await servers.call("GET", "/tenants/acme/contacts?limit=100")
  return new Map(list(at(json, "contacts")).map((contact) => [textAt(contact, "email"), textAt(contact, "id")]))
}

const statesOf = async (contactId: string): Promise<ReadonlyArray<string>> => {
  const { json } = await servers.call("GET", `/tenants/acme/enrolments?contact_id=${contactId}&limit=100`)
  return list(at(json, "enrolments")).map((each) => `${textAt(each, "state")} ${String(at(each, "stop_reason"))}`)
}

const run = async (databases: ReadonlyArray<Readonly<Record<string, string>>>): Promise<void> => {
  const time = Date.now()
  await servers.start(databases, time, sink.port)
  await saveRule()
  const acknowledged = new Set<string>()
  const messages = people.map(async (email, index) => {
    const body = { message: "A kitchen, please", contact: { email } }
    // A request to a killed server fails. Its message may be stored nevertheless.
    const answer = await servers.call("POST", "/webhook/automation/acme", body, index).catch(() => null)
    if (answer?.status === 200) acknowledged.add(email)
  })
  await servers.killEach((index) => vi.waitUntil(() => acknowledged.size >= 5 * (index + 1), { timeout: 30_000 }))
  await Promise.all(messages)
  // The leases of the killed servers have expired.
  await servers.start(databases.slice(0, 1), time + 20 * minute, sink.port)
  const stored = await contactsByEmail()
  expect([...acknowledged].filter((email) => !stored.has(email))).toEqual([])
  // The killed servers did not finish all runs, or the test shows nothing.
  expect(acknowledged.size).toBeLessThan(people.length)
  for (const contactId of stored.values()) {
    await vi.waitFor(async () => expect(await statesOf(contactId)).toEqual(["stopped by_rule", "active null"]), {
      timeout: 30_000,
      interval: 200
    })
  }
}

describe("a rule starts a sequence once on killed servers", () => {
  it("with one server on SQLite", async () => {
    await run([{ LEADLOOM_DATA_DIR: join(folder.path, "data") }])
  })

  it("with two servers on Postgres", async () => {
    const url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
    const dataDirs = ["one", "two"].map((name) => join(folder.path, name))
    await run(dataDirs.map((dataDir) => ({ LEADLOOM_DATA_DIR: dataDir, LEADLOOM_DATABASE_URL: url })))
  })
})

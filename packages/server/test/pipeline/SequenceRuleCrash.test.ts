import { join } from "node:path"
import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { someConfig } from "../world/Endpoints.ts"
import { KilledServers } from "../world/KilledServers.ts"
import { temporaryFolder } from "../world/ServerProcess.ts"
import { at, textAt } from "../world/TestServer.ts"

const minute = 60_000

/** The number of people who send messages at the same time. */
const senders = 12

let folder: ReturnType<typeof temporaryFolder>
let scope: Scope.Closeable
let sink: SmtpSink
let servers: KilledServers

beforeEach(async () => {
  folder = temporaryFolder()
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

/** Returns the ids of all contacts by email address. */
const contactsByEmail = async (): Promise<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  let cursor: unknown = ""
  while (typeof cursor === "string") {
    const next: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
    const { json } = await servers.call("GET", `/tenants/acme/contacts?limit=100${next}`)
    for (const contact of list(at(json, "contacts"))) found.set(textAt(contact, "email"), textAt(contact, "id"))
    cursor = at(json, "next_cursor")
  }
  return found
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
  /** Sends messages of new contacts to one server until it is killed. The last message may be stored nevertheless. */
  const sendUntilKilled = async (sender: number): Promise<void> => {
    for (let number = 0; ; number++) {
      const email = `person.${sender}.${number}@customer.example`
      const body = { message: "A kitchen, please", contact: { email } }
      const answer = await servers.call("POST", "/webhook/automation/acme", body, sender).catch(() => null)
      if (answer === null) return
      expect(answer.status).toBe(200)
      acknowledged.add(email)
    }
  }
  const messages = Array.from({ length: senders }, (_, sender) => sendUntilKilled(sender))
  const count = (index: number) => 10 * (index + 1)
  await servers.killEach((index) => vi.waitUntil(() => acknowledged.size >= count(index), { timeout: 30_000 }))
  await Promise.all(messages)
  // The leases of the killed servers have expired.
  await servers.start(databases.slice(0, 1), time + 20 * minute, sink.port)
  const stored = await contactsByEmail()
  expect([...acknowledged].filter((email) => !stored.has(email))).toEqual([])
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

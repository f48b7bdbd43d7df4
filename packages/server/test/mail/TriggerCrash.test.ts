import { join } from "node:path"
import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { KilledServers } from "../world/KilledServers.ts"
import { temporaryFolder } from "../world/ServerProcess.ts"
import { at, textAt } from "../world/TestServer.ts"

const [minute, hour] = [60_000, 3_600_000]

/** The time of our messages: 13:00 UTC on the next day. */
const written = new Date().setUTCHours(37, 0, 0, 0)

const rules = [
  {
    id: "chase",
    name: "Chase",
    priority: 1,
    trigger: { type: "no_answer", after_minutes: 120 },
    when: { all: [] },
    actions: [{ type: "create_task", task_type: "follow_up", title: "Call" }]
  }
]

/** Fewer than the emails per hour that a tenant may send. */
const contacts = 40

interface Quoted {
  readonly contactId: string
  /** When the contact answers: before the rule is due, while the servers are killed, or never. */
  readonly answers: "early" | "late" | "never"
}

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

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Creates the tenant, and writes to all contacts. */
const writeToAll = async (): Promise<ReadonlyArray<Quoted>> => {
  await servers.call("POST", "/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
  await servers.call("PATCH", "/config/acme", { rules, reply_mode: "off" })
  await servers.call("POST", "/tenants/acme/email/connect", { provider: "smtp", email: "sales@acme.com" })
  const quoted: Array<Quoted> = []
  for (let index = 0; index < contacts; index++) {
    const email = `person.${index}@customer.example`
    const { json } = await servers.call("POST", "/tenants/acme/contacts", { email })
    await servers.call("POST", "/tenants/acme/email/send", { to: [{ email }], subject: "Quote", body: "Hello" })
    quoted.push({
      contactId: textAt(json, "id"),
      answers: index % 8 === 0 ? "early" : index % 4 === 0 ? "late" : "never"
    })
  }
  return quoted
}

/** Lets some contacts answer, last one first. A request to a killed server has no effect or an unknown one. */
const answerSome = async (all: ReadonlyArray<Quoted>, when: Quoted["answers"]): Promise<void> => {
  for (const [index, { answers }] of [...all.entries()].toReversed()) {
    if (answers !== when) continue
    const message = { message: "Yes", contact: { email: `person.${index}@customer.example` }, channel: "webhook" }
    const answered = await servers.call("POST", "/webhook/automation/acme", message, index).catch(() => null)
    if (when === "early") expect(answered?.status).toBe(200)
  }
}

const runsOf = async (contactId: string): Promise<ReadonlyArray<unknown>> =>
  list(
    at((await servers.call("GET", `/tenants/acme/pipeline/trigger-runs?contact_id=${contactId}`)).json, "trigger_runs")
  )

/** Returns the number of tasks of all contacts, by contact. `server` answers the request. */
const tasks = async (server = 0): Promise<ReadonlyMap<string, number>> => {
  const { json } = await servers.call("GET", "/tenants/acme/tasks?limit=100", undefined, server)
  const counts = new Map<string, number>()
  for (const task of list(at(json, "tasks"))) {
    const contactId = textAt(task, "contact_id")
    counts.set(contactId, (counts.get(contactId) ?? 0) + 1)
  }
  return counts
}

/** Waits until a number of tasks exists. */
const untilTasks = (number: number, server: number) =>
  vi.waitFor(async () => expect((await tasks(server)).size).toBeGreaterThanOrEqual(number), {
    timeout: 60_000,
    interval: 1
  })

/** Kills one server after another while they run the rule. */
const run = async (databases: ReadonlyArray<Readonly<Record<string, string>>>): Promise<void> => {
  await servers.start(databases.slice(0, 1), written, sink.port)
  const all = await writeToAll()
  await sink.until(contacts)
  await answerSome(all, "early")
  await servers.killAll()
  await servers.start(databases, written + 2 * hour + minute, sink.port)
  const answering = answerSome(all, "late")
  await servers.killEach((index) => untilTasks(1 + 8 * index, index))
  await answering
  // The leases of the killed servers have expired.
  await servers.start(databases.slice(0, 1), written + 3 * hour, sink.port)
  await vi.waitFor(
    async () => {
      for (const { contactId } of all)
        expect((await runsOf(contactId)).map((one) => textAt(one, "state"))).not.toContain("waiting")
    },
    { timeout: 60_000, interval: 200 }
  )
  const counts = await tasks()
  for (const { answers, contactId } of all) {
    const states = (await runsOf(contactId)).map((one) => textAt(one, "state"))
    const facts = JSON.stringify({ contactId, states, answers })
    expect(states.length, facts).toBe(1)
    expect(counts.get(contactId) ?? 0, facts).toBe(states[0] === "ran" ? 1 : 0)
    if (answers !== "late") expect(states, facts).toEqual([answers === "early" ? "prevented" : "ran"])
  }
}

describe("a rule that waits for an answer runs once on killed servers", () => {
  it("with one server on SQLite", async () => {
    await run([{ LEADLOOM_DATA_DIR: join(folder.path, "data") }])
  })

  it("with two servers on Postgres", async () => {
    const url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
    const dataDirs = ["one", "two"].map((name) => join(folder.path, name))
    await run(dataDirs.map((dataDir) => ({ LEADLOOM_DATA_DIR: dataDir, LEADLOOM_DATABASE_URL: url })))
  })
})

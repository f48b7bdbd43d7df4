import { join } from "node:path"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { KilledServers } from "../world/KilledServers.ts"
import { temporaryFolder } from "../world/ServerProcess.ts"
import { at, textAt } from "../world/TestServer.ts"

const [minute, hour] = [60_000, 3_600_000]

/** The time of the first steps: 13:00 UTC on the next day. */
const due = new Date().setUTCHours(37, 0, 0, 0)

/** A time after the second steps, which follow one day after the first ones. */
const nextDay = due + 25 * hour

/** Fewer than the emails per hour that sequences may send. */
const contacts = 30

interface Enrolled {
  readonly email: string
  readonly contactId: string
  readonly enrolmentId: string
  /** Whether a person stops the enrolment while the servers are killed. */
  readonly isStopped: boolean
}

let folder: ReturnType<typeof temporaryFolder>
let scope: Scope.Closeable
let sink: SmtpSink
let servers: KilledServers

beforeEach(async () => {
  folder = temporaryFolder()
  scope = Effect.runSync(Scope.make())
  // The relay receives the third mail and never answers, so the result of this mail is unknown after the kill.
  sink = await startSink("take", "take", "silent")
  servers = new KilledServers()
})
afterEach(async () => {
  await servers.killAll()
  await sink.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  folder.remove()
})

/** Enrols all contacts in a sequence of two mails. */
const enrolAll = async (): Promise<ReadonlyArray<Enrolled>> => {
  await servers.call("POST", "/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
  await servers.call("POST", "/tenants/acme/email/connect", { provider: "smtp", email: "sales@acme.com" })
  const step = { kind: "send", channel: "email", body: "Hello" }
  const steps = [
    { ...step, name: "one", subject: "one", delay: { amount: 1, unit: "hours" } },
    { ...step, name: "two", subject: "two", delay: { amount: 1, unit: "days" } }
  ]
  const sequence = await servers.call("POST", "/tenants/acme/sequences", { name: "Two mails", steps })
  const path = `/tenants/acme/sequences/${textAt(sequence.json, "id")}/enrolments`
  return Promise.all(
    Array.from({ length: contacts }, async (_, index) => {
      const email = `person.${index}@customer.example`
      const contactId = textAt((await servers.call("POST", "/tenants/acme/contacts", { email })).json, "id")
      const { json } = await servers.call("POST", path, { contact_id: contactId })
      return { email, contactId, enrolmentId: textAt(json, "id"), isStopped: index % 3 === 0 }
    })
  )
}

/** Stops the chosen enrolments, last one first. Returns the acknowledged stops. */
const stopSome = async (all: ReadonlyArray<Enrolled>): Promise<ReadonlySet<string>> => {
  const acknowledged = new Set<string>()
  for (const [index, { enrolmentId, isStopped }] of all.toReversed().entries()) {
    if (!isStopped) continue
    // A request to a killed server fails.
    const answer = await servers
      .call("POST", `/tenants/acme/enrolments/${enrolmentId}/stop`, undefined, index)
      .catch(() => null)
    if (answer?.status === 200) acknowledged.add(enrolmentId)
  }
  return acknowledged
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Returns the state of an enrolment, the number of its sent steps, and the deliveries of its messages by subject. */
const resultOf = async ({ contactId, enrolmentId }: Enrolled) => {
  const { json } = await servers.call("GET", `/tenants/acme/enrolments/${enrolmentId}`)
  const messages = list(at((await servers.call("GET", `/tenants/acme/conversations/${contactId}`)).json, "messages"))
  return {
    state: textAt(json, "state"),
    nextAt: at(json, "next_at"),
    sent: list(at(json, "history")).filter((entry) => textAt(entry, "outcome") === "sent").length,
    deliveries: messages.map((message) => `${textAt(message, "subject")} ${textAt(message, "delivery")}`)
  }
}

/** Waits until no step is due at a time, and each message has a final result. */
const settle = (all: ReadonlyArray<Enrolled>, time: number) =>
  vi.waitFor(
    async () => {
      for (const one of all) {
        const { deliveries, nextAt, state } = await resultOf(one)
        expect(state !== "active" || Date.parse(String(nextAt)) > time).toBe(true)
        expect(deliveries.filter((each) => !/ (?:sent|unknown|failed)$/u.test(each))).toEqual([])
      }
    },
    { timeout: 60_000, interval: 200 }
  )

/** Returns the mails to an address with a subject that the relay has received. */
const mailsOf = ({ email }: Enrolled, subject: string) =>
  sink.mails.filter(({ raw }) => raw.includes(email) && new RegExp(`^Subject: ${subject}\\r?$`, "mu").test(raw))

/** Kills one server after another while they send the first steps, and counts the mails of the relay. */
const run = async (databases: ReadonlyArray<Readonly<Record<string, string>>>): Promise<void> => {
  await servers.start(databases.slice(0, 1), due - hour, sink.port)
  const all = await enrolAll()
  await servers.killAll()
  await servers.start(databases, due + minute, sink.port)
  const stopping = stopSome(all)
  await servers.killEach((index) => sink.until(3 * (index + 1)))
  const acknowledged = await stopping
  // The leases of the killed servers have expired.
  await servers.start(databases.slice(0, 1), due + 20 * minute, sink.port)
  await settle(all, due + 20 * minute)
  await servers.killAll()
  await servers.start(databases.slice(0, 1), nextDay, sink.port)
  await settle(all, nextDay)
  for (const one of all) {
    const result = await resultOf(one)
    const facts = JSON.stringify({ ...one, ...result })
    const [first, second] = [mailsOf(one, "one"), mailsOf(one, "two")]
    expect(first.length, facts).toBeLessThanOrEqual(1)
    if (result.deliveries.includes("one sent")) expect(first.length, facts).toBe(1)
    if (result.deliveries.includes("one failed")) expect([result.state, first.length], facts).toEqual(["stopped", 0])
    expect(result.deliveries.length, facts).toBe(result.sent)
    if (acknowledged.has(one.enrolmentId)) expect([result.state, second.length], facts).toEqual(["stopped", 0])
    if (!one.isStopped) expect([result.state, result.sent, second.length], facts).toEqual(["completed", 2, 1])
  }
}

describe("the steps of sequences run once on killed servers, and not after a stop", () => {
  it("with one server on SQLite", async () => {
    await run([{ LEADLOOM_DATA_DIR: join(folder.path, "data") }])
  })

  it("with two servers on Postgres", async () => {
    const url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
    const dataDirs = ["one", "two"].map((name) => join(folder.path, name))
    await run(dataDirs.map((dataDir) => ({ LEADLOOM_DATA_DIR: dataDir, LEADLOOM_DATABASE_URL: url })))
  })
})

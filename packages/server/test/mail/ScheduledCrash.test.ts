import { join } from "node:path"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { type SmtpSink, startSink } from "@leadloom/testkit/mail/SmtpSink"
import { Effect, Exit, Scope } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { KilledServers } from "../world/KilledServers.ts"
import { temporaryFolder } from "../world/ServerProcess.ts"
import { at, textAt } from "../world/TestServer.ts"

const [minute, hour] = [60_000, 3_600_000]

/** The time of all scheduled mails: 13:00 UTC on the next day. It is night in Tokyo. */
const due = new Date().setUTCHours(37, 0, 0, 0)
const morningInTokyo = due + 10 * hour
const postponedTo = due + 20 * hour
/** A time outside quiet hours in UTC and in Tokyo. */
const nextDay = due + 21 * hour

/** The change of a mail while the servers are killed. `asleep`: none, but its contact moves to Tokyo. */
type Plan = "none" | "cancel" | "reword" | "postpone" | "asleep"
const plans = Array.from({ length: 8 }, (): ReadonlyArray<Plan> => [
  "none",
  "none",
  "reword",
  "cancel",
  "postpone",
  "asleep"
]).flat()

interface Letter {
  readonly subject: string
  readonly plan: Plan
  readonly messageId: string
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

const timeText = (millis: number): string => new Date(millis).toISOString()

/** Schedules mails to two contacts, and moves one of them to Tokyo. */
const scheduleAll = async (): Promise<ReadonlyArray<Letter>> => {
  await servers.call("POST", "/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
  await servers.call("POST", "/tenants/acme/email/connect", { provider: "smtp", email: "sales@acme.com" })
  const asleep = { email: "asleep@customer.example" }
  const contact = await servers.call("POST", "/tenants/acme/contacts", asleep)
  const letters = await Promise.all(
    plans.map(async (plan, index) => {
      const subject = `letter ${index}`
      const to = [plan === "asleep" ? asleep : { email: "awake@customer.example" }]
      const body = { to, subject, body: "first text", send_at: timeText(due) }
      const { json } = await servers.call("POST", "/tenants/acme/email/send", body, index)
      return { subject, plan, messageId: textAt(json, "message_id") }
    })
  )
  const attributes = { time_zone: "Asia/Tokyo" }
  await servers.call("PATCH", `/tenants/acme/contacts/${textAt(contact.json, "id")}`, { attributes })
  return letters
}

/** Requests the planned change of a letter. Returns whether a server acknowledged it. */
const changeLetter = async ({ messageId, plan }: Letter, index: number): Promise<boolean> => {
  const path = `/tenants/acme/scheduled/${messageId}`
  if (plan === "cancel") return (await servers.call("DELETE", path, undefined, index)).status === 200
  const change = plan === "reword" ? { body: "second text" } : { send_at: timeText(postponedTo) }
  return (await servers.call("PATCH", path, change, index)).status === 200
}

/** Requests the planned changes, last letter first, while the workers send from the first letter on. */
const changeAll = async (letters: ReadonlyArray<Letter>, acknowledged: Set<string>): Promise<void> => {
  const open = letters.filter(
    ({ messageId, plan }) => plan !== "none" && plan !== "asleep" && !acknowledged.has(messageId)
  )
  const changeNext = async (): Promise<void> => {
    for (let letter = open.pop(); letter !== undefined; letter = open.pop())
      if (await changeLetter(letter, open.length)) acknowledged.add(letter.messageId)
  }
  // A request to a killed server fails.
  await Promise.allSettled([changeNext(), changeNext(), changeNext()])
}

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Returns subject and delivery state of all sent messages. */
const deliveries = async (): Promise<ReadonlyMap<string, string>> => {
  const { json } = await servers.call("GET", "/tenants/acme/conversations")
  const contacts = list(at(json, "conversations")).map((each) => textAt(each, "contact_id"))
  const pages = await Promise.all(
    contacts.map((contact) => servers.call("GET", `/tenants/acme/conversations/${contact}`))
  )
  const messages = pages.flatMap((page) => list(at(page.json, "messages")))
  return new Map(messages.map((message) => [textAt(message, "subject"), textAt(message, "delivery")]))
}

/** Returns the times of the waiting messages by their ids. */
const waiting = async (): Promise<ReadonlyMap<string, number>> => {
  const { json } = await servers.call("GET", "/tenants/acme/scheduled?limit=200")
  return new Map(
    list(at(json, "scheduled")).map((each) => [textAt(each, "message_id"), Date.parse(textAt(each, "send_at"))])
  )
}

/** Waits until each message that is due at a time has a final result. */
const settle = (time: number) =>
  vi.waitFor(
    async () => {
      expect([...(await waiting()).values()].filter((sendAt) => sendAt <= time)).toEqual([])
      const states = [...(await deliveries()).values()]
      expect(states.filter((state) => state !== "sent" && state !== "unknown")).toEqual([])
    },
    { timeout: 60_000, interval: 100 }
  )

const subjectOf = (raw: string): string => /^Subject: (.*?)\r?$/mu.exec(raw)?.[1] ?? ""

/** Returns the mails of a letter that the relay has received. */
const mailsOf = ({ subject }: Letter) => sink.mails.filter(({ raw }) => subjectOf(raw) === subject)

/** The reported result of a letter. */
interface Result {
  readonly state: string
  readonly delivery: string | undefined
}

/** Returns whether the reported result of a letter is permitted and agrees with its mails. */
const isExact = (letter: Letter, { delivery, state }: Result, isAcknowledged: boolean): boolean => {
  const mails = mailsOf(letter)
  if (state === "canceled") return letter.plan === "cancel" && delivery === undefined && mails.length === 0
  if (state !== "sent" || (letter.plan === "cancel" && isAcknowledged)) return false
  if (letter.plan === "reword" && isAcknowledged && mails.some(({ raw }) => !raw.includes("second text"))) return false
  if (delivery === "sent") return mails.length === 1 && mails.every(({ accepted }) => accepted)
  // The relay may or may not have the mail, so no server sends it again.
  return delivery === "unknown" && mails.length <= 1
}

/** Compares the mails of the relay with the reported results of all letters. */
const expectExact = async (letters: ReadonlyArray<Letter>, acknowledged: ReadonlySet<string>): Promise<void> => {
  const all = await deliveries()
  for (const letter of letters) {
    const { json } = await servers.call("GET", `/tenants/acme/scheduled/${letter.messageId}`)
    const result = { state: textAt(json, "state"), delivery: all.get(letter.subject) }
    const isAcknowledged = acknowledged.has(letter.messageId)
    const facts = JSON.stringify({ ...letter, ...result, isAcknowledged, mails: mailsOf(letter).length })
    expect(isExact(letter, result, isAcknowledged), facts).toBe(true)
  }
}

/** Kills one server after another while they send due mails, and counts the mails of the relay. */
const run = async (databases: ReadonlyArray<Readonly<Record<string, string>>>): Promise<void> => {
  await servers.start(databases.slice(0, 1), due - hour, sink.port)
  const letters = await scheduleAll()
  await servers.killAll()
  await servers.start(databases, due + minute, sink.port)
  const acknowledged = new Set<string>()
  const changes = changeAll(letters, acknowledged)
  await servers.killEach((index) => sink.until(3 * (index + 1)))
  await changes
  // The leases of the killed servers have expired.
  const settled = due + 20 * minute
  await servers.start(databases.slice(0, 1), settled, sink.port)
  await settle(settled)
  const times = await waiting()
  // A server may also have applied a change that it did not acknowledge.
  const later = letters.filter(({ messageId }) => times.has(messageId))
  const expectedLater = letters.filter(
    ({ messageId, plan }) => plan === "asleep" || (plan === "postpone" && acknowledged.has(messageId))
  )
  expect(later).toEqual(expect.arrayContaining(expectedLater))
  expect(later.map(({ messageId }) => times.get(messageId))).toEqual(
    later.map(({ plan }) => (plan === "asleep" ? morningInTokyo : postponedTo))
  )
  expect(later.flatMap(mailsOf)).toEqual([])
  await servers.killAll()
  await servers.start(databases.slice(0, 1), nextDay, sink.port)
  await settle(nextDay)
  await expectExact(letters, acknowledged)
  // No server was killed during these sends, so no result is unknown.
  expect(later.flatMap(mailsOf).filter(({ accepted }) => accepted)).toHaveLength(later.length)
}

describe("scheduled mails of killed servers arrive once, not after a cancellation and not in quiet hours", () => {
  it("with one server on SQLite", async () => {
    await run([{ LEADLOOM_DATA_DIR: join(folder.path, "data") }])
  })

  it("with two servers on Postgres", async () => {
    const url = await Effect.runPromise(Scope.provide(migratedDatabase, scope))
    const dataDirs = ["one", "two"].map((name) => join(folder.path, name))
    await run(dataDirs.map((dataDir) => ({ LEADLOOM_DATA_DIR: dataDir, LEADLOOM_DATABASE_URL: url })))
  })
})

/**
 * Runs three servers on one Postgres under a load of events and reads, and stops Postgres for a while. Prints the
 * responses during the outage, the time from the restart to the first accepted event, and whether an event was lost.
 *
 *   npm run bench -- stopped [seconds that Postgres is away]
 */
import { setTimeout as sleep } from "node:timers/promises"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import pg from "pg"
import { startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey, at, textAt } from "../test/world/TestServer.ts"

const secondsAway = Number(process.argv[2] ?? 20)
const secondsAround = 8

const folder = temporaryFolder()
const postgres = await startForBenchmarks()
const servers = [1, 2, 3].map((number) =>
  startProcess({
    LEADLOOM_DATA_DIR: `${folder.path}/${number}`,
    LEADLOOM_DATABASE_URL: postgres.url,
    LEADLOOM_SECRET_KEY: "one-secret-for-all-three-of-the-servers",
    LEADLOOM_LIMIT_ADMIN: "1000000"
  })
)
const urls = await Promise.all(servers.map((server) => server.url))

const sendRequest = async (url: string, method: string, path: string, as: string, body?: unknown) => {
  const begun = performance.now()
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })
  const json: unknown = await response.json()
  const headers = { retryAfter: response.headers.get("retry-after") }
  return { status: response.status, ...headers, json, millis: performance.now() - begun }
}

const [first = ""] = urls
await sendRequest(first, "POST", "/api/v1/admin/tenants", adminKey, { tenant_id: "acme", name: "Acme" })
const source = await sendRequest(first, "POST", "/api/v1/admin/tenants/acme/sources", adminKey, { source_id: "form" })
const key = textAt(source.json, "key")

const load = new AbortController()
const accepted = new Set<string>()
const answers = new Map<string, number>()
let phase: "before" | "away" | "after" = "before"
let resumedAt = 0
let firstAcceptedAfter = Number.POSITIVE_INFINITY
let longest = 0
const count = (what: string): void => void answers.set(`${phase}: ${what}`, (answers.get(`${phase}: ${what}`) ?? 0) + 1)

let next = 0
const sendEvents = async (url: string): Promise<void> => {
  while (!load.signal.aborted) {
    const text = `event ${next++}`
    const body = { entity: { email: `c${next % 100}@customer.example` }, content: { body: text, channel: "chat" } }
    const answer = await sendRequest(url, "POST", "/api/v1/events/acme/form", key, body)
    const status = at(answer.json, "status")
    count(`event ${answer.status} ${String(status)}`)
    longest = Math.max(longest, answer.millis)
    if (status !== "accepted") await sleep(20)
    else {
      accepted.add(text)
      if (phase === "after") firstAcceptedAfter = Math.min(firstAcceptedAfter, performance.now() - resumedAt)
    }
  }
}
const read = async (url: string): Promise<void> => {
  while (!load.signal.aborted) {
    const health = await sendRequest(url, "GET", "/health", "")
    const list = await sendRequest(url, "GET", "/api/v1/tenants/acme/conversations", adminKey)
    count(`health ${health.status}`)
    count(
      `list ${list.status}${list.status === 503 ? ` ${String(at(list.json, "error", "code"))}, Retry-After ${list.retryAfter}` : ""}`
    )
    await sleep(100)
  }
}

const running = Promise.all(urls.flatMap((url) => [sendEvents(url), sendEvents(url), sendEvents(url), read(url)]))
await sleep(secondsAround * 1_000)
await postgres.halt()
phase = "away"
await sleep(secondsAway * 1_000)
await postgres.resume()
resumedAt = performance.now()
phase = "after"
await sleep(secondsAround * 1_000)
load.abort()
await running

const database = new pg.Client(postgres.url)
await database.connect()
const drainBegun = performance.now()
for (let queued = 1; queued > 0;) {
  queued = Number((await database.query("SELECT count(*) AS count FROM signals WHERE state = 'queued'")).rows[0]?.count)
  if (performance.now() - drainBegun > 120_000) throw new Error("the queue did not become empty")
  await sleep(100)
}
const { rows } = await database.query("SELECT body FROM messages")
const stored = rows.map((row: { readonly body: string }) => row.body)
const kept = new Set(stored)
console.log(
  JSON.stringify(
    {
      accepted: accepted.size,
      lost: [...accepted].filter((body) => !kept.has(body)).length,
      double: stored.length - kept.size,
      /** Committed events without a response; the client was asked to try again. */
      storedWithoutAnswer: stored.length - accepted.size,
      millisUntilFirstAccepted: Math.round(firstAcceptedAfter),
      longestAnswerMillis: Math.round(longest),
      secondsUntilQueueEmpty: Number(((performance.now() - drainBegun) / 1_000).toFixed(1)),
      answers: Object.fromEntries([...answers].toSorted())
    },
    null,
    1
  )
)
await database.end()
for (const server of servers) server.kill("SIGTERM")
await Promise.all(servers.map((server) => server.exit))
await postgres.stop()
folder.remove()

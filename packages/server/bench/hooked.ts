/**
 * Measures order and completeness of webhooks. One tenant sends events to fifty receivers, of which five are slow, five
 * fail at random and five are dead. The server is killed twice (SIGKILL) while it delivers. Afterwards every live
 * receiver must have every event, in order if repetitions are ignored. With several servers on one Postgres, one of
 * them is killed twice while the others continue.
 *
 *   npm run bench -- hooked [events] [sqlite | postgres] [servers] [milliseconds that the slow ones take]
 *
 * A slow receiver handles 16 concurrent requests, so 20,000 events take at least 20,000 / 16 times its delay: three
 * minutes with 150 ms, six with 300 ms.
 */
import { spawn } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { type ServerProcess, startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey } from "../test/world/TestServer.ts"

const events = Number(process.argv[2] ?? 20_000)
const onPostgres = process.argv[3] === "postgres"
const servers = onPostgres ? Number(process.argv[4] ?? 1) : 1
const slowMillis = process.argv[5] ?? "150"

const receivers = spawn(process.execPath, [fileURLToPath(new URL("Receivers.ts", import.meta.url)), slowMillis], {
  stdio: ["ignore", "pipe", "inherit"]
})
const port = await new Promise<number>((resolve) => receivers.stdout.once("data", (data) => resolve(Number(data))))
const base = `http://127.0.0.1:${port}`
const folder = temporaryFolder()
const postgres = onPostgres ? await startForBenchmarks() : null

const start = (number: number): ServerProcess =>
  startProcess({
    LEADLOOM_DATA_DIR: servers === 1 ? folder.path : `${folder.path}/${number}`,
    LEADLOOM_SECRET_KEY: "one-secret-for-every-start-of-the-server",
    LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000",
    ...(postgres === null ? {} : { LEADLOOM_DATABASE_URL: postgres.url })
  })
const running = await Promise.all(
  Array.from({ length: servers }, async (_, number) => {
    const server = start(number)
    return { server, address: await server.url }
  })
)
let turn = 0
/** Returns the servers in rotation. A request to a killed server fails and is sent to the next one. */
const addressOf = (): string => running[turn++ % running.length]?.address ?? ""

const post = async (path: string, body: unknown): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${addressOf()}/api/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    }).catch(() => null)
    if (answer !== null && answer.status < 300) return void (await answer.arrayBuffer())
    if (answer !== null && answer.status === 409) return
    await sleep(100)
  }
}

const names = [
  ...Array.from({ length: 35 }, (_, index) => `good-${index}`),
  ...Array.from({ length: 5 }, (_, index) => `slow-${index}`),
  ...Array.from({ length: 5 }, (_, index) => `flaky-${index}`),
  ...Array.from({ length: 5 }, (_, index) => `dead-${index}`)
]
await post("/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
for (const name of names) {
  const wide = name.startsWith("slow") || name.startsWith("flaky")
  await post("/tenants/acme/webhooks", { url: `${base}/${name}`, max_in_flight: wide ? 16 : 1 })
}

/** Creates contacts concurrently; each produces one event. */
const write = async (from: number, to: number): Promise<void> => {
  let next = from
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (next < to) await post("/tenants/acme/contacts", { email: `jo${next++}@customer.example` })
    })
  )
}

const seen = async (): Promise<Readonly<Record<string, ReadonlyArray<number>>>> => {
  const answer: unknown = await (await fetch(`${base}/seen`)).json()
  return Object(answer).seen
}

const progress = async (): Promise<Readonly<Record<string, number>>> => {
  const answer: unknown = await (await fetch(`${base}/progress`)).json()
  return Object(answer)
}

const sendRequest = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${addressOf()}/api/v1/tenants/acme${path}`, {
    method,
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

const last = async (): Promise<number> => {
  const page = await sendRequest("GET", `/events?after=${events - 10}&limit=500`)
  return Number(Object(await page.json()).next_after)
}

const restart = async (): Promise<void> => {
  const [one] = running
  if (one === undefined) return
  one.server.kill("SIGKILL")
  await one.server.exit
  one.server = start(0)
  one.address = await one.server.url
}

const began = performance.now()
const writing = write(0, events)
const quarter = async (share: number): Promise<void> => {
  while (((await progress())["/good-0"] ?? 0) < events * share) await sleep(200)
}
await quarter(0.25)
await restart()
await quarter(0.6)
await restart()
await writing
const total = await last()
const wrote = performance.now() - began
const what = servers === 1 ? "the server was" : `one of ${servers} servers was`
console.log(`${total} events were written in ${Math.round(wrote / 1_000)} s; ${what} killed twice meanwhile`)

/** Pauses and reactivates subscriptions, because failed deliveries would otherwise wait for hours. */
const hurry = async (): Promise<void> => {
  const { webhooks } = Object(await (await sendRequest("GET", "/webhooks")).json())
  for (const { id, url } of webhooks) {
    if (!String(url).includes("/flaky")) continue
    for (const status of ["paused", "active"])
      await (await sendRequest("PATCH", `/webhooks/${id}`, { status })).arrayBuffer()
  }
}

const live = names.filter((name) => !name.startsWith("dead"))
const unique = (numbers: ReadonlyArray<number>): ReadonlyArray<number> => [...new Set(numbers)]
const limit = performance.now() + 600_000
const missing = async (): Promise<boolean> => {
  const have = await progress()
  return live.some((name) => (have[`/${name}`] ?? 0) < total)
}
while (performance.now() < limit && (await missing())) {
  await sleep(2_000)
  await hurry()
}
const arrived = performance.now() - began
const all = await seen()
for (const kind of ["good", "slow", "flaky"]) {
  const mine = live.filter((name) => name.startsWith(kind)).map((name) => all[`/${name}`] ?? [])
  const complete = mine.filter((numbers) => new Set(numbers).size === total).length
  const ordered = mine.filter((numbers) => unique(numbers).every((number, index) => number === index + 1)).length
  const repeated = mine.reduce((sum, numbers) => sum + numbers.length - new Set(numbers).size, 0)
  console.log(`${kind}: ${complete} of ${mine.length} have every event, ${ordered} in order, ${repeated} repetitions`)
}
console.log(`complete after ${Math.round(arrived / 1_000)} s`)
for (const { server } of running) server.kill("SIGTERM")
await Promise.all(running.map(({ server }) => server.exit))
receivers.kill()
await postgres?.stop()
folder.remove()

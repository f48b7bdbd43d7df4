/**
 * Order and completeness of webhooks: events of one tenant to fifty receivers, of which five are slow, five fail at random
 * and five are dead, from a server that is killed twice (SIGKILL) while it delivers. Afterwards every live receiver has to
 * have every event, in order when repetitions are left out. With several servers on one Postgres one of them is killed
 * twice, and the others go on meanwhile.
 *
 *   npm run bench -- hooked [events] [sqlite | postgres] [servers] [milliseconds that the slow ones take]
 *
 * A slow receiver has 16 requests at once, so 20,000 events take it at least 20,000 / 16 times its slowness: three minutes
 * with 150 ms, six with 300.
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
/** Each server in turn: one that is away just now has failed, and the next is asked. */
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

/** New contacts, many beside each other: an event each. */
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

/** What failed often waits for hours: somebody pauses its subscription and sets it active again, and it goes at once. */
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
console.log(`that was after ${Math.round(arrived / 1_000)} s`)
for (const { server } of running) server.kill("SIGTERM")
await Promise.all(running.map(({ server }) => server.exit))
receivers.kill()
await postgres?.stop()
folder.remove()

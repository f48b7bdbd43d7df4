/**
 * Order and completeness of webhooks: events of one tenant to fifty receivers, of which five are slow, five fail at random
 * and five are dead, from a server that is killed twice (SIGKILL) while it delivers. Afterwards every live receiver has to
 * have every event, in order when repetitions are left out.
 *
 *   npm run bench -- hooked [events] [sqlite | postgres]
 */
import { spawn } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { type ServerProcess, startProcess, temporaryFolder } from "../test/ServerProcess.ts"
import { adminKey } from "../test/TestServer.ts"

const events = Number(process.argv[2] ?? 20_000)
const onPostgres = process.argv[3] === "postgres"

const receivers = spawn(process.execPath, [fileURLToPath(new URL("Receivers.ts", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"]
})
const port = await new Promise<number>((resolve) => receivers.stdout.once("data", (data) => resolve(Number(data))))
const base = `http://127.0.0.1:${port}`
const folder = temporaryFolder()
const postgres = onPostgres ? await startForBenchmarks() : null

const start = (): ServerProcess =>
  startProcess({
    LEADLOOM_DATA_DIR: folder.path,
    LEADLOOM_SECRET_KEY: "one-secret-for-every-start",
    LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000",
    ...(postgres === null ? {} : { LEADLOOM_DATABASE_URL: postgres.url })
  })
let server = start()
let address = await server.url

const post = async (path: string, body: unknown): Promise<void> => {
  for (;;) {
    const answer = await fetch(`${address}/api/v1${path}`, {
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

const ask = (method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${address}/api/v1/tenants/acme${path}`, {
    method,
    headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

const last = async (): Promise<number> => {
  const page = await ask("GET", `/events?after=${events - 10}&limit=500`)
  return Number(Object(await page.json()).next_after)
}

const restart = async (): Promise<void> => {
  server.kill("SIGKILL")
  await server.exit
  server = start()
  address = await server.url
}

const began = performance.now()
const writing = write(0, events)
const quarter = async (share: number): Promise<void> => {
  while (((await seen())["/good-0"]?.length ?? 0) < events * share) await sleep(200)
}
await quarter(0.25)
await restart()
await quarter(0.6)
await restart()
await writing
const total = await last()
const wrote = performance.now() - began
console.log(`${total} events were written in ${Math.round(wrote / 1_000)} s; the server was killed twice meanwhile`)

/** What failed often waits for hours: somebody pauses its subscription and sets it active again, and it goes at once. */
const hurry = async (): Promise<void> => {
  const { webhooks } = Object(await (await ask("GET", "/webhooks")).json())
  for (const { id, url } of webhooks) {
    if (!String(url).includes("/flaky")) continue
    for (const status of ["paused", "active"]) await (await ask("PATCH", `/webhooks/${id}`, { status })).arrayBuffer()
  }
}

const live = names.filter((name) => !name.startsWith("dead"))
const unique = (numbers: ReadonlyArray<number>): ReadonlyArray<number> => [...new Set(numbers)]
const limit = performance.now() + 600_000
let all = await seen()
while (performance.now() < limit && live.some((name) => new Set(all[`/${name}`]).size < total)) {
  await sleep(2_000)
  await hurry()
  all = await seen()
}
for (const kind of ["good", "slow", "flaky"]) {
  const mine = live.filter((name) => name.startsWith(kind)).map((name) => all[`/${name}`] ?? [])
  const complete = mine.filter((numbers) => new Set(numbers).size === total).length
  const ordered = mine.filter((numbers) => unique(numbers).every((number, index) => number === index + 1)).length
  const repeated = mine.reduce((sum, numbers) => sum + numbers.length - new Set(numbers).size, 0)
  console.log(`${kind}: ${complete} of ${mine.length} have every event, ${ordered} in order, ${repeated} repetitions`)
}
console.log(`everything had arrived after ${Math.round((performance.now() - began) / 1_000)} s`)
server.kill("SIGTERM")
await server.exit
receivers.kill()
await postgres?.stop()
folder.remove()

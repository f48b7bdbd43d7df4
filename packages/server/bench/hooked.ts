/**
 * Measures order and completeness of webhooks. One tenant sends events to fifty receivers, of which five are slow, five
 * fail at random and five are dead. The server is killed twice (SIGKILL) while it delivers. Afterwards every live
 * receiver must have every event, in order if repetitions are ignored. With several servers on one Postgres, one of
 * them is killed twice while the others continue.
 *
 * A slow receiver handles 16 concurrent requests, so 20,000 events take at least 20,000 / 16 times its delay: three
 * minutes with 150 ms, six with 300 ms.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { argumentAt, type Bench, type BenchResult, listAt, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { startProcess, temporaryFolder } from "../test/world/ServerProcess.ts"
import { adminKey } from "../test/world/TestServer.ts"
import { type ReceiverProcess, startReceivers } from "./ReceiverProcess.ts"

/** The time within which all events must arrive after they are written. */
const maxMillis = 600_000

interface Plan {
  readonly events: number
  readonly onPostgres: boolean
  readonly servers: number
  readonly slowMillis: number
  /** The number of receivers of each of the three difficult kinds, and a seventh of the good ones. */
  readonly kinds: number
  /** The shares of the events at the first good receiver after which the server is killed. */
  readonly killsAt: ReadonlyArray<number>
}

/** The servers. A request to a killed server fails and is sent to the next one. */
interface Cluster {
  readonly fetch: (method: string, path: string, body?: unknown) => Promise<Response>
  /** Kills the first server and starts it again. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

const startCluster = async (
  count: number,
  env: (number: number) => Readonly<Record<string, string>>
): Promise<Cluster> => {
  const start = (number: number) => startProcess(env(number))
  const running = await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const server = start(number)
      return { server, address: await server.url }
    })
  )
  let turn = 0
  const [first] = running
  return {
    fetch: (method, path, body) =>
      fetch(`${running[turn++ % running.length]?.address ?? ""}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      }),
    restart: async () => {
      if (first === undefined) return
      first.server.kill("SIGKILL")
      await first.server.exit
      first.server = start(0)
      first.address = await first.server.url
    },
    stop: async () => {
      for (const { server } of running) server.kill("SIGTERM")
      await Promise.all(running.map(({ server }) => server.exit))
    }
  }
}

/** Repeats a request until it succeeds, or until its result exists. */
const post = async (cluster: Cluster, path: string, body: unknown): Promise<void> => {
  for (;;) {
    const answer = await cluster.fetch("POST", path, body).catch(() => null)
    if (answer !== null && (answer.status < 300 || answer.status === 409)) return void (await answer.arrayBuffer())
    await sleep(100)
  }
}

const namesOf = ({ kinds }: Plan): ReadonlyArray<string> => {
  const some = (kind: string, count: number) => Array.from({ length: count }, (_, index) => `${kind}-${index}`)
  return [...some("good", 7 * kinds), ...some("slow", kinds), ...some("flaky", kinds), ...some("dead", kinds)]
}

const prepare = async (cluster: Cluster, plan: Plan, base: string): Promise<void> => {
  await post(cluster, "/admin/tenants", { tenant_id: "acme", name: "Acme", domain: "acme.com" })
  for (const name of namesOf(plan)) {
    const wide = name.startsWith("slow") || name.startsWith("flaky")
    await post(cluster, "/tenants/acme/webhooks", { url: `${base}/${name}`, max_in_flight: wide ? 16 : 1 })
  }
}

/** Creates contacts concurrently; each produces one event. */
const write = async (cluster: Cluster, events: number): Promise<void> => {
  let next = 0
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (next < events) await post(cluster, "/tenants/acme/contacts", { email: `jo${next++}@customer.example` })
    })
  )
}

/** Returns the sequence number of the last event. */
const lastSequence = async (cluster: Cluster, events: number): Promise<number> => {
  const after = Math.max(0, events - 10)
  const page = await cluster.fetch("GET", `/tenants/acme/events?after=${after}&limit=500`)
  return Number(Object(await page.json()).next_after)
}

/** Pauses and reactivates subscriptions, because failed deliveries would otherwise wait for hours. */
const hurry = async (cluster: Cluster): Promise<void> => {
  const { webhooks } = Object(await (await cluster.fetch("GET", "/tenants/acme/webhooks")).json())
  for (const { id, url } of webhooks) {
    if (!String(url).includes("/flaky")) continue
    for (const status of ["paused", "active"])
      await (await cluster.fetch("PATCH", `/tenants/acme/webhooks/${id}`, { status })).arrayBuffer()
  }
}

/** Waits until every live receiver has this many events. */
const complete = async (cluster: Cluster, receivers: ReceiverProcess, live: ReadonlyArray<string>, total: number) => {
  const limit = performance.now() + maxMillis
  const missing = async (): Promise<boolean> => {
    const have = await receivers.progress()
    return live.some((name) => (have[`/${name}`] ?? 0) < total)
  }
  while (performance.now() < limit && (await missing())) {
    await sleep(500)
    await hurry(cluster)
  }
}

const deliverAll = async (cluster: Cluster, receivers: ReceiverProcess, plan: Plan) => {
  await prepare(cluster, plan, receivers.base)
  const began = performance.now()
  const writing = write(cluster, plan.events)
  for (const share of plan.killsAt) {
    while (((await receivers.progress())["/good-0"] ?? 0) < plan.events * share) await sleep(50)
    await cluster.restart()
  }
  await writing
  const total = await lastSequence(cluster, plan.events)
  const writtenInSeconds = Math.round((performance.now() - began) / 1_000)
  progress(`${total} events were written in ${writtenInSeconds} s; a server was killed meanwhile`)
  const live = namesOf(plan).filter((name) => !name.startsWith("dead"))
  await complete(cluster, receivers, live, total)
  return { total, live, writtenInSeconds, completeAfterSeconds: Math.round((performance.now() - began) / 1_000) }
}

const isOrdered = (numbers: ReadonlyArray<number>): boolean =>
  [...new Set(numbers)].every((number, index) => number === index + 1)

const run = async (plan: Plan): Promise<BenchResult> => {
  const receivers = await startReceivers(plan.slowMillis)
  const folder = temporaryFolder()
  const postgres = plan.onPostgres ? await startForBenchmarks() : null
  const cluster = await startCluster(plan.servers, (number) => ({
    LEADLOOM_DATA_DIR: plan.servers === 1 ? folder.path : `${folder.path}/${number}`,
    LEADLOOM_SECRET_KEY: "one-secret-for-every-start-of-the-server",
    LEADLOOM_WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${receivers.port}`,
    LEADLOOM_LIMIT_ADMIN: "1000000",
    ...(postgres === null ? {} : { LEADLOOM_DATABASE_URL: postgres.url })
  }))
  try {
    const { live, total, ...times } = await deliverAll(cluster, receivers, plan)
    const all = await receivers.seen()
    const rows = ["good", "slow", "flaky"].map((kind) => {
      const mine = live.filter((name) => name.startsWith(kind)).map((name) => all[`/${name}`] ?? [])
      return {
        kind,
        receivers: mine.length,
        complete: mine.filter((numbers) => new Set(numbers).size === total).length,
        ordered: mine.filter(isOrdered).length,
        repetitions: mine.reduce((sum, numbers) => sum + numbers.length - new Set(numbers).size, 0)
      }
    })
    return {
      figures: { events: total, servers: plan.servers, ...times, receivers: rows },
      checks: {
        "every live receiver has every event": rows.every(({ complete, receivers }) => complete === receivers),
        // The slow and the flaky receivers accept 16 concurrent requests, so they may see them in any order.
        "every good receiver has the events in order": rows[0]?.ordered === rows[0]?.receivers
      }
    }
  } finally {
    await cluster.stop()
    receivers.stop()
    await postgres?.stop()
    folder.remove()
  }
}

export const bench: Bench = {
  name: "hooked",
  purpose: "Order and completeness of webhooks to good, slow, flaky and dead receivers while a server is killed.",
  usage:
    "[events] [sqlite|postgres] [servers] [milliseconds that the slow ones take] [receivers of a difficult kind] [kills at]",
  sizes: {
    smallest: [20, "sqlite", 1, 10, 1, "0.25"],
    small: [1_000, "sqlite", 1, 50, 2, "0.25,0.6"],
    full: [20_000, "sqlite", 1, 150, 5, "0.25,0.6"]
  },
  run: (args) => {
    const onPostgres = argumentAt(args, 1) === "postgres"
    return run({
      events: numberAt(args, 0),
      onPostgres,
      servers: onPostgres ? numberAt(args, 2) : 1,
      slowMillis: numberAt(args, 3),
      kinds: numberAt(args, 4),
      killsAt: listAt(args, 5).map(Number)
    })
  }
}

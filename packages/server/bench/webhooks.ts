/**
 * Measures signed and stored deliveries of outbound events per second, from SQLite and from Postgres, to a receiver in
 * another process. BullMQ and pg-boss send the same requests with the same signatures for comparison. The bare sender
 * and `fetch` send unsigned requests without a database. All jobs are queued before the measurement. The contestants
 * run one after another in each round. Prints medians, with the CPU time of this process per delivery, which is more
 * reliable than the rate on a shared machine.
 *
 *   npm run bench -- webhooks [deliveries] [subscriptions] [rounds] [sqlite,postgres,bullmq,pg-boss,bare,fetch]
 *
 * BullMQ requires `redis-server` and is skipped without it.
 */
import { spawn } from "node:child_process"
import { createHmac, createSecretKey } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Pool } from "@effect/platform-node/Undici"
import * as NodeEgress from "@leadloom/connectors/egress/NodeEgress"
import { Egress } from "@leadloom/core/port/system/Egress"
import { deliveryIdOf } from "@leadloom/core/domain/webhook/Delivery"
import { envelopeOf } from "@leadloom/core/domain/webhook/Event"
import { exampleData } from "@leadloom/core/domain/webhook/ExampleData"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, ManagedRuntime } from "effect"
import { median } from "../../store/bench/Median.ts"
import { bullmq, type DeliveryQueue, type Job, pgBoss } from "../../testkit/bench/DeliveryQueues.ts"
import { deliveringFrom } from "./Delivering.ts"

const deliveries = Number(process.argv[2] ?? 20_000)
const subscriptions = Number(process.argv[3] ?? 50)
const rounds = Number(process.argv[4] ?? 3)
const requested = (process.argv[5] ?? "sqlite,postgres,bullmq,pg-boss,bare,fetch").split(",")
const eventsEach = Math.ceil(deliveries / subscriptions)
const total = eventsEach * subscriptions
/** Connections of the other contestants to the receiver, and concurrent jobs of BullMQ. */
const connections = 64

const receivers = spawn(process.execPath, [fileURLToPath(new URL("Receivers.ts", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"]
})
const port = await new Promise<number>((resolve) => receivers.stdout.once("data", (data) => resolve(Number(data))))
const base = `http://127.0.0.1:${port}`
const count = async (): Promise<number> => Number(await (await fetch(`${base}/count`)).text())

/** The duration of a round: elapsed time in milliseconds, and CPU time of this process in microseconds. */
interface Taken {
  readonly millis: number
  readonly micros: number
}

const timed = async (what: () => Promise<unknown>): Promise<Taken> => {
  const before = process.cpuUsage()
  const began = performance.now()
  await what()
  const millis = performance.now() - began
  const { system, user } = process.cpuUsage(before)
  return { millis, micros: system + user }
}

/** A way of delivery. A round queues everything and returns the duration of the delivery. */
interface Contestant {
  readonly round: (name: string) => Promise<Taken>
  readonly close: () => Promise<unknown>
}

const ours = (url: string): Promise<Contestant> => {
  const { close, drain, fill } = deliveringFrom(url, { base, port, subscriptions })
  return Promise.resolve({
    close,
    round: async (name) => {
      await fill(name, eventsEach)
      return await timed(() => drain(name, eventsEach))
    }
  })
}

/** The secret of a subscription as a prepared key object; with raw keys `createHmac` takes five times as long. */
const secret = createSecretKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "utf8")
const standardSecret = createSecretKey("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64")
const pool = new Pool(base, { connections, pipelining: 1 })

/** Sends the same request as this product, with the fastest available client for Node.js. */
const post = async ({ body, eventId, path, sequence }: Job): Promise<void> => {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  const signature = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")
  const standard = createHmac("sha256", standardSecret).update(`${eventId}.${timestamp}.`).update(body)
  const headers = {
    "content-type": "application/json",
    "user-agent": "Others/1",
    "x-webhook-event": "lead.scored",
    "x-webhook-delivery": deliveryIdOf("whk_01jqaaaaaaaaaaaaaaaaaaaaaa", "evt_01jqaaaaaaaaaaaaaaaaaaaaaa", sequence),
    "x-webhook-timestamp": timestamp,
    "x-webhook-sequence": String(sequence),
    "x-webhook-signature": signature,
    "webhook-id": eventId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${standard.digest("base64")}`
  }
  const answer = await pool.request({ path, method: "POST", headers, body })
  await answer.body.dump()
  if (answer.statusCode >= 300) throw new Error(`the receiver answered ${answer.statusCode}`)
}

const jobsOf = (name: string): ReadonlyArray<Job> =>
  Array.from({ length: total }, (_, index) => {
    const eventId = `evt_${String(index).padStart(26, "0")}` as const
    const event = { eventId, type: "lead.scored" as const, tenantId: name, timestamp: Date.now() }
    const body = envelopeOf({ ...event, data: exampleData["lead.scored"] })
    return { path: `/${name}-${index % subscriptions}`, eventId, body, sequence: Math.floor(index / subscriptions) + 1 }
  })

const queue = async (making: Promise<DeliveryQueue>): Promise<Contestant> => {
  const { close, fill, work } = await making
  return {
    close,
    round: async (name) => {
      const jobs = jobsOf(name)
      await fill(jobs)
      return await timed(() => work(total, post))
    }
  }
}

/** Sends requests without any other work, as many concurrently as there are subscriptions. */
const loop = (send: () => Promise<unknown>): Promise<Taken> => {
  let left = total
  const worker = async (): Promise<void> => {
    while (left-- > 0) await send()
  }
  return timed(() => Promise.all(Array.from({ length: subscriptions }, worker)))
}

const [job] = jobsOf("bare")
const body = job?.body ?? ""
const headers = { "content-type": "application/json" }

const bare = async (): Promise<Contestant> => {
  const runtime = ManagedRuntime.make(NodeEgress.layer({ policy: { allowHosts: [{ host: "127.0.0.1", port }] } }))
  const egress = await runtime.runPromise(Egress)
  const request = { url: `${base}/bare`, headers, body, timeoutMillis: 15_000, maxResponseBytes: 4_096 }
  return { close: () => runtime.dispose(), round: () => loop(() => Effect.runPromise(egress.post(request))) }
}

const fetches = (): Promise<Contestant> =>
  Promise.resolve({
    close: () => Promise.resolve(),
    round: () => loop(async () => (await fetch(`${base}/fetch`, { method: "POST", headers, body })).text())
  })

const folder = mkdtempSync(join(tmpdir(), "leadloom-webhooks-"))
const postgres = await startForBenchmarks()
const makers: Readonly<Record<string, () => Promise<Contestant>>> = {
  sqlite: () => ours(`sqlite:${join(folder, "leadloom.db")}`),
  postgres: () => ours(postgres.url),
  bullmq: () => queue(bullmq(connections)),
  "pg-boss": () => queue(pgBoss(postgres.url)),
  bare,
  fetch: fetches
}

const contestants = new Map<string, Contestant>()
/** Deliveries per second, and CPU microseconds of this process, per round. */
interface Measured {
  readonly rates: ReadonlyArray<number>
  readonly micros: ReadonlyArray<number>
}
const measured = new Map<string, Measured>()

const measure = async (name: string, { round }: Contestant, number: number): Promise<void> => {
  globalThis.gc?.()
  const before = await count()
  const { millis, micros } = await round(`${name}-${number}`)
  const got = (await count()) - before
  if (got !== total) throw new Error(`${name}: ${got} requests for ${total} deliveries`)
  // The first round is a warm-up.
  if (number === 0) return
  const { micros: others, rates } = measured.get(name) ?? { micros: [], rates: [] }
  measured.set(name, { rates: [...rates, Math.round((1_000 * total) / millis)], micros: [...others, micros / total] })
}

try {
  for (const name of requested) {
    const made = await makers[name]?.().catch((error: unknown) => console.log(`${name} is skipped: ${String(error)}`))
    if (made) contestants.set(name, made)
  }
  console.log(`${total} deliveries to ${subscriptions} subscriptions, ${rounds} rounds after a warm-up`)
  for (let number = 0; number <= rounds; number++) {
    for (const [name, contestant] of contestants) await measure(name, contestant, number)
  }
  for (const [name, { micros, rates }] of measured) {
    console.log(
      `${name}: ${median(rates)} a second (${rates.join(", ")}), ${Math.round(median(micros))} µs of this process`
    )
  }
} finally {
  for (const { close } of contestants.values()) await close()
  await pool.close()
  receivers.kill()
  await postgres.stop()
  rmSync(folder, { recursive: true })
}

/**
 * Measures signed and stored deliveries of outbound events per second, from SQLite and from Postgres, to a receiver in
 * another process. BullMQ and pg-boss send the same requests with the same signatures for comparison. The bare sender
 * and `fetch` send unsigned requests without a database. All jobs are queued before the measurement. The contestants
 * run one after another in each round. The CPU time of this process per delivery is more reliable than the rate on a
 * shared machine. BullMQ requires `redis-server` and is left out without it.
 */
import { createHmac, createSecretKey } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Pool } from "@effect/platform-node/Undici"
import * as NodeEgress from "@leadloom/connectors/internal/egress/NodeEgress"
import { Egress } from "@leadloom/core/internal/port/system/Egress"
import { deliveryIdOf } from "@leadloom/core/internal/domain/webhook/Delivery"
import { envelopeOf } from "@leadloom/core/internal/domain/webhook/Event"
import { exampleData } from "@leadloom/core/internal/domain/webhook/ExampleData"
import { type Bench, type BenchResult, listAt, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, ManagedRuntime } from "effect"
import { bullmq, type DeliveryQueue, type Job, pgBoss } from "../../testkit/bench/DeliveryQueues.ts"
import { deliveringFrom } from "./Delivering.ts"
import { startReceivers } from "./ReceiverProcess.ts"

/** Connections of the other contestants to the receiver, and concurrent jobs of BullMQ. */
const connections = 64

/** The load of a round, and the receiver. */
interface Load {
  readonly base: string
  readonly port: number
  readonly subscriptions: number
  readonly eventsEach: number
  readonly total: number
}

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

const ours = ({ base, eventsEach, port, subscriptions }: Load, url: string): Contestant => {
  const { close, drain, fill } = deliveringFrom(url, { base, port, subscriptions })
  return {
    close,
    round: async (name) => {
      await fill(name, eventsEach)
      return await timed(() => drain(name, eventsEach))
    }
  }
}

/** The secret of a subscription as a prepared key object; with raw keys `createHmac` takes five times as long. */
const secret = createSecretKey("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "utf8")
const standardSecret = createSecretKey("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64")

/** Sends the same request as this product, with the fastest available client for Node.js. */
const postTo =
  (pool: Pool) =>
  async ({ body, eventId, path, sequence }: Job): Promise<void> => {
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

const jobsOf = ({ subscriptions, total }: Load, name: string): ReadonlyArray<Job> =>
  Array.from({ length: total }, (_, index) => {
    const eventId = `evt_${String(index).padStart(26, "0")}` as const
    const event = { eventId, type: "lead.scored" as const, tenantId: name, timestamp: Date.now() }
    const body = envelopeOf({ ...event, data: exampleData["lead.scored"] })
    return { path: `/${name}-${index % subscriptions}`, eventId, body, sequence: Math.floor(index / subscriptions) + 1 }
  })

const queue = async (load: Load, making: Promise<DeliveryQueue>): Promise<Contestant> => {
  const { close, fill, work } = await making
  const pool = new Pool(load.base, { connections, pipelining: 1 })
  return {
    close: async () => {
      await close()
      await pool.close()
    },
    round: async (name) => {
      await fill(jobsOf(load, name))
      return await timed(() => work(load.total, postTo(pool)))
    }
  }
}

/** Sends requests without any other work, as many concurrently as there are subscriptions. */
const loop = ({ subscriptions, total }: Load, send: () => Promise<unknown>): Promise<Taken> => {
  let left = total
  const worker = async (): Promise<void> => {
    while (left-- > 0) await send()
  }
  return timed(() => Promise.all(Array.from({ length: subscriptions }, worker)))
}

const headers = { "content-type": "application/json" }
const bodyOf = (load: Load): string => jobsOf(load, "bare")[0]?.body ?? ""

const bare = async (load: Load): Promise<Contestant> => {
  const policy = { allowHosts: [{ host: "127.0.0.1", port: load.port }] }
  const runtime = ManagedRuntime.make(NodeEgress.layer({ policy }))
  const egress = await runtime.runPromise(Egress)
  const sent = { url: `${load.base}/bare`, headers, body: bodyOf(load), timeoutMillis: 15_000, maxResponseBytes: 4_096 }
  return { close: () => runtime.dispose(), round: () => loop(load, () => Effect.runPromise(egress.post(sent))) }
}

const fetches = (load: Load): Contestant => {
  const request = { method: "POST", headers, body: bodyOf(load) }
  return {
    close: () => Promise.resolve(),
    round: () => loop(load, async () => (await fetch(`${load.base}/fetch`, request)).text())
  }
}

/** The databases of the contestants. */
interface Places {
  readonly folder: string
  readonly database: () => Promise<string>
}

const makers: Readonly<Record<string, (load: Load, places: Places) => Promise<Contestant>>> = {
  sqlite: (load, { folder }) => Promise.resolve(ours(load, `sqlite:${join(folder, "leadloom.db")}`)),
  postgres: async (load, { database }) => ours(load, await database()),
  bullmq: (load) => queue(load, bullmq(connections)),
  "pg-boss": async (load, { database }) => queue(load, pgBoss(await database())),
  bare,
  fetch: (load) => Promise.resolve(fetches(load))
}

const open = async (names: ReadonlyArray<string>, load: Load, places: Places) => {
  const contestants = new Map<string, Contestant>()
  const absent: Array<string> = []
  for (const name of names) {
    const made = await makers[name]?.(load, places).catch((error: unknown) => {
      progress(`${name} is left out: ${String(error)}`)
      absent.push(name)
    })
    if (made) contestants.set(name, made)
  }
  return { contestants, absent }
}

/** Deliveries per second, CPU microseconds of this process, and requests at the receiver, per round. */
interface Measured {
  readonly rates: Array<number>
  readonly micros: Array<number>
  readonly received: Array<number>
}

const race = async (
  load: Load,
  rounds: number,
  contestants: ReadonlyMap<string, Contestant>,
  count: () => Promise<number>
): Promise<ReadonlyMap<string, Measured>> => {
  const measured = new Map<string, Measured>()
  // The first round is a warm-up.
  for (let number = 0; number <= rounds; number++) {
    for (const [name, { round }] of contestants) {
      globalThis.gc?.()
      const before = await count()
      const { micros, millis } = await round(`${name}-${number}`)
      const all = measured.get(name) ?? { rates: [], micros: [], received: [] }
      measured.set(name, all)
      all.received.push((await count()) - before)
      if (number === 0) continue
      all.rates.push((1_000 * load.total) / millis)
      all.micros.push(micros / load.total)
    }
  }
  return measured
}

const run = async (
  deliveries: number,
  subscriptions: number,
  rounds: number,
  names: ReadonlyArray<string>
): Promise<BenchResult> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-webhooks-"))
  const postgres = await startForBenchmarks()
  const receivers = await startReceivers()
  const eventsEach = Math.ceil(deliveries / subscriptions)
  const { base, count, port } = receivers
  const load = { base, port, subscriptions, eventsEach, total: eventsEach * subscriptions }
  const { absent, contestants } = await open(names, load, { folder, database: postgres.database })
  try {
    const measured = await race(load, rounds, contestants, count)
    const ratesOf = (name: string): ReadonlyArray<number> => measured.get(name)?.rates ?? []
    const ratio = (one: string, other: string): number | null =>
      ratesOf(one).length === 0 || ratesOf(other).length === 0
        ? null
        : Number(median(ratesOf(one).map((rate, round) => rate / (ratesOf(other)[round] ?? 1))).toFixed(2))
    return {
      figures: {
        deliveries: load.total,
        subscriptions,
        rounds,
        absent,
        contestants: [...measured].map(([contestant, { micros, rates }]) => ({
          contestant,
          perSecond: Math.round(median(rates)),
          cpuMicros: Math.round(median(micros))
        })),
        sqliteToBullmq: ratio("sqlite", "bullmq"),
        postgresToPgBoss: ratio("postgres", "pg-boss")
      },
      checks: {
        "the receiver gets every delivery once": [...measured.values()].every(({ received }) =>
          received.every((number) => number === load.total)
        )
      }
    }
  } finally {
    for (const { close } of contestants.values()) await close()
    receivers.stop()
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}

const everyone = "sqlite,postgres,bullmq,pg-boss,bare,fetch"

export const bench: Bench = {
  name: "webhooks",
  purpose: "Signed and stored webhook deliveries per second, against BullMQ, pg-boss and bare senders.",
  usage: `[deliveries] [subscriptions] [rounds] [${everyone}]`,
  sizes: {
    smallest: [20, 5, 1, everyone],
    small: [2_000, 50, 2, everyone],
    full: [20_000, 50, 3, everyone]
  },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1), numberAt(args, 2), listAt(args, 3))
}

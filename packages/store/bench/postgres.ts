/**
 * The speed of writes through the ports on Postgres, relative to plain sets: the writes of one mail as one unit of work
 * with 64 concurrent callers, against the same rows in sets of 32, with one function call each over two connections of
 * the plain driver. The ports write for one, five and 1,000 tenants, because the units of one tenant run one at a time.
 */
import { Transactions } from "@leadloom/core/port/system/Transactions"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import pg from "pg"
import * as Store from "../src/Store.ts"
import { prepareBare, setOf } from "./BareSets.ts"
import { ingest, mailOf, type Place } from "./Ingest.ts"

const callers = 64
const [setSize, connections] = [32, 2]
const tenantCounts = [1, 5, 1_000] as const

const indexesOf = (mails: number): ReadonlyArray<number> => Array.from({ length: mails }, (_, index) => index)
/** Three of ten mails open a thread, so threads are numbered 0, 1, 2, 10, 11, 12 and so on. */
const placeOf = (tenants: number): Place => ({
  tenantOf: (thread) => `tenant-${(Math.floor(thread / 10) * 3 + (thread % 10)) % tenants}`,
  first: "0"
})

/** The mails per second, and the stored messages at the end. */
interface Written {
  readonly perSecond: number
  readonly messages: number
}

const messagesIn = async (url: string): Promise<number> => {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ readonly count: string }>("SELECT count(*) FROM messages")
  await client.end()
  return Number(rows[0]?.count)
}

const throughPorts = async (url: string, mails: number, tenants: number): Promise<Written> => {
  const place = placeOf(tenants)
  const millis = await Effect.runPromise(
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const begun = performance.now()
      yield* Effect.forEach(
        indexesOf(mails),
        (index) => atomically(mailOf(index, place).message.tenantId, ingest(index, place)),
        { concurrency: callers, discard: true }
      )
      return performance.now() - begun
    }).pipe(Effect.provide(Store.layer({ url })))
  )
  return { perSecond: (mails / millis) * 1_000, messages: await messagesIn(url) }
}

/** Two connections may deadlock on rows of the same contacts. The server then cancels one, which is repeated. */
const insertSet = async (client: pg.Client, set: string): Promise<void> => {
  for (;;) {
    try {
      await client.query({ name: "ingest", text: "SELECT bench_ingest($1::jsonb)", values: [set] })
      return
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || error.code !== "40P01") throw error
    }
  }
}

const bare = async (url: string, mails: number, sets: ReadonlyArray<string>): Promise<Written> => {
  await Effect.runPromise(Effect.provide(Effect.void, Store.layer({ url })))
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client(url)
      await client.connect()
      return client
    })
  )
  const [first] = clients
  if (first !== undefined) await prepareBare(first)
  const left = [...sets]
  const begun = performance.now()
  await Promise.all(
    clients.map(async (client) => {
      for (let set = left.shift(); set !== undefined; set = left.shift()) {
        await insertSet(client, set)
      }
    })
  )
  const millis = performance.now() - begun
  await Promise.all(clients.map((client) => client.end()))
  return { perSecond: (mails / millis) * 1_000, messages: await messagesIn(url) }
}

const setsOf = (mails: number, tenants: number): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(mails / setSize) }, (_, set) =>
    setOf(indexesOf(mails).slice(set * setSize, (set + 1) * setSize), placeOf(tenants))
  )

const run = async (mails: number, rounds: number): Promise<BenchResult> => {
  const server = await startForBenchmarks()
  try {
    const scenes = tenantCounts.map((tenants) => {
      return { tenants, sets: setsOf(mails, tenants), ports: new Array<Written>(), raws: new Array<Written>() }
    })
    for (let round = 0; round < rounds; round++) {
      for (const { ports, raws, sets, tenants } of scenes) {
        raws.push(await bare(await server.database(), mails, sets))
        ports.push(await throughPorts(await server.database(), mails, tenants))
      }
    }
    const middle = (all: ReadonlyArray<Written>): number => Math.round(median(all.map(({ perSecond }) => perSecond)))
    return {
      figures: {
        mails,
        rounds,
        tenants: scenes.map(({ ports, raws, tenants }) => ({
          tenants,
          portsPerSecond: middle(ports),
          barePerSecond: middle(raws),
          ratio: Number(
            median(ports.map(({ perSecond }, round) => perSecond / (raws[round]?.perSecond ?? 1))).toFixed(3)
          )
        }))
      },
      checks: {
        "every way stores every mail": scenes.every(({ ports, raws }) =>
          [...ports, ...raws].every(({ messages }) => messages === mails)
        )
      }
    }
  } finally {
    await server.stop()
  }
}

export const bench: Bench = {
  name: "postgres",
  purpose: "Writes of one mail through the ports on Postgres, against bare sets of 32, with 1, 5 and 1,000 tenants.",
  usage: "[mails] [rounds]",
  sizes: { smallest: [64, 1], small: [1_000, 3], full: [4_000, 5] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}

/**
 * The speed of accepting mail on Postgres, relative to plain sets. The workflow accepts each mail, in batches and with
 * one unit of work per mail, with concurrent callers. The plain sets write the same rows, but decide nothing: 32 mails
 * per function call, over two connections of the plain driver. There are one, five and 1,000 tenants, because a tenant
 * is in one transaction at a time.
 */
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import pg from "pg"
import * as Store from "../src/Store.ts"
import { acceptMails, type Spent, spend, type Way } from "./AcceptMails.ts"
import { prepareBare, setOf } from "./BareSets.ts"
import type { Place } from "./Ingest.ts"

const callers = 128
const [setSize, connections] = [32, 2]
const tenantCounts = [1, 5, 1_000] as const

const indexesOf = (mails: number): ReadonlyArray<number> => Array.from({ length: mails }, (_, index) => index)
/** Three of ten mails open a thread, so threads are numbered 0, 1, 2, 10, 11, 12 and so on. */
const placeOf = (tenants: number): Place => ({
  tenantOf: (thread) => `tenant-${(Math.floor(thread / 10) * 3 + (thread % 10)) % tenants}`,
  first: "0"
})

/** The cost of a run, and the rows at its end. */
interface Written extends Spent {
  readonly messages: number
  readonly events: number
}

const counted = async (url: string, spent: Spent): Promise<Written> => {
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ readonly messages: string; readonly events: string }>(
    "SELECT (SELECT count(*) FROM messages) AS messages, (SELECT count(*) FROM events) AS events"
  )
  await client.end()
  return { ...spent, messages: Number(rows[0]?.messages), events: Number(rows[0]?.events) }
}

const accept = async (url: string, mails: number, tenants: number, way: Way): Promise<Written> =>
  await counted(url, await acceptMails(url, mails, callers, placeOf(tenants), way))

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

const bare = async (url: string, sets: ReadonlyArray<string>): Promise<Written> => {
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
  const spent = await spend(() =>
    Promise.all(
      clients.map(async (client) => {
        for (let set = left.shift(); set !== undefined; set = left.shift()) await insertSet(client, set)
      })
    )
  )
  await Promise.all(clients.map((client) => client.end()))
  return await counted(url, spent)
}

const setsOf = (mails: number, tenants: number): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(mails / setSize) }, (_, set) =>
    setOf(indexesOf(mails).slice(set * setSize, (set + 1) * setSize), placeOf(tenants))
  )

interface Scene {
  readonly tenants: number
  readonly sets: ReadonlyArray<string>
  readonly raws: Array<Written>
  readonly batches: Array<Written>
  readonly units: Array<Written>
}

const tableRow = ({ batches, raws, tenants, units }: Scene, mails: number) => {
  const middle = (all: ReadonlyArray<Written>): number =>
    Math.round((mails / median(all.map(({ millis }) => millis))) * 1_000)
  const cpu = (all: ReadonlyArray<Written>): number =>
    Math.round((median(all.map(({ cpuMillis }) => cpuMillis)) / mails) * 1_000)
  const ratio = (all: ReadonlyArray<Written>): number =>
    Number(median(all.map(({ millis }, round) => (raws[round]?.millis ?? 0) / millis)).toFixed(3))
  return {
    tenants,
    portsPerSecond: middle(batches),
    unitsPerSecond: middle(units),
    barePerSecond: middle(raws),
    ratio: ratio(batches),
    unitsRatio: ratio(units),
    cpuMicros: cpu(batches),
    unitsCpuMicros: cpu(units)
  }
}

const run = async (mails: number, rounds: number): Promise<BenchResult> => {
  const server = await startForBenchmarks()
  try {
    const scenes = tenantCounts.map((tenants): Scene => ({
      tenants,
      sets: setsOf(mails, tenants),
      raws: [],
      batches: [],
      units: []
    }))
    for (let round = 0; round < rounds; round++) {
      for (const { batches, raws, sets, tenants, units } of scenes) {
        raws.push(await bare(await server.database(), sets))
        batches.push(await accept(await server.database(), mails, tenants, "batches"))
        units.push(await accept(await server.database(), mails, tenants, "units"))
      }
    }
    const every = scenes.flatMap(({ batches, raws, units }) => [...batches, ...raws, ...units])
    const [events] = every.map(({ events }) => events)
    return {
      figures: { mails, rounds, callers, tenants: scenes.map((scene) => tableRow(scene, mails)) },
      checks: {
        "every way stores every mail": every.every(({ messages }) => messages === mails),
        "every way stores the same number of events": every.every((written) => written.events === events)
      }
    }
  } finally {
    await server.stop()
  }
}

export const bench: Bench = {
  name: "postgres",
  purpose: "Accepting mail on Postgres, in batches and in units, against bare sets of 32; 1, 5 and 1,000 tenants.",
  usage: "[mails] [rounds]",
  sizes: { smallest: [64, 1], small: [1_000, 3], full: [4_000, 5] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}

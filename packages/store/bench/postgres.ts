/**
 * The speed of writes through the ports on Postgres, relative to plain sets: the writes of one mail as one unit of work
 * with 64 concurrent callers, against the same rows in sets of 32, with one function call each over two connections of
 * the plain driver. Also measures the ports with all mails in one tenant, whose units run one at a time.
 * Run: node --conditions=development packages/store/bench/postgres.ts [mails] [rounds]
 */
import { Transactions } from "@leadloom/core/port/system/Transactions"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import pg from "pg"
import * as Store from "../src/Store.ts"
import { prepareBare, setOf } from "./BareSets.ts"
import { ingest, tenantOf } from "./Ingest.ts"

const mails = Number(process.argv[2] ?? 4_000)
const rounds = Number(process.argv[3] ?? 5)
const callers = 64
const [setSize, connections] = [32, 2]

const indexes = Array.from({ length: mails }, (_, index) => index)
const server = await startForBenchmarks()

const withDatabase = async <A>(name: string, use: (url: string) => Promise<A>): Promise<A> => {
  const admin = new pg.Client(server.url)
  await admin.connect()
  await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  await admin.query(`CREATE DATABASE ${name}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  try {
    return await use(url.href)
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }
}

const throughPorts = (url: string, tenantOf: (index: number) => string): Promise<number> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const begun = performance.now()
      yield* Effect.forEach(indexes, (index) => atomically(tenantOf(index), ingest(index)), {
        concurrency: callers,
        discard: true
      })
      return performance.now() - begun
    }).pipe(Effect.provide(Store.layer({ url })))
  )

const sets = Array.from({ length: Math.ceil(mails / setSize) }, (_, set) =>
  setOf(indexes.slice(set * setSize, (set + 1) * setSize))
)

const bare = async (url: string): Promise<number> => {
  await Effect.runPromise(Effect.provide(Effect.void, Store.layer({ url })))
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client(url)
      // A closed connection may still report that its database was dropped.
      client.on("error", () => undefined)
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
        await client.query({ name: "ingest", text: "SELECT bench_ingest($1::jsonb)", values: [set] })
      }
    })
  )
  const elapsed = performance.now() - begun
  await Promise.all(clients.map((client) => client.end()))
  return elapsed
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

const ports: Array<number> = []
const oneTenant: Array<number> = []
const raws: Array<number> = []
for (let round = 0; round < rounds; round++) {
  const perSecond = (elapsed: number): number => (mails / elapsed) * 1_000
  ports.push(perSecond(await withDatabase("bench_ports", (url) => throughPorts(url, tenantOf))))
  raws.push(perSecond(await withDatabase("bench_bare", bare)))
  oneTenant.push(perSecond(await withDatabase("bench_one", (url) => throughPorts(url, () => "one"))))
}
await server.stop()

const ratio = (values: ReadonlyArray<number>): number =>
  Number(median(values.map((value, round) => value / (raws[round] ?? 1))).toFixed(3))
console.log(
  JSON.stringify({
    mails,
    rounds,
    portsPerSecond: Math.round(median(ports)),
    oneTenantPerSecond: Math.round(median(oneTenant)),
    barePerSecond: Math.round(median(raws)),
    ratio: ratio(ports),
    ratioOneTenant: ratio(oneTenant)
  })
)

/**
 * The cost of a pooler, and the number of connections per server: accepted mails and read pages through a plain URL,
 * through the same URL with `?pgbouncer=true` and no pooler (no prepared statements, settings in each transaction), and
 * through a pooler if its URL is given. The pooler must forward databases of any name to the server in
 * `LEADLOOM_TEST_POSTGRES_URL`. Medians of interleaved rounds.
 * Run: npm run bench -- pooler [rounds] [postgres://user:password@host:port]
 */
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, Layer } from "effect"
import pg from "pg"
import * as Store from "../src/Store.ts"
import { accept, listPage, placeOf } from "./Load.ts"
import { median } from "./Median.ts"

const rounds = Number(process.argv[2] ?? 7)
const pooler = process.argv[3]
const [mailsARound, tenants] = [1_000, 100]
const place = placeOf(tenants)

const server = await startForBenchmarks()
const admin = new pg.Client(server.url)
await admin.connect()

const named = (url: string, name: string, query: string): string =>
  Object.assign(new URL(url), { pathname: `/${name}`, search: query }).href

const ways = [
  { way: "direct", url: named(server.url, "bench_direct", "") },
  { way: "direct, as if pooled", url: named(server.url, "bench_as_if", "?pgbouncer=true") },
  ...(pooler === undefined ? [] : [{ way: "pooler", url: named(pooler, "bench_pooled", "?pgbouncer=true") }])
]

/** Returns the current number of the database's connections by kind. */
const connections = async (url: string): Promise<number> => {
  const { rows } = await admin.query<{ readonly count: string }>(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()",
    [new URL(url).pathname.slice(1)]
  )
  return Number(rows[0]?.count)
}

const run = Effect.gen(function* () {
  const scenes = yield* Effect.forEach(ways, ({ url, way }) =>
    Effect.gen(function* () {
      const name = new URL(url).pathname.slice(1)
      yield* Effect.promise(() => admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
      yield* Effect.promise(() => admin.query(`CREATE DATABASE ${name}`))
      const store = yield* Layer.build(Layer.fresh(Store.layer({ url })))
      return { way, url, store, accepted: new Array<number>(), pages: new Array<number>(), held: new Array<number>() }
    })
  )
  for (let round = 0; round <= rounds; round++) {
    const indexes = Array.from({ length: mailsARound }, (_, index) => round * mailsARound + index)
    for (const { accepted, held, pages, store, url } of scenes) {
      const rate = yield* Effect.provide(accept(indexes, place), store)
      const page = yield* Effect.provide(listPage(place), store)
      // As many concurrent readers as connections, so that the pool reaches its full size.
      yield* Effect.provide(
        Effect.all(
          Array.from({ length: 16 }, () => listPage(place)),
          { concurrency: 16 }
        ),
        store
      )
      if (round === 0) continue
      accepted.push(rate)
      pages.push(page)
      held.push(yield* Effect.promise(() => connections(url)))
    }
  }
  const [direct] = scenes
  console.table(
    scenes.map(({ accepted, held, pages, way }) => ({
      way,
      acceptedPerSecond: Math.round(median(accepted)),
      ratio: Number(median(accepted.map((rate, round) => rate / (direct?.accepted[round] ?? 1))).toFixed(2)),
      listPage: Number(median(pages).toFixed(3)),
      listRatio: Number(median(pages.map((millis, round) => millis / (direct?.pages[round] ?? 1))).toFixed(2)),
      connections: median(held)
    }))
  )
})

try {
  await Effect.runPromise(Effect.scoped(run))
} finally {
  await admin.end()
  await server.stop()
}

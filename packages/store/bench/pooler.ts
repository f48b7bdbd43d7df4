/**
 * The cost of a pooler, and the number of connections per server: accepted mails and read pages through a plain URL,
 * through the same URL with `?pgbouncer=true` and no pooler (no prepared statements, settings in each transaction), and
 * through a pooler if its URL is given. The pooler must forward databases of any name to the server in
 * `LEADLOOM_TEST_POSTGRES_URL`. Medians of interleaved rounds.
 */
import { argumentAt, type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, Layer } from "effect"
import pg from "pg"
import * as Store from "../src/Store.ts"
import { accept, countMessages, listPage, placeOf } from "./Load.ts"

const tenants = 100
const place = placeOf(tenants)

interface Way {
  readonly way: string
  readonly url: string
}

/** Returns the ways to a database each. */
const waysOf = async (database: () => Promise<string>, pooler: string): Promise<ReadonlyArray<Way>> => {
  const [direct, asIf] = [await database(), await database()]
  const { host, password, username } = pooler === "" ? new URL(direct) : new URL(pooler)
  const pooled = async (): Promise<string> =>
    Object.assign(new URL(await database()), { host, password, username, search: "?pgbouncer=true" }).href
  return [
    { way: "direct", url: direct },
    { way: "direct, as if pooled", url: `${asIf}?pgbouncer=true` },
    ...(pooler === "" ? [] : [{ way: "pooler", url: await pooled() }])
  ]
}

/** Returns the current number of the database's connections of all kinds. */
const connections = async (admin: pg.Client, url: string): Promise<number> => {
  const { rows } = await admin.query<{ readonly count: string }>(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()",
    [new URL(url).pathname.slice(1)]
  )
  return Number(rows[0]?.count)
}

interface Rounds {
  readonly rounds: number
  /** The accepted mails and the read list pages of a round. */
  readonly mails: number
  readonly pages: number
}

const measure = (admin: pg.Client, ways: ReadonlyArray<Way>, { mails, pages: times, rounds }: Rounds) =>
  Effect.gen(function* () {
    const scenes = yield* Effect.forEach(ways, (way) =>
      Effect.map(Layer.build(Layer.fresh(Store.layer({ url: way.url }))), (store) => {
        return { ...way, store, accepted: new Array<number>(), pages: new Array<number>(), held: new Array<number>() }
      })
    )
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round++) {
      const indexes = Array.from({ length: mails }, (_, index) => round * mails + index)
      for (const { accepted, held, pages, store, url } of scenes) {
        const rate = yield* Effect.provide(accept(indexes, place), store)
        const page = yield* Effect.provide(listPage(place, times), store)
        // As many concurrent readers as connections, so that the pool reaches its full size.
        const readers = Array.from({ length: 16 }, () => listPage(place, times))
        yield* Effect.provide(Effect.all(readers, { concurrency: 16 }), store)
        if (round === 0) continue
        accepted.push(rate)
        pages.push(page)
        held.push(yield* Effect.promise(() => connections(admin, url)))
      }
    }
    const counted = yield* Effect.forEach(scenes, ({ store }) => Effect.provide(countMessages, store))
    const [direct] = scenes
    const rows = scenes.map(({ accepted, held, pages, way }) => ({
      way,
      acceptedPerSecond: Math.round(median(accepted)),
      ratio: Number(median(accepted.map((rate, round) => rate / (direct?.accepted[round] ?? 1))).toFixed(2)),
      listPage: Number(median(pages).toFixed(3)),
      listRatio: Number(median(pages.map((millis, round) => millis / (direct?.pages[round] ?? 1))).toFixed(2)),
      connections: median(held)
    }))
    return { rows, isStored: counted.every((count) => count === (rounds + 1) * mails) }
  })

const run = async (given: Rounds, pooler: string): Promise<BenchResult> => {
  const server = await startForBenchmarks()
  const admin = new pg.Client(server.url)
  try {
    await admin.connect()
    const ways = await waysOf(server.database, pooler)
    const { isStored, rows } = await Effect.runPromise(Effect.scoped(measure(admin, ways, given)))
    return {
      figures: { ...given, ways: rows },
      checks: { "every way stores every mail": isStored }
    }
  } finally {
    await admin.end()
    await server.stop()
  }
}

export const bench: Bench = {
  name: "pooler",
  purpose: "The cost of a connection pooler in front of Postgres: accepted mails, list pages and connections.",
  usage: "[rounds] [postgres://user:password@host:port] [mails of a round] [list pages of a round]",
  sizes: { smallest: [1, "", 40, 4], small: [2, "", 300, 20], full: [7, "", 1_000, 100] },
  run: (args) =>
    run({ rounds: numberAt(args, 0), mails: numberAt(args, 2), pages: numberAt(args, 3) }, argumentAt(args, 1))
}

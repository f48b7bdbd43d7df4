/**
 * The cost of a growing store on Postgres: reads, accepted mails and claims with more messages and more tenants, bytes
 * per message on disk and in the write-ahead log, and several servers that write concurrently. Calls the
 * repository interfaces without HTTP; medians of interleaved rounds. See docs/scale.md.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { type BenchPostgres, startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { type Context, Effect, Layer } from "effect"
import pg from "pg"
import * as Store from "../src/Store.ts"
import { fill, type Size } from "./Fill.ts"
import { mailOf } from "./Ingest.ts"
import { accept, claim, countMessages, history, latestPage, listPage, people, placeOf } from "./Load.ts"

interface Plan {
  readonly messages: number
  readonly rounds: number
  /** A multiple of ten, because mails reply to the previous ten. */
  readonly mails: number
  /** The server processes that write concurrently at the end. */
  readonly servers: number
}

const sizesOf = ({ messages }: Plan): ReadonlyArray<Size> => [
  { messages: messages / 100, tenants: 10 },
  { messages: messages / 10, tenants: 10 },
  { messages, tenants: 10 },
  { messages, tenants: 10_000 }
]

const on = async <A>(url: string, use: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Creates and fills a database of a size. Returns its URL. */
const build = async (server: BenchPostgres, size: Size): Promise<string> => {
  const url = await server.database()
  await Effect.runPromise(Effect.provide(Effect.void, Store.layer({ url })))
  const begun = performance.now()
  await on(url, (client) => fill(client, size))
  progress(JSON.stringify({ ...size, filledInSeconds: Math.round((performance.now() - begun) / 1_000) }))
  return url
}

const indexesOf = (round: number, mails: number): ReadonlyArray<number> =>
  Array.from({ length: mails }, (_, index) => round * mails + index)

const logPosition = (url: string): Promise<number> =>
  on(url, async (client) => {
    const { rows } = await client.query<{ readonly at: string }>("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS at")
    return Number(rows[0]?.at)
  })

/** Runs all measurements on one store. The first round is a warm-up. */
const measure = Effect.fnUntraced(function* (
  url: string,
  size: Size,
  whom: Effect.Success<typeof people>,
  indexes: ReadonlyArray<number>
) {
  const place = placeOf(size.tenants)
  const reads = {
    listPage: yield* listPage(place),
    history: yield* history(whom.typical, 200),
    busiestLatest50: yield* latestPage(whom.busiest),
    busiestHistory: yield* history([whom.busiest], 3)
  }
  const before = yield* Effect.promise(() => logPosition(url))
  const acceptedPerSecond = yield* accept(indexes, place)
  const after = yield* Effect.promise(() => logPosition(url))
  return { ...reads, acceptedPerSecond, claim: yield* claim, logBytesAMail: (after - before) / indexes.length }
})

type Figures = Effect.Success<ReturnType<typeof measure>>

const grow = (plan: Plan, sizes: ReadonlyArray<Size>, urls: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const scenes = yield* Effect.forEach(sizes, (size, index) =>
      Effect.gen(function* () {
        const url = urls[index] ?? ""
        const store: Context.Context<Store.Store> = yield* Layer.build(Layer.fresh(Store.layer({ url })))
        return { size, url, store, whom: yield* Effect.provide(people, store), figures: new Array<Figures>() }
      })
    )
    for (let round = 0; round <= plan.rounds; round++) {
      const indexes = indexesOf(round, plan.mails)
      for (const { figures, size, store, url, whom } of scenes) {
        const figure = yield* Effect.provide(measure(url, size, whom, indexes), store)
        if (round > 0) figures.push(figure)
      }
    }
    const middle = (figures: ReadonlyArray<Figures>, of: (figure: Figures) => number): number =>
      Number(median(figures.map(of)).toPrecision(3))
    const accepted = (plan.rounds + 1) * plan.mails
    const stored = yield* Effect.forEach(scenes, ({ store }) => Effect.provide(countMessages, store))
    return {
      isStored: sizes.every(({ messages }, index) => stored[index] === messages + accepted),
      rows: scenes.map(({ figures, size }) => ({
        ...size,
        listPage: middle(figures, (figure) => figure.listPage),
        history: middle(figures, (figure) => figure.history),
        busiestLatest50: middle(figures, (figure) => figure.busiestLatest50),
        busiestHistory: middle(figures, (figure) => figure.busiestHistory),
        claim: middle(figures, (figure) => figure.claim),
        acceptedPerSecond: middle(figures, (figure) => figure.acceptedPerSecond),
        logBytesAMail: middle(figures, (figure) => figure.logBytesAMail)
      }))
    }
  })

/** Returns the bytes per message of each table and its indexes. */
const weigh = (url: string, messages: number) =>
  on(url, async (client) => {
    const { rows } = await client.query<Record<"table" | "data" | "indexes", string>>(
      `SELECT relname AS table, pg_table_size(oid) AS data, pg_indexes_size(oid) AS indexes FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC`
    )
    const bytes = rows.map(({ data, indexes, table }) => ({
      table,
      data: Math.round(Number(data) / messages),
      indexes: Math.round(Number(indexes) / messages)
    }))
    const sum = (of: "data" | "indexes"): number => bytes.reduce((total, row) => total + row[of], 0)
    return [...bytes.slice(0, 10), { table: "all", data: sum("data"), indexes: sum("indexes") }]
  })

const said = (child: ChildProcess): Promise<unknown> => once(child, "message")

const startServer = (url: string, tenants: number): ChildProcess =>
  fork(fileURLToPath(new URL("ScaleServer.ts", import.meta.url)), [url, String(tenants)])

/** Rejects when a server process exits by itself. It has printed the reason. */
const failed = (child: ChildProcess): Promise<never> =>
  new Promise((_, reject) => {
    child.once("exit", (code) => code !== null && reject(new Error(`a server ended with ${code}`)))
  })

/**
 * Runs one, two and more server processes, each with its own pool, that accept mails of different tenants
 * concurrently.
 */
const share = async ({ mails, rounds, servers: count }: Plan, url: string, tenants: number) => {
  const place = placeOf(tenants)
  const whose = (index: number): number => Number(mailOf(index, place).message.tenantId.split("-")[1])
  const servers = Array.from({ length: count }, () => startServer(url, tenants))
  const ended = Promise.race(servers.map(failed))
  ended.catch(() => undefined)
  await Promise.race([ended, Promise.all(servers.map(said))])
  const rates = servers.map(() => new Array<number>())
  let next = rounds + 1
  for (let round = 0; round <= rounds; round++) {
    for (let used = 1; used <= servers.length; used++) {
      const indexes = Array.from({ length: 6 * mails }, (_, index) => next * mails + index)
      next += 6
      const begun = performance.now()
      const all = servers.slice(0, used).map((child, number) => {
        const done = said(child)
        child.send(indexes.filter((index) => whose(index) % used === number))
        return done
      })
      await Promise.race([ended, Promise.all(all)])
      if (round > 0) rates[used - 1]?.push((indexes.length / (performance.now() - begun)) * 1_000)
    }
  }
  for (const child of servers) child.kill()
  return rates.map((values, index) => ({
    servers: index + 1,
    acceptedPerSecond: Math.round(median(values)),
    ratio: Number(median(values.map((value, round) => value / (rates[0]?.[round] ?? 1))).toFixed(2))
  }))
}

const run = async (plan: Plan): Promise<BenchResult> => {
  const server = await startForBenchmarks()
  try {
    const sizes = sizesOf(plan)
    const urls: Array<string> = []
    for (const size of sizes) urls.push(await build(server, size))
    const last = urls.at(-1) ?? ""
    const bytesAMessage = await weigh(last, plan.messages)
    const { isStored, rows } = await Effect.runPromise(Effect.scoped(grow(plan, sizes, urls)))
    const servers = await share(plan, last, sizes.at(-1)?.tenants ?? 1)
    return {
      figures: { ...plan, bytesAMessage, stores: rows, servers },
      checks: { "every store has all messages": isStored }
    }
  } finally {
    await server.stop()
  }
}

export const bench: Bench = {
  name: "scale",
  purpose: "The cost of a growing store on Postgres: reads, accepted mails, claims, bytes, and several servers.",
  usage: "[messages] [rounds] [mails of a round] [servers]",
  sizes: { smallest: [1_000, 1, 20, 1], small: [10_000, 2, 100, 2], full: [1_000_000, 7, 500, 3] },
  run: (args) =>
    run({
      messages: numberAt(args, 0),
      rounds: numberAt(args, 1),
      mails: numberAt(args, 2),
      servers: numberAt(args, 3)
    })
}

/**
 * The cost of a growing store on Postgres: reads, accepted mails and claims with more messages and more tenants, bytes
 * per message on disk and in the write-ahead log, and several servers that write concurrently. Calls the
 * repository interfaces without HTTP; medians of interleaved rounds. See docs/scale.md.
 * Run: npm run bench -- scale [messages] [rounds]
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { type Context, Effect, Layer } from "effect"
import pg from "pg"
import * as Store from "../src/Store.ts"
import { fill, type Size } from "./Fill.ts"
import { mailOf } from "./Ingest.ts"
import { accept, claim, history, latestPage, listPage, people, placeOf } from "./Load.ts"
import { median } from "./Median.ts"

const messages = Number(process.argv[2] ?? 1_000_000)
const rounds = Number(process.argv[3] ?? 7)
/** A multiple of ten, because mails reply to the previous ten. */
const mailsARound = 500

const sizes: ReadonlyArray<Size> = [
  { messages: messages / 100, tenants: 10 },
  { messages: messages / 10, tenants: 10 },
  { messages, tenants: 10 },
  { messages, tenants: 10_000 }
]

const server = await startForBenchmarks()
const urlOf = (name: string): string => Object.assign(new URL(server.url), { pathname: `/${name}` }).href

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
const build = async (size: Size): Promise<string> => {
  const name = `bench_scale_${size.messages}_${size.tenants}`
  await on(server.url, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${name}`)
  })
  await Effect.runPromise(Effect.provide(Effect.void, Store.layer({ url: urlOf(name) })))
  const begun = performance.now()
  await on(urlOf(name), (client) => fill(client, size))
  console.log(JSON.stringify({ ...size, filledInSeconds: Math.round((performance.now() - begun) / 1_000) }))
  return urlOf(name)
}

const indexesOf = (round: number): ReadonlyArray<number> =>
  Array.from({ length: mailsARound }, (_, index) => round * mailsARound + index)

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
  round: number
) {
  const place = placeOf(size.tenants)
  const reads = {
    listPage: yield* listPage(place),
    history: yield* history(whom.typical, 200),
    busiestLatest50: yield* latestPage(whom.busiest),
    busiestHistory: yield* history([whom.busiest], 3)
  }
  const before = yield* Effect.promise(() => logPosition(url))
  const acceptedPerSecond = yield* accept(indexesOf(round), place)
  const after = yield* Effect.promise(() => logPosition(url))
  return { ...reads, acceptedPerSecond, claim: yield* claim, logBytesAMail: (after - before) / mailsARound }
})

type Figures = Effect.Success<ReturnType<typeof measure>>

const grow = (urls: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const scenes = yield* Effect.forEach(sizes, (size, index) =>
      Effect.gen(function* () {
        const url = urls[index] ?? ""
        const store: Context.Context<Store.Store> = yield* Layer.build(Layer.fresh(Store.layer({ url })))
        return { size, url, store, whom: yield* Effect.provide(people, store), figures: new Array<Figures>() }
      })
    )
    for (let round = 0; round <= rounds; round++) {
      for (const { figures, size, store, url, whom } of scenes) {
        const figure = yield* Effect.provide(measure(url, size, whom, round), store)
        if (round > 0) figures.push(figure)
      }
    }
    const middle = (figures: ReadonlyArray<Figures>, of: (figure: Figures) => number): number =>
      Number(median(figures.map(of)).toPrecision(3))
    console.table(
      scenes.map(({ figures, size }) => ({
        ...size,
        listPage: middle(figures, (figure) => figure.listPage),
        history: middle(figures, (figure) => figure.history),
        busiestLatest50: middle(figures, (figure) => figure.busiestLatest50),
        busiestHistory: middle(figures, (figure) => figure.busiestHistory),
        claim: middle(figures, (figure) => figure.claim),
        acceptedPerSecond: middle(figures, (figure) => figure.acceptedPerSecond),
        logBytesAMail: middle(figures, (figure) => figure.logBytesAMail)
      }))
    )
  })

/** Prints the bytes per message of each table and its indexes. */
const weigh = (url: string): Promise<void> =>
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
    console.table([...bytes.slice(0, 10), { table: "all", data: sum("data"), indexes: sum("indexes") }])
  })

const said = (child: ChildProcess): Promise<unknown> => once(child, "message")

/** A server process that exits has failed and printed the reason. */
const startServer = (url: string, tenants: number): ChildProcess =>
  fork(fileURLToPath(new URL("ScaleServer.ts", import.meta.url)), [url, String(tenants)]).once(
    "exit",
    (code) => code !== null && process.exit(1)
  )

/**
 * Runs one, two and three server processes, each with its own pool, that accept mails of different tenants
 * concurrently.
 */
const share = async (url: string, tenants: number): Promise<void> => {
  const place = placeOf(tenants)
  const whose = (index: number): number => Number(mailOf(index, place).message.tenantId.split("-")[1])
  const servers = Array.from({ length: 3 }, () => startServer(url, tenants))
  await Promise.all(servers.map(said))
  const rates = servers.map(() => new Array<number>())
  let next = rounds + 1
  for (let round = 0; round <= rounds; round++) {
    for (let count = 1; count <= servers.length; count++) {
      const indexes = Array.from({ length: 6 * mailsARound }, (_, index) => next * mailsARound + index)
      next += 6
      const begun = performance.now()
      await Promise.all(
        servers.slice(0, count).map((child, number) => {
          const ended = said(child)
          child.send(indexes.filter((index) => whose(index) % count === number))
          return ended
        })
      )
      if (round > 0) rates[count - 1]?.push((indexes.length / (performance.now() - begun)) * 1_000)
    }
  }
  for (const child of servers) child.kill()
  console.table(
    rates.map((values, index) => ({
      servers: index + 1,
      acceptedPerSecond: Math.round(median(values)),
      ratio: Number(median(values.map((value, round) => value / (rates[0]?.[round] ?? 1))).toFixed(2))
    }))
  )
}

try {
  const urls: Array<string> = []
  for (const size of sizes) urls.push(await build(size))
  await weigh(urls.at(-1) ?? "")
  await Effect.runPromise(Effect.scoped(grow(urls)))
  await share(urls.at(-1) ?? "", sizes.at(-1)?.tenants ?? 1)
} finally {
  await server.stop()
}

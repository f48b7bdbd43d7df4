/**
 * The cost of the search index for writers: the writes of one mail (`Ingest.ts`) with 64 concurrent callers, without
 * the index, with its triggers, and with indexing in each mail's unit of work; and the speed of indexing afterwards.
 * Interleaved rounds; ratios of rounds. See docs/decisions/0031-search.md.
 * Run: npm run bench -- indexing [mails] [rounds] [sqlite|postgres]
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { catchUp } from "@leadloom/core/workflow/search/WorkSearch"
import { Search } from "@leadloom/core/port/repository/contact/Search"
import { Transactions } from "@leadloom/core/port/system/Transactions"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import pg from "pg"
import * as Store from "../src/Store.ts"
import { ingest, tenantOf } from "./Ingest.ts"
import { median } from "./Median.ts"

const mails = Number(process.argv[2] ?? 3_000)
const rounds = Number(process.argv[3] ?? 5)
const onPostgres = process.argv[4] === "postgres"
const callers = 64
const ways = ["without", "noted", "inUnit"] as const
type Way = (typeof ways)[number]

/** The triggers that a mail fires. */
const triggers = {
  search_message_new: "messages",
  search_contact_new: "contacts",
  search_contact_changed: "contacts",
  search_identity_new: "identities"
}

const server = onPostgres ? await startForBenchmarks() : null
const folder = mkdtempSync(join(tmpdir(), "leadloom-indexing-"))
let databases = 0

const freshUrl = async (): Promise<string> => {
  databases += 1
  if (server === null) return `sqlite:${join(folder, `${databases}.db`)}`
  const client = new pg.Client(server.url)
  await client.connect()
  await client.query(`CREATE DATABASE bench_indexing_${databases}`)
  await client.end()
  return Object.assign(new URL(server.url), { pathname: `/bench_indexing_${databases}` }).href
}

const perSecond = (begun: number): number => (mails / (performance.now() - begun)) * 1_000

const run = (way: Way) =>
  Effect.gen(function* () {
    const [{ atomically }, search, sql] = [yield* Transactions, yield* Search, yield* SqlClient]
    if (way === "without") {
      for (const [name, table] of Object.entries(triggers)) {
        yield* sql.unsafe(onPostgres ? `DROP TRIGGER ${name} ON ${table}` : `DROP TRIGGER ${name}`)
      }
    }
    const unit = (index: number) =>
      way === "inUnit" ? Effect.andThen(ingest(index), search.catchUp(tenantOf(index), 10, "newest")) : ingest(index)
    const indexes = Array.from({ length: mails }, (_, index) => index)
    const begun = performance.now()
    yield* Effect.forEach(indexes, (index) => atomically(tenantOf(index), unit(index)), {
      concurrency: callers,
      discard: true
    })
    const written = perSecond(begun)
    const after = performance.now()
    for (const tenantId of new Set(indexes.map(tenantOf))) {
      yield* Effect.repeat(catchUp(tenantId, "oldest"), { until: (isDone) => isDone })
    }
    return { written, indexed: perSecond(after) }
  })

const figures = new Map<string, Array<number>>()
const note = (name: string, value: number): void => void figures.set(name, [...(figures.get(name) ?? []), value])
for (let round = 0; round <= rounds; round++) {
  for (const way of ways) {
    const url = await freshUrl()
    const { indexed, written } = await Effect.runPromise(Effect.provide(run(way), Store.layer({ url })))
    if (round === 0) continue
    note(way, written)
    if (way === "noted") note("brought in afterwards", indexed)
  }
}
const base = figures.get("without") ?? []
console.table(
  [...figures].map(([way, values]) => ({
    way,
    mailsPerSecond: Math.round(median(values)),
    ratio: Number(median(values.map((value, round) => value / (base[round] ?? 1))).toFixed(3))
  }))
)
rmSync(folder, { recursive: true })
await server?.stop()

/**
 * The cost of the search index for writers: the writes of one mail (`Ingest.ts`) with 64 concurrent callers, without
 * the index, with its triggers, and with indexing in each mail's unit of work; and the speed of indexing afterwards.
 * Interleaved rounds; ratios of rounds. See docs/decisions/0031-search.md.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { catchUp } from "@leadloom/core/internal/workflow/search/WorkSearch"
import { Search } from "@leadloom/core/internal/port/repository/contact/Search"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { argumentAt, type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Store from "../src/Store.ts"
import { ingest, tenantOf } from "./Ingest.ts"

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

const measure = (way: Way, mails: number, onPostgres: boolean) =>
  Effect.gen(function* () {
    const [{ atomically }, search, sql] = [yield* Transactions, yield* Search, yield* SqlClient]
    const perSecond = (begun: number): number => (mails / (performance.now() - begun)) * 1_000
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
    const indexed = perSecond(after)
    const [left] = yield* sql.unsafe<{ readonly count: number | string }>("SELECT count(*) AS count FROM search_queue")
    return { written, indexed, pending: Number(left?.count) }
  })

const run = async (mails: number, rounds: number, onPostgres: boolean): Promise<BenchResult> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-indexing-"))
  const server = onPostgres ? await startForBenchmarks() : null
  let databases = 0
  const freshUrl = async (): Promise<string> =>
    server === null ? `sqlite:${join(folder, `${++databases}.db`)}` : await server.database()
  const figures = new Map<string, Array<number>>()
  const note = (name: string, value: number): void => void figures.set(name, [...(figures.get(name) ?? []), value])
  let pending = 0
  try {
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round++) {
      for (const way of ways) {
        const layer = Store.layer({ url: await freshUrl() })
        const measured = await Effect.runPromise(Effect.provide(measure(way, mails, onPostgres), layer))
        pending += measured.pending
        if (round === 0) continue
        note(way, measured.written)
        if (way === "noted") note("brought in afterwards", measured.indexed)
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
    await server?.stop()
  }
  const base = figures.get("without") ?? []
  return {
    figures: {
      mails,
      rounds,
      ways: [...figures].map(([way, values]) => ({
        way,
        mailsPerSecond: Math.round(median(values)),
        ratio: Number(median(values.map((value, round) => value / (base[round] ?? 1))).toFixed(3))
      }))
    },
    checks: { "nothing waits for the index at the end": pending === 0 }
  }
}

export const bench: Bench = {
  name: "indexing",
  purpose: "The cost of the search index for writers: without it, with its triggers, and in each unit of work.",
  usage: "[mails] [rounds] [sqlite|postgres]",
  sizes: { smallest: [64, 1, "sqlite"], small: [1_000, 2, "sqlite"], full: [3_000, 5, "sqlite"] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1), argumentAt(args, 2) === "postgres")
}

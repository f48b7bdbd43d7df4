/**
 * The cost of a claim of 32 signals with few and many tenants, and with empty, short and long queues, on SQLite and on
 * Postgres; and of a lookup in a queue without due work. The table also has as many finished signals as a long queue.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Store from "../src/Store.ts"

const batch = 32
const claimsPerRound = 20
const now = 1_000_000

/** The queue of a scene. `waiting` means that nothing is due yet. */
interface Scene {
  readonly tenants: number
  readonly backlog: number
  readonly spread: "even" | "one busy tenant" | "waiting"
}

/** Returns the scenes. `long` is the length of a long queue and the number of finished signals. */
const scenesOf = (long: number): ReadonlyArray<Scene> => [
  ...[10, 10_000].flatMap((tenants) => [
    { tenants, backlog: 0, spread: "even" as const },
    { tenants, backlog: 1_000, spread: "even" as const },
    { tenants, backlog: long, spread: "even" as const },
    { tenants, backlog: long, spread: "one busy tenant" as const }
  ]),
  { tenants: 10_000, backlog: long / 10, spread: "waiting" }
]

/** Signals with the numbers 0 to `count - 1`. `tenant` and `dueAt` are SQL expressions of the number `i`. */
interface Rows {
  readonly count: number
  readonly prefix: string
  readonly tenant: string
  readonly state: "queued" | "done"
  readonly dueAt?: string
}

const insert = (sql: SqlClient, { count, dueAt = "i", prefix, state, tenant }: Rows) =>
  sql.unsafe(`INSERT INTO signals (tenant_id, signal_id, message_id, contact_id, state, attempts, due_at, created_at)
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count})
    SELECT ${tenant}, '${prefix}_' || i, 'msg_' || i, 'con_1', '${state}', 0, ${dueAt}, i FROM n`)

const vacuum = (sql: SqlClient) =>
  sql.unsafe(sql.onDialectOrElse({ pg: () => "VACUUM ANALYZE signals", orElse: () => "PRAGMA wal_checkpoint" }))

const fill = Effect.fnUntraced(function* ({ backlog, spread, tenants }: Scene, ended: number) {
  const sql = yield* SqlClient
  const even = `'tenant-' || (i % ${tenants})`
  yield* insert(sql, { count: ended, prefix: "old", tenant: even, state: "done" })
  const queued = { count: backlog, prefix: "sig", tenant: even, state: "queued" } as const
  if (spread === "waiting") yield* insert(sql, { ...queued, dueAt: `${now + 1} + i` })
  else if (backlog > 0) {
    // The busy tenant is in the middle of the others, each of which has a few signals.
    if (spread === "one busy tenant") yield* insert(sql, { ...queued, count: 1_000, prefix: "few" })
    yield* insert(sql, spread === "even" ? queued : { ...queued, tenant: "'tenant-5'" })
  }
  yield* vacuum(sql)
})

/** Returns the milliseconds per claim, over a few sequential claims. The claimed rows are then released, unmeasured. */
const measure = Effect.gen(function* () {
  const [sql, signals] = [yield* SqlClient, yield* Signals]
  const begun = performance.now()
  let taken = 0
  for (let claim = 0; claim < claimsPerRound; claim++) taken += (yield* signals.claim(batch, now, now + 1e9)).length
  const millis = (performance.now() - begun) / claimsPerRound
  yield* sql.unsafe(`UPDATE signals SET due_at = created_at WHERE state = 'queued' AND due_at >= ${now + 1e9}`)
  yield* vacuum(sql)
  return { millis, taken: taken / claimsPerRound }
})

interface Claimed {
  readonly millis: number
  readonly taken: number
}

/** The signals that every claim of a scene must take. */
const expected = ({ backlog, spread }: Scene): number => (spread === "waiting" || backlog === 0 ? 0 : batch)

const measureAll = Effect.fnUntraced(function* (
  scenes: ReadonlyArray<Scene>,
  urls: ReadonlyArray<string>,
  { ended, rounds }: { readonly ended: number; readonly rounds: number }
) {
  const stores = yield* Effect.forEach(scenes, (scene, index) =>
    Effect.gen(function* () {
      const store = yield* Layer.build(Layer.fresh(Store.layer({ url: urls[index] ?? "" })))
      yield* Effect.provide(fill(scene, ended), store)
      yield* Effect.provide(measure, store)
      return { scene, store, results: new Array<Claimed>() }
    })
  )
  for (let round = 0; round < rounds; round++) {
    for (const { results, store } of stores) results.push(yield* Effect.provide(measure, store))
  }
  const medians = stores.map(({ results }) => median(results.map(({ millis }) => millis)))
  const few = medians[scenes.findIndex(({ backlog }) => backlog === 1_000)] ?? 1
  return stores.map(({ results, scene }, index) => ({
    ...scene,
    taken: median(results.map(({ taken }) => taken)),
    agrees: results.every(({ taken }) => taken === expected(scene)),
    millisAClaim: Number((medians[index] ?? 0).toFixed(3)),
    ratio: Number(((medians[index] ?? 0) / few).toFixed(2))
  }))
}, Effect.scoped)

const run = async (rounds: number, long: number): Promise<BenchResult> => {
  const scenes = scenesOf(long)
  const folder = mkdtempSync(join(tmpdir(), "leadloom-bench-"))
  const postgres = await startForBenchmarks(false)
  try {
    const size = { ended: long, rounds }
    const files = scenes.map((_, scene) => `sqlite:${join(folder, `${scene}.db`)}`)
    const sqlite = await Effect.runPromise(measureAll(scenes, files, size))
    const databases: Array<string> = []
    for (const _ of scenes) databases.push(await postgres.database())
    const onPostgres = await Effect.runPromise(measureAll(scenes, databases, size))
    const rows = [
      ...sqlite.map((row) => ({ kind: "SQLite", ...row })),
      ...onPostgres.map((row) => ({ kind: "Postgres", ...row }))
    ]
    return {
      figures: { rounds, claims: rows.map(({ agrees: _, ...row }) => row) },
      checks: { "every claim takes a full batch of due signals": rows.every(({ agrees }) => agrees) }
    }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}

export const bench: Bench = {
  name: "queue",
  purpose: "The cost of a claim of 32 signals with few and many tenants and short and long queues, on both databases.",
  usage: "[rounds] [signals of a long queue]",
  sizes: { smallest: [1, 2_000], small: [3, 10_000], full: [9, 100_000] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}

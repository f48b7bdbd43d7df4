/**
 * The cost of a claim of 32 signals with few and many tenants, and with empty, short and long queues, on SQLite and on
 * Postgres; and of a lookup in a queue without due work. The table also has 100,000 finished signals.
 * Run: node --conditions=development packages/store/bench/queue.ts [rounds]
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Signals } from "@leadloom/core/port/repository/pipeline/Signals"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import startPostgres from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Store from "../src/Store.ts"

const rounds = Number(process.argv[2] ?? 9)
const batch = 32
const claimsPerRound = 20
const ended = 100_000
const now = 1_000_000

/** The queue of a scene. `waiting` means that nothing is due yet. */
interface Scene {
  readonly tenants: number
  readonly backlog: number
  readonly spread: "even" | "one busy tenant" | "waiting"
}

const scenes: ReadonlyArray<Scene> = [
  ...[10, 10_000].flatMap((tenants) => [
    { tenants, backlog: 0, spread: "even" as const },
    { tenants, backlog: 1_000, spread: "even" as const },
    { tenants, backlog: 100_000, spread: "even" as const },
    { tenants, backlog: 100_000, spread: "one busy tenant" as const }
  ]),
  { tenants: 10_000, backlog: 10_000, spread: "waiting" }
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

const fill = Effect.fnUntraced(function* ({ backlog, spread, tenants }: Scene) {
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

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

const run = Effect.fnUntraced(function* (urlOf: (scene: number) => Effect.Effect<string>) {
  const stores = yield* Effect.forEach(scenes, (scene, index) =>
    Effect.gen(function* () {
      const store = yield* Layer.build(Layer.fresh(Store.layer({ url: yield* urlOf(index) })))
      yield* Effect.provide(fill(scene), store)
      yield* Effect.provide(measure, store)
      return { scene, store, results: new Array<{ readonly millis: number; readonly taken: number }>() }
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
    millisAClaim: Number((medians[index] ?? 0).toFixed(3)),
    ratio: Number(((medians[index] ?? 0) / few).toFixed(2))
  }))
})

const folder = mkdtempSync(join(tmpdir(), "leadloom-bench-"))
const stop = await startPostgres()
try {
  console.log("SQLite")
  console.table(
    await Effect.runPromise(Effect.scoped(run((scene) => Effect.succeed(`sqlite:${join(folder, `${scene}.db`)}`))))
  )
  const databases = Effect.forEach(scenes, () => temporaryDatabase)
  console.log("Postgres")
  console.table(
    await Effect.runPromise(
      Effect.scoped(Effect.flatMap(databases, (urls) => run((scene) => Effect.succeed(urls[scene] ?? ""))))
    )
  )
} finally {
  await stop?.()
  rmSync(folder, { recursive: true })
}

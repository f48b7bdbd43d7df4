/**
 * The cost of a claim of work that waits for a time: enrolments in sequences, and runs of rules. Both tables have 1,000
 * or many waiting rows, and as many ended ones. Then 10,000 rows become due at once, nine tenths of them in one tenant:
 * the order in which the tenants are served. On SQLite and on Postgres. Steps and rules themselves are not measured.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { TriggerRuns } from "@leadloom/core/internal/port/repository/pipeline/TriggerRuns"
import { Enrolments } from "@leadloom/core/internal/port/repository/sequence/Enrolments"
import { type Bench, type BenchResult, numberAt, progress } from "@leadloom/testkit/bench/Bench"
import { median, quantile, short } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Store from "../src/Store.ts"

/** The size of a claim of a worker. */
const batch = 8
const tenants = 10
const fewWaiting = 1_000
const claimsPerRound = 50
/** The rows that are due while the others wait: enough for all claims of a round. */
const due = batch * claimsPerRound
const now = 1_000_000
const leaseMillis = 1_000_000_000

/** The columns of the tables that no claim depends on. */
const queues = {
  enrolments: {
    id: "enrolment_id",
    prefix: "enr",
    states: ["active", "completed"],
    columns: `sequence_id, contact_id, version, step, next_at, base_at, history, attempts, enrolled_by, created_at, updated_at`,
    values: `'seq_1', 'con_' || i, 1, 'reminder', 0, 0, '[]', 0, 'bench', 0, 0`,
    claim: Effect.map(
      Enrolments,
      ({ claim }) =>
        () =>
          Effect.map(claim(batch, now, now + leaseMillis), (rows) =>
            rows.map(({ enrolmentId, tenantId }) => ({ tenantId, id: enrolmentId }))
          )
    )
  },
  trigger_runs: {
    id: "trigger_run_id",
    prefix: "trg",
    states: ["waiting", "ran"],
    columns: `rule_id, rule_name, trigger, cause, contact_id, message_id, cause_at, run_at, actions, attempts, created_at, updated_at`,
    values: `'chase', 'Chase', 'no_answer', 'cause_' || i, 'con_' || i, 'msg_' || i, 0, 0, '[]', 0, 0, 0`,
    claim: Effect.map(
      TriggerRuns,
      ({ claim }) =>
        () =>
          Effect.map(claim(batch, now, now + leaseMillis), (rows) =>
            rows.map(({ tenantId, triggerRunId }) => ({ tenantId, id: triggerRunId }))
          )
    )
  }
} as const
type QueueName = keyof typeof queues
const queueNames: ReadonlyArray<QueueName> = ["enrolments", "trigger_runs"]

/** Rows with the numbers `from` to `to - 1`. `tenant` and `dueAt` are SQL expressions of the number `i`. */
interface Rows {
  readonly from: number
  readonly to: number
  readonly isOpen: boolean
  readonly dueAt: string
  readonly tenant?: string
}

const insert = Effect.fnUntraced(function* (name: QueueName, rows: Rows) {
  const sql = yield* SqlClient
  const { columns, id, prefix, states, values } = queues[name]
  const { dueAt, from, isOpen, tenant = `'tenant-' || (i % ${tenants})`, to } = rows
  const state = states[isOpen ? 0 : 1]
  yield* sql.unsafe(`INSERT INTO ${name} (tenant_id, ${id}, state, due_at, ${columns})
    WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${to})
    SELECT ${tenant}, '${prefix}_' || i, '${state}', ${dueAt}, ${values} FROM n`)
})

const vacuum = Effect.fnUntraced(function* (name: QueueName) {
  const sql = yield* SqlClient
  yield* sql.unsafe(sql.onDialectOrElse({ pg: () => `VACUUM ANALYZE ${name}`, orElse: () => "PRAGMA wal_checkpoint" }))
})

/** What a claim finds: nothing that is due, some rows among those that wait, or only due rows. */
type Spread = "none due" | "some due" | "all due"

interface Scene {
  readonly queue: QueueName
  readonly waiting: number
  readonly spread: Spread
}

const fill = Effect.fnUntraced(function* ({ queue, spread, waiting }: Scene) {
  yield* insert(queue, { from: 0, to: waiting, isOpen: false, dueAt: "i" })
  const dueAt = spread === "all due" ? "i % 1000" : `${now} + 1 + i`
  yield* insert(queue, { from: waiting, to: 2 * waiting, isOpen: true, dueAt })
  if (spread === "some due")
    yield* insert(queue, { from: 2 * waiting, to: 2 * waiting + due, isOpen: true, dueAt: "i % 1000" })
  yield* vacuum(queue)
})

/** Returns the milliseconds per claim. The claimed rows are then released, unmeasured. */
const measure = Effect.fnUntraced(function* ({ queue }: Scene) {
  const sql = yield* SqlClient
  const claim = yield* queues[queue].claim
  let taken = 0
  const begun = performance.now()
  for (let number = 0; number < claimsPerRound; number++) taken += (yield* claim()).length
  const millis = (performance.now() - begun) / claimsPerRound
  yield* sql.unsafe(`UPDATE ${queue} SET due_at = 0 WHERE due_at >= ${now + leaseMillis}`)
  yield* vacuum(queue)
  return { millis, taken }
})

/** Marks rows as ended. */
const finish = Effect.fnUntraced(function* (
  name: QueueName,
  rows: ReadonlyArray<{ readonly tenantId: string; readonly id: string }>
) {
  const sql = yield* SqlClient
  const { id, states } = queues[name]
  const keys = rows.map((row) => `('${row.tenantId}', '${row.id}')`).join(", ")
  yield* sql.unsafe(`UPDATE ${name} SET state = '${states[1]}' WHERE (tenant_id, ${id}) IN (VALUES ${keys})`)
})

/** Drains rows that become due at once, nine tenths of them in one tenant. Returns when each tenant was done. */
const drain = Effect.fnUntraced(function* (queue: QueueName, total: number) {
  const large = Math.floor((total * 9) / 10)
  // The large tenant is in the middle of the others, and its rows are the oldest ones.
  yield* insert(queue, { from: 0, to: large, isOpen: true, dueAt: "0", tenant: "'tenant-5'" })
  const others = `'tenant-' || (CASE WHEN i % 9 >= 5 THEN i % 9 + 1 ELSE i % 9 END)`
  yield* insert(queue, { from: large, to: total, isOpen: true, dueAt: "1", tenant: others })
  yield* vacuum(queue)
  const claim = yield* queues[queue].claim
  const lastAt = new Map<string, number>()
  let served = 0
  const begun = performance.now()
  for (;;) {
    const rows = yield* claim()
    if (rows.length === 0) break
    yield* finish(queue, rows)
    served += rows.length
    for (const { tenantId } of rows) lastAt.set(tenantId, served)
  }
  const seconds = (performance.now() - begun) / 1_000
  const small = [...lastAt].filter(([tenantId]) => tenantId !== "tenant-5").map(([, at]) => at)
  return {
    rows: total,
    served,
    smallRows: total - large,
    firstSmallDoneAfter: Math.min(...small),
    lastSmallDoneAfter: Math.max(...small),
    largeDoneAfter: lastAt.get("tenant-5") ?? 0,
    seconds: short(seconds)
  }
})

const scenesOf = (many: number): ReadonlyArray<Scene> =>
  queueNames.flatMap((queue) =>
    (["none due", "some due", "all due"] as const).flatMap((spread) =>
      [fewWaiting, many].map((waiting) => ({ queue, waiting, spread }))
    )
  )

/** Measures all scenes in turns, each in its own database. */
const measureAll = Effect.fnUntraced(function* (
  next: () => Promise<string>,
  { drained, many, rounds }: { readonly drained: number; readonly many: number; readonly rounds: number }
) {
  const openStore = Effect.flatMap(Effect.promise(next), (url) => Layer.build(Layer.fresh(Store.layer({ url }))))
  // Both queues share a database, because most of the time of small runs goes into migrations.
  const opened = new Map<string, Effect.Success<typeof openStore>>()
  const stores = yield* Effect.forEach(scenesOf(many), (scene) =>
    Effect.gen(function* () {
      const key = `${scene.spread} ${scene.waiting}`
      const store = opened.get(key) ?? (yield* openStore)
      opened.set(key, store)
      yield* Effect.provide(fill(scene), store)
      yield* Effect.provide(measure(scene), store)
      return { scene, store, millis: new Array<number>(), taken: new Array<number>() }
    })
  )
  for (let round = 0; round < rounds; round++) {
    for (const { millis, scene, store, taken } of stores) {
      const measured = yield* Effect.provide(measure(scene), store)
      millis.push(measured.millis)
      taken.push(measured.taken)
    }
  }
  const claims = stores.map(({ millis, scene, taken }) => {
    const few = stores.find(
      (one) => one.scene.queue === scene.queue && one.scene.spread === scene.spread && one.scene.waiting === fewWaiting
    )
    const wanted = scene.spread === "none due" ? 0 : due
    const row = {
      ...scene,
      millisAClaim: short(median(millis)),
      maxMillis: short(quantile(millis, 1)),
      ratio: short(median(millis) / median(few?.millis ?? [1]))
    }
    return { row, agrees: taken.every((count) => count === wanted) }
  })
  const empty = yield* openStore
  const drains = yield* Effect.forEach(queueNames, (queue) =>
    Effect.map(Effect.provide(drain(queue, drained), empty), (counts) => ({ queue, ...counts }))
  )
  return { claims, drains }
}, Effect.scoped)

const run = async (rounds: number, many: number, drained: number): Promise<BenchResult> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-timers-"))
  const postgres = await startForBenchmarks(false)
  try {
    const sizes = { rounds, many, drained }
    let files = 0
    progress("SQLite …")
    const sqlite = await Effect.runPromise(
      measureAll(() => Promise.resolve(`sqlite:${join(folder, `${files++}.db`)}`), sizes)
    )
    progress("Postgres …")
    const onPostgres = await Effect.runPromise(measureAll(() => postgres.database(), sizes))
    const all = [
      { kind: "SQLite", ...sqlite },
      { kind: "Postgres", ...onPostgres }
    ]
    const drains = all.flatMap((one) => one.drains.map((row) => ({ kind: one.kind, ...row })))
    return {
      figures: {
        rounds,
        claims: all.flatMap((one) => one.claims.map(({ row }) => ({ kind: one.kind, ...row }))),
        drains
      },
      checks: {
        "every claim takes the due rows, and no others": all.every((one) => one.claims.every(({ agrees }) => agrees)),
        "every row is claimed once": drains.every(({ rows, served }) => served === rows),
        // Ten tenants share the places evenly, so the others are done within about a tenth more than an even share.
        "a tenant with nine tenths of the rows does not delay the others": drains.every(
          ({ lastSmallDoneAfter, smallRows }) => lastSmallDoneAfter <= smallRows * 1.3 + 10 * batch
        )
      }
    }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}

export const bench: Bench = {
  name: "timers",
  purpose:
    "The cost of a claim with 1,000 and with many waiting enrolments and runs of rules, and how fairly they drain.",
  usage: "[rounds] [many waiting rows] [rows that become due at once]",
  sizes: { smallest: [1, 500, 100], small: [3, 10_000, 2_000], full: [9, 100_000, 10_000] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1), numberAt(args, 2))
}

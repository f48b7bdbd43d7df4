import { assert, describe, it } from "@effect/vitest"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { signalLeaseMillis } from "@leadloom/core/internal/domain/classification/Signal"
import { noon, signalRecord } from "@leadloom/testkit/suite/Records"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookupSql, claimText, tenantsPerQuery, type WorkTable } from "../../src/queue/Claim.ts"
import { spell } from "../../src/sql/PostgresText.ts"
import { Database } from "../../src/Database.ts"
import { work as sendWork } from "../../src/repository/conversation/Sends.ts"
import { work as signalWork } from "../../src/repository/pipeline/Signals.ts"
import * as Store from "../../src/Store.ts"
import { livePostgres, ownPostgres } from "../TemporaryPostgres.ts"
import { temporaryStore } from "../TemporaryStore.ts"
import { upTo } from "../Triple.ts"

/** A work table, and a row of it for a number `g`. Postgres only. */
interface Filled {
  readonly work: WorkTable
  readonly row: (tenant: string, state: string) => string
  readonly open: string
}

const queues: ReadonlyArray<Filled> = [
  {
    work: signalWork,
    open: "queued",
    row: (tenant, state) => `INSERT INTO signals
      (tenant_id, signal_id, message_id, contact_id, state, attempts, due_at, created_at)
      SELECT ${tenant}, 'sig_' || g, 'msg_' || g, 'con_1', ${state}, 0, g, g`
  },
  {
    work: sendWork,
    open: "reserved",
    row: (tenant, state) => `INSERT INTO sends
      (tenant_id, message_id, send_key, fingerprint, grant_id, contact_id, thread_id, correspondent, automatic,
        state, attempts, slot_at, due_at, created_at, mail)
      SELECT ${tenant}, 'msg_' || g, 'key_' || g, '', 'grant_1', 'con_1', 'thr_1', 'jo@customer.example', 0,
        ${state}, 0, g, g, g, json_build_object('text', repeat('Hello ', 100))`
  }
]

/** Inserts finished work of many tenants, some open work, and a backlog of one tenant. */
const fill = (sql: SqlClient, { open, row }: Filled) =>
  Effect.andThen(
    sql.unsafe(
      `${row("'t' || g % 1000", `CASE WHEN g % 20 = 0 THEN '${open}' ELSE 'done' END`)} FROM generate_series(1, 40000) g`
    ),
    sql.unsafe(`${row("'busy'", `'${open}'`)} FROM generate_series(1, 20000) g`)
  )

const plansOf = Effect.fnUntraced(function* (sql: SqlClient, name: string, text: string, values: string) {
  yield* sql.unsafe(`PREPARE ${name} AS ${spell(text).text}`)
  const plans: Array<string> = []
  for (const mode of ["force_custom_plan", "force_generic_plan"]) {
    yield* sql.unsafe(`SET LOCAL plan_cache_mode = ${mode}`)
    const rows = yield* sql.unsafe<{ readonly "QUERY PLAN": string }>(`EXPLAIN EXECUTE ${name} (${values})`)
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"))
  }
  return plans
})

describe("claiming", () => {
  for (const filled of queues) {
    const { work } = filled
    const { id, index, name } = work
    it.live(`${name} uses indexes on Postgres, with and without statistics, for any queue`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { items } = yield* Database
        yield* fill(sql, filled)
        for (const round of ["fresh", "analysed"]) {
          if (round === "analysed") yield* sql.unsafe(`ANALYZE ${name}`)
          const plans = yield* sql.withTransaction(
            Effect.gen(function* () {
              return [
                ...(yield* plansOf(sql, `look_${round}`, lookupSql(work, ""), "'', 99, 32")),
                ...(yield* plansOf(sql, `take_${round}`, claimText(sql, work, items, ""), `'["busy"]', 99, 32, 32, 99`))
              ]
            })
          )
          for (const plan of plans) {
            assert.notMatch(plan, /Seq Scan|Hash Join|Merge Join/u, round)
            assert.match(plan, new RegExp(`Index (?:Only )?Scan using ${index} `, "u"), round)
          }
          for (const look of plans.slice(0, 2)) assert.notMatch(look, /Bitmap/u, round)
          // A lookup by the whole key. Without statistics, Postgres expects several rows and may sort them first.
          const byKey = `Index Scan (?:using|on) ${name}_pkey .*\\s+Index Cond: \\(.* AND \\(${id} = due\\.${id}\\)\\)`
          for (const take of plans.slice(2)) assert.match(take, new RegExp(byKey, "u"), round)
        }
      }).pipe(Effect.provide(ownPostgres))
    )
  }

  it.live("signals of a crashed server can be claimed after 30 seconds, not before", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const scope = yield* Scope.make()
      const claim = (now: number) =>
        Effect.flatMap(Signals, (signals) => signals.claim(9, now, now + signalLeaseMillis))
      const dying = yield* Layer.buildWithScope(Layer.fresh(Store.layer({ url })), scope)
      const other = yield* Layer.build(Layer.fresh(Store.layer({ url })))
      yield* Effect.provide(
        Effect.flatMap(Signals, (signals) => signals.enqueue(signalRecord("acme", 1), noon, 0)),
        dying
      )
      assert.strictEqual((yield* Effect.provide(claim(noon), dying)).length, 1)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* Effect.provide(claim(noon + 29_999), other), [])
      assert.deepStrictEqual(yield* Effect.provide(claim(noon + 30_000), other), [
        signalRecord("acme", 1, { attempts: 2, unfinished: 2 })
      ])
    }).pipe(Effect.scoped)
  )

  for (const [name, store] of [
    ["SQLite", temporaryStore],
    ["Postgres", livePostgres]
  ] as const) {
    it.live(`signals on ${name} continues past more waiting tenants than one statement covers`, () =>
      Effect.gen(function* () {
        const signals = yield* Signals
        const tenants = upTo(tenantsPerQuery * 2 + 10).map((number) => `t${String(number).padStart(5, "0")}`)
        yield* Effect.forEach(tenants, (tenantId) => signals.enqueue(signalRecord(tenantId, 1), noon, noon + 50), {
          concurrency: 8
        })
        const last = tenants.at(-2) ?? ""
        yield* signals.enqueue(signalRecord(last, 2), noon, 0)
        assert.deepStrictEqual(yield* signals.claim(1, noon, noon + 50), [
          signalRecord(last, 2, { attempts: 1, unfinished: 1 })
        ])
        assert.deepStrictEqual(yield* signals.claim(1, noon, noon + 50), [])
        const seen = new Set<string>()
        for (const _ of tenants.slice(0, 40)) {
          for (const { tenantId } of yield* signals.claim(30, noon + 60, noon + 999)) seen.add(tenantId)
        }
        assert.strictEqual(seen.size, tenants.length)
      }).pipe(Effect.provide(store))
    )
  }
})

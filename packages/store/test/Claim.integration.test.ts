import { assert, describe, it } from "@effect/vitest"
import { Signals } from "@leadloom/core/port/Signals"
import { signalLeaseMillis } from "@leadloom/core/pipeline/Signal"
import { noon, signalRecord } from "@leadloom/testkit/port/Records"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lookText, takeText, tenantsPerLook } from "../src/Claim.ts"
import { spell } from "../src/PostgresText.ts"
import { queries } from "../src/Queries.ts"
import * as Store from "../src/Store.ts"
import { livePostgres } from "./TemporaryPostgres.ts"
import { temporaryStore } from "./TemporaryStore.ts"
import { upTo } from "./Triple.ts"

/** Ended signals of many tenants, some that are queued, and one tenant with a backlog. Postgres only. */
const fill = [
  `INSERT INTO signals (tenant_id, signal_id, message_id, contact_id, state, attempts, due_at, created_at)
    SELECT 't' || g % 1000, 'sig_' || g, 'msg_' || g, 'con_1', CASE WHEN g % 20 = 0 THEN 'queued' ELSE 'done' END, 0, g, g
      FROM generate_series(1, 40000) g`,
  `INSERT INTO signals (tenant_id, signal_id, message_id, contact_id, state, attempts, due_at, created_at)
    SELECT 'busy', 'sig_' || g, 'msg_' || g, 'con_1', 'queued', 0, g, g FROM generate_series(1, 20000) g`
]

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

describe("claiming signals", () => {
  it.live("goes by indexes on Postgres, with statistics and without, whatever is queued", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { items } = queries(sql)
      yield* Effect.forEach(fill, (statement) => sql.unsafe(statement))
      for (const round of ["fresh", "analysed"]) {
        if (round === "analysed") yield* sql.unsafe("ANALYZE signals")
        const plans = yield* sql.withTransaction(
          Effect.gen(function* () {
            return [
              ...(yield* plansOf(sql, `look_${round}`, lookText(""), "'', 99, 32")),
              ...(yield* plansOf(sql, `take_${round}`, takeText(sql, items, ""), `'["busy"]', 99, 32, 32, 99`))
            ]
          })
        )
        for (const plan of plans) {
          assert.notMatch(plan, /Seq Scan|Bitmap|Hash Join|Merge Join/u, round)
          assert.match(plan, /Index (?:Only )?Scan using signals_due/u, round)
        }
        for (const take of plans.slice(2)) assert.match(take, /Index Scan using signals_pkey/u, round)
      }
    }).pipe(Effect.provide(livePostgres))
  )

  it.live("of a server that died are another's after 30 seconds, not before", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase
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
        signalRecord("acme", 1, { attempts: 2 })
      ])
    }).pipe(Effect.scoped)
  )

  for (const [name, store] of [
    ["SQLite", temporaryStore],
    ["Postgres", livePostgres]
  ] as const) {
    it.live(`on ${name} goes past more waiting tenants than one statement looks at`, () =>
      Effect.gen(function* () {
        const signals = yield* Signals
        const tenants = upTo(tenantsPerLook * 2 + 10).map((number) => `t${String(number).padStart(5, "0")}`)
        yield* Effect.forEach(tenants, (tenantId) => signals.enqueue(signalRecord(tenantId, 1), noon, noon + 50), {
          concurrency: 8
        })
        const last = tenants.at(-2) ?? ""
        yield* signals.enqueue(signalRecord(last, 2), noon, 0)
        assert.deepStrictEqual(yield* signals.claim(1, noon, noon + 50), [signalRecord(last, 2, { attempts: 1 })])
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

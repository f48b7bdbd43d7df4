import { assert, describe, it } from "@effect/vitest"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import { noon } from "@leadloom/testkit/suite/Records"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { type Context, Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sweptAfterMillis } from "../../src/limit/RateLogs.ts"
import * as Store from "../../src/Store.ts"
import { livePostgres } from "../TemporaryPostgres.ts"
import { upTo } from "../Triple.ts"

const rule = { limit: 100, windowMillis: 60_000 }

const serverOn = (url: string) => Layer.build(Layer.fresh(Store.layer({ url })))

const consumeOn = (server: Context.Context<RateLimits>, now: number, key = "webhook") =>
  Effect.provide(
    Effect.flatMap(RateLimits, ({ consume }) => consume("acme", key, rule, now)),
    server
  )

describe("request limits on Postgres", () => {
  it.live("allow exactly the limit in every window, with three servers and 64 callers each", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const servers = yield* Effect.all([serverOn(url), serverOn(url), serverOn(url)], { concurrency: "unbounded" })
      const allowed: Array<number> = []
      // The first requests stay below the limit, later ones exceed it; the windows overlap.
      for (const [seconds, callers] of [
        [0, 20],
        [10, 1],
        [25, 64],
        [59, 64],
        [60, 64],
        [84, 64],
        [85, 64],
        [300, 64]
      ] as const) {
        const now = noon + seconds * 1_000
        const results = yield* Effect.forEach(
          servers.flatMap((server) => upTo(callers).map(() => server)),
          (server) => consumeOn(server, now),
          { concurrency: "unbounded" }
        )
        const used = allowed.filter((at) => at > now - rule.windowMillis).length
        const granted = Math.min(rule.limit - used, results.length)
        const left = results.filter((result) => result.allowed).map((result) => result.remaining)
        assert.deepStrictEqual(
          left.toSorted((one, other) => other - one),
          upTo(granted).map((index) => rule.limit - used - 1 - index),
          `after ${seconds} s`
        )
        allowed.push(...left.map(() => now))
      }
    }).pipe(Effect.scoped)
  )

  it.live("count concurrent requests of one server in two statements", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql.unsafe("CREATE SEQUENCE counted")
      yield* sql.unsafe(
        "CREATE FUNCTION count_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM nextval('counted'); RETURN NEW; END $$"
      )
      yield* sql.unsafe("CREATE TRIGGER counting BEFORE INSERT ON rate_logs FOR EACH ROW EXECUTE FUNCTION count_one()")
      const server = yield* Effect.context<RateLimits>()
      const results = yield* Effect.forEach(upTo(150), () => consumeOn(server, noon), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        results.map((result) => result.allowed),
        upTo(150).map((number) => number < 100),
        "in the order in which they asked"
      )
      const [row] = yield* sql.unsafe<{ readonly last_value: number }>("SELECT last_value FROM counted")
      assert.strictEqual(row?.last_value, 2)
    }).pipe(Effect.provide(livePostgres))
  )

  it.live("delete long expired windows, and none that may be active on another server", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const server = yield* Effect.context<RateLimits>()
      const begin = (prefix: string, count: number, now: number) =>
        Effect.forEach(upTo(count), (number) => consumeOn(server, now, `${prefix}${number}`), { concurrency: 8 })
      const later = noon + rule.windowMillis + sweptAfterMillis
      yield* begin("over", 500, noon)
      yield* begin("recent", 50, noon + 1)
      yield* begin("new", 1_500, later)
      const kept = sql.unsafe<{ readonly key: string; readonly kept: number }>(
        "SELECT rtrim(rate_key, '0123456789') AS key, count(*) AS kept FROM rate_logs GROUP BY 1 ORDER BY 1"
      )
      const swept = Effect.repeat(kept, { until: (rows) => !rows.some(({ key }) => key === "over") })
      assert.deepStrictEqual(yield* swept, [
        { key: "new", kept: 1_500 },
        { key: "recent", kept: 50 }
      ])
    }).pipe(Effect.provide(livePostgres))
  )

  it.live("report the store as unavailable, without a defect, when it is closed or does not answer", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const scope = yield* Scope.make()
      const server = yield* Layer.buildWithScope(Layer.fresh(Store.layer({ url })), scope)
      const holder = yield* serverOn(url)
      yield* consumeOn(server, noon)
      const stuck = Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql.unsafe("SELECT granted FROM rate_logs FOR UPDATE")
        return yield* Effect.flip(consumeOn(server, noon))
      })
      const error = yield* Effect.provide(
        Effect.flatMap(SqlClient, (sql) => sql.withTransaction(stuck)),
        holder
      )
      assert.strictEqual(error._tag, "StoreUnavailable")
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Effect.flip(consumeOn(server, noon)))._tag, "StoreUnavailable")
    }).pipe(Effect.scoped)
  )
})

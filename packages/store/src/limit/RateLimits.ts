/**
 * The request counters of rate limits. The limits are defined in core (`domain/access/RateLimit`). Tests:
 * `packages/store/test/limit`, `packages/testkit/src/suite/access/RateLimitsSuite.ts`.
 */
import { inMemoryRateLimits } from "./InMemoryRateLimits.ts"
import { type RateLimitResult, type RateLimitRule, rateResult } from "@leadloom/core/internal/domain/access/RateLimit"
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import { StoreUnavailable } from "@leadloom/core/internal/port/system/Transactions"
import { Cause, Deferred, Effect, Exit, Layer } from "effect"
import { Database } from "../Database.ts"
import { type Consumed, makeLogs } from "./RateLogs.ts"
import { log } from "../LogEvents.ts"

/** A request that waits to be counted. */
interface Waiting {
  readonly rule: RateLimitRule
  readonly now: number
  readonly done: Deferred.Deferred<RateLimitResult, StoreUnavailable>
}

/** The maximum time to wait for the counters. When it expires, the request is permitted. */
const timeout = "2 seconds"

const timedOut = new StoreUnavailable({ reason: `The request counters did not answer within ${timeout}.` })

const sameRule = (one: RateLimitRule, other: RateLimitRule): boolean =>
  one.limit === other.limit && one.windowMillis === other.windowMillis

/** Reports the result to requests that were counted together. The first `granted` requests are allowed. */
const report = (waiting: ReadonlyArray<Waiting>, now: number, { freeAt, granted, used }: Consumed): void => {
  for (const [index, { done, rule }] of waiting.entries()) {
    const allowed = index < granted
    const usage = { freeAt, used: allowed ? used - granted + index + 1 : used }
    Deferred.doneUnsafe(done, Exit.succeed(rateResult(usage, rule, now, allowed)))
  }
}

/**
 * Request counters that all servers of one Postgres share. A server counts concurrent requests for the same key
 * together: while a statement runs, further requests wait, and the next statement counts all of them. A server
 * therefore runs at most one statement per key at a time, even with many requests. The result is the same as with one
 * statement per request.
 */
const shared: Layer.Layer<RateLimits, never, Database> = Layer.effect(
  RateLimits,
  Effect.gen(function* () {
    const { consume } = makeLogs(yield* Database)
    const run = Effect.runForkWith(yield* Effect.context<never>())
    const queues = new Map<string, Array<Waiting>>()

    const count = (tenantId: string, key: string, together: ReadonlyArray<Waiting>, rule: RateLimitRule) => {
      const now = Math.max(...together.map((waiting) => waiting.now))
      return Effect.flatMap(Effect.exit(consume(tenantId, key, rule, now, together.length)), (exit) => {
        if (Exit.isSuccess(exit)) return Effect.sync(() => report(together, now, exit.value))
        // A defect, for example a closed pool, is treated like an outage, because a failure of the limiter must not
        // fail the request.
        const failure = Exit.fail(new StoreUnavailable({ reason: Cause.pretty(exit.cause) }))
        for (const { done } of together) Deferred.doneUnsafe(done, failure)
        return Exit.hasDies(exit) ? log("limits.count_failed", {}, exit.cause) : Effect.void
      })
    }
    const drain = Effect.fnUntraced(function* (queueKey: string, tenantId: string, key: string) {
      for (;;) {
        const waiting = queues.get(queueKey) ?? []
        const [first] = waiting
        if (first === undefined) return void queues.delete(queueKey)
        const end = waiting.findIndex(({ rule }) => !sameRule(rule, first.rule))
        yield* count(tenantId, key, waiting.splice(0, end < 0 ? waiting.length : end), first.rule)
      }
    })
    return RateLimits.of({
      consume: (tenant, key, rule, now) =>
        Effect.suspend(() => {
          const tenantId = tenant ?? ""
          const queueKey = JSON.stringify([tenantId, key])
          const waiting: Waiting = { rule, now, done: Deferred.makeUnsafe() }
          const others = queues.get(queueKey)
          if (others !== undefined) others.push(waiting)
          else {
            queues.set(queueKey, [waiting])
            run(drain(queueKey, tenantId, key))
          }
          return Effect.timeoutOrElse(Deferred.await(waiting.done), {
            duration: timeout,
            orElse: () => Effect.fail(timedOut)
          })
        })
    })
  })
)

/**
 * Request counters. On Postgres, all servers share them. On SQLite, they are in memory, because only one server runs.
 */
export const layer: Layer.Layer<RateLimits, never, Database> = Layer.unwrap(
  Effect.map(Database, ({ sql }) => sql.onDialectOrElse({ pg: () => shared, orElse: () => inMemoryRateLimits }))
)

/**
 * The costs of shared state between servers on one Postgres: the number of requests per second against shared limits,
 * and the time from a queued signal on one server until a worker on another one wakes up.
 * Run: node --conditions=development packages/store/bench/servers.ts [decisions] [rounds]
 */
import { RateLimits } from "@leadloom/core/port/system/RateLimits"
import { Signals } from "@leadloom/core/port/repository/pipeline/Signals"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import startPostgres from "@leadloom/testkit/postgres/TestPostgres"
import { type Context, Effect, Fiber, Layer } from "effect"
import * as Store from "../src/Store.ts"

const decisions = Number(process.argv[2] ?? 5_000)
const rounds = Number(process.argv[3] ?? 5)
const rule = { limit: 600, windowMillis: 60_000 }
/**
 * The interval between two requests for a key. It is half of what the rule allows, so the log reaches its full length.
 */
const stepMillis = 50

type Server = Context.Context<Store.Store>

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0

/** The number of callers, of their shared keys, and of the servers that they use. */
const scenes = [
  { callers: 1, keys: 1, servers: 1 },
  { callers: 64, keys: 1, servers: 1 },
  { callers: 64, keys: 1, servers: 2 },
  { callers: 64, keys: 1_000, servers: 1 },
  { callers: 64, keys: 1_000, servers: 2 }
] as const

let clock = 1_000_000

const count = Effect.fnUntraced(function* (servers: ReadonlyArray<Server>, keys: number, callers: number) {
  const consumers = yield* Effect.forEach(servers, (server) => Effect.provide(Effect.service(RateLimits), server))
  const begun = performance.now()
  const from = clock
  clock += decisions * stepMillis + rule.windowMillis
  yield* Effect.forEach(
    Array.from({ length: decisions }, (_, index) => index),
    (index) => {
      const limits = consumers[index % consumers.length]
      return limits === undefined
        ? Effect.void
        : limits.consume("acme", `admin:${keys}:${index % keys}`, rule, from + Math.floor(index / keys) * stepMillis)
    },
    { concurrency: callers, discard: true }
  )
  return decisions / ((performance.now() - begun) / 1_000)
})

/** Returns the milliseconds from a queued signal on one server to the wake-up on the other. */
const wake = Effect.fnUntraced(function* (one: Server, other: Server, number: number) {
  const [from, to] = [
    yield* Effect.provide(Effect.service(Signals), one),
    yield* Effect.provide(Effect.service(Signals), other)
  ]
  const waiting = yield* Effect.forkChild(to.wait(5_000), { startImmediately: true })
  // A server notifies once in 25 ms. After this pause, the next notification is sent at once.
  yield* Effect.sleep("40 millis")
  const begun = performance.now()
  const ids = { signalId: `sig_${number}`, messageId: `msg_${number}`, contactId: "con_1", leadId: null } as const
  yield* from.enqueue({ ...ids, tenantId: "acme", attempts: 0, unfinished: 0, suspect: false }, 1, 0)
  yield* Fiber.join(waiting)
  return performance.now() - begun
})

const run = Effect.gen(function* () {
  const url = yield* temporaryDatabase
  const open = Layer.build(Layer.fresh(Store.layer({ url })))
  const [one, other] = yield* Effect.all([open, open])
  const rates = scenes.map(() => new Array<number>())
  for (let round = 0; round <= rounds; round++) {
    for (const [index, { callers, keys, servers }] of scenes.entries()) {
      const rate = yield* count([one, other].slice(0, servers), keys, callers)
      if (round > 0) rates[index]?.push(rate)
    }
  }
  console.table(
    scenes.map((scene, index) => ({ ...scene, decisionsPerSecond: Math.round(median(rates[index] ?? [])) }))
  )
  const waits = yield* Effect.forEach(Array.from({ length: 101 }), (_, number) => wake(one, other, number))
  console.log(JSON.stringify({ wakeMillis: Number(median(waits.slice(1)).toFixed(2)), of: waits.length - 1 }))
})

const stop = await startPostgres()
try {
  await Effect.runPromise(Effect.scoped(run))
} finally {
  await stop?.()
}

/**
 * The costs of shared state between servers on one Postgres: the number of requests per second against shared limits,
 * and the time from a queued signal on one server until a worker on another one wakes up.
 */
import { RateLimits } from "@leadloom/core/internal/port/system/RateLimits"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { type Bench, type BenchResult, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { type Context, Effect, Fiber, Layer } from "effect"
import * as Store from "../src/Store.ts"

const rule = { limit: 600, windowMillis: 60_000 }
/**
 * The interval between two requests for a key. It is half of what the rule allows, so the log reaches its full length.
 */
const stepMillis = 50
/** A worker that gets no notification waits this long. */
const waitMillis = 5_000

type Server = Context.Context<Store.Store>

/** The number of callers, of their shared keys, and of the servers that they use. */
interface Scene {
  readonly callers: number
  readonly keys: number
  readonly servers: number
}

const scenes: ReadonlyArray<Scene> = [
  { callers: 1, keys: 1, servers: 1 },
  { callers: 64, keys: 1, servers: 1 },
  { callers: 64, keys: 1, servers: 2 },
  { callers: 64, keys: 1_000, servers: 1 },
  { callers: 64, keys: 1_000, servers: 2 }
]

const indexes = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

/**
 * Consumes for several callers. Returns the consumed per second, and how many were admitted. `from` is the first time.
 */
const consume = Effect.fnUntraced(function* (
  servers: ReadonlyArray<Server>,
  { callers, keys }: Scene,
  decisions: number,
  from: number
) {
  const consumers = yield* Effect.forEach(servers, (server) => Effect.provide(Effect.service(RateLimits), server))
  const begun = performance.now()
  const outcomes = yield* Effect.forEach(
    indexes(decisions),
    (index) => {
      const limits = consumers[index % consumers.length]
      const now = from + Math.floor(index / keys) * stepMillis
      return limits === undefined
        ? Effect.succeed(null)
        : limits.consume("acme", `admin:${keys}:${index % keys}`, rule, now)
    },
    { concurrency: callers }
  )
  return { perSecond: decisions / ((performance.now() - begun) / 1_000), outcomes }
})

/** Returns the milliseconds from a queued signal on one server to the wake-up on the other. */
const wake = Effect.fnUntraced(function* (one: Server, other: Server, number: number) {
  const [from, to] = [
    yield* Effect.provide(Effect.service(Signals), one),
    yield* Effect.provide(Effect.service(Signals), other)
  ]
  const waiting = yield* Effect.forkChild(to.wait(waitMillis), { startImmediately: true })
  // A server notifies once in 25 ms. After this pause, the next notification is sent at once.
  yield* Effect.sleep("40 millis")
  const begun = performance.now()
  const ids = { signalId: `sig_${number}`, messageId: `msg_${number}`, contactId: "con_1", leadId: null } as const
  yield* from.enqueue({ ...ids, tenantId: "acme", attempts: 0, unfinished: 0, suspect: false }, 1, 0)
  yield* Fiber.join(waiting)
  return performance.now() - begun
})

const measure = (url: string, decisions: number, rounds: number) =>
  Effect.gen(function* () {
    const open = Layer.build(Layer.fresh(Store.layer({ url })))
    const [one, other] = yield* Effect.all([open, open])
    const rates = scenes.map(() => new Array<number>())
    let clock = 1_000_000
    let isAdmitted = true
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round++) {
      for (const [index, scene] of scenes.entries()) {
        const { outcomes, perSecond } = yield* consume([one, other].slice(0, scene.servers), scene, decisions, clock)
        clock += decisions * stepMillis + rule.windowMillis
        isAdmitted &&= outcomes.every((outcome) => outcome?.allowed === true)
        if (round > 0) rates[index]?.push(perSecond)
      }
    }
    const waits = yield* Effect.forEach(indexes(20 * rounds + 1), (number) => wake(one, other, number))
    return { rates, waits: waits.slice(1), isAdmitted }
  })

const run = async (decisions: number, rounds: number): Promise<BenchResult> => {
  const postgres = await startForBenchmarks(false)
  try {
    const { isAdmitted, rates, waits } = await Effect.runPromise(
      Effect.scoped(measure(postgres.url, decisions, rounds))
    )
    return {
      figures: {
        decisions,
        rounds,
        limits: scenes.map((scene, index) => ({
          ...scene,
          decisionsPerSecond: Math.round(median(rates[index] ?? []))
        })),
        wakeMillis: Number(median(waits).toFixed(2)),
        wakeUps: waits.length
      },
      checks: {
        "requests within the limit are admitted": isAdmitted,
        "a notification wakes the other server": waits.every((millis) => millis < waitMillis)
      }
    }
  } finally {
    await postgres.stop()
  }
}

export const bench: Bench = {
  name: "servers",
  purpose: "The cost of shared state between servers on one Postgres: request limits and wake-ups.",
  usage: "[decisions] [rounds]",
  sizes: { smallest: [200, 1], small: [2_000, 2], full: [5_000, 5] },
  run: (args) => run(numberAt(args, 0), numberAt(args, 1))
}

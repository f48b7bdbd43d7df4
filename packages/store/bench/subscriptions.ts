/**
 * The cost of a search for subscriptions with undelivered events among many tenants without any, and with one such
 * tenant, on SQLite and on Postgres.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Events } from "@leadloom/core/internal/port/repository/webhook/Events"
import { Subscriptions } from "@leadloom/core/internal/port/repository/webhook/Subscriptions"
import { never, type Subscription } from "@leadloom/core/internal/domain/webhook/Subscription"
import { type Bench, type BenchResult, listAt, numberAt } from "@leadloom/testkit/bench/Bench"
import { median } from "@leadloom/testkit/bench/Median"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import * as Store from "../src/Store.ts"

const looks = 40

const idle = (tenantId: string, number: number): Subscription => ({
  tenantId,
  webhookId: `whk_${String(number).padStart(26, "0")}`,
  url: "https://receiver.example/hooks",
  description: null,
  eventTypes: [],
  maxInFlight: 1,
  status: "active",
  inactiveReason: null,
  secret: "sealed",
  formerSecret: null,
  formerSecretUntil: null,
  consecutiveFailures: 0,
  ailing: false,
  position: 1,
  retryAt: never,
  nextAt: 0,
  lastSuccessAt: null,
  lastFailureAt: null,
  createdAt: 0,
  updatedAt: 0
})

const eventOf = (tenantId: string) => ({
  eventId: "evt_00000000000000000000000001" as const,
  type: "contact.updated" as const,
  tenantId,
  timestamp: 1,
  data: {}
})

const tenantOf = (number: number): string => `tenant-${String(number).padStart(6, "0")}`

/** Creates tenants with one event each, which all their subscriptions have received. */
const fill = (from: number, to: number, each: number) =>
  Effect.gen(function* () {
    const [events, subscriptions] = [yield* Events, yield* Subscriptions]
    const all = Array.from({ length: to - from }, (_, index) => tenantOf(from + index))
    yield* Effect.forEach(
      all,
      (tenantId) =>
        Effect.gen(function* () {
          yield* events.append(tenantId, [eventOf(tenantId)])
          for (let number = 0; number < each; number++) yield* subscriptions.insert(idle(tenantId, number))
        }),
      { concurrency: 64, discard: true }
    )
  })

const claimAll = Effect.fnUntraced(function* () {
  const { claim } = yield* Subscriptions
  const times: Array<number> = []
  const counts: Array<number> = []
  for (let look = 0; look < looks; look++) {
    const now = 1_000 * look + 1_000
    const began = performance.now()
    const taken = yield* claim({ limit: 64, ailing: 64, now, lease: "bench", leaseUntil: now + 1 })
    times.push(performance.now() - began)
    counts.push(taken.length)
  }
  return { millis: median(times), counts }
})

const measure = (url: string, sizes: ReadonlyArray<number>, each: number) =>
  Effect.gen(function* () {
    const rows: Array<{ readonly tenants: number; readonly idleMillis: number; readonly busyMillis: number }> = []
    let filled = 0
    let agrees = true
    for (const size of sizes) {
      yield* fill(filled, size, each)
      filled = size
      const nothing = yield* claimAll()
      const [events, subscriptions] = [yield* Events, yield* Subscriptions]
      const busy = tenantOf(size - 1)
      yield* events.append(busy, [{ ...eventOf(busy), eventId: "evt_00000000000000000000000002" }])
      const something = yield* claimAll()
      for (const one of yield* subscriptions.list(busy)) yield* subscriptions.update({ ...one, position: 2 })
      agrees &&= nothing.counts.every((count) => count === 0) && something.counts.every((count) => count === each)
      rows.push({
        tenants: size,
        idleMillis: Number(nothing.millis.toFixed(2)),
        busyMillis: Number(something.millis.toFixed(2))
      })
    }
    return { rows, agrees }
  }).pipe(Effect.provide(Store.layer({ url })))

const run = async (sizes: ReadonlyArray<number>, each: number): Promise<BenchResult> => {
  const folder = mkdtempSync(join(tmpdir(), "leadloom-subscriptions-"))
  const postgres = await startForBenchmarks()
  try {
    const sqlite = await Effect.runPromise(measure(`sqlite:${join(folder, "leadloom.db")}`, sizes, each))
    const onPostgres = await Effect.runPromise(measure(postgres.url, sizes, each))
    return {
      figures: {
        subscriptionsEach: each,
        claims: [
          ...sqlite.rows.map((row) => ({ kind: "SQLite", ...row })),
          ...onPostgres.rows.map((row) => ({ kind: "Postgres", ...row }))
        ]
      },
      checks: { "only subscriptions with undelivered events are claimed": sqlite.agrees && onPostgres.agrees }
    }
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true })
  }
}

export const bench: Bench = {
  name: "subscriptions",
  purpose: "The cost of a search for subscriptions with undelivered events among many tenants, on both databases.",
  usage: "[tenants,…] [subscriptions of each]",
  sizes: { smallest: ["5,10", 2], small: ["100,500", 2], full: ["500,5000", 2] },
  run: (args) => run(listAt(args, 0).map(Number), numberAt(args, 1))
}

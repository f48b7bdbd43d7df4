/**
 * The cost of a search for subscriptions with undelivered events among many tenants without any, and with one such
 * tenant, on SQLite and on Postgres.
 *
 *   npm run bench -- subscriptions [tenants,…] [subscriptions of each]
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Events } from "@leadloom/core/port/repository/webhook/Events"
import { Subscriptions } from "@leadloom/core/port/repository/webhook/Subscriptions"
import { never, type Subscription } from "@leadloom/core/domain/webhook/Subscription"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect } from "effect"
import * as Store from "../src/Store.ts"
import { median } from "./Median.ts"

const sizes = (process.argv[2] ?? "500,5000").split(",").map(Number)
const each = Number(process.argv[3] ?? 2)
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
const fill = (from: number, to: number) =>
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

const millisOf = Effect.fnUntraced(function* (expected: number) {
  const { claim } = yield* Subscriptions
  const times: Array<number> = []
  for (let look = 0; look < looks; look++) {
    const now = 1_000 * look + 1_000
    const began = performance.now()
    const taken = yield* claim({ limit: 64, ailing: 64, now, lease: "bench", leaseUntil: now + 1 })
    times.push(performance.now() - began)
    if (taken.length !== expected) throw new Error(`claimed ${taken.length} subscriptions instead of ${expected}`)
  }
  return median(times)
})

const measure = (url: string) =>
  Effect.gen(function* () {
    const results: Array<string> = []
    let filled = 0
    for (const size of sizes) {
      yield* fill(filled, size)
      filled = size
      const nothing = yield* millisOf(0)
      const [events, subscriptions] = [yield* Events, yield* Subscriptions]
      const busy = tenantOf(size - 1)
      yield* events.append(busy, [{ ...eventOf(busy), eventId: "evt_00000000000000000000000002" }])
      const something = yield* millisOf(each)
      for (const one of yield* subscriptions.list(busy)) yield* subscriptions.update({ ...one, position: 2 })
      results.push(
        `${size} tenants: ${nothing.toFixed(2)} ms idle, ${something.toFixed(2)} ms with one that has undelivered events`
      )
    }
    return results
  }).pipe(Effect.provide(Store.layer({ url })))

const folder = mkdtempSync(join(tmpdir(), "leadloom-subscriptions-"))
const postgres = await startForBenchmarks()
try {
  for (const [name, url] of [
    ["SQLite", `sqlite:${join(folder, "leadloom.db")}`],
    ["Postgres", postgres.url]
  ] as const) {
    for (const line of await Effect.runPromise(measure(url))) console.log(`${name}, ${line}`)
  }
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true })
}

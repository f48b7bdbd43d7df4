/**
 * Deliveries of outbound events a second, signed and written down, from SQLite and from Postgres, to a receiver in another
 * process; beside a loop of bare requests to the same receiver, of the same sender without a database and of `fetch`.
 *
 *   npm run bench -- webhooks [deliveries] [subscriptions] [rounds]
 */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeEgress from "@leadloom/connectors/egress/NodeEgress"
import { Secrets } from "@leadloom/core/access/Secrets"
import { Egress } from "@leadloom/core/port/Egress"
import { Events } from "@leadloom/core/port/Events"
import { Ids } from "@leadloom/core/port/Ids"
import { Randomness } from "@leadloom/core/port/Randomness"
import { Subscriptions } from "@leadloom/core/port/Subscriptions"
import { createTenant } from "@leadloom/core/tenant/CreateTenant"
import { createSubscription } from "@leadloom/core/webhook/CreateSubscription"
import { DeliveryPolicy } from "@leadloom/core/webhook/DeliveryPolicy"
import { exampleData } from "@leadloom/core/webhook/ExampleData"
import { workDeliveries } from "@leadloom/core/webhook/WorkDeliveries"
import * as Store from "@leadloom/store/Store"
import { startForBenchmarks } from "@leadloom/testkit/postgres/TestPostgres"
import { Effect, Fiber, Latch, Layer } from "effect"
import { pooledRandom } from "../src/PooledRandom.ts"

const deliveries = Number(process.argv[2] ?? 20_000)
const subscriptions = Number(process.argv[3] ?? 50)
const rounds = Number(process.argv[4] ?? 3)

const receivers = spawn(process.execPath, [fileURLToPath(new URL("Receivers.ts", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"]
})
const port = await new Promise<number>((resolve) => receivers.stdout.once("data", (data) => resolve(Number(data))))
const base = `http://127.0.0.1:${port}`
const policy = { allowHosts: [{ host: "127.0.0.1", port }] }
const count = async (): Promise<number> => Number(await (await fetch(`${base}/count`)).text())

const random = pooledRandom()
const around = Layer.mergeAll(
  Ids.layer(random),
  Randomness.layer(random),
  NodeEgress.layer({ policy }),
  Layer.succeed(DeliveryPolicy, { mode: "durable" }),
  Layer.succeed(Secrets, { adminKeys: [], sessionKeys: [], pepper: new Uint8Array(32) })
)

const appendEvents = Effect.fnUntraced(function* (tenantId: string, number: number) {
  const [events, ids] = [yield* Events, yield* Ids]
  for (let left = number; left > 0; left -= 500) {
    const next = Effect.map(ids.next("evt"), (eventId) => ({
      eventId,
      type: "lead.scored" as const,
      tenantId,
      timestamp: Date.now(),
      data: exampleData["lead.scored"]
    }))
    yield* events.append(tenantId, yield* Effect.replicateEffect(next, Math.min(left, 500)))
  }
})

/** Everything is there before the first request; then the time until every subscription has come to the end. */
const deliver = Effect.fnUntraced(function* (tenantId: string) {
  yield* createTenant({ tenantId, name: "Acme", domain: `${tenantId}.example`, preset: null, hipaa: false })
  for (let number = 0; number < subscriptions; number++) {
    yield* createSubscription(tenantId, {
      url: `${base}/${tenantId}-${number}`,
      events: [],
      description: null,
      maxInFlight: 1
    })
  }
  const events = Math.ceil(deliveries / subscriptions)
  yield* appendEvents(tenantId, events)
  const before = yield* Effect.promise(count)
  const closing = yield* Latch.make(false)
  const began = performance.now()
  const worker = yield* Effect.forkChild(workDeliveries(closing))
  const all = yield* Subscriptions
  for (;;) {
    yield* Effect.sleep(50)
    if ((yield* all.list(tenantId)).every(({ position }) => position === events)) break
  }
  const millis = performance.now() - began
  const got = (yield* Effect.promise(count)) - before
  yield* closing.open
  yield* Fiber.join(worker)
  if (got !== events * subscriptions) throw new Error(`${got} requests for ${events * subscriptions} deliveries`)
  return (1_000 * got) / millis
})

const run = async (url: string): Promise<ReadonlyArray<number>> => {
  const test = Effect.gen(function* () {
    const rates: Array<number> = []
    for (let round = 0; round < rounds; round++) rates.push(yield* deliver(`round-${round}`))
    return rates
  })
  return Effect.runPromise(Effect.provide(test, Layer.provideMerge(around, Store.layer({ url }))))
}

const body = JSON.stringify(exampleData["lead.scored"])
const headers = { "content-type": "application/json" }

/** Requests without anything around them, as many at once as there are subscriptions. */
const loop = async (post: () => Promise<unknown>): Promise<number> => {
  let left = deliveries
  const began = performance.now()
  await Promise.all(
    Array.from({ length: subscriptions }, async () => {
      while (left-- > 0) await post()
    })
  )
  return (1_000 * deliveries) / (performance.now() - began)
}

const bare = (): Promise<number> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { post } = yield* Egress
      const request = { url: `${base}/bare`, headers, body, timeoutMillis: 15_000, maxResponseBytes: 4_096 }
      return yield* Effect.promise(() => loop(() => Effect.runPromise(post(request))))
    }).pipe(Effect.provide(NodeEgress.layer({ policy })))
  )
const fetches = (): Promise<number> =>
  loop(async () => (await fetch(`${base}/fetch`, { method: "POST", headers, body })).text())

const median = (rates: ReadonlyArray<number>): number =>
  Math.round(rates.toSorted((one, other) => one - other)[Math.floor(rates.length / 2)] ?? 0)
const show = (what: string, rates: ReadonlyArray<number>): void =>
  console.log(`${what}: ${median(rates)} a second (${rates.map((rate) => Math.round(rate)).join(", ")})`)

const folder = mkdtempSync(join(tmpdir(), "leadloom-webhooks-"))
const postgres = await startForBenchmarks()
try {
  console.log(`${deliveries} deliveries to ${subscriptions} subscriptions, ${rounds} rounds`)
  const alone: { bare: Array<number>; fetch: Array<number> } = { bare: [], fetch: [] }
  for (let round = 0; round < rounds; round++) {
    alone.bare.push(await bare())
    alone.fetch.push(await fetches())
  }
  show("bare requests of the sender", alone.bare)
  show("bare fetch", alone.fetch)
  show("from SQLite", await run(`sqlite:${join(folder, "leadloom.db")}`))
  show("from Postgres", await run(postgres.url))
} finally {
  receivers.kill()
  await postgres.stop()
  rmSync(folder, { recursive: true })
}

import { Api } from "@leadloom/api/internal/Api"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Effect, Layer, Scheduler } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { operationFinder } from "../../src/http/middleware/Methods.ts"
import { outsideRoutes } from "../../src/http/OutsideRoutes.ts"
import type { Services } from "../../src/http/Routes.ts"
import { type LoopBlock, blockMillis, makeLoopCheck } from "../../src/watchdog/LoopWatchdog.ts"
import { CurrentWorker, TickScheduler } from "../../src/watchdog/RunningOperation.ts"
import { startServer, type TestServer } from "../world/TestServer.ts"
import { makeWorld, type World } from "../world/World.ts"

/** A clock that only the test advances. A block is a jump of the clock. */
let time = 0
const now = () => time
const block = Effect.sync(() => void (time += blockMillis * 2))

const scheduler = new TickScheduler(now)
const blocks: Array<LoopBlock> = []
const look = makeLoopCheck({
  scheduler,
  now,
  find: operationFinder(Api, outsideRoutes),
  onBlock: (found) => void blocks.push(found)
})

/** Blocks the thread during reads of contacts and at the end of a signal, while other fibers run. */
const slowStore = (services: Layer.Layer<Services, unknown>): Layer.Layer<Services, unknown> =>
  Layer.merge(
    Layer.provideMerge(
      Layer.merge(
        Layer.effect(
          Contacts,
          Effect.map(Contacts, (contacts) => ({
            ...contacts,
            page: (...requested: Parameters<typeof contacts.page>) => Effect.andThen(block, contacts.page(...requested))
          }))
        ),
        Layer.effect(
          Signals,
          Effect.map(Signals, (signals) => ({
            ...signals,
            finish: (...requested: Parameters<typeof signals.finish>) =>
              Effect.andThen(block, signals.finish(...requested))
          }))
        )
      ),
      services
    ),
    Layer.succeed(Scheduler.Scheduler, scheduler)
  )

let server: TestServer
let world: World
beforeAll(async () => {
  server = startServer({}, slowStore)
  world = await makeWorld(server)
  look()
  blocks.length = 0
})
afterAll(() => server.close())

const run = <A>(effect: Effect.Effect<A>) =>
  Effect.runPromise(Effect.provideService(effect, Scheduler.Scheduler, scheduler))

describe("the watchdog of the main thread", () => {
  it("names the blocking request, its tenant and its id, although others ran before and after", async () => {
    const { call } = server
    const headers = { "x-request-id": "order-66" }
    await Promise.all([
      call("GET", "/health"),
      call("GET", "/api/v1/tenants/acme/contacts?limit=5", { as: world.acme.apiKey, headers }),
      call("GET", "/api/v1/tenants/other/leads", { as: world.other.apiKey })
    ])
    await call("GET", "/health")
    look()
    expect(blocks.splice(0)).toEqual([
      { operation: "contacts.list", tenant: "acme", requestId: "order-66", millis: blockMillis * 2 - 50 }
    ])
  })

  it("names the worker, and the tenant from its log annotations", async () => {
    const job = Effect.annotateLogs(block, { tenant: "other", signal: "sig_1" })
    await run(
      Effect.provideService(
        Effect.forkChild(job).pipe(Effect.andThen(Effect.yieldNow)),
        CurrentWorker,
        "worker.signals"
      )
    )
    await run(Effect.void)
    look()
    expect(blocks.splice(0)).toEqual([
      expect.objectContaining({ operation: "worker.signals", tenant: "other", requestId: null })
    ])
  })

  it("reports an unknown operation", async () => {
    await run(block)
    look()
    expect(blocks.splice(0)).toEqual([expect.objectContaining({ operation: "unknown", tenant: null })])
  })

  it("ignores work that yields, and counts a block once", async () => {
    time += 50 + blockMillis - 1
    look()
    for (let round = 0; round < 20; round++) {
      await server.call("GET", "/health")
      time += 50
      look()
    }
    expect(blocks).toEqual([])
  })
})

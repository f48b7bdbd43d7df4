import { connect, createServer, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Sends } from "@leadloom/core/internal/port/repository/conversation/Sends"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { noon, sendRecord, signalRecord } from "@leadloom/testkit/suite/Records"
import { migratedDatabase } from "@leadloom/testkit/postgres/Database"
import { Context, Duration, Effect, Exit, Fiber, Latch, Layer, Logger, Queue, Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import * as Notifications from "../../src/queue/Notifications.ts"
import * as Postgres from "../../src/Postgres.ts"
import * as Store from "../../src/Store.ts"
import { upTo } from "../Triple.ts"

const serverOn = (url: string) => Layer.build(Layer.fresh(Store.layer({ url })))

type StoreServer = Context.Context<Store.Store>

const listeners = "FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%' AND state = 'idle'"

/** Completes when this many servers listen, on connections other than `except`. */
const listening = (server: StoreServer, count: number, except: ReadonlyArray<number> = []) =>
  Effect.flatMap(SqlClient, (sql) => sql.unsafe<{ readonly pid: number }>(`SELECT pid ${listeners}`)).pipe(
    Effect.map((rows) => rows.map(({ pid }) => pid)),
    Effect.repeat({ until: (pids) => pids.length === count && !pids.some((pid) => except.includes(pid)) }),
    Effect.provide(server)
  )

const enqueue = (server: StoreServer, number: number) =>
  Effect.gen(function* () {
    const queued = (yield* Signals).enqueue(signalRecord("acme", number), noon, 0)
    yield* (yield* Transactions).atomically("acme", queued)
  }).pipe(Effect.provide(server))

const listen = (server: Server) =>
  Effect.callback<number>((resume) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** Waits longer than a test may take, so an end means a wake-up. */
const waitFor = ({ wait }: Pick<Signals["Service"], "wait">) =>
  Effect.forkChild(wait(600_000), { startImmediately: true })

/** A connection without notifications, as behind a pooler in transaction mode, where LISTEN has no effect. */
const deafTransport = {
  connect: Effect.succeed({ listen: () => Queue.unbounded<never, SqlError>() }),
  notify: () => Effect.void
}

describe("servers on one Postgres", () => {
  it.live("wake each other's workers after the commit of a signal, even on new connections", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const [one, other] = yield* Effect.all([serverOn(url), serverOn(url)])
      const pids = yield* listening(one, 2)
      const first = yield* waitFor(Context.get(other, Signals))
      yield* enqueue(one, 1)
      yield* Fiber.join(first)
      const cut = Effect.flatMap(SqlClient, (sql) => sql.unsafe(`SELECT pg_terminate_backend(pid) ${listeners}`))
      yield* Effect.provide(cut, one)
      yield* listening(one, 2, pids)
      const second = yield* waitFor(Context.get(other, Signals))
      yield* enqueue(one, 2)
      yield* Fiber.join(second)
    }).pipe(Effect.scoped)
  )

  it.live("wake each other's workers after the commit of a due send, not of a postponed one", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const [one, other] = yield* Effect.all([serverOn(url), serverOn(url)])
      yield* listening(one, 2)
      const reserve = (number: number, dueAt: number) =>
        Effect.gen(function* () {
          const reserved = (yield* Sends).reserve(sendRecord("acme", number, { createdAt: noon, dueAt }))
          yield* (yield* Transactions).atomically("acme", reserved)
        }).pipe(Effect.provide(one))
      const forSends = yield* waitFor(Context.get(other, Sends))
      const forSignals = yield* waitFor(Context.get(other, Signals))
      yield* reserve(1, noon + 1)
      // An earlier notification would have arrived before this one.
      yield* enqueue(one, 1)
      yield* Fiber.join(forSignals)
      assert.isUndefined(forSends.pollUnsafe())
      yield* reserve(2, noon)
      yield* Fiber.join(forSends)
    }).pipe(Effect.scoped)
  )

  it.live("stop listening while the database hangs", () =>
    Effect.gen(function* () {
      const target = new URL(yield* migratedDatabase)
      const behind = Number(target.port)
      let hangs = false
      const door = createServer((socket) => {
        const way = connect(behind, target.hostname)
        socket.on("error", () => way.destroy()).on("data", (data) => hangs || way.write(data))
        way.on("error", () => socket.destroy()).on("data", (data) => hangs || socket.write(data))
        socket.on("close", () => way.destroy())
        way.on("close", () => socket.destroy())
      })
      target.port = String(yield* Effect.acquireRelease(listen(door), () => Effect.sync(() => door.close())))
      const listens = yield* Latch.make(false)
      const connection = Effect.provide(Postgres.connect({ url: target.href }), Reactivity.layer)
      const scope = yield* Scope.make()
      // The first notification that a server sends to itself after LISTEN.
      const line = { connect: connection, notify: () => listens.open }
      yield* Scope.provide(Notifications.make(line), scope)
      yield* listens.await
      hangs = true
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.scoped)
  )

  it.effect("combine the notifications of many commits", () =>
    Effect.gen(function* () {
      const said: Array<string> = []
      const notify = (_: string, payload: string) => Effect.sync(() => void said.push(payload.split(" ")[1] ?? ""))
      const { notifyOthers } = yield* Notifications.make({ ...deafTransport, notify })
      const calls = () => said.filter((kind) => kind !== "")
      const notifyMany = Effect.sync(() =>
        upTo(100).forEach((number) => notifyOthers(number % 2 === 0 ? "signals" : "mail"))
      )
      yield* TestClock.adjust(0)
      yield* notifyMany
      yield* TestClock.adjust(Duration.millis(Duration.toMillis(Notifications.notifyInterval) - 1))
      assert.deepStrictEqual(calls().toSorted(), ["mail", "signals"])
      yield* notifyMany
      yield* TestClock.adjust(0)
      assert.strictEqual(calls().length, 2)
      yield* TestClock.adjust(1)
      assert.strictEqual(calls().length, 4)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(calls().length, 4)
    }).pipe(Effect.scoped)
  )

  it.effect("report missing notifications once, and continue by polling", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => void lines.push(String(message)))
      const notifications = yield* Effect.provide(Notifications.make(deafTransport), Logger.layer([logger]))
      notifications.notifyOthers("signals")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(lines.length, 1)
      assert.include(lines[0], "Postgres notifications do not arrive")
    }).pipe(Effect.scoped)
  )
})

import { it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Latch, Logger, References, Scope } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { StoreUnavailable } from "../../../src/port/system/Transactions.ts"
import { makeWakeUp } from "../../../src/port/system/WakeUp.ts"
import { repeatedWork } from "../../../src/workflow/worker/RepeatedWork.ts"
import {
  defaults,
  drainSeconds,
  type Queue,
  type Source,
  startWorkers,
  work,
  workOnce
} from "../../../src/workflow/worker/Worker.ts"

type Item = string

/** A queue in memory. `run` logs the start of an item, and its end after `release` of the item. */
const makeStage = (changes: Partial<Queue<Item, never>> = {}, source: Partial<Source<Item, never>> = {}) => {
  const due: Array<Item> = []
  const log: Array<string> = []
  const claims: Array<number> = []
  const gates = new Map<Item, Deferred.Deferred<void>>()
  const { wait, wake } = makeWakeUp()
  const gate = (item: Item) => {
    const known = gates.get(item) ?? Deferred.makeUnsafe<void>()
    gates.set(item, known)
    return known
  }
  const one = (item: Item) =>
    Effect.andThen(
      Effect.sync(() => void log.push(`start ${item}`)),
      Deferred.await(gate(item))
    ).pipe(
      Effect.andThen(Effect.sync(() => void log.push(`end ${item}`))),
      Effect.onInterrupt(() => Effect.sync(() => void log.push(`interrupt ${item}`)))
    )
  const queue: Queue<Item, never> = {
    ...defaults,
    name: "items",
    workers: 1,
    failure: "failed to run an item",
    about: (item) => ({ job: item }),
    open: Effect.succeed({
      claim: (limit) =>
        Effect.sync(() => {
          claims.push(limit)
          return due.splice(0, limit)
        }),
      run: (item) => Effect.as(one(item), null),
      wait,
      ...source
    }),
    ...changes
  }
  return {
    queue,
    log,
    claims,
    one,
    add: (...items: ReadonlyArray<Item>) => {
      due.push(...items)
      wake()
    },
    release: (item: Item) => Deferred.succeed(gate(item), undefined)
  }
}

/** Lets all fibers run until they wait. */
const settle = TestClock.adjust(0)

/** Collects the messages of the log with their annotation `job`. */
const collected = () => {
  const messages: Array<string> = []
  const logger = Logger.make(({ fiber, message }) => {
    const item = Context.get(fiber.context, References.CurrentLogAnnotations)["job"]
    const text = String(Array.isArray(message) ? message[0] : message)
    messages.push(item === undefined ? text : `${text} (${String(item)})`)
  })
  return { messages, layer: Logger.layer([logger]) }
}

/** Starts a worker in a scope of its own. `stop` closes the scope in the background. */
const started = Effect.fnUntraced(function* <R>(queue: Queue<Item, R>) {
  const scope = yield* Scope.make()
  yield* Scope.provide(startWorkers(queue), scope)
  yield* settle
  return { stop: Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true }) }
})

describe("a worker", () => {
  it.effect("claims a batch, runs its items concurrently and claims again after the last one", () =>
    Effect.gen(function* () {
      const { add, claims, log, queue, release } = makeStage({ slots: 2, batch: 2, refill: 2 })
      add("a", "b", "c")
      const { stop } = yield* started(queue)
      expect(log).toEqual(["start a", "start b"])
      yield* release("a")
      yield* settle
      expect(log).toEqual(["start a", "start b", "end a"])
      yield* release("b")
      yield* settle
      expect(log).toEqual(["start a", "start b", "end a", "end b", "start c"])
      expect(claims).toEqual([2, 2])
      yield* release("c")
      yield* Fiber.join(yield* stop)
    })
  )

  it.effect("refills single slots when the queue asks for it, and never exceeds them", () =>
    Effect.gen(function* () {
      const { add, claims, log, queue, release } = makeStage({ slots: 3, batch: 2, refill: 1 })
      add("a", "b", "c", "d")
      const { stop } = yield* started(queue)
      expect(log).toEqual(["start a", "start b", "start c"])
      yield* release("b")
      yield* settle
      expect(log.slice(3)).toEqual(["end b", "start d"])
      expect(claims).toEqual([2, 1, 1])
      yield* Effect.forEach(["a", "c", "d"], release)
      yield* Fiber.join(yield* stop)
    })
  )

  it.effect("waits without work: it claims once a second, and immediately after a wake-up", () =>
    Effect.gen(function* () {
      const { add, claims, log, queue, release } = makeStage()
      const { stop } = yield* started(queue)
      yield* TestClock.adjust(999)
      expect(claims.length).toBe(1)
      yield* TestClock.adjust(1)
      expect(claims.length).toBe(2)
      add("a")
      yield* settle
      expect(log).toEqual(["start a"])
      yield* release("a")
      yield* Fiber.join(yield* stop)
    })
  )

  it.effect("waits for its backoff while the store is unavailable, with a warning each time", () =>
    Effect.gen(function* () {
      let claims = 0
      let isAway = true
      const claim = () =>
        Effect.suspend(() => {
          claims += 1
          return isAway ? Effect.fail(new StoreUnavailable({ reason: "away" })) : Effect.succeed([])
        })
      const { queue } = makeStage({}, { claim })
      const { layer, messages } = collected()
      yield* Effect.gen(function* () {
        const { stop } = yield* started(queue)
        yield* TestClock.adjust(999)
        expect(claims).toBe(1)
        yield* TestClock.adjust(1)
        expect(claims).toBe(2)
        isAway = false
        yield* TestClock.adjust("1 second")
        expect(claims).toBe(3)
        const warning = "failed to claim or store work: the database was unavailable"
        expect(messages).toEqual([warning, warning])
        yield* Fiber.join(yield* stop)
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("restarts after a defect, and its running items go on", () =>
    Effect.gen(function* () {
      const stage = makeStage({ refill: 1 })
      let claims = 0
      const claim = () => Effect.sync(() => ++claims)
      const { layer, messages } = collected()
      const open = Effect.map(stage.queue.open, (source) => ({
        ...source,
        claim: (limit: number, now: number) =>
          Effect.flatMap(claim(), (count) => (count === 2 ? Effect.die(new Error("broken")) : source.claim(limit, now)))
      }))
      yield* Effect.gen(function* () {
        stage.add("a")
        const { stop } = yield* started({ ...stage.queue, open })
        expect(messages).toEqual(["a worker failed and restarts"])
        stage.add("b")
        yield* TestClock.adjust("1 second")
        expect(stage.log).toEqual(["start a", "start b"])
        yield* Effect.forEach(["a", "b"], stage.release)
        yield* Fiber.join(yield* stop)
        expect(stage.log.slice(2)).toEqual(["end a", "end b"])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("logs the failure of an item with its annotations, and runs the others", () =>
    Effect.gen(function* () {
      const stage = makeStage()
      const { layer, messages } = collected()
      const open = Effect.map(stage.queue.open, (source) => ({
        ...source,
        run: (item: Item, isClosing: () => boolean) =>
          item === "bad" ? Effect.die(new Error("broken")) : source.run(item, isClosing)
      }))
      yield* Effect.gen(function* () {
        stage.add("bad", "good")
        yield* stage.release("good")
        expect(yield* workOnce({ ...stage.queue, open })).toBe(2)
        expect(stage.log).toEqual(["start good", "end good"])
        expect(messages).toEqual(["failed to process an item of a queue (bad)"])
      }).pipe(Effect.provide(layer))
    })
  )

  it.effect("runs serial items one after another, after the others of their claim", () =>
    Effect.gen(function* () {
      const { add, log, queue, release } = makeStage({ isSerial: (item) => item.startsWith("s") })
      add("s1", "a", "s2")
      const { stop } = yield* started(queue)
      expect(log).toEqual(["start a"])
      yield* release("a")
      yield* settle
      expect(log.slice(1)).toEqual(["end a", "start s1"])
      yield* release("s1")
      yield* settle
      expect(log.slice(3)).toEqual(["end s1", "start s2"])
      yield* release("s2")
      yield* Fiber.join(yield* stop)
    })
  )

  it.effect("runs rests besides its slots up to their limit, and interrupts them at shutdown", () =>
    Effect.gen(function* () {
      const stage = makeStage({ slots: 1, batch: 1, refill: 1, maxRests: 2 })
      const open = Effect.map(stage.queue.open, (source) => ({
        ...source,
        run: (item: Item) => Effect.succeed(stage.one(item))
      }))
      stage.add("a", "b", "c", "d")
      const { stop } = yield* started({ ...stage.queue, open })
      expect(stage.log).toEqual(["start a", "start b"])
      yield* stage.release("a")
      yield* settle
      expect(stage.log.slice(2)).toEqual(["end a", "start c"])
      // The item in the slot waits for a place. A place is free when `b` ends.
      const stopping = yield* stop
      yield* stage.release("b")
      yield* Fiber.join(stopping)
      expect(stage.log.slice(4)).toEqual(["end b", "start d", "interrupt c", "interrupt d"])
    })
  )
})

describe("a stopping worker", () => {
  it.effect("finishes its items and claims no more", () =>
    Effect.gen(function* () {
      const { add, claims, log, queue, release } = makeStage({ slots: 1, batch: 1, refill: 1 })
      add("a", "b")
      const { stop } = yield* started(queue)
      const stopping = yield* stop
      yield* settle
      expect(stopping.pollUnsafe()).toBeUndefined()
      yield* release("a")
      yield* Fiber.join(stopping)
      expect(log).toEqual(["start a", "end a"])
      expect(claims.length).toBe(1)
    })
  )

  it.effect("stops immediately when it is idle", () =>
    Effect.gen(function* () {
      const { queue } = makeStage({}, { wait: () => Effect.never })
      const { stop } = yield* started(queue)
      yield* Fiber.join(yield* stop)
    })
  )

  it.effect("stops without a further claim after the backoff of an outage", () =>
    Effect.gen(function* () {
      let claims = 0
      const claim = () =>
        Effect.suspend(() => {
          claims += 1
          return Effect.fail(new StoreUnavailable({ reason: "away" }))
        })
      const { queue } = makeStage({}, { claim })
      yield* Effect.gen(function* () {
        const { stop } = yield* started(queue)
        const stopping = yield* stop
        yield* TestClock.adjust("1 second")
        yield* Fiber.join(stopping)
        expect(claims).toBe(1)
      }).pipe(Effect.provide(Logger.layer([])))
    })
  )

  it.effect("interrupts items that exceed the time for draining", () =>
    Effect.gen(function* () {
      const { add, log, queue } = makeStage()
      add("a")
      const { stop } = yield* started(queue)
      const stopping = yield* stop
      yield* TestClock.adjust(drainSeconds * 1_000 - 1)
      expect(log).toEqual(["start a"])
      yield* TestClock.adjust(1)
      yield* Fiber.join(stopping)
      expect(log).toEqual(["start a", "interrupt a"])
    })
  )

  it.effect("tells its items that it is closing", () =>
    Effect.gen(function* () {
      const seen: Array<boolean> = []
      const stage = makeStage()
      const open = Effect.map(stage.queue.open, (source) => ({
        ...source,
        run: (item: Item, isClosing: () => boolean) =>
          Effect.andThen(
            stage.one(item),
            Effect.sync(() => {
              seen.push(isClosing())
              return null
            })
          )
      }))
      const closing = Latch.makeUnsafe(false)
      stage.add("a")
      yield* stage.release("a")
      const worker = yield* Effect.forkChild(work({ ...stage.queue, open }, closing), { startImmediately: true })
      yield* settle
      stage.add("b")
      yield* settle
      yield* closing.open
      yield* stage.release("b")
      yield* Fiber.join(worker)
      expect(seen).toEqual([false, true])
    })
  )
})

describe("repeated work", () => {
  it.effect("runs at the start and an hour after each run, also after a failure, and is interrupted at shutdown", () =>
    Effect.gen(function* () {
      let runs = 0
      let interrupted = false
      const run = Effect.suspend(() => {
        runs += 1
        if (runs === 1) return Effect.die(new Error("broken"))
        return runs < 3
          ? Effect.void
          : Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (interrupted = true)))
      })
      const { layer, messages } = collected()
      yield* Effect.gen(function* () {
        const { stop } = yield* started(repeatedWork("cleaner", "failed to clean", run))
        expect([runs, messages]).toEqual([1, ["failed to process an item of a queue"]])
        yield* TestClock.adjust("59 minutes")
        expect(runs).toBe(1)
        yield* TestClock.adjust("1 minute")
        expect(runs).toBe(2)
        yield* TestClock.adjust("1 hour")
        expect(runs).toBe(3)
        yield* Fiber.join(yield* stop)
        expect(interrupted).toBe(true)
      }).pipe(Effect.provide(layer))
    })
  )
})

import { assert, layer } from "@effect/vitest"
import { Contacts } from "@leadloom/core/internal/port/repository/contact/Contacts"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { contactRecord, freshTenant, noon, signalRecord } from "@leadloom/testkit/suite/Records"
import { Effect, Exit, Fiber, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { Store } from "../../src/Store.ts"
import { unitsPerCommit } from "../../src/unit/Dispatcher.ts"
import { intercept } from "../Interception.ts"
import { temporaryPostgres } from "../TemporaryPostgres.ts"
import { temporaryStore } from "../TemporaryStore.ts"
import { upTo, write, written } from "../Triple.ts"

type Test = () => Effect.Effect<void, unknown, Store>

const sqliteScene = (title: string, test: Test) =>
  layer(Layer.fresh(temporaryStore))("Transactions on SQLite", (it) => it.effect(title, test))

const scene = (title: string, test: Test) => {
  sqliteScene(title, test)
  layer(Layer.fresh(temporaryPostgres))("Transactions on Postgres", (it) => it.effect(title, test))
}

scene("two hundred concurrent units are each stored completely or not at all", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const tenantId = freshTenant()
    const ends = [Effect.void, Effect.fail("no"), Effect.void, Effect.die("bug"), Effect.void, Effect.interrupt]
    const exits = yield* Effect.forEach(
      upTo(200),
      (number) =>
        Effect.exit(
          atomically(tenantId, Effect.andThen(write(tenantId, number), ends[number % ends.length] ?? Effect.void))
        ),
      { concurrency: "unbounded" }
    )
    assert.deepStrictEqual(
      exits.map(Exit.isSuccess),
      upTo(200).map((number) => number % 2 === 0)
    )
    assert.deepStrictEqual(
      yield* written(tenantId, upTo(200)),
      upTo(200).map((number) => (number % 2 === 0 ? 3 : 0))
    )
  })
)

scene("an interrupted unit stores nothing, and units in the same batch are stored", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const tenantId = freshTenant()
    const inside = Latch.makeUnsafe(false)
    const stuck = yield* Effect.forkChild(
      atomically(tenantId, write(tenantId, 1).pipe(Effect.andThen(inside.open), Effect.andThen(Effect.never)))
    )
    const next = yield* Effect.forkChild(atomically(tenantId, write(tenantId, 2)))
    yield* inside.await
    yield* Fiber.interrupt(stuck)
    yield* Fiber.join(next)
    assert.deepStrictEqual(yield* written(tenantId, [1, 2]), [0, 3])
  })
)

scene("an inner unit can fail alone, and is rolled back with the outer one", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const tenantId = freshTenant()
    const failing = (number: number) =>
      Effect.exit(atomically(tenantId, Effect.andThen(write(tenantId, number), Effect.fail("no"))))
    yield* atomically(
      tenantId,
      Effect.gen(function* () {
        yield* write(tenantId, 1)
        yield* failing(2)
        yield* atomically(tenantId, Effect.andThen(failing(3), write(tenantId, 4)))
        yield* write(tenantId, 5)
      })
    )
    yield* Effect.exit(
      atomically(tenantId, Effect.andThen(atomically(tenantId, write(tenantId, 6)), Effect.fail("outer")))
    )
    assert.deepStrictEqual(yield* written(tenantId, [1, 2, 3, 4, 5, 6]), [3, 0, 0, 3, 3, 0])
  })
)

scene("concurrent inner units run one at a time", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const tenantId = freshTenant()
    const inner = (number: number) =>
      Effect.exit(
        atomically(
          tenantId,
          Effect.andThen(write(tenantId, number), number % 2 === 0 ? Effect.void : Effect.fail("no"))
        )
      )
    yield* atomically(tenantId, Effect.forEach(upTo(20), inner, { concurrency: "unbounded" }))
    assert.deepStrictEqual(
      yield* written(tenantId, upTo(20)),
      upTo(20).map((number) => (number % 2 === 0 ? 3 : 0))
    )
  })
)

scene("a unit that continues after a failed statement fails and stores nothing", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const contacts = yield* Contacts
    const tenantId = freshTenant()
    yield* contacts.insert(contactRecord(tenantId, 1))
    const taken = Effect.exit(contacts.insert(contactRecord(tenantId, 1)))
    const careless = atomically(
      tenantId,
      Effect.gen(function* () {
        yield* write(tenantId, 2)
        yield* taken
        yield* Effect.exit(write(tenantId, 3))
      })
    )
    assert.isTrue(Exit.hasDies(yield* Effect.exit(careless)))
    yield* atomically(
      tenantId,
      Effect.andThen(Effect.exit(atomically(tenantId, Effect.andThen(write(tenantId, 4), taken))), write(tenantId, 5))
    )
    assert.deepStrictEqual(yield* written(tenantId, [2, 3, 4, 5]), [0, 0, 0, 3])
  })
)

sqliteScene("waiting units share a commit, up to the limit", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const tenantId = freshTenant()
    const passed = yield* intercept()
    yield* Effect.forEach(upTo(2 * unitsPerCommit), (number) => atomically(tenantId, write(tenantId, number)), {
      concurrency: "unbounded"
    })
    const commits = passed.filter((text) => text === "COMMIT").length
    assert.isAtLeast(commits, 2)
    assert.isAtMost(commits, 4)
    assert.strictEqual(passed.filter((text) => text.startsWith("BEGIN")).length, commits)
  })
)

sqliteScene("units use savepoints only after a unit of their batch has failed", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const tenantId = freshTenant()
    const passed = yield* intercept()
    const savepoints = () => passed.filter((text) => text === "SAVEPOINT unit").length
    const stored = (number: number) => atomically(tenantId, write(tenantId, number))
    const failing = (number: number) => atomically(tenantId, Effect.andThen(write(tenantId, number), Effect.fail("no")))
    yield* Effect.forEach([1, 2, 3], stored, { concurrency: "unbounded" })
    assert.strictEqual(savepoints(), 0)
    const exits = yield* Effect.all([Effect.exit(stored(4)), Effect.exit(failing(5)), Effect.exit(stored(6))], {
      concurrency: "unbounded"
    })
    assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, false, true])
    // The transaction ends at the failure, so the third unit runs in the next one.
    assert.strictEqual(savepoints(), 2)
    assert.deepStrictEqual(yield* written(tenantId, [1, 2, 3, 4, 5, 6]), [3, 3, 3, 3, 0, 3])
  })
)

sqliteScene("a unit that fails alone runs once", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const tenantId = freshTenant()
    let runs = 0
    const unit = Effect.gen(function* () {
      runs += 1
      yield* write(tenantId, 1)
      return yield* Effect.fail("no")
    })
    assert.strictEqual(yield* Effect.flip(atomically(tenantId, unit)), "no")
    assert.strictEqual(runs, 1)
    yield* atomically(tenantId, write(tenantId, 2))
    assert.deepStrictEqual(yield* written(tenantId, [1, 2]), [0, 3])
  })
)

scene("a signal wakes workers after its commit, and not after a failed unit", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const signals = yield* Signals
    const tenantId = freshTenant()
    const waiting = yield* Effect.forkChild(signals.wait(60_000), { startImmediately: true })
    yield* Effect.exit(
      atomically(tenantId, Effect.andThen(signals.enqueue(signalRecord(tenantId, 1), noon, 0), Effect.fail("no")))
    )
    yield* TestClock.adjust(1)
    assert.isUndefined(waiting.pollUnsafe())
    yield* atomically(tenantId, atomically(tenantId, signals.enqueue(signalRecord(tenantId, 1), noon, 0)))
    yield* Fiber.join(waiting)
  })
)

scene("a statement outside a running unit is not part of the unit", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const tenantId = freshTenant()
    const [inside, free] = [Latch.makeUnsafe(false), Latch.makeUnsafe(false)]
    const unit = write(tenantId, 1).pipe(
      Effect.andThen(inside.open),
      Effect.andThen(free.await),
      Effect.andThen(Effect.fail("no"))
    )
    const failing = yield* Effect.forkChild(Effect.exit(atomically(tenantId, unit)))
    yield* inside.await
    const beside = yield* Effect.forkChild(write(tenantId, 2), { startImmediately: true })
    yield* free.open
    yield* Fiber.join(failing)
    yield* Fiber.join(beside)
    assert.deepStrictEqual(yield* written(tenantId, [1, 2]), [0, 3])
  })
)

scene("a tenant with many units does not block the others", () =>
  Effect.gen(function* () {
    const { atomically } = yield* Transactions
    const [busy, small] = [freshTenant(), freshTenant()]
    const order: Array<string> = []
    const unit = (tenantId: string, number: number) =>
      Effect.tap(atomically(tenantId, write(tenantId, number)), () => Effect.sync(() => order.push(tenantId)))
    const many = Effect.forEach(upTo(5 * unitsPerCommit), (number) => unit(busy, number), { concurrency: "unbounded" })
    const crowd = yield* Effect.forkChild(many, { startImmediately: true })
    yield* unit(small, 1)
    yield* Fiber.join(crowd)
    assert.isBelow(order.indexOf(small), 4 * unitsPerCommit)
  })
)

import { assert, it } from "@effect/vitest"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { temporaryDatabase } from "@leadloom/testkit/postgres/Database"
import { makeDatabaseProxy } from "@leadloom/testkit/postgres/DatabaseProxy"
import { Effect, Layer, Schedule } from "effect"
import * as Store from "../../src/Store.ts"
import { write, written } from "../Triple.ts"

it.live("a Postgres that stops answering is an outage after the deadline, and is used again when it answers", () =>
  Effect.gen(function* () {
    const target = yield* temporaryDatabase
    const door = yield* Effect.acquireRelease(
      Effect.promise(() => makeDatabaseProxy(target)),
      (opened) => Effect.promise(opened.close)
    )
    const store = yield* Layer.build(Store.layer({ url: door.url, deadlineMillis: 700 }))
    yield* Effect.gen(function* () {
      const { atomically } = yield* Transactions
      yield* atomically("acme", write("acme", 1))
      door.swallow()
      const failures = yield* Effect.all(
        [Effect.flip(atomically("acme", write("acme", 2))), Effect.flip(Store.ping), Effect.flip(written("acme", [1]))],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        failures.map(({ _tag }) => _tag),
        ["StoreUnavailable", "StoreUnavailable", "StoreUnavailable"]
      )
      door.open()
      // The database must first notice that the connection of the second unit is lost, and release its lock.
      yield* Effect.retry(atomically("acme", write("acme", 3)), Schedule.recurs(50))
      assert.deepStrictEqual(yield* written("acme", [1, 2, 3]), [3, 0, 3])
    }).pipe(Effect.provide(store))
  }).pipe(Effect.scoped)
)

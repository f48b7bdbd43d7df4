import { assert, layer } from "@effect/vitest"
import { Sources } from "@leadloom/core/internal/port/repository/tenant/Sources"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { freshTenant, sourceRecord, tenantRecord } from "@leadloom/testkit/suite/Records"
import { Deferred, Effect, Fiber } from "effect"
import { intercept } from "../Interception.ts"
import { temporaryStore } from "../TemporaryStore.ts"

const rename = (tenantId: string, name: string) =>
  Effect.flatMap(Tenants, (tenants) => tenants.update(tenantRecord(tenantId, { name })))

const nameOf = (tenantId: string) =>
  Effect.map(
    Effect.flatMap(Tenants, (tenants) => tenants.get(tenantId)),
    ({ name }) => name
  )

const insertTenant = Effect.gen(function* () {
  const tenantId = freshTenant()
  yield* (yield* Tenants).insert(tenantRecord(tenantId, { name: "before" }))
  assert.strictEqual(yield* nameOf(tenantId), "before")
  return tenantId
})

layer(temporaryStore)("Records in memory", (it) => {
  it.effect("a known tenant and a known source key are not read again", () =>
    Effect.gen(function* () {
      const tenantId = yield* insertTenant
      const sources = yield* Sources
      const source = sourceRecord(tenantId, "form")
      yield* sources.insert(source)
      assert.deepStrictEqual(yield* sources.findByHash(source.hash), source)
      yield* nameOf(tenantId)
      const texts = yield* intercept()
      assert.deepStrictEqual(yield* sources.findByHash(source.hash), source)
      assert.strictEqual(yield* nameOf(tenantId), "before")
      assert.deepStrictEqual(texts, [])
      yield* sources.remove(tenantId, "form")
      assert.isNull(yield* sources.findByHash(source.hash))
    })
  )

  it.effect("a unit of work reads its own change, and others read it after the commit", () =>
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const tenantId = yield* insertTenant
      const inUnit = yield* atomically(tenantId, Effect.andThen(rename(tenantId, "after"), nameOf(tenantId)))
      assert.strictEqual(inUnit, "after")
      assert.strictEqual(yield* nameOf(tenantId), "after")
    })
  )

  it.effect("a change that is rolled back leaves no trace", () =>
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const tenantId = yield* insertTenant
      const unit = Effect.andThen(Effect.andThen(rename(tenantId, "after"), nameOf(tenantId)), Effect.fail("changed"))
      assert.strictEqual(yield* Effect.flip(atomically(tenantId, unit)), "changed")
      assert.strictEqual(yield* nameOf(tenantId), "before")
    })
  )

  it.effect("a record that was read during a change is not kept", () =>
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const tenantId = yield* insertTenant
      yield* rename(tenantId, "before")
      const changed = yield* Deferred.make<void>()
      const finish = yield* Deferred.make<void>()
      const unit = rename(tenantId, "after").pipe(
        Effect.andThen(Deferred.succeed(changed, undefined)),
        Effect.andThen(Deferred.await(finish))
      )
      const running = yield* Effect.forkChild(atomically(tenantId, unit))
      yield* Deferred.await(changed)
      assert.strictEqual(yield* nameOf(tenantId), "before")
      yield* Deferred.succeed(finish, undefined)
      yield* Fiber.join(running)
      assert.strictEqual(yield* nameOf(tenantId), "after")
    })
  )
})

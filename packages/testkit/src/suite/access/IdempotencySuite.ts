import { assert, describe } from "@effect/vitest"
import { deleteExpired } from "@leadloom/core/internal/workflow/access/DeleteExpired"
import {
  type IdempotencyRecord,
  keyMillis,
  requestLeaseMillis,
  requestRenewalMillis,
  type StoredResponse
} from "@leadloom/core/internal/domain/access/IdempotencyRecord"
import {
  type ResponseCodec,
  type IdempotentRequest,
  runIdempotentInSteps,
  runIdempotentInUnit
} from "@leadloom/core/internal/workflow/access/RunIdempotent"
import { IdempotencyRecords } from "@leadloom/core/internal/port/repository/tenant/IdempotencyRecords"
import { ProviderEvents } from "@leadloom/core/internal/port/repository/webhook/ProviderEvents"
import { Transactions } from "@leadloom/core/internal/port/system/Transactions"
import { Clock, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { acme, scenesOn } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

const form: ResponseCodec<string> = {
  keep: (body): StoredResponse | null =>
    body === "not kept" ? null : { status: 201, contentType: "text/plain", body },
  restore: ({ body }) => body
}

const request = (key: string, changes: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  tenantId: "acme",
  credential: "key_1",
  route: "POST /things",
  key,
  fingerprint: "f",
  ...changes
})

/** An action that must run only once. Its answer contains the number of runs. */
const counter = () => {
  let times = 0
  const act = Effect.gen(function* () {
    const { atomically } = yield* Transactions
    times += 1
    yield* atomically("acme", (yield* ProviderEvents).receive("acme", "test", `${times}`, times))
    return `answer ${times}`
  })
  return { act, times: () => times }
}

/** Tests requests with an idempotency key on a store. `undoes`: whether the store rolls back failed units. */
export const idempotencySuite = (name: string, store: StoreLayer): void => {
  const add = scenesOn(store)
  const scene: typeof add = (title, test) =>
    describe(`a request under a key on ${name}`, () => {
      add(title, test)
    })

  for (const [way, once] of [
    ["in a unit", runIdempotentInUnit],
    ["in steps", runIdempotentInSteps]
  ] as const) {
    scene(`runs once, ${way}, and repeats its answer`, () =>
      Effect.gen(function* () {
        const { act, times } = counter()
        const first = yield* once(request("a"), act, form)
        const again = yield* once(request("a"), act, form)
        assert.deepStrictEqual(
          [first, again],
          [
            { answer: "answer 1", replayed: false },
            { answer: "answer 1", replayed: true }
          ]
        )
        for (const other of [{ key: "b" }, { credential: "key_2" }, { route: "POST /others" }, { tenantId: "two" }])
          assert.isFalse((yield* once(request("a", other), act, form)).replayed)
        assert.strictEqual(times(), 5)
        const changed = yield* Effect.flip(once(request("a", { fingerprint: "g" }), act, form))
        assert.strictEqual(changed._tag, "IdempotencyConflict")
        assert.strictEqual(times(), 5)
      })
    )

    scene(`can be repeated ${way} after a failure, or after an answer that is not stored`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* Effect.flip(once(request("a"), Effect.fail("no"), form)), "no")
        assert.strictEqual((yield* once(request("a"), Effect.succeed("not kept"), form)).answer, "not kept")
        assert.deepStrictEqual(yield* once(request("a"), Effect.succeed("yes"), form), {
          answer: "yes",
          replayed: false
        })
      })
    )

    scene(`is a new request ${way} after 24 hours, and the old record is gone`, () =>
      Effect.gen(function* () {
        yield* acme.open()
        yield* once(request("a"), Effect.succeed("old"), form)
        yield* TestClock.adjust(keyMillis - 1)
        assert.strictEqual((yield* once(request("a"), Effect.succeed("new"), form)).answer, "old")
        yield* TestClock.adjust(1)
        assert.strictEqual((yield* once(request("a"), Effect.succeed("new"), form)).answer, "new")
        yield* TestClock.adjust(keyMillis + 1)
        assert.strictEqual(yield* deleteExpired(), 1)
        assert.isNull(yield* (yield* IdempotencyRecords).find(request("a")))
      })
    )

    scene(`with a deleted answer does not run again ${way}`, () =>
      Effect.gen(function* () {
        const { act, times } = counter()
        yield* once(request("a"), act, form)
        yield* (yield* IdempotencyRecords).forgetAnswers("acme")
        assert.strictEqual((yield* Effect.flip(once(request("a"), act, form)))._tag, "ResponseExpired")
        assert.strictEqual(times(), 1)
      })
    )
  }

  scene("runs once for many concurrent calls in a unit, and all get the answer", () =>
    Effect.gen(function* () {
      const { act, times } = counter()
      const requests = Array.from({ length: 20 }, () => runIdempotentInUnit(request("a"), act, form))
      const answers = yield* Effect.all(requests, { concurrency: "unbounded" })
      assert.deepStrictEqual([new Set(answers.map(({ answer }) => answer)), times()], [new Set(["answer 1"]), 1])
      assert.strictEqual(answers.filter(({ replayed }) => !replayed).length, 1)
    })
  )

  const leaseOf = Effect.gen(function* () {
    const record = yield* (yield* Transactions).atomically("acme", (yield* IdempotencyRecords).find(request("a")))
    return record?.leaseUntil ?? 0
  })

  scene("that runs in steps is rejected while it runs, also after the time of its first lease", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const waiting = Effect.andThen(Deferred.succeed(started, undefined), Effect.never)
      const fiber = yield* Effect.forkChild(runIdempotentInSteps(request("a"), waiting, form))
      yield* Deferred.await(started)
      for (let passed = 0; passed <= requestLeaseMillis; passed += requestRenewalMillis) {
        const refused = yield* Effect.flip(runIdempotentInSteps(request("a"), Effect.succeed("mine"), form))
        assert.strictEqual(refused._tag, "IdempotencyInProgress")
        const lease = yield* leaseOf
        yield* TestClock.adjust(requestRenewalMillis)
        while ((yield* leaseOf) === lease) yield* Effect.yieldNow
      }
      yield* Fiber.interrupt(fiber)
      assert.strictEqual((yield* runIdempotentInSteps(request("a"), Effect.succeed("mine"), form)).answer, "mine")
    })
  )

  /** The record of a request whose server crashed. */
  const crashed = (createdAt: number): IdempotencyRecord => {
    const { credential, fingerprint, key, route, tenantId } = request("a")
    const leaseUntil = createdAt + requestLeaseMillis
    return { tenantId, credential, route, key, fingerprint, state: "running", answer: null, leaseUntil, createdAt }
  }

  scene("that runs in steps can be repeated after a crash of its server, when its lease has expired", () =>
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const { put } = yield* IdempotencyRecords
      const { act } = counter()
      yield* atomically("acme", put(crashed(yield* Clock.currentTimeMillis)))
      yield* TestClock.adjust(requestLeaseMillis - 1)
      assert.strictEqual(
        (yield* Effect.flip(runIdempotentInSteps(request("a"), act, form)))._tag,
        "IdempotencyInProgress"
      )
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* runIdempotentInSteps(request("a"), act, form)).answer, "answer 1")
    })
  )

  scene("that runs in steps writes nothing after a repeated request has taken over its key", () =>
    Effect.gen(function* () {
      const { atomically } = yield* Transactions
      const records = yield* IdempotencyRecords
      const { act } = counter()
      const other = crashed((yield* Clock.currentTimeMillis) + 1)
      const late = Effect.andThen(atomically("acme", records.put(other)), act)
      const failure = yield* Effect.flip(runIdempotentInSteps(request("a"), late, form))
      assert.strictEqual(failure._tag, "StoreUnavailable")
      assert.deepStrictEqual(yield* atomically("acme", records.find(request("a"))), other)
      assert.isTrue(yield* atomically("acme", (yield* ProviderEvents).receive("acme", "test", "1", 1)))
    })
  )

  /** Interrupts a request after the commit of its `nth` unit, before the result of the commit reaches the request. */
  const hangUpAt = Effect.fnUntraced(function* <A, E, R>(nth: number, requested: Effect.Effect<A, E, R>) {
    const real = yield* Transactions
    const committed = yield* Deferred.make<void>()
    const resultDelivered = yield* Deferred.make<void>()
    let units = 0
    const watched = Transactions.of({
      atomically: (of, unit) =>
        Effect.tap(real.atomically(of, unit), () =>
          ++units === nth
            ? Effect.andThen(Deferred.succeed(committed, undefined), Deferred.await(resultDelivered))
            : Effect.void
        )
    })
    const fiber = yield* Effect.forkChild(Effect.provideService(requested, Transactions, watched))
    yield* Deferred.await(committed)
    fiber.interruptUnsafe()
    yield* Deferred.succeed(resultDelivered, undefined)
    yield* Fiber.await(fiber)
  })

  scene("that wrote in steps does not run again if its client disconnects at the commit", () =>
    Effect.gen(function* () {
      const { act, times } = counter()
      yield* hangUpAt(2, runIdempotentInSteps(request("a"), act, form))
      assert.strictEqual((yield* Effect.flip(runIdempotentInSteps(request("a"), act, form)))._tag, "ResponseExpired")
      assert.strictEqual(times(), 1)
    })
  )

  scene("can be repeated at once if its client disconnects while the key is claimed in steps", () =>
    Effect.gen(function* () {
      const { act } = counter()
      yield* hangUpAt(1, runIdempotentInSteps(request("a"), act, form))
      assert.isFalse((yield* runIdempotentInSteps(request("a"), act, form)).replayed)
    })
  )

  scene("that wrote in steps and then failed does not run again", () =>
    Effect.gen(function* () {
      const { act, times } = counter()
      assert.strictEqual(
        yield* Effect.flip(runIdempotentInSteps(request("a"), Effect.andThen(act, Effect.fail("no")), form)),
        "no"
      )
      assert.strictEqual((yield* Effect.flip(runIdempotentInSteps(request("a"), act, form)))._tag, "ResponseExpired")
      assert.strictEqual(times(), 1)
    })
  )

  scene("that wrote and still runs is rejected as running; its answer counts as lost only afterwards", () =>
    Effect.gen(function* () {
      const { act, times } = counter()
      const written = yield* Deferred.make<void>()
      const slow = Effect.andThen(act, Effect.andThen(Deferred.succeed(written, undefined), Effect.never))
      const fiber = yield* Effect.forkChild(runIdempotentInSteps(request("a"), slow, form, "repeat"))
      yield* Deferred.await(written)
      const refused = yield* Effect.flip(runIdempotentInSteps(request("a"), act, form, "repeat"))
      assert.strictEqual(refused._tag, "IdempotencyInProgress")
      yield* Fiber.interrupt(fiber)
      assert.strictEqual((yield* Effect.flip(runIdempotentInSteps(request("a"), act, form)))._tag, "ResponseExpired")
      assert.deepStrictEqual(yield* runIdempotentInSteps(request("a"), act, form, "repeat"), {
        answer: "answer 2",
        replayed: false
      })
      assert.strictEqual((yield* runIdempotentInSteps(request("a"), act, form, "repeat")).answer, "answer 2")
      assert.strictEqual(times(), 2)
    })
  )

  scene("with a streamed body is identified by the whole body, which is read again before a repeated answer", () =>
    Effect.gen(function* () {
      const { act, times } = counter()
      let reads = 0
      const streamed = (fingerprint: string) => ({
        ...request("a"),
        fingerprint: Effect.sync(() => {
          reads += 1
          return fingerprint
        })
      })
      assert.isFalse((yield* runIdempotentInSteps(streamed("f"), act, form, "repeat")).replayed)
      assert.isTrue((yield* runIdempotentInSteps(streamed("f"), act, form, "repeat")).replayed)
      const changed = yield* Effect.flip(runIdempotentInSteps(streamed("g"), act, form, "repeat"))
      assert.deepStrictEqual([changed._tag, reads, times()], ["IdempotencyConflict", 3, 1])
    })
  )

  scene("in a unit has written nothing when its answer could not be written", () =>
    Effect.gen(function* () {
      const records = yield* IdempotencyRecords
      const broken = IdempotencyRecords.of({ ...records, put: () => Effect.die("no room") })
      const { act } = counter()
      const exit = yield* Effect.exit(
        runIdempotentInUnit(request("a"), act, form).pipe(Effect.provideService(IdempotencyRecords, broken))
      )
      assert.strictEqual(exit._tag, "Failure")
      assert.isTrue(yield* (yield* ProviderEvents).receive("acme", "test", "1", 1))
    })
  )
}

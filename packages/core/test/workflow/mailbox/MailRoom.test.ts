import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import { maxMailboxMailBytes } from "../../../src/domain/mailbox/MailboxSync.ts"
import {
  MailRoom,
  makeMailRoom,
  maxLargeBytesInFlight,
  maxMailBytesInFlight,
  maxTenantMailBytes,
  minLargeMailBytes,
  takeMailRoom
} from "../../../src/workflow/mailbox/sync/MailRoom.ts"

/** Lets all fibers run that can run. */
const settle = Effect.repeat(Effect.yieldNow, { times: 50 })

/** Requests room in a fiber of its own. */
const request = Effect.fnUntraced(function* (tenantId: string, bytes: number) {
  const scope = yield* Scope.make()
  let taken = false
  const taking = Effect.andThen(
    takeMailRoom(tenantId, bytes),
    Effect.sync(() => (taken = true))
  )
  const fiber = yield* Effect.forkChild(Scope.provide(taking, scope), { startImmediately: true })
  yield* settle
  return {
    hasRoom: () => taken,
    interrupt: Effect.andThen(Fiber.interrupt(fiber), settle),
    release: Effect.andThen(Scope.close(scope, Exit.void), settle)
  }
})

/** Requests room for each tenant and size in order. Returns which of them have room. */
const requestAll = (all: ReadonlyArray<readonly [tenantId: string, bytes: number]>) =>
  Effect.forEach(all, ([tenantId, bytes]) => request(tenantId, bytes))

const states = (all: ReadonlyArray<{ readonly hasRoom: () => boolean }>) => all.map(({ hasRoom }) => hasRoom())

const large = maxMailboxMailBytes
const small = minLargeMailBytes
const tenants = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, index) => [`tenant${index}`, bytes] as const)

const test = (title: string, run: Effect.Effect<void>) =>
  it.effect(title, () => Effect.provideService(run, MailRoom, makeMailRoom()))

describe("the room for mails in memory", () => {
  test(
    "is limited for all tenants together",
    Effect.gen(function* () {
      const count = maxMailBytesInFlight / small
      const all = yield* requestAll(tenants(count, small))
      assert.notInclude(states(all), false)
      const next = yield* request("next", small)
      assert.isFalse(next.hasRoom())
      yield* all[0]?.release ?? Effect.void
      assert.isTrue(next.hasRoom())
    })
  )

  test(
    "has at most one half for a tenant, and another tenant gets the rest",
    Effect.gen(function* () {
      const count = maxTenantMailBytes / large
      const all = yield* requestAll(Array.from({ length: count + 1 }, () => ["acme", large] as const))
      assert.deepStrictEqual(states(all), [...Array<boolean>(count).fill(true), false])
      const other = yield* request("other", small)
      assert.isTrue(other.hasRoom())
      yield* all[0]?.release ?? Effect.void
      assert.isTrue(all[count]?.hasRoom())
    })
  )

  test(
    "has a part for ordinary mail, which large mails of any number of tenants leave free",
    Effect.gen(function* () {
      const count = maxLargeBytesInFlight / large
      const all = yield* requestAll(tenants(count + 3, large))
      assert.deepStrictEqual(states(all), [...Array<boolean>(count).fill(true), false, false, false])
      // The largest ordinary mail takes no part of the room of large ones.
      const ordinary = yield* request("ordinary", small)
      assert.isTrue(ordinary.hasRoom())
      const larger = yield* request("larger", small + 1)
      assert.isFalse(larger.hasRoom())
    })
  )

  test(
    "is given to waiting tenants in turn",
    Effect.gen(function* () {
      const held = yield* requestAll(tenants(maxMailBytesInFlight / small, small))
      const greedy = yield* requestAll(Array.from({ length: 4 }, () => ["greedy", small] as const))
      const modest = yield* request("modest", small)
      yield* held[0]?.release ?? Effect.void
      yield* held[1]?.release ?? Effect.void
      assert.isTrue(modest.hasRoom())
      assert.strictEqual(states(greedy).filter(Boolean).length, 1)
    })
  )

  test(
    "loses nothing to an interrupted wait, and forgets tenants that hold none",
    Effect.gen(function* () {
      const { tenants: known } = yield* MailRoom
      const held = yield* requestAll(tenants(maxLargeBytesInFlight / large, large))
      // It holds its part of the tenant's room while it waits for the shared one.
      const waiting = yield* request("waiting", large)
      assert.isFalse(waiting.hasRoom())
      yield* waiting.interrupt
      yield* waiting.release
      assert.isFalse(known.has("waiting"))
      for (const each of held) yield* each.release
      assert.strictEqual(known.size, 0)
      // All of the room is free again.
      const again = yield* requestAll([...tenants(maxLargeBytesInFlight / large, large), ["more", small]])
      assert.notInclude(states(again), false)
    })
  )
})

import { install, installed, locationId } from "./CrmWorld.ts"
import { kindOf } from "../../FailureKind.ts"
import * as ProviderFailure from "@leadloom/core/internal/domain/provider/ProviderFailure"
import { accessSeconds, type CrmInMemory } from "../../memory/Crm.ts"
import { assert, describe } from "@effect/vitest"
import { renewalLeaseMillis, withAccess } from "@leadloom/core/internal/workflow/crm/WithAccess"
import { Crm } from "@leadloom/core/internal/port/provider/Crm"
import { CrmInstalls } from "@leadloom/core/internal/port/repository/crm/CrmLocations"
import { Effect, Fiber, Layer, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import { acme, scenesOn, start } from "../Scene.ts"
import type { StoreLayer } from "../StoreLayer.ts"

/** Returns the token that a request to the CRM would use. */
const tokenNow = withAccess("acme", locationId, ({ token }) => Effect.succeed(Redacted.value(token)))

const refreshes = ({ calls }: CrmInMemory): number => calls.filter((name) => name === "refresh").length

const failureOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.result(effect), (result) => (Result.isFailure(result) ? result.failure : assert.fail("it worked")))

/** Tests many concurrent requests with an expired token. */
const stampede = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  const liveScene: typeof scene = (title, test) => scene(title, (doubles) => TestClock.withLive(test(doubles)))
  liveScene("fetches a new token once for many concurrent requests, and stops using the old one", ({ crm }) =>
    Effect.gen(function* () {
      const first = yield* install(crm)
      yield* (yield* CrmInstalls).replace({ ...first, expiresAt: 0 }, 1)
      const tokens = yield* Effect.all(
        Array.from({ length: 50 }, () => tokenNow),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(refreshes(crm), 1)
      assert.deepStrictEqual(new Set(tokens), new Set(["access-2"]))
      assert.isNull((yield* installed)?.refreshingUntil)
    })
  )

  liveScene("fetches a new token once if the CRM rejects the shared token", ({ crm }) =>
    Effect.gen(function* () {
      yield* install(crm)
      crm.accessTokens.clear()
      const find = withAccess("acme", locationId, (access) =>
        Effect.flatMap(Crm, ({ findContact }) => findContact(access, { email: "jo@customer.example" }))
      )
      const found = yield* Effect.all(
        Array.from({ length: 50 }, () => find),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(found), new Set([null]))
      assert.strictEqual(refreshes(crm), 1)
    })
  )
}

const ordinary = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  scene("uses a token until shortly before its end, and a refresh token once", ({ crm }) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      yield* install(crm)
      assert.strictEqual(yield* tokenNow, "access-1")
      yield* TestClock.adjust((accessSeconds - 301) * 1_000)
      assert.strictEqual(yield* tokenNow, "access-1")
      yield* TestClock.adjust(1_000)
      assert.strictEqual(yield* tokenNow, "access-2")
      yield* TestClock.adjust((accessSeconds + 5) * 1_000)
      assert.strictEqual(yield* tokenNow, "access-3")
      assert.strictEqual(refreshes(crm), 2)
    })
  )

  scene("keeps using a valid token while the CRM cannot issue a new one", ({ crm }) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      yield* install(crm)
      yield* TestClock.adjust((accessSeconds - 60) * 1_000)
      crm.failure = ProviderFailure.unavailable("crm", "away")
      assert.strictEqual(yield* tokenNow, "access-1")
      yield* TestClock.adjust(61_000)
      assert.strictEqual(kindOf(yield* failureOf(tokenNow)), "Unavailable")
      crm.failure = null
      assert.strictEqual(yield* tokenNow, "access-2")
    })
  )

  scene("rejects requests without an install, or after its removal", ({ crm }) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* failureOf(tokenNow))._tag, "CrmNotInstalled")
      const first = yield* install(crm)
      yield* (yield* CrmInstalls).replace({ ...first, status: "uninstalled", sealedAccess: "" }, 1)
      assert.strictEqual((yield* failureOf(tokenNow))._tag, "CrmNotInstalled")
      assert.deepStrictEqual(crm.calls, [])
    })
  )
}

const broken = (store: StoreLayer): void => {
  const scene = scenesOn(store, "crm")
  const expired = Effect.fnUntraced(function* (crm: CrmInMemory) {
    yield* TestClock.setTime(start)
    yield* install(crm)
    yield* TestClock.adjust((accessSeconds + 1) * 1_000)
  })

  scene("signs out a location with a used refresh token until the app is installed again", ({ crm }) =>
    Effect.gen(function* () {
      yield* expired(crm)
      crm.refreshTokens.clear()
      assert.strictEqual(kindOf(yield* failureOf(tokenNow)), "SignedOut")
      const ended = yield* installed
      assert.deepInclude(ended, { status: "signed_out", reason: "unknown refresh token", refreshingUntil: null })
      assert.strictEqual(kindOf(yield* failureOf(tokenNow)), "SignedOut")
      assert.strictEqual(refreshes(crm), 1)
      assert.deepStrictEqual(
        (yield* acme.events()).map(({ data, type }) => [type, data]),
        [["crm.signed_out", { location_id: locationId, reason: "unknown refresh token" }]]
      )
    })
  )

  scene("signs out a location whose new token is rejected", ({ crm }) =>
    Effect.gen(function* () {
      yield* expired(crm)
      const refused = withAccess("acme", locationId, () => Effect.fail(ProviderFailure.signedOut("crm", "401")))
      assert.strictEqual(kindOf(yield* failureOf(refused)), "SignedOut")
      assert.deepInclude(yield* installed, { status: "signed_out", reason: "401" })
      assert.strictEqual(refreshes(crm), 2)
    })
  )

  scene("keeps all locations if the server's own credentials are wrong", ({ crm }) =>
    Effect.gen(function* () {
      yield* expired(crm)
      crm.failure = ProviderFailure.refused("crm", "invalid client")
      assert.strictEqual(kindOf(yield* failureOf(tokenNow)), "Refused")
      assert.deepInclude(yield* installed, { status: "installed", refreshingUntil: null })
      crm.failure = null
      assert.strictEqual(yield* tokenNow, "access-2")
    })
  )

  scene("repeats a refresh with an unknown outcome; if it had succeeded, the location is signed out", ({ crm }) =>
    Effect.gen(function* () {
      yield* expired(crm)
      crm.failure = ProviderFailure.outcomeUnknown("crm", "lost")
      assert.strictEqual(kindOf(yield* failureOf(tokenNow)), "Unavailable")
      crm.failure = null
      assert.strictEqual(yield* tokenNow, "access-2")
      yield* TestClock.adjust((accessSeconds + 1) * 1_000)
      const usedUp = [...crm.refreshTokens.keys()]
      crm.failure = ProviderFailure.outcomeUnknown("crm", "lost")
      assert.strictEqual(kindOf(yield* failureOf(tokenNow)), "Unavailable")
      crm.failure = null
      usedUp.forEach((token) => crm.refreshTokens.delete(token))
      assert.strictEqual(kindOf(yield* failureOf(tokenNow)), "SignedOut")
      assert.strictEqual((yield* installed)?.status, "signed_out")
    })
  )

  scene(
    "leaves a lease after a crash between the CRM's response and the store, and the next process recovers",
    ({ crm }) =>
      Effect.gen(function* () {
        yield* expired(crm)
        const installs = yield* CrmInstalls
        // The CRM returns a new token pair, but the process crashes before it is stored.
        const dying = CrmInstalls.of({
          ...installs,
          replace: (next, version) =>
            next.refreshingUntil === null ? Effect.die("the process dies") : installs.replace(next, version)
        })
        const died = yield* Effect.exit(Effect.provideService(tokenNow, CrmInstalls, dying))
        assert.isTrue(died._tag === "Failure")
        assert.isNotNull((yield* installed)?.refreshingUntil)
        const waiting = yield* Effect.forkChild(failureOf(tokenNow))
        yield* TestClock.adjust(renewalLeaseMillis - 1_000)
        assert.strictEqual(refreshes(crm), 1)
        yield* TestClock.adjust(2_000)
        assert.strictEqual(kindOf(yield* Fiber.join(waiting)), "SignedOut")
        assert.strictEqual(refreshes(crm), 2)
        assert.strictEqual((yield* installed)?.status, "signed_out")
      })
  )

  scene("discards tokens for an install that was replaced meanwhile", ({ crm }) =>
    Effect.gen(function* () {
      yield* expired(crm)
      const { refresh } = yield* Crm
      const installs = yield* CrmInstalls
      const overtaken = Layer.effect(
        Crm,
        Effect.map(Crm, (there) => ({
          ...there,
          refresh: (...requested: Parameters<typeof refresh>) =>
            Effect.gen(function* () {
              const now = (yield* Effect.orDie(installs.get("acme", locationId))) ?? assert.fail("no install")
              const anew = { ...now, sealedAccess: `{"place":"crm:acme:${locationId}","secret":"anew"}` }
              const fresh = { ...anew, refreshingUntil: null, expiresAt: start + 9e9 }
              yield* Effect.orDie(installs.replace(fresh, now.version))
              return yield* refresh(...requested)
            })
        }))
      )
      assert.strictEqual(yield* Effect.provide(tokenNow, overtaken), "anew")
    })
  )
}

/** Tests `withAccess` on a store. */
export const crmAccessSuite = (name: string, store: StoreLayer): void => {
  describe(`Access to a CRM on ${name}`, () => {
    ordinary(store)
    stampede(store)
    broken(store)
  })
}

import { it } from "@effect/vitest"
import { Signals } from "@leadloom/core/internal/port/repository/pipeline/Signals"
import { Tenants } from "@leadloom/core/internal/port/repository/tenant/Tenants"
import { signalQueue } from "@leadloom/core/internal/workflow/pipeline/WorkSignals"
import { TenantNotFound } from "@leadloom/core/internal/domain/tenant/Tenant"
import { onMigratedFile } from "@leadloom/testkit/MigratedFile"
import { around } from "@leadloom/testkit/suite/Doubles"
import * as Store from "@leadloom/store/internal/Store"
import { Deferred, Effect, Exit, Fiber, Layer, Scheduler, Scope } from "effect"
import { describe, expect } from "vitest"
import { TickScheduler } from "../../src/watchdog/RunningOperation.ts"
import { workersOf } from "../../src/worker/Workers.ts"

const signal = {
  signalId: "sig_1",
  tenantId: "acme",
  messageId: "msg_1",
  contactId: "con_1",
  leadId: null,
  attempts: 1,
  unfinished: 1,
  suspect: false
} as const

/** A queue with one signal. Reading its tenant runs `reading` and waits for `release`. */
const stageWith = Effect.fnUntraced(function* (reading: Effect.Effect<void>) {
  const begun = yield* Deferred.make<void>()
  const release = yield* Deferred.make<void>()
  const log: Array<string> = []
  const queue: Array<typeof signal> = [signal]
  const services = Layer.provideMerge(
    Layer.mergeAll(
      Layer.effect(
        Signals,
        Effect.map(Signals, (signals) => ({
          ...signals,
          claim: () => Effect.sync(() => queue.splice(0)),
          wait: () => Effect.never,
          finish: () => Effect.sync(() => log.push("finished") > 0)
        }))
      ),
      Layer.effect(
        Tenants,
        Effect.map(Tenants, (tenants) => ({
          ...tenants,
          get: (tenantId) =>
            Effect.andThen(reading, Deferred.succeed(begun, undefined)).pipe(
              Effect.andThen(Deferred.await(release)),
              Effect.andThen(Effect.fail(new TenantNotFound({ tenantId })))
            )
        }))
      )
    ),
    Layer.mergeAll(
      onMigratedFile((url) => Store.layer({ url })),
      around
    )
  )
  return { begun, log, release, services }
})

const stage = stageWith(Effect.void)

describe("the workers of a server", () => {
  it.effect("stop immediately if they are idle", () =>
    Effect.gen(function* () {
      const { begun, log, release, services } = yield* stage
      yield* Deferred.succeed(release, undefined)
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(workersOf(signalQueue).pipe(Layer.provide(services)), scope)
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
      expect(log).toEqual(["finished"])
    })
  )

  it.effect("report the tenant of a signal that blocks the main thread", () =>
    Effect.gen(function* () {
      let time = 0
      const scheduler = new TickScheduler(() => time)
      const { begun, release, services } = yield* stageWith(Effect.sync(() => void (time += 1_000)))
      yield* Deferred.succeed(release, undefined)
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(workersOf(signalQueue).pipe(Layer.provide(services)), scope).pipe(
        Effect.provideService(Scheduler.Scheduler, scheduler)
      )
      yield* Deferred.await(begun)
      yield* Scope.close(scope, Exit.void)
      const { millis, operation } = scheduler.resetLongest()
      expect(millis).toBe(1_000)
      expect(operation).toMatchObject({
        worker: "worker.signals",
        annotations: { signal: "sig_1", tenant: "acme" }
      })
    })
  )

  it.effect("finish their current work before the server stops", () =>
    Effect.gen(function* () {
      const { begun, log, release, services } = yield* stage
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(workersOf(signalQueue).pipe(Layer.provide(services)), scope)
      yield* Deferred.await(begun)
      const stopping = yield* Effect.forkChild(
        Effect.andThen(
          Scope.close(scope, Exit.void),
          Effect.sync(() => log.push("stopped"))
        )
      )
      yield* Effect.yieldNow
      expect(log).toEqual([])
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(stopping)
      expect(log).toEqual(["finished", "stopped"])
    })
  )
})

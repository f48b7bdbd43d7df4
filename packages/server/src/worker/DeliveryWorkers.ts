import { DeliveryPolicy } from "@leadloom/core/domain/webhook/Schedule"
import { workDeliveries } from "@leadloom/core/workflow/webhook/WorkDeliveries"
import { Effect, Fiber, Latch, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"
import { drainSeconds, restartOnDefect } from "./Workers.ts"

/**
 * Delivers outbound events while the server runs, unless delivery is off. At shutdown no new delivery starts, and
 * results of running deliveries are stored.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { mode } = yield* DeliveryPolicy
    if (mode === "off") return
    const closing = yield* Latch.make(false)
    let closed = false
    const work = Effect.repeat(restartOnDefect(workDeliveries(closing)), { while: () => !closed })
    const worker = yield* Effect.provideService(Effect.forkDetach(work), CurrentWorker, "worker.deliveries")
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => void (closed = true)).pipe(
        Effect.andThen(closing.open),
        Effect.andThen(Effect.timeoutOption(Fiber.await(worker), `${drainSeconds} seconds`)),
        Effect.andThen(Fiber.interrupt(worker))
      )
    )
  })
)

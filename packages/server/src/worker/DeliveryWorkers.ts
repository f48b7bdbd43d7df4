import { DeliveryPolicy } from "@leadloom/core/domain/webhook/Schedule"
import { workDeliveries } from "@leadloom/core/workflow/delivery/WorkDeliveries"
import { Effect, Fiber, Latch, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"
import { drainSeconds, restartOnDefect } from "./Workers.ts"

/**
 * Delivers outbound events as long as the server runs, unless the operator wants none delivered. At its end nothing more
 * goes out, and what is on its way is written down.
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

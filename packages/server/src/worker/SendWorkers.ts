import { workSends } from "@leadloom/core/workflow/sending/WorkSends"
import { Sends } from "@leadloom/core/port/repository/conversation/Sends"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"
import { closableQueue, runWorkers } from "./Workers.ts"

/** One is enough for what is due: it hands several over beside each other. Two, so that a slow relay holds up less. */
export const workerCount = 2

/**
 * Hands over what is due as long as the server runs: replies that go by themselves, what a relay did not take, and what
 * other servers left behind.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sends = yield* Sends
    const { claim, close, wait } = yield* closableQueue(sends, workerCount)
    const queue = Sends.of({ ...sends, claim, wait })
    yield* runWorkers(Effect.provideService(workSends, Sends, queue), workerCount, close).pipe(
      Effect.provideService(CurrentWorker, "worker.sends")
    )
  })
)

import { workSends } from "@leadloom/core/workflow/sending/WorkSends"
import { Sends } from "@leadloom/core/port/repository/conversation/Sends"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"
import { closableQueue, runWorkers } from "./Workers.ts"

/** Each worker transmits several sends concurrently. The second worker reduces delays by a slow relay. */
export const workerCount = 2

/**
 * Transmits due sends while the server runs: automatic replies, sends that a relay deferred, and sends that other
 * servers left unfinished.
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

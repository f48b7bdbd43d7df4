import { workSignals } from "@leadloom/core/workflow/pipeline/WorkSignals"
import { Signals } from "@leadloom/core/port/repository/pipeline/Signals"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"
import { closableQueue, runWorkers } from "./Workers.ts"

/** Concurrent workers: one can compute while another waits for its commit. */
export const workerCount = 2

/** Processes the signal queue while the server runs. At shutdown workers finish their current signals. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const signals = yield* Signals
    const { claim, close, wait } = yield* closableQueue(signals, workerCount)
    const queue = Signals.of({ ...signals, claim, wait })
    yield* runWorkers(Effect.provideService(workSignals, Signals, queue), workerCount, close).pipe(
      Effect.provideService(CurrentWorker, "worker.signals")
    )
  })
)

import { type RunErrand, workErrands } from "@leadloom/core/workflow/job/WorkErrands"
import { Errands } from "@leadloom/core/port/repository/webhook/Errands"
import { Effect, Layer } from "effect"
import { CurrentWorker } from "../watchdog/RunningOperation.ts"
import { closable, employ } from "./Workers.ts"

/** Each does several errands beside each other; two, so that a slow provider holds up less. */
export const workerCount = 2

/** Does what is to be done outside, as `run` does it, as long as the server runs. */
export const layer = <R>(run: RunErrand<R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const errands = yield* Errands
      const { claim, close, wait } = yield* closable(errands, workerCount)
      const queue = Errands.of({ ...errands, claim, wait })
      yield* employ(Effect.provideService(workErrands(run), Errands, queue), workerCount, close).pipe(
        Effect.provideService(CurrentWorker, "worker.errands")
      )
    })
  )
